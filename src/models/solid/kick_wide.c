// Kicks: what each particle feels from its own neighbourhood and from its neighbours', and the velocity it gets.
//
// A pair's force is the same on both sides in every bit. Lattices of different orientation that meet are rare: blocks
// with such bonds take the plain path at the end.
#include "models/solid/lanes_wide.h"

#define AHEAD 2u      // blocks: what they will read is asked for,
#define CACHED 20000u // rows: in larger worlds than these

typedef struct Felt {
    W3 force, drag;
} Felt;

THAW_INLINE void gather_frame(const ThawSolidPass *pass, int part, const uint32_t *rows,
                              F8 out[4]) {
    I8 a[4];
    i8_gather((const int32_t *)(const void *)pass->frame->row[part], 16, rows, &a[0], &a[1], &a[2],
              &a[3]);
    for (int k = 0; k < 4; k++) out[k] = i8_bits(a[k]);
}

typedef struct Reader {
    W33 p;
    F8 half_k;
    Motion motion; // with damping
    W3 twist;      // without
} Reader;

// Without damping the first three rows say all, where particles of a kind are as stiff as it: `half_k`.
THAW_INLINE void read_frames(const ThawSolidPass *pass, const uint32_t *rows, F8 half_k,
                             bool damped, Reader *reader) {
    const bool alike = !damped && pass->soft == NULL && !pass->uneven;
    F8 a[4][4] = {[3] = {half_k, w_zero(), w_zero(), w_zero()}};
    for (int k = 0; k < 3; k++) gather_frame(pass, k, rows, a[k]);
    for (int k = 0; k < 9; k++) reader->p.m[k] = a[k / 3][k % 3];
    if (!alike) gather_frame(pass, 3, rows, a[3]);
    reader->half_k = a[3][0];
    const W3 fourth = {a[0][3], a[1][3], a[2][3]};
    reader->motion = (Motion){fourth, {a[3][1], a[3][2], a[3][3]}};
    reader->twist = fourth;
}

// −P n + h r of one side for a whole site with the coordinates a and b alone, x and y of them. P n is exact, and the
// way to the other comes in place units, exact: the force is rounded but once, where it is small.
THAW_INLINE W3 side_force(const Reader *side, W3 way, F8 unit, F8 x, F8 y, int a, int b) {
    const F8 *p = side->p.m, pull = f8_mul(side->half_k, unit);
    return (W3){f8_fused(way.x, pull, f8_fma(p[b], y, f8_mul(p[a], x))),
                f8_fused(way.y, pull, f8_fma(p[3 + b], y, f8_mul(p[3 + a], x))),
                f8_fused(way.z, pull, f8_fma(p[6 + b], y, f8_mul(p[6 + a], x)))};
}

// Both sides', where somebody is there. The pair's force is rounded alike on both before it is added up, so that pairs
// are opposite.
THAW_INLINE W3 pair_force(const Reader *mine, const Reader *theirs, W3 way, F8 unit, F8 there,
                          const float *n, int a, int b) {
    F8 back = f8_sub(w_zero(), there);
    F8 x = f8_mul(back, f8_set(n[a])), y = f8_mul(back, f8_set(n[b]));
    return w3_add(side_force(mine, way, unit, x, y, a, b),
                  side_force(theirs, way, unit, x, y, a, b));
}

// less (w_i + w_j) × r
THAW_INLINE W3 twist_force(const Reader *mine, const Reader *theirs, W3 way, W3 force) {
    W3 w = w3_add(mine->twist, theirs->twist);
    return (W3){f8_fma(w.z, way.y, f8_nma(w.y, way.z, force.x)),
                f8_fma(w.x, way.z, f8_nma(w.z, way.x, force.y)),
                f8_fma(w.y, way.x, f8_nma(w.x, way.y, force.z))};
}

// how velocities are damped; the compiler knows which
typedef enum Damping {
    UNDAMPED,
    EVENLY, // drag is to be multiplied by the kind's rate
    BY_ROW  // drag is an acceleration: neighbourhoods have rates of their own
} Damping;

// what comes from sites begin .. end − 1, which lie in the plane of the axes a and b
THAW_INLINE void feel_plane(const ThawSolidPass *pass, uint32_t block, const Lanes *lanes,
                            const Reader *mine, W3 v, Damping damping, bool periodic,
                            ThawRange range, int a, int b, Felt *felt) {
    I8 self = i8_load((const int32_t *)(const void *)lanes->rows);
    const F8 unit = lanes->kinds.unit;
    bool ask = pass->rows > CACHED && block + AHEAD < pass->blocks;
    for (uint32_t s = range.begin; s < range.end; s++) {
        const uint32_t *slot = slots_of(pass, block, s);
        if (ask) {
            const uint32_t *next = slots_of(pass, block + AHEAD, s);
            for (uint32_t k = 0; k < THAW_LANES; k++) __builtin_prefetch(&pass->frame[next[k]]);
        }
        I8 at[3];
        gather_place(pass, slot, at);
        W3 way = offset_to(pass, lanes->own, at, periodic);
        F8 there = i8_differ(i8_load((const int32_t *)(const void *)slot), self);
        Reader theirs;
        read_frames(pass, slot, lanes->kinds.half_k, damping != UNDAMPED, &theirs);
        W3 force = pair_force(mine, &theirs, way, unit, there, pass->sites->whole[s], a, b);
        if (damping == UNDAMPED) force = twist_force(mine, &theirs, way, force);
        felt->force = w3_add(felt->force, force);
        if (damping == UNDAMPED) continue;
        W3 slip = w3_fma(w3_cross(theirs.motion.omega, way), unit, w3_sub(v, theirs.motion.u));
        if (damping == BY_ROW) there = f8_mul(there, gather_drag(pass, slot));
        felt->drag = w3_fma(slip, there, felt->drag);
    }
}

// what all lanes feel; bonds join lattices of one orientation and one material
THAW_INLINE void feel(const ThawSolidPass *pass, uint32_t block, const Lanes *lanes, W3 v,
                      Damping damping, bool periodic, Felt *felt) {
    Reader mine;
    read_frames(pass, lanes->rows, lanes->kinds.half_k, damping != UNDAMPED, &mine);
    felt->force = felt->drag = w3_zero();
    if (damping != UNDAMPED) felt->drag = w3_sub(v, mine.motion.u);
    if (damping == BY_ROW) felt->drag = w3_scale(felt->drag, gather_drag(pass, lanes->rows));
    const ThawRange planes[3] = {{0, pass->dimensions == 3 ? 4 : 6}, {4, 8}, {8, 12}};
    feel_plane(pass, block, lanes, &mine, v, damping, periodic, planes[0], 0, 1, felt);
    if (pass->dimensions == 2) return;
    feel_plane(pass, block, lanes, &mine, v, damping, periodic, planes[1], 0, 2, felt);
    feel_plane(pass, block, lanes, &mine, v, damping, periodic, planes[2], 1, 2, felt);
}

THAW_INLINE void feel_alike(const ThawSolidPass *pass, uint32_t block, const Lanes *lanes, W3 v,
                            Felt *felt) {
    const bool periodic = is_periodic(pass);
    if (!pass->damped && !periodic)
        feel(pass, block, lanes, v, UNDAMPED, false, felt);
    else if (!pass->damped)
        feel(pass, block, lanes, v, UNDAMPED, true, felt);
    else if (pass->drag != NULL)
        feel(pass, block, lanes, v, BY_ROW, true, felt);
    else if (periodic)
        feel(pass, block, lanes, v, EVENLY, true, felt);
    else
        feel(pass, block, lanes, v, EVENLY, false, felt);
}

// place units from one place to another
static void offset_row(const ThawSolidPass *pass, const ThawPlace *here, const ThawPlace *there,
                       float way[3]) {
    const int32_t from[3] = {here->x, here->y, here->z}, to[3] = {there->x, there->y, there->z};
    for (int a = 0; a < 3; a++) {
        int32_t d = thaw_place_sub(to[a], from[a]);
        way[a] = (float)d;
        if (pass->period[a] == 0) continue;
        float below = (float)thaw_place_sub(d, pass->period[a]);
        float above = (float)thaw_place_add(d, pass->period[a]);
        if (__builtin_fabsf(below) <= __builtin_fabsf(way[a])) way[a] = below;
        if (__builtin_fabsf(above) <= __builtin_fabsf(way[a])) way[a] = above;
    }
}

THAW_INLINE float drag_of(const ThawSolidPass *pass, uint32_t row) {
    return pass->drag != NULL ? pass->drag[row] : pass->kinds[pass->kind[row]].damping;
}

// A bond's two sites, and the way along it.
typedef struct Bond {
    uint32_t site;
    // where the other is at rest as seen from the row, and the row from the other, over the sites' scale
    float l[3], b[3];
    float way[3]; // place units
} Bond;

// Whether the bond is one that lanes take: of one kind, its sites opposite, and where the lattice has them. (Misfits
// may be opposite, too; but then a site has three numbers, and lanes look at two.)
static bool is_plain(const ThawSolidPass *pass, uint32_t row, uint32_t other, const Bond *bond) {
    const float *whole = pass->sites->whole[bond->site];
    bool opposite = true;
    for (int a = 0; a < 3; a++) {
        opposite &= bond->l[a] == -bond->b[a] && bond->l[a] == whole[a];
    }
    return opposite && pass->kind[row] == pass->kind[other];
}

THAW_INLINE void set_reader(const ThawSolidFrame *frame, Reader *reader) {
    const float(*row)[4] = frame->row;
    for (int k = 0; k < 9; k++) reader->p.m[k] = f8_set(row[k / 3][k % 3]);
    reader->half_k = f8_set(row[3][0]);
    reader->twist = (W3){f8_set(row[0][3]), f8_set(row[1][3]), f8_set(row[2][3])};
}

// The force of such a bond. The other side may be among lanes: it is made of the same numbers, in every bit.
static void feel_plain(const ThawSolidPass *pass, const ThawSolidFrame *frame,
                       const ThawSolidFrame *theirs, const Bond *bond, float unit, float force[3]) {
    int plane = pass->dimensions == 3 ? (int)bond->site / 4 : 0;
    Reader mine, others;
    set_reader(frame, &mine);
    set_reader(theirs, &others);
    W3 way = {f8_set(bond->way[0]), f8_set(bond->way[1]), f8_set(bond->way[2])};
    W3 felt = pair_force(&mine, &others, way, f8_set(unit), f8_set(1.0f), bond->l, plane / 2,
                         plane == 0 ? 1 : 2);
    if (!pass->damped) felt = twist_force(&mine, &others, way, felt);
    float columns[3][THAW_LANES];
    f8_store(columns[0], felt.x);
    f8_store(columns[1], felt.y);
    f8_store(columns[2], felt.z);
    for (int a = 0; a < 3; a++) force[a] += columns[a][0];
}

// The force of any other bond; `size`: the other's lattice distance in the row's own.
static void feel_odd(const ThawSolidFrame *mine, const ThawSolidFrame *theirs, const Bond *bond,
                     const float r[3], float size, float force[3]) {
    const float *l = bond->l, *b = bond->b;
    for (int a = 0; a < 3; a++) {
        const float *p = mine->row[a], *o = theirs->row[a];
        float push = (o[0] * b[0] + o[1] * b[1] + o[2] * b[2]) * size -
                     (p[0] * l[0] + p[1] * l[1] + p[2] * l[2]);
        force[a] += push + (mine->row[3][0] + theirs->row[3][0]) * r[a];
    }
}

// what takes rounding's torque off, of such a bond
static void feel_twist(const ThawSolidFrame *mine, const ThawSolidFrame *theirs, const Bond *bond,
                       float size, float force[3]) {
    const float *way = bond->way;
    float w[3];
    for (int a = 0; a < 3; a++) w[a] = mine->row[a][3] + theirs->row[a][3] * size;
    for (int a = 0; a < 3; a++) {
        int b = (a + 1) % 3, c = (a + 2) % 3;
        force[a] -= w[b] * way[c] - w[c] * way[b];
    }
}

// where a row's site is at rest, over the sites' scale: whole numbers, unless it is off the lattice
static void whole_site(const ThawSolidPass *pass, uint32_t row, uint32_t site, float at[3]) {
    thaw_lattice_site(&pass->state, row, site, pass->sites->vector[site], at);
    for (int a = 0; a < 3; a++) at[a] /= pass->sites->scale[a];
}

// What lanes feel, one by one, for any orientations and materials; drag comes as an acceleration.
static void feel_row(const ThawSolidPass *pass, uint32_t row, float force[3], float drag[3]) {
    const ThawSolidFrame *mine = &pass->frame[row];
    const ThawSolidKind *kind = &pass->kinds[pass->kind[row]];
    const float *v = pass->speed[row], own = drag_of(pass, row);
    for (int a = 0; a < 3; a++) {
        force[a] = 0;
        drag[a] = own * (v[a] - mine->row[a][3]);
    }
    for (uint32_t s = 0; s < pass->sites->count; s++) {
        size_t at = thaw_bond_at(row, s);
        uint32_t other = pass->bonds->slot[at];
        if (other == row) continue;
        const ThawSolidFrame *theirs = &pass->frame[other];
        const ThawSolidKind *their_kind = &pass->kinds[pass->kind[other]];
        Bond bond = {.site = s};
        uint32_t back = pass->bonds->back[at];
        whole_site(pass, row, s, bond.l);
        whole_site(pass, other, back, bond.b);
        offset_row(pass, &pass->place[row], &pass->place[other], bond.way);
        float r[3];
        for (int a = 0; a < 3; a++) r[a] = bond.way[a] * kind->unit;
        // each neighbourhood counts in its own lattice distance
        const float *w = &theirs->row[3][1], size = their_kind->distance / kind->distance;
        const float turn[3] = {(w[1] * r[2] - w[2] * r[1]) / size,
                               (w[2] * r[0] - w[0] * r[2]) / size,
                               (w[0] * r[1] - w[1] * r[0]) / size};
        float rate = drag_of(pass, other) * (their_kind->mass / kind->mass);
        for (int a = 0; a < 3; a++) drag[a] += rate * (v[a] - theirs->row[a][3] + turn[a]);
        bool plain = is_plain(pass, row, other, &bond);
        if (plain)
            feel_plain(pass, mine, theirs, &bond, kind->unit, force);
        else
            feel_odd(mine, theirs, &bond, r, size, force);
        if (!pass->damped && !plain) feel_twist(mine, theirs, &bond, size, force);
    }
}

// what the lanes of a block feel whose bonds join different orientations or materials
static void feel_rows(const ThawSolidPass *pass, const Lanes *lanes, Felt *felt) {
    float columns[6][THAW_LANES];
    for (uint32_t k = 0; k < THAW_LANES; k++) {
        float force[3] = {0, 0, 0}, drag[3] = {0, 0, 0};
        if ((lanes->mask >> k & 1u) != 0) feel_row(pass, lanes->first + k, force, drag);
        for (int a = 0; a < 3; a++) {
            columns[a][k] = force[a];
            columns[3 + a][k] = drag[a];
        }
    }
    felt->force = (W3){f8_load(columns[0]), f8_load(columns[1]), f8_load(columns[2])};
    felt->drag = (W3){f8_load(columns[3]), f8_load(columns[4]), f8_load(columns[5])};
}

// lanes that may be moved
THAW_INLINE uint32_t free_lanes(const ThawSolidPass *pass, const Lanes *lanes) {
    uint32_t mask = lanes->mask;
    for (uint32_t k = 0; pass->held != NULL && k < THAW_LANES; k++) {
        if (pass->held[lanes->rows[k]] != 0) mask &= ~(1u << k);
    }
    return mask;
}

static void kick_block(const ThawSolidPass *pass, uint32_t block) {
    const bool damped = pass->damped;
    Lanes lanes;
    load_lanes(pass, block, &lanes);
    F8 speed[4];
    load_four(&pass->speed[0][0], 4, lanes.rows, speed);
    W3 v = {speed[0], speed[1], speed[2]};
    F8 damping = lanes.kinds.damping;
    Felt felt;
    bool mixed = (pass->bonds->block[block] & THAW_BLOCK_MIXED) != 0;
    if (!mixed) {
        feel_alike(pass, block, &lanes, v, &felt);
    } else {
        feel_rows(pass, &lanes, &felt);
    }
    if (pass->drag != NULL || mixed) damping = f8_set(1.0f);
    W3 a = {f8_set(pass->gravity[0]), f8_set(pass->gravity[1]), f8_set(pass->gravity[2])};
    a = w3_fma(felt.force, lanes.kinds.push, a);
    if (damped) a = w3_fma(felt.drag, f8_sub(w_zero(), damping), a);
    v = w3_fma(a, f8_set(pass->dt), v);
    const F8 kicked[4] = {v.x, v.y, v.z, speed[3]};
    store_four(&pass->speed[0][0], 4, lanes.first, free_lanes(pass, &lanes), kicked);
}

void THAW_WIDE(thaw_solid_kick)(const ThawSolidPass *pass, uint32_t chunk) {
    ThawRange range = thaw_chunk_range(chunk, pass->blocks, THAW_SOLID_CHUNK);
    for (uint32_t b = range.begin; b < range.end; b++) {
        if ((pass->bonds->block[b] & THAW_BLOCK_SOLID) == 0) continue;
        kick_block(pass, b);
    }
}
