// Nine dice of 256 particles, as in scenes/dice.yaml: a metre wide, asked for 1e8 Pa.
#ifndef TEST_SOLID_DICE_H
#define TEST_SOLID_DICE_H

#include "solid/breaking_rig.h"

#define DICE 9

typedef struct Dices {
    Rig rig;
    Piece die[DICE];
} Dices;

static inline ThawMaterialDef dice_material(void) {
    ThawMaterialDef def = thaw_material_default();
    def.density = 1200;
    def.solid.young = 1e8f;
    def.solid.damping = def.solid.friction = 0.5f;
    return def;
}

static inline Dices make_dices(ThawVec3 gravity) {
    double distance = thaw_lattice_distance(3, 0.1575);
    return (Dices){
        .rig = rig_make((RigDef){.distance = distance, .step = 1.0 / 24, .gravity = gravity})};
}

static inline void add_die(Dices *d, int n, ThawMaterialId material, Mat turn, ThawVec3 at) {
    const int planes[3] = {8, 8, 8};
    d->die[n] = rig_block(&d->rig, material, planes, turn, at, origin);
}

static inline void throw_die(Dices *d, int n, ThawVec3 velocity, ThawVec3 spin) {
    set_spin(&d->die[n], velocity, spin);
    piece_put(&d->rig, &d->die[n]);
}

// They fly at their common middle from all sides; there is nothing else.
static inline Dices throw_dice(void) {
    Dices d = make_dices(origin);
    ThawMaterialDef def = dice_material();
    ThawMaterialId material = rig_material(&d.rig, &def);
    Dice dice = {9};
    for (int n = 0; n < DICE; n++) {
        double angle = 2 * PI * n / (DICE - 1);
        ThawVec3 at = n == 0 ? origin : (ThawVec3){2.6 * cos(angle), 2.6 * sin(angle), n % 3 - 1.0};
        // less than half a circle, for quat_from
        Mat turn = m_turn(dice_vector(&dice), 1.5 * dice_unit(&dice));
        add_die(&d, n, material, turn, at);
        throw_die(&d, n, v_scale(-2, at), v_scale(3, dice_vector(&dice)));
    }
    return d;
}

// The scene's own throw, into its tray.
static inline Dices throw_dice_into_tray(void) {
    static const struct {
        ThawVec3 at, axis;
        double degrees;
        ThawVec3 velocity, spin;
    } thrown[DICE] = {{{-2.4, -1.3, 1.3}, {1, 2, 3}, 40, {5, 2, 0}, {2, 5, 1}},
                      {{-2.8, 0.2, 2.0}, {3, -1, 1}, 75, {6, 0, -1}, {-1, 6, 2}},
                      {{-2.3, 1.7, 1.5}, {1, 1, 0}, 20, {5, -2.5, 1}, {3, 3, -4}},
                      {{2.4, -1.6, 1.6}, {0, 1, 2}, 55, {-5, 2, 0}, {2, -5, 3}},
                      {{2.9, 0, 2.2}, {2, 0, 1}, 130, {-6, 0.5, 0}, {0, -6, 1}},
                      {{2.3, 1.6, 1.2}, {1, -2, 1}, 85, {-4.5, -2, 1}, {-3, -4, 0}},
                      {{0, -2.6, 2.6}, {1, 0, 1}, 30, {0.5, 5, -1}, {-5, 1, 2}},
                      {{0.2, 2.7, 2.8}, {0, 1, 1}, 110, {-0.5, -5, 0}, {6, 0, -2}},
                      {{0, 0, 4.2}, {1, 1, 1}, 60, {0, 0, -2}, {1, 1, 4}}};
    Dices d = make_dices((ThawVec3){0, 0, -GRAVITY});
    ThawMaterialDef def = dice_material();
    def.solid.poisson = 0.3f;
    ThawMaterialId material = rig_material(&d.rig, &def);
    ThawColliderDef tray = thaw_collider_default();
    ThawColliderId id;
    tray.shape = thaw_shape_box((ThawVec3){0, 0, 4}, (ThawVec3){8, 8, 8});
    tray.container = true;
    tray.friction = 0.5f;
    assert_ok(thaw_world_add_collider(d.rig.world, &tray, &id));
    for (int n = 0; n < DICE; n++) {
        Mat turn = m_turn(thrown[n].axis, thrown[n].degrees * PI / 180);
        add_die(&d, n, material, turn, thrown[n].at);
        throw_die(&d, n, thrown[n].velocity, thrown[n].spin);
    }
    return d;
}

static inline void free_dice(Dices *d) {
    for (int n = 0; n < DICE; n++) piece_free(&d->die[n]);
    rig_free(&d->rig);
}

static inline void look_at_dice(Dices *d) {
    for (int n = 0; n < DICE; n++) piece_look(&d->rig, &d->die[n]);
}

// the place among its die's particles of a point of the block
static inline uint32_t die_point(int i, int j, int k) {
    Block block = {.dimensions = 3, .planes = {8, 8, 8}, .distance = 1};
    int at[3] = {-1, 0, 0};
    ThawVec3 place;
    for (uint32_t n = 0; block_next(&block, at, &place); n++) {
        if (at[0] == i && at[1] == j && at[2] == k) return n;
    }
    return UINT32_MAX;
}

// By how much any of a die's twelve edges, as far as particles of the packing lie on it, is longer or shorter than it
// was.
static inline double edge_error(const Piece *die) {
    double most = 0;
    for (int a = 0; a < 3; a++) {
        for (int side = 0; side < 4; side++) {
            int from[3] = {0}, to[3];
            from[(a + 1) % 3] = 7 * (side & 1);
            from[(a + 2) % 3] = 7 * (side >> 1);
            memcpy(to, from, sizeof to);
            // every second place along an edge is filled: one end is a corner, the other one short of it
            from[a] = (from[0] + from[1] + from[2]) & 1;
            to[a] = from[a] + 6;
            uint32_t p = die_point(from[0], from[1], from[2]), q = die_point(to[0], to[1], to[2]);
            double now = v_norm(v_sub(die->x[p], die->x[q]));
            double rest = v_norm(v_sub(die->rest[p], die->rest[q]));
            most = fmax(most, fabs(now / rest - 1));
        }
    }
    return most;
}

// the same of the three distances between the middles of opposite faces
static inline double side_error(const Piece *die) {
    Block block = {.dimensions = 3, .planes = {8, 8, 8}, .distance = 1};
    ThawVec3 now[6] = {{0, 0, 0}}, rest[6] = {{0, 0, 0}}, place;
    int at[3] = {-1, 0, 0};
    // every face has as many
    for (uint32_t n = 0; block_next(&block, at, &place); n++) {
        for (int a = 0; a < 3; a++) {
            if (at[a] != 0 && at[a] != 7) continue;
            int face = 2 * a + (at[a] > 0);
            now[face] = v_add(now[face], die->x[n]);
            rest[face] = v_add(rest[face], die->rest[n]);
        }
    }
    double most = 0;
    for (int a = 0; a < 6; a += 2) {
        double side = v_norm(v_sub(now[a + 1], now[a])), was = v_norm(v_sub(rest[a + 1], rest[a]));
        most = fmax(most, fabs(side / was - 1));
    }
    return most;
}

static inline double worst_side(const Dices *d) {
    double most = 0;
    for (int n = 0; n < DICE; n++) most = fmax(most, side_error(&d->die[n]));
    return most;
}

static inline double worst_edge(const Dices *d) {
    double most = 0;
    for (int n = 0; n < DICE; n++) most = fmax(most, edge_error(&d->die[n]));
    return most;
}

static inline double nearest_pair(const Dices *d) {
    double least = INFINITY;
    for (int n = 0; n < DICE; n++) {
        for (int m = 0; m < n; m++) {
            ThawVec3 r = v_sub(mean_of(d->die[n].x, 256), mean_of(d->die[m].x, 256));
            if (v_norm(r) < 2) least = fmin(least, least_between(&d->die[n], &d->die[m]));
        }
    }
    return least / d->rig.distance;
}

#endif
