// Numbers that may change: constants, keys over time, expressions of time and place.
#include "scene/number.h"

const char *const scene_variables[SCENE_VARIABLES] = {"t", "x", "y", "z"};

// the last key at or before the time; -1 before the first. Of keys at one time the last counts, so
// that two make a jump.
static int find_key(const ThawNumber *number, double t) {
    int low = -1, high = number->key_count;
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        if (number->keys[middle][0] <= t) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

static double value_between_keys(const ThawNumber *number, double t) {
    int before = find_key(number, t);
    if (before < 0) return number->keys[0][1];
    const double *a = number->keys[before];
    if (before == number->key_count - 1 || t == a[0]) return a[1];
    const double *b = number->keys[before + 1];
    double s = (t - a[0]) / (b[0] - a[0]);
    return a[1] * (1.0 - s) + b[1] * s;
}

double thaw_number_at(const ThawNumber *number, const ThawMoment *moment) {
    if (number->expression != NULL) {
        double values[SCENE_VARIABLES] = {moment->t, moment->x, moment->y, moment->z};
        return number->scale * thaw_expression_evaluate(number->expression, values);
    }
    return number->key_count > 0 ? value_between_keys(number, moment->t) : number->constant;
}

ThawVec3 thaw_number3_at(const ThawNumber3 *number, const ThawMoment *moment) {
    return (ThawVec3){thaw_number_at(&number->axis[0], moment),
                      thaw_number_at(&number->axis[1], moment),
                      thaw_number_at(&number->axis[2], moment)};
}

bool thaw_number_varies(const ThawNumber *number) {
    if (number->expression != NULL) {
        for (int k = 0; k < SCENE_VARIABLES; k++) {
            if (thaw_expression_uses(number->expression, k)) return true;
        }
        return false;
    }
    for (int k = 1; k < number->key_count; k++) {
        if (number->keys[k][1] != number->keys[0][1]) return true;
    }
    return false;
}

bool scene_number_is_zero(const ThawNumber *number) {
    const ThawMoment start = {0};
    return !thaw_number_varies(number) && thaw_number_at(number, &start) == 0;
}
