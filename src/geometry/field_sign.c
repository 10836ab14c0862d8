// Signs of the corners of a brick. Corners with no surface between them have the same winding number up to what
// the rim changes, so each group of them asks for it once, where it is deepest.
#include "geometry/field_sign.h"

#include <math.h>

enum {
    EDGE = 11, // of a brick's corners with a rim about them that nothing is joined to
    PLACES = EDGE * EDGE * EDGE,
    FIRST = (EDGE + 1) * EDGE + 1, // the place of corner 0
    NONE = 0xffff
};

// groups of corners that the surface does not part
typedef struct Groups {
    float away[PLACES]; // distance without sign, far below 0 in the rim
    uint16_t label[PLACES];
    uint16_t order[THAW_BRICK_SAMPLES], from[THAW_BRICK_SAMPLES]; // as reached, and from where
    uint16_t parent[THAW_BRICK_SAMPLES];                          // of labels
    uint16_t deepest[THAW_BRICK_SAMPLES];                         // place, of labels
    uint32_t reached, labels;
} Groups;

// corners in the brick's order, and in the work's
static int place_of(int x, int y, int z) {
    return (z * EDGE + y) * EDGE + x + FIRST;
}
static int number_of(int place) {
    int z = place / (EDGE * EDGE) - 1, y = place / EDGE % EDGE - 1, x = place % EDGE - 1;
    return (z * 9 + y) * 9 + x;
}
static void corner_of(int place, const int32_t cell[3], double at[3]) {
    at[0] = (double)(cell[0] + place % EDGE - 1);
    at[1] = (double)(cell[1] + place / EDGE % EDGE - 1);
    at[2] = (double)(cell[2] + place / (EDGE * EDGE) - 1);
}

// a surface between two corners would be closer to them than they are to each other
static bool joined(const Groups *groups, int a, int b, float apart) {
    return groups->away[a] + groups->away[b] > apart * 1.0001f + 1e-4f;
}

// ---------------------------------------------------------------- groups

static void reach_corner(Groups *groups, int place, int from, uint32_t label) {
    groups->label[place] = (uint16_t)label;
    groups->order[groups->reached] = (uint16_t)place;
    groups->from[groups->reached++] = (uint16_t)from;
}

// spreads a label along the axes
static void spread_label(Groups *groups, int seed) {
    static const int steps[6] = {1, -1, EDGE, -EDGE, EDGE * EDGE, -EDGE * EDGE};
    uint32_t label = groups->labels++, next = groups->reached;
    int deepest = seed;
    reach_corner(groups, seed, seed, label);
    for (; next < groups->reached; next++) {
        int place = groups->order[next];
        if (groups->away[place] > groups->away[deepest]) deepest = place;
        for (int s = 0; s < 6; s++) {
            int other = place + steps[s];
            if (groups->label[other] == NONE && joined(groups, place, other, 1.0f)) {
                reach_corner(groups, other, place, label);
            }
        }
    }
    groups->parent[label] = (uint16_t)label;
    groups->deepest[label] = (uint16_t)deepest;
}

static uint16_t root_of(Groups *groups, uint16_t label) {
    while (groups->parent[label] != label) {
        label = groups->parent[label] = groups->parent[groups->parent[label]];
    }
    return label;
}

static void join_labels(Groups *groups, int a, int b) {
    uint16_t p = root_of(groups, groups->label[a]), q = root_of(groups, groups->label[b]);
    if (p == q) return;
    uint16_t low = p < q ? p : q, high = p < q ? q : p;
    groups->parent[high] = low;
    if (groups->away[groups->deepest[high]] > groups->away[groups->deepest[low]]) {
        groups->deepest[low] = groups->deepest[high];
    }
}

// corners close to a slanting surface are only joined across diagonals
static void join_diagonals(Groups *groups, int place) {
    enum { Y = EDGE, Z = EDGE * EDGE };
    static const int steps[20] = {-Z - Y,     -Z - 1,    -Z + 1,     -Z + Y,     -Y - 1,
                                  -Y + 1,     Y - 1,     Y + 1,      Z - Y,      Z - 1,
                                  Z + 1,      Z + Y,     -Z - Y - 1, -Z - Y + 1, -Z + Y - 1,
                                  -Z + Y + 1, Z - Y - 1, Z - Y + 1,  Z + Y - 1,  Z + Y + 1};
    for (int s = 0; s < 20; s++) {
        int other = place + steps[s];
        if (groups->label[other] == groups->label[place]) continue;
        float apart = s < 12 ? 1.41421356f : 1.73205081f;
        if (joined(groups, place, other, apart)) join_labels(groups, place, other);
    }
}

static void copy_away(const ThawBrickWork *work, Groups *groups) {
    for (int k = 0; k < PLACES; k++) {
        groups->away[k] = -1e9f;
        groups->label[k] = NONE;
    }
    for (int row = 0; row < 81; row++) {
        const float *from = work->away + row * 9;
        float *to = groups->away + place_of(0, row % 9, row / 9);
        memcpy(to, from, 9 * sizeof *to);
    }
}

static void find_groups(const ThawBrickWork *work, Groups *groups) {
    groups->reached = groups->labels = 0;
    copy_away(work, groups);
    for (int row = 0; row < 81; row++) {
        int first = place_of(0, row % 9, row / 9);
        for (int place = first; place < first + 9; place++) {
            if (groups->label[place] == NONE) spread_label(groups, place);
        }
    }
    if (groups->labels == 1) return;
    for (uint32_t k = 0; k < groups->reached; k++) {
        // a group of many is joined by those of few
        int place = groups->order[k];
        if (groups->away[place] < 0.5f) join_diagonals(groups, place);
    }
}

// ---------------------------------------------------------------- winding numbers

// the number of all those `fraction` apart from whole numbers that is nearest to w
static double nearest_branch(double w, double fraction) {
    return fraction + rint(w - fraction);
}

static double ask_tree(const ThawSigner *signer, const double at[3]) {
    const ThawFieldGrid *grid = &signer->field->grid;
    ThawVec3 point = thaw_grid_leave(grid, (ThawVec3){at[0], at[1], at[2]});
    return thaw_bvh_winding(signer->field->bvh, point);
}

double thaw_signer_wind(const ThawSigner *signer, const double at[3]) {
    double w = ask_tree(signer, at);
    if (signer->rim->count == 0) return rint(w);
    if (!signer->rim->capped) return w;
    static const float here[3][8];
    ThawRimSample sample;
    signer->sample(signer->rim, at, here, &sample);
    return nearest_branch(w, (double)sample.fraction[0]);
}

static bool is_inside(double w) {
    return fabs(w) > 0.5005;
}

// w of the deepest corner of each group; not set elsewhere
static void wind_groups(const ThawSigner *signer, const int32_t cell[3], Groups *groups,
                        double wind[THAW_BRICK_SAMPLES]) {
    for (uint32_t k = 0; k < groups->labels; k++) {
        if (groups->parent[k] != k) continue;
        double at[3];
        corner_of(groups->deepest[k], cell, at);
        wind[k] = thaw_signer_wind(signer, at);
    }
}

// Whole windings do not matter to where |w| = 1/2 is, so this holds on both sides of the mesh. A cap's distance is
// about what is missing over the slope, where the rim is not near; half as much again is for what is not straight.
static bool see_cap(const ThawSigner *signer, const double middle[3], double reach) {
    float point[3][8];
    ThawRimSample sample;
    for (int k = 0; k < 8; k++) {
        for (int a = 0; a < 3; a++) point[a][k] = k >> a & 1 ? 2.0f : -2.0f;
    }
    signer->sample(signer->rim, middle, (const float(*)[8])point, &sample);
    double far = reach + 3.47; // from the nearest of the points to any other
    for (int k = 0; k < 8; k++) {
        double slope = (double)sample.slope[k], missing = 0.5 - fabs((double)sample.fraction[k]);
        bool near_rim = slope * 6.2832 * far > 1.0;
        if (near_rim || missing < 1.5 * far * slope) return true;
    }
    return false;
}

bool thaw_signer_cap_near(const ThawSigner *signer, const int32_t cell[3], double margin) {
    const ThawField *field = signer->field;
    double reach = (double)field->grid.limit + fabs(field->report.offset / field->report.cell);
    double middle[3], radius = 6.93 + reach;
    if (!signer->rim->capped || signer->rim->count == 0) return false;
    for (int a = 0; a < 3; a++) middle[a] = (double)cell[a] + 4.0;
    return thaw_rim_change(signer->rim, middle, radius, 2 * radius) >= margin &&
           see_cap(signer, middle, reach);
}

// the least that w of a group would have to change by to change sides
static double side_margin(const Groups *groups, const double wind[THAW_BRICK_SAMPLES]) {
    double margin = INFINITY;
    for (uint32_t k = 0; k < groups->labels; k++) {
        if (groups->parent[k] == k) margin = fmin(margin, fabs(fabs(wind[k]) - 0.5));
    }
    return margin;
}

// ---------------------------------------------------------------- caps

typedef struct Caps {
    float fraction[THAW_CORNERS], slope[THAW_CORNERS];
} Caps;

static void sample_rim(const ThawSigner *signer, const int32_t cell[3], Caps *caps) {
    double middle[3];
    for (int a = 0; a < 3; a++) middle[a] = (double)cell[a] + 4.0;
    for (int first = 0; first < THAW_CORNERS; first += 8) {
        float point[3][8];
        ThawRimSample sample;
        for (int k = 0; k < 8; k++) {
            int place = first + k;
            point[0][k] = (float)(place % 9) - 4.0f;
            point[1][k] = (float)(place / 9 % 9) - 4.0f;
            point[2][k] = (float)(place / 81) - 4.0f;
        }
        signer->sample(signer->rim, middle, (const float(*)[8])point, &sample);
        memcpy(caps->fraction + first, sample.fraction, sizeof sample.fraction);
        memcpy(caps->slope + first, sample.slope, sizeof sample.slope);
    }
}

// Distance to mesh and cap. About a straight rim w is the angle / 2 pi and its slope 1 / (2 pi r), and this is exact;
// elsewhere it is right where the cap is close.
static double cap_distance(double w, double slope, double distance) {
    double way = fabs(fabs(w) - 0.5) / fmax(slope, 1e-12);
    double radius = fmax(distance, 0.1591549431 / fmax(slope, 1e-12));
    double cap = way < 1.5707963 * radius ? radius * sin(way / radius) : radius;
    return fmin(cap, distance);
}

// Follows w from corner to corner. It is asked for where a group begins, and close to the rim, where it may change by
// half a turn and more between two corners.
static void sign_by_rim(const ThawSigner *signer, const int32_t cell[3], const Groups *groups,
                        float distance[THAW_CORNERS]) {
    Caps caps;
    double w[PLACES];
    sample_rim(signer, cell, &caps);
    for (uint32_t k = 0; k < groups->reached; k++) {
        int place = groups->order[k], from = groups->from[k], number = number_of(place);
        double slope = (double)caps.slope[number], near;
        if (place == from || slope > 0.1) {
            double at[3];
            corner_of(place, cell, at);
            near = ask_tree(signer, at);
        } else {
            near = w[from];
        }
        w[place] = nearest_branch(near, (double)caps.fraction[number]);
        double size = cap_distance(w[place], slope, (double)groups->away[place]);
        distance[number] = (float)(is_inside(w[place]) ? -size : size);
    }
}

// All on one side: where no corner is within half a cell of the surface, all are joined.
static bool sign_as_one(const ThawSigner *signer, const int32_t cell[3], const ThawBrickWork *work,
                        float distance[THAW_CORNERS]) {
    int deepest = 0;
    if (signer->rim->count != 0) return false;
    for (int k = 0; k < THAW_BRICK_SAMPLES; k++) {
        if (work->away[k] < 0.5002f) return false;
        deepest = work->away[k] > work->away[deepest] ? k : deepest;
    }
    double at[3] = {cell[0] + deepest % 9, cell[1] + deepest / 9 % 9, cell[2] + deepest / 81};
    float sign = is_inside(thaw_signer_wind(signer, at)) ? -1.0f : 1.0f;
    for (int k = 0; k < THAW_BRICK_SAMPLES; k++) distance[k] = sign * work->away[k];
    return true;
}

void thaw_signer_brick(const ThawSigner *signer, const int32_t cell[3], const ThawBrickWork *work,
                       float distance[THAW_CORNERS]) {
    Groups groups;
    double wind[THAW_BRICK_SAMPLES];
    if (sign_as_one(signer, cell, work, distance)) return;
    find_groups(work, &groups);
    wind_groups(signer, cell, &groups, wind);
    if (thaw_signer_cap_near(signer, cell, side_margin(&groups, wind))) {
        sign_by_rim(signer, cell, &groups, distance);
        return;
    }
    for (int row = 0; row < 81; row++) {
        int first = place_of(0, row % 9, row / 9);
        float *out = distance + row * 9;
        for (int x = 0; x < 9; x++) {
            float size = groups.away[first + x];
            bool inside = is_inside(wind[root_of(&groups, groups.label[first + x])]);
            out[x] = inside ? -size : size;
        }
    }
}
