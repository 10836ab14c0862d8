// The lattice's channels, and the strains that follow from a particle's frame.
//
// Strains are elastic: what permanent flow F has taken up is no strain, so that the map they come from is
// E = A F⁻¹. They are worked out in double and only when asked for.
#include "lattice/state.h"

#include "base/memory.h"
#include "base/result.h"
#include "math/matrix.h"

#include <math.h>
#include <string.h>

#define CHANNELS 6 // without those of what froze
#define FROZEN 2
#define GRIPS 2

static const ThawChannelDef channels[CHANNELS + FROZEN] = {
    {THAW_LATTICE_TURN, THAW_F32, 4},
    {THAW_LATTICE_MAP, THAW_F32, 9},
    {THAW_LATTICE_SITES, THAW_I32, 1},
    {THAW_LATTICE_FLOW, THAW_F32, 9},
    {THAW_LATTICE_DOCKING, THAW_F32, THAW_SITES},
    {THAW_LATTICE_GRIP, THAW_F32, GRIPS},
    {THAW_LATTICE_LAG, THAW_F32, 3},
    {THAW_LATTICE_MISFIT, THAW_I32, THAW_MISFITS},
};

// ---------------------------------------------------------------- channels

static bool is_alike(const ThawChannel *channel, const ThawChannelDef *def) {
    return channel->type == def->type && channel->components == def->components;
}

// what is missing can be added; *missing says how much that is
static ThawResult check_channels(ThawStore *store, int count, uint32_t *missing) {
    *missing = 0;
    for (int k = 0; k < count; k++) {
        const ThawChannel *channel = thaw_store_channel(store, channels[k].name);
        *missing += channel == NULL;
        if (channel == NULL || is_alike(channel, &channels[k])) continue;
        return thaw_fail(THAW_BAD_INPUT,
                         "channel \"%s\" is not what solids need: its name belongs to them",
                         channels[k].name);
    }
    if (store->channel_count + *missing <= THAW_STORE_CHANNELS) return THAW_OK;
    return thaw_fail(THAW_BAD_INPUT,
                     "solids need %u channels of their own, and a world carries %d in all",
                     *missing, THAW_STORE_CHANNELS);
}

static ThawResult open_channels(ThawStore *store, int count) {
    uint32_t missing, before = store->channel_count;
    ThawResult result = check_channels(store, count, &missing);
    for (int k = 0; k < count && result == THAW_OK && missing > 0; k++) {
        if (thaw_store_channel(store, channels[k].name) != NULL) continue;
        result = thaw_store_add_channel(store, &channels[k]);
    }
    // all of them or none
    while (result != THAW_OK && store->channel_count > before) {
        ThawChannel *last = &store->channels[--store->channel_count];
        thaw_free(last->data);
        memset(last, 0, sizeof *last);
    }
    return result;
}

ThawResult thaw_lattice_open(ThawStore *store) {
    return open_channels(store, CHANNELS);
}

ThawResult thaw_lattice_open_lag(ThawStore *store) {
    return open_channels(store, CHANNELS + FROZEN);
}

// one of those of what froze, or NULL
static ThawChannel *frozen_channel(ThawStore *store, int which) {
    const ThawChannelDef *def = &channels[CHANNELS + which];
    ThawChannel *channel = thaw_store_channel(store, def->name);
    return channel != NULL && is_alike(channel, def) ? channel : NULL;
}

uint32_t thaw_lattice_channels(ThawStore *store) {
    uint32_t count = CHANNELS;
    for (int k = 0; k < FROZEN; k++) count += frozen_channel(store, k) != NULL;
    return count;
}

bool thaw_lattice_is_open(ThawStore *store) {
    for (int k = 0; k < CHANNELS; k++) {
        const ThawChannel *channel = thaw_store_channel(store, channels[k].name);
        if (channel == NULL || !is_alike(channel, &channels[k])) return false;
    }
    return true;
}

static void *rows_of(ThawStore *store, const char *name) {
    return thaw_store_channel(store, name)->data;
}

ThawLatticeState thaw_lattice_state(ThawStore *store) {
    if (!thaw_lattice_is_open(store)) return (ThawLatticeState){0};
    const ThawChannel *lag = frozen_channel(store, 0), *misfit = frozen_channel(store, 1);
    return (ThawLatticeState){.turn = rows_of(store, THAW_LATTICE_TURN),
                              .map = rows_of(store, THAW_LATTICE_MAP),
                              .flow = rows_of(store, THAW_LATTICE_FLOW),
                              .docking = rows_of(store, THAW_LATTICE_DOCKING),
                              .grip = rows_of(store, THAW_LATTICE_GRIP),
                              .sites = rows_of(store, THAW_LATTICE_SITES),
                              .lag = lag != NULL ? lag->data : NULL,
                              .misfit = misfit != NULL ? misfit->data : NULL};
}

// ---------------------------------------------------------------- frames

void thaw_lattice_set(const ThawLatticeState *state, uint32_t row, const float turn[4]) {
    ThawMat3 R = thaw_mat3_from_turn(turn);
    memcpy(&state->turn[4 * (size_t)row], turn, 4 * sizeof *turn);
    for (size_t k = 0; k < 9; k++) {
        state->map[9 * (size_t)row + k] = (float)R.m[k];
        state->flow[9 * (size_t)row + k] = k % 4 == 0 ? 1.0f : 0.0f;
    }
    state->sites[row] = THAW_SITES_FRESH;
    memset(&state->grip[GRIPS * (size_t)row], 0, GRIPS * sizeof(float));
    memset(&state->docking[THAW_SITES * (size_t)row], 0, THAW_SITES * sizeof(float));
    if (state->lag != NULL) memset(&state->lag[3 * (size_t)row], 0, 3 * sizeof(float));
    if (state->misfit == NULL) return;
    memset(&state->misfit[THAW_MISFITS * (size_t)row], 0, THAW_MISFITS * sizeof *state->misfit);
}

// ---------------------------------------------------------------- sites

#define SEATED 0.5 // D: nobody is further from a place that is not the lattice's own

static double square_to(const double place[3], const float at[3]) {
    double x = place[0] - (double)at[0], y = place[1] - (double)at[1], z = place[2] - (double)at[2];
    return x * x + y * y + z * z;
}

int thaw_lattice_nearest(const ThawLatticeState *state, uint32_t row, int dimensions,
                         const double place[3], double at[3]) {
    const ThawSites *sites = thaw_sites(dimensions);
    const int32_t *misfit =
        state->misfit != NULL ? &state->misfit[THAW_MISFITS * (size_t)row] : NULL;
    int32_t point[3];
    thaw_site_nearest(dimensions, place, point);
    int best = thaw_site_of(dimensions, point);
    if (best >= 0 && misfit != NULL && misfit[best] != 0) best = -1;
    double least = best >= 0 ? square_to(place, sites->vector[best]) : SEATED * SEATED;
    for (int s = 0; misfit != NULL && s < (int)sites->count; s++) {
        float rest[3];
        if (misfit[s] == 0) continue;
        thaw_misfit_add(misfit[s], sites->vector[s], rest);
        double square = square_to(place, rest);
        if (!(square < fmin(least, SEATED * SEATED))) continue;
        least = square;
        best = s;
    }
    float rest[3];
    if (best < 0) return best;
    thaw_lattice_site(state, row, (uint32_t)best, sites->vector[best], rest);
    for (int a = 0; a < 3; a++) at[a] = (double)rest[a];
    return best;
}

// ---------------------------------------------------------------- strains

// what lies in the plane, and one across it
static void flatten(ThawMat3 *a) {
    a->m[2] = a->m[5] = a->m[6] = a->m[7] = 0;
    a->m[8] = 1;
}

ThawMat3 thaw_lattice_elastic(const ThawLatticeState *state, uint32_t row, int dimensions) {
    ThawMat3 A = thaw_mat3_from_floats(&state->map[9 * (size_t)row]);
    ThawMat3 F = thaw_mat3_from_floats(&state->flow[9 * (size_t)row]), inverse;
    if (dimensions == 2) {
        flatten(&A);
        flatten(&F);
    }
    return thaw_mat3_invert(F, &inverse) ? thaw_mat3_mul(A, inverse) : A;
}

// E Rᵀ with R the rotation of E itself. At a surface that is not the lattice's own turn, which is chosen so that
// forces make no torque.
static ThawMat3 turned_back(const ThawLatticeState *state, uint32_t row, int dimensions) {
    ThawMat3 E = thaw_lattice_elastic(state, row, dimensions);
    ThawMat3 R = thaw_mat3_rotation(E, thaw_mat3_from_turn(&state->turn[4 * (size_t)row]));
    return thaw_mat3_mul(E, thaw_mat3_transpose(R));
}

// the symmetric part of a − 1, or what of it lies in the plane
static void write_strain(const double a[9], int dimensions, double scale, float strain[6]) {
    strain[0] = (float)(scale * (a[0] - 1));
    strain[1] = (float)(scale * (a[4] - 1));
    strain[2] = dimensions == 2 ? 0.0f : (float)(scale * (a[8] - 1));
    strain[3] = (float)(scale * 0.5 * (a[1] + a[3]));
    strain[4] = dimensions == 2 ? 0.0f : (float)(scale * 0.5 * (a[5] + a[7]));
    strain[5] = dimensions == 2 ? 0.0f : (float)(scale * 0.5 * (a[2] + a[6]));
}

// R S Rᵀ − 1
void thaw_lattice_strain(const ThawLatticeState *state, uint32_t row, int dimensions,
                         float strain[6]) {
    ThawMat3 turned = turned_back(state, row, dimensions);
    write_strain(turned.m, dimensions, 1.0, strain);
}

// R (EᵀE − 1) Rᵀ / 2 with E Rᵀ = B is (BᵀB − 1)/2 seen from the lattice turned into the world
void thaw_lattice_green(const ThawLatticeState *state, uint32_t row, int dimensions,
                        float strain[6]) {
    ThawMat3 turned = turned_back(state, row, dimensions);
    ThawMat3 square = thaw_mat3_mul(thaw_mat3_transpose(turned), turned);
    write_strain(square.m, dimensions, 0.5, strain);
}
