// A bench for contacts: particles with hand-made bonds, searched and aimed as a step does it, and
// the solver's twin in double precision over all pairs, without lists.
#ifndef TEST_SOLID_CONTACT_RIG_H
#define TEST_SOLID_CONTACT_RIG_H

#include "models/solid/contact_find.h"

#include "base/memory.h"
#include "math/random.h"
#include "simd/isa.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define CELL 2.0       // m: the usual spacing is 1 m
#define SPACING 0.5    // cells
#define D3 0.561231024 // cells: D of the usual spacing, 2^(1/6) spacings
#define D2 0.537284966 // the same in 2D, (4/3)^(1/4) spacings
#define ONE 4194304.0  // place units a cell

// A particle as a test gives it. Lengths in cells.
typedef struct Grain {
    double at[3];    // at the start of the substep
    double shift[3]; // how far it goes in it
    double home[3]; // where it sits in its lattice: bonded to those of its group within 1.2 D of it
    int32_t group;  // 0 = liquid
    double distance; // D
    double weight, friction;
} Grain;

typedef struct Setup {
    int dimensions;
    double period[3]; // cells, 0 = not periodic
    double skin;
    int threads;
    ThawIsa isa;
    uint64_t shuffle; // 0 = rows as given
} Setup;

typedef struct Rig {
    Setup setup;
    const Grain *grains;
    uint32_t count;
    ThawDomain domain;
    ThawStore *store;
    ThawWork work;
    ThawParallel *parallel;
    ThawNeighbors *neighbors;
    ThawBonds bonds;
    int32_t *group;
    float *distance, *weight, *friction;
    ThawContacts *contacts;
    ThawContactStep step;
} Rig;

static inline void must(ThawResult result) {
    if (result != THAW_OK) fail_msg("%s", thaw_error_text());
}

static inline void *zeroed(size_t count, size_t size) {
    void *block = calloc(count + THAW_STORE_PAD, size);
    assert_non_null(block);
    return block;
}

static inline uint32_t grain_of(const Rig *rig, uint32_t row) {
    return (uint32_t)rig->store->id[row] & 0xffffffu;
}

static inline double unit_distance(int dimensions) {
    return dimensions == 3 ? D3 : D2;
}

static inline double norm3(const double v[3]) {
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

static inline double draw(uint64_t n, uint64_t purpose) {
    return thaw_random_unit(7, n, 0, purpose);
}

// ---------------------------------------------------------------- the particles

static inline void fill_store(Rig *rig) {
    uint32_t first, *order = zeroed(rig->count, sizeof *order);
    must(thaw_store_append(rig->store, rig->count, 3, 0, &first));
    for (uint32_t k = 0; k < rig->count; k++) order[k] = k;
    for (uint32_t k = rig->count; rig->setup.shuffle != 0 && k > 1; k--) {
        uint32_t other = (uint32_t)(thaw_random_unit(rig->setup.shuffle, k, 0, 0) * k);
        uint32_t kept = order[k - 1];
        order[k - 1] = order[other];
        order[other] = kept;
    }
    for (uint32_t row = 0; row < rig->count; row++) {
        const Grain *grain = &rig->grains[order[row]];
        rig->store->id[row] = (uint64_t)3 << THAW_ID_SOURCE_SHIFT | order[row];
        rig->store->spacing[row] = (float)(grain->distance / unit_distance(rig->setup.dimensions));
        for (uint32_t a = 0; a < 3; a++) {
            rig->store->cells[3 * row + a] = thaw_fixed_from(grain->at[a]);
            // dt is 1 s
            rig->store->velocity[3 * row + a] = (float)(grain->shift[a] * CELL);
        }
        thaw_domain_wrap(&rig->domain, &rig->store->cells[3 * row]);
    }
    thaw_store_moved(rig->store);
    free(order);
}

static inline void aim(Rig *rig, const ThawSearch *search) {
    ThawAim to = thaw_aim(search);
    for (uint32_t row = 0; row < rig->count; row++) {
        int64_t at[3];
        thaw_aim_shift(&to, row, &rig->work.shift[3 * row]);
        thaw_aim_at(&to, row, &rig->work.shift[3 * row], at);
        rig->work.place[row] =
            (ThawPlace){thaw_place_from(at[0]), thaw_place_from(at[1]), thaw_place_from(at[2]), 0};
    }
}

static inline bool are_bonded(const Grain *a, const Grain *b) {
    if (a == b || a->group == 0 || a->group != b->group) return false;
    double d[3];
    for (int k = 0; k < 3; k++) d[k] = a->home[k] - b->home[k];
    return norm3(d) < 1.2 * a->distance;
}

// which site a bond sits on does not matter to contacts
static inline void make_bonds(Rig *rig) {
    ThawBonds *bonds = &rig->bonds;
    for (uint32_t row = 0; row < bonds->blocks * THAW_LANES; row++) {
        for (uint32_t s = 0; s < THAW_SITES; s++) bonds->slot[thaw_bond_at(row, s)] = row;
    }
    memset(bonds->block, 0, bonds->blocks);
    for (uint32_t i = 0; i < rig->count; i++) {
        const Grain *grain = &rig->grains[grain_of(rig, i)];
        uint32_t site = 0;
        if (grain->group == 0) continue;
        bonds->block[i / THAW_LANES] |= THAW_BLOCK_SOLID;
        for (uint32_t j = 0; j < rig->count; j++) {
            if (!are_bonded(grain, &rig->grains[grain_of(rig, j)])) continue;
            assert_in_range(site, 0, THAW_SITES - 1);
            bonds->slot[thaw_bond_at(i, site++)] = j;
        }
    }
}

static inline void set_rows(Rig *rig) {
    for (uint32_t row = 0; row < rig->count; row++) {
        const Grain *grain = &rig->grains[grain_of(rig, row)];
        rig->group[row] = grain->group;
        rig->distance[row] = (float)grain->distance;
        rig->weight[row] = (float)grain->weight;
        rig->friction[row] = (float)grain->friction;
    }
}

static inline void search(Rig *rig) {
    ThawSearch search = {.domain = &rig->domain,
                         .store = rig->store,
                         .work = &rig->work,
                         .parallel = rig->parallel,
                         .isa = rig->setup.isa,
                         .spacing = 1.0,
                         .support = 2.0,
                         .skin = rig->setup.skin,
                         .rough = true,
                         .dt = 1.0};
    const uint32_t *order;
    ThawSurvey survey;
    must(thaw_neighbors_survey(rig->neighbors, &search, &survey));
    must(thaw_neighbors_sort(rig->neighbors, &search, &order));
    must(thaw_store_permute(rig->store, rig->parallel, order));
    aim(rig, &search);
    must(thaw_neighbors_table(rig->neighbors, &search));
    must(thaw_neighbors_list(rig->neighbors, &search));
}

static inline void set_domain(Rig *rig) {
    rig->domain = (ThawDomain){.dimensions = rig->setup.dimensions, .cell = CELL};
    for (int a = 0; a < 3; a++) {
        if (!(rig->setup.period[a] > 0)) continue;
        rig->domain.periodic[a] = true;
        rig->domain.length[a] = thaw_fixed_from(rig->setup.period[a]);
    }
}

// searched, bonded and with contacts found
static inline Rig *open_rig(const Grain *grains, uint32_t count, Setup setup) {
    Rig *rig = calloc(1, sizeof *rig);
    assert_non_null(rig);
    if (setup.threads == 0) setup.threads = 2;
    must(thaw_isa_resolve(setup.isa, &setup.isa));
    *rig = (Rig){.setup = setup, .grains = grains, .count = count};
    set_domain(rig);
    must(thaw_store_create(&rig->store));
    must(thaw_parallel_create(setup.threads, NULL, &rig->parallel));
    must(thaw_neighbors_create(&rig->neighbors));
    must(thaw_contacts_create(&rig->contacts));
    must(thaw_work_reserve(&rig->work, count));
    fill_store(rig);
    rig->group = zeroed(count, sizeof *rig->group);
    rig->distance = zeroed(count, sizeof(float));
    rig->weight = zeroed(count, sizeof(float));
    rig->friction = zeroed(count, sizeof(float));
    uint32_t blocks = count / THAW_LANES + 1;
    size_t slots = (size_t)blocks * THAW_SITES * THAW_LANES;
    rig->bonds = (ThawBonds){
        .slot = zeroed(slots, sizeof(uint32_t)), .block = zeroed(blocks, 1), .blocks = blocks};
    search(rig);
    set_rows(rig);
    make_bonds(rig);
    rig->step = (ThawContactStep){.domain = &rig->domain,
                                  .store = rig->store,
                                  .work = &rig->work,
                                  .neighbors = rig->neighbors,
                                  .parallel = rig->parallel,
                                  .bonds = &rig->bonds,
                                  .group = rig->group,
                                  .distance = rig->distance,
                                  .weight = rig->weight,
                                  .friction = rig->friction,
                                  .isa = setup.isa};
    must(thaw_contacts_find(rig->contacts, &rig->step));
    return rig;
}

static inline void close_rig(Rig *rig) {
    thaw_contacts_destroy(rig->contacts);
    thaw_neighbors_destroy(rig->neighbors);
    thaw_parallel_destroy(rig->parallel);
    thaw_work_release(&rig->work);
    thaw_store_destroy(rig->store);
    free(rig->bonds.slot);
    free(rig->bonds.block);
    free(rig->group);
    free(rig->distance);
    free(rig->weight);
    free(rig->friction);
    free(rig);
}

static inline void correct(Rig *rig, uint32_t iterations) {
    for (uint32_t k = 0; k < iterations; k++) {
        rig->step.iteration = k;
        must(thaw_contacts_correct(rig->contacts, &rig->step));
    }
}

// A new substep without a search: every row starts where it is and goes by `shift`, in the order of
// grains.
static inline void go_on(Rig *rig, const double (*shift)[3]) {
    for (uint32_t row = 0; row < rig->count; row++) {
        int32_t *place = &rig->work.place[row].x;
        for (uint32_t a = 0; a < 3; a++) {
            double move = shift[grain_of(rig, row)][a];
            rig->work.shift[3 * row + a] = (float)move;
            place[a] = thaw_place_add(place[a], (int32_t)lrint(move * ONE));
        }
    }
}

static inline uint32_t row_of(const Rig *rig, uint32_t grain) {
    return thaw_store_find(rig->store, (uint64_t)3 << THAW_ID_SOURCE_SHIFT | grain);
}

// from grain b to grain a, through the nearest image, as things stand
static inline void offset_of(const Rig *rig, uint32_t a, uint32_t b, double d[3]) {
    const int32_t *pa = &rig->work.place[row_of(rig, a)].x,
                  *pb = &rig->work.place[row_of(rig, b)].x;
    for (int k = 0; k < 3; k++) {
        d[k] = thaw_place_sub(pa[k], pb[k]) / ONE;
        if (rig->setup.period[k] > 0)
            d[k] -= rig->setup.period[k] * rint(d[k] / rig->setup.period[k]);
    }
}

static inline double separation(const Rig *rig, uint32_t a, uint32_t b) {
    double d[3];
    offset_of(rig, a, b, d);
    return norm3(d);
}

// ---------------------------------------------------------------- bodies

// A block of nx × ny × nz lattice points of distance D: cubic close packing with (111) layers along
// z, the next layer over the hollows; hexagonal in 2D (nz = 1). Returns how many.
static inline uint32_t add_block(Grain *grains, uint32_t count, const uint32_t size[3],
                                 const double corner[3], Grain like) {
    double D = like.distance;
    for (uint32_t n = 0; n < size[0] * size[1] * size[2]; n++) {
        uint32_t x = n % size[0], y = n / size[0] % size[1], z = n / size[0] / size[1];
        double local[3] = {D * (x + 0.5 * (y % 2) + 0.5 * (z % 3)),
                           D * (sqrt(0.75) * y + sqrt(1.0 / 12.0) * (z % 3)),
                           D * sqrt(2.0 / 3.0) * z};
        // rows of odd y are shifted by half, so that blocks stay upright
        if (z % 3 == 2) local[0] -= D;
        Grain *grain = &grains[count + n];
        *grain = like;
        for (int a = 0; a < 3; a++) {
            grain->home[a] = local[a];
            grain->at[a] = corner[a] + local[a];
        }
    }
    return size[0] * size[1] * size[2];
}

#endif
