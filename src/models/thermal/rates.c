// Rates of melting and freezing: eq. 15 and 16 of the paper, each factor clamped.
#include "models/thermal/change.h"

#include "math/random.h"

#include <math.h>

// 1/s: what would freeze at once but does not fit well waits for so long for a better place. (If it waited for ever, a
// tenth of a pool at rest stayed liquid; if it did not wait at all, crystals were full of flaws.)
#define PATIENCE 5.0

double thaw_melting_rate(const ThawThermalDef *def, double temperature) {
    double above = temperature - (double)def->melts_at;
    if (!(def->melts_at > 0) || !(above > 0)) return 0;
    return def->melting_rate > 0 ? (double)def->melting_rate * above : INFINITY;
}

double thaw_freezing_temperature(const ThawThermalDef *def) {
    return (double)(def->freezes_at > 0 ? def->freezes_at : def->melts_at);
}

// min(1, limit / value); a rate that is infinite is not slowed but stopped
static double slow_down(double rate, double value, double limit) {
    if (!(value > limit)) return rate;
    return isinf(rate) ? 0 : rate * (limit / value);
}

double thaw_freezing_rate_by(const ThawThermalDef *def, const ThawFreezingPoint *at, double rate) {
    if (!(rate > 0) || !(at->neighbors > at->least)) return 0;
    if (def->freezing_speed > 0) rate = slow_down(rate, at->speed, (double)def->freezing_speed);
    if (isinf(rate) && at->misfit > (double)def->freezing_misfit) rate = PATIENCE;
    return slow_down(rate, at->misfit, (double)def->freezing_misfit);
}

double thaw_freezing_rate(const ThawThermalDef *def, const ThawFreezingPoint *at) {
    double below = fmax(thaw_freezing_temperature(def) - at->temperature, 0);
    double more = fmax(at->neighbors - at->least, 0), rate = below * more;
    rate = def->freezing_rate > 0 ? (double)def->freezing_rate * rate : rate > 0 ? INFINITY : 0;
    return thaw_freezing_rate_by(def, at, rate);
}

bool thaw_change_happens(const ThawChangeRound *round, uint32_t row, double rate,
                         uint64_t purpose) {
    if (!(rate > 0)) return false;
    if (isinf(rate)) return true;
    const ThawStep *step = round->step;
    double unit = thaw_random_unit(step->seed, step->store->id[row], round->draw, purpose);
    return unit < -expm1(-rate * round->dt);
}

// ---------------------------------------------------------------- rules of one's own

const ThawTransitionRules *thaw_change_rules(const ThawChangeRound *round, uint32_t row) {
    const ThawStep *step = round->step;
    return step->rules == NULL ? NULL : &step->rules[step->store->material[row]];
}

double thaw_change_cold_rate(const ThawChangeRound *round, uint32_t row) {
    const ThawStep *step = round->step;
    const ThawTransitionRules *rules = thaw_change_rules(round, row);
    if (rules != NULL && rules->freezes != NULL) {
        ThawTransitionPoint point = thaw_change_point(round, row);
        return rules->freezes(rules->user, &point);
    }
    const ThawThermalDef *def = &step->materials[step->store->material[row]].thermal;
    return thaw_freezing_temperature(def) - (double)round->heat.temperature[row];
}

ThawTransitionPoint thaw_change_point(const ThawChangeRound *round, uint32_t row) {
    const ThawStep *step = round->step;
    const ThawStore *store = step->store;
    const ThawEnthalpyCurve *curve = &round->thermal->curves[store->material[row]];
    ThawTransitionPoint point = {.time = step->time + step->dt,
                                 .temperature = round->heat.temperature[row],
                                 .molten = (float)thaw_curve_molten(curve, round->heat.heat[row]),
                                 .spacing = store->spacing[row],
                                 .id = store->id[row],
                                 .object = store->object[row]};
    for (size_t a = 0; a < 3; a++) {
        size_t at = 3 * (size_t)row + a;
        point.position[a] = thaw_fixed_cells(store->cells[at]) * step->domain->cell;
        point.velocity[a] = store->velocity[at];
    }
    const ThawTransitionRules *rules = thaw_change_rules(round, row);
    size_t first = (size_t)store->material[row] * THAW_TRANSITION_FIELDS;
    for (int k = 0; k < rules->field_count; k++) {
        point.fields[k] =
            thaw_row_number(&round->changes->numbers[first + (size_t)k], &round->rows, row);
    }
    return point;
}
