// Vorticity: what a substep took from eddies, and how it is given back.
//
// All sums over particles run in chunk order, weighted by mass. Tried and worse: the short-range curl term alone gives
// back what is lost at the kernel's size and nearly nothing of larger eddies; the loss of enstrophy, measured at
// the tentative and at the final places, is hidden by the change of places; without the filter the surface boils.
#include "models/liquid/vorticity.h"

#include "base/memory.h"
#include "base/result.h"

#include <math.h>

#define ROW_CHUNK 2048u
#define FILTERS 3
// of the measured viscosity, by a strength of 1: eddies that are larger than c's lose more than c sees
#define GIVEN 1.5
#define KEPT 0.9  // of the energy lost, by a strength of 1, at most: so that matter comes to rest
#define MOST 0.04 // cells²: the largest ν dt that is given back
#define FREE (-0.15f)   // C of a particle at a free surface: nothing is given there
#define INSIDE (-0.05f) // C from which on a particle counts as inside

// Shares of the filter's walks: 1 − s x each, on waves whose eigenvalue of the kernel's smoothing is x = 1 − Ŵ.
// Together they are as wide as seven plain ones (the sum of s) and leave less than a sixth of any wave with x from 0.2 to 1.
static const float shares[FILTERS] = {1.0f, 1.667f, 4.0f};

// ---------------------------------------------------------------- sums

typedef struct Sum {
    const ThawStep *step;
    double (*row)(const struct Sum *sum, uint32_t row); // what a row adds, without its mass
    const float *start, *c;                             // 3 a row
    double *parts;
} Sum;

static double mass_of(const ThawStep *step, uint32_t row) {
    double d = (double)step->store->spacing[row];
    double volume = step->domain->dimensions == 3 ? d * d * d : d * d;
    return (double)step->materials[step->store->material[row]].density * volume;
}

static void sum_chunk(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    const Sum *sum = context;
    ThawRange range = thaw_chunk_range(chunk, sum->step->store->count, ROW_CHUNK);
    const uint8_t *held = sum->step->held;
    double part = 0;
    for (uint32_t row = range.begin; row < range.end; row++) {
        // what is held is none of the liquid's motion
        if (held != NULL && held[row] != 0) continue;
        part += mass_of(sum->step, row) * sum->row(sum, row);
    }
    sum->parts[chunk] = part;
}

static double add_up(const ThawVorticity *vorticity, const ThawStep *step, const float *c,
                     double (*row)(const Sum *sum, uint32_t row)) {
    Sum sum = {step, row, vorticity->start, c, vorticity->sums};
    uint32_t chunks = thaw_chunk_count(step->store->count, ROW_CHUNK);
    thaw_parallel_run(step->parallel, sum_chunk, &sum, chunks);
    double all = 0;
    for (uint32_t k = 0; k < chunks; k++) all += sum.parts[k];
    return all;
}

static double dot(const float *a, const float *b) {
    return (double)a[0] * (double)b[0] + (double)a[1] * (double)b[1] + (double)a[2] * (double)b[2];
}

static double row_kinetic(const Sum *sum, uint32_t row) {
    const float *v = &sum->step->store->velocity[3 * (size_t)row];
    return 0.5 * dot(v, v);
}

// what gravity did on the way of the substep
static double row_work(const Sum *sum, uint32_t row) {
    const float *shift = &sum->step->work->shift[3 * (size_t)row];
    const double *g = sum->step->gravity;
    double way = g[0] * (double)shift[0] + g[1] * (double)shift[1] + g[2] * (double)shift[2];
    return way * sum->step->domain->cell;
}

static double row_lost(const Sum *sum, uint32_t row) {
    const float *v = &sum->step->store->velocity[3 * (size_t)row];
    const float *start = &sum->start[3 * (size_t)row];
    const float lost[3] = {start[0] - v[0], start[1] - v[1], start[2] - v[2]};
    return dot(lost, &sum->c[3 * (size_t)row]);
}

static double row_gain(const Sum *sum, uint32_t row) {
    return dot(&sum->step->store->velocity[3 * (size_t)row], &sum->c[3 * (size_t)row]);
}

static double row_square(const Sum *sum, uint32_t row) {
    const float *c = &sum->c[3 * (size_t)row];
    return dot(c, c);
}

// ---------------------------------------------------------------- dynamic colliders

// kinetic and potential energy, so that what goes over to bodies is not taken for lost
static double add_up_bodies(const ThawStep *step) {
    const ThawWallStep *walls = step->wall_step;
    double energy = 0;
    for (uint32_t k = 0; k < walls->collider_count; k++) {
        const ThawRigid *rigid = walls->colliders[k].rigid;
        if (rigid == NULL) continue;
        ThawVec3 v = rigid->velocity, w = rigid->spin;
        double m[9], height = 0;
        thaw_rigid_inertia(rigid, rigid->turn, m);
        const double s[3] = {w.x, w.y, w.z};
        for (int a = 0; a < 3; a++) {
            height -= step->gravity[a] * thaw_fixed_cells(rigid->center[a]) * rigid->cell;
            for (int b = 0; b < 3; b++) energy += 0.5 * s[a] * m[3 * a + b] * s[b];
        }
        energy += rigid->mass * (0.5 * (v.x * v.x + v.y * v.y + v.z * v.z) + height);
    }
    return energy;
}

// ---------------------------------------------------------------- the moments

void thaw_vorticity_release(ThawVorticity *vorticity) {
    thaw_free(vorticity->start);
    thaw_free(vorticity->sums);
}

static void keep_chunk(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    const Sum *sum = context;
    const ThawStep *step = sum->step;
    float *start = (float *)(uintptr_t)sum->start;
    ThawRange range = thaw_chunk_range(chunk, step->store->count, ROW_CHUNK);
    for (uint32_t row = range.begin; row < range.end; row++) {
        for (size_t a = 0; a < 3; a++) {
            float pull = (float)(step->gravity[a] * step->dt);
            start[3 * (size_t)row + a] = step->store->velocity[3 * (size_t)row + a] + pull;
        }
    }
}

ThawResult thaw_vorticity_begin(ThawVorticity *vorticity, ThawStep *step) {
    vorticity->most = 0;
    for (uint32_t k = 0; k < step->material_count; k++) {
        vorticity->most = fmaxf(vorticity->most, step->materials[k].liquid.vorticity);
    }
    vorticity->on = vorticity->most > 0 && step->dt > 0;
    if (!vorticity->on) return THAW_OK;
    uint32_t chunks = thaw_chunk_count(step->store->count, ROW_CHUNK);
    size_t rows = ((size_t)step->store->count + THAW_STORE_PAD) * 3 * sizeof(float);
    if (!thaw_scratch((void **)&vorticity->start, &vorticity->start_bytes, rows) ||
        !thaw_scratch((void **)&vorticity->sums, &vorticity->sums_bytes, chunks * sizeof(double))) {
        vorticity->on = false;
        return thaw_fail_memory(rows);
    }
    Sum keep = {.step = step, .start = vorticity->start};
    thaw_parallel_run(step->parallel, keep_chunk, &keep, chunks);
    vorticity->budget = add_up(vorticity, step, NULL, row_kinetic) + add_up_bodies(step);
    return THAW_OK;
}

void thaw_vorticity_moved(ThawVorticity *vorticity, const ThawStep *step) {
    if (!vorticity->on) return;
    vorticity->budget += add_up(vorticity, step, NULL, row_work);
}

// ---------------------------------------------------------------- giving back

typedef struct Walk {
    ThawSpinPass spin;
    void (*run)(const ThawSpinPass *spin, uint32_t chunk);
} Walk;

static void walk_chunk(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    const Walk *walk = context;
    walk->run(&walk->spin, chunk);
}

static void walk(const ThawStep *step, const ThawSpinPass *spin) {
    Walk job = {*spin, THAW_WIDE_PICK(step->isa, thaw_spin_pass)};
    thaw_parallel_run(step->parallel, walk_chunk, &job,
                      thaw_chunk_count(spin->pass->cluster_count, THAW_LIQUID_CHUNK));
}

// A pass over rows with two rooms of three numbers each.
typedef struct Rows {
    ThawStep *step;
    const ThawVorticity *vorticity;
    float *rows;
    float factor;
} Rows;

static void run_rows(Rows *rows, ThawTask *task) {
    thaw_parallel_run(rows->step->parallel, task, rows,
                      thaw_chunk_count(rows->step->store->count, ROW_CHUNK));
}

// velocities half way from before to after
static void mean_chunk(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    const Rows *rows = context;
    ThawRange range = thaw_chunk_range(chunk, rows->step->store->count, ROW_CHUNK);
    const float *start = rows->vorticity->start, *v = rows->step->store->velocity;
    for (size_t k = 3 * (size_t)range.begin; k < 3 * (size_t)range.end; k++) {
        rows->rows[k] = 0.5f * (start[k] + v[k]);
    }
}

// a row's own share: its material's strength; nothing at a free surface, of solids and of what is held
static float share_of(const Rows *rows, uint32_t row) {
    const ThawStep *step = rows->step;
    bool firm = step->firm != NULL && step->firm[row] != 0;
    bool held = step->held != NULL && step->held[row] != 0;
    if (firm || held) return 0;
    float strength = step->materials[step->store->material[row]].liquid.vorticity;
    float depth = (step->store->density_error[row] - FREE) / (INSIDE - FREE);
    return strength / rows->vorticity->most * fminf(fmaxf(depth, 0.0f), 1.0f);
}

static void weigh_chunk(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    const Rows *rows = context;
    ThawRange range = thaw_chunk_range(chunk, rows->step->store->count, ROW_CHUNK);
    for (uint32_t row = range.begin; row < range.end; row++) {
        float share = share_of(rows, row);
        for (size_t a = 0; a < 3; a++) rows->rows[3 * (size_t)row + a] *= share;
    }
}

static void give_chunk(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    const Rows *rows = context;
    const uint8_t *held = rows->step->held;
    ThawRange range = thaw_chunk_range(chunk, rows->step->store->count, ROW_CHUNK);
    float *v = rows->step->store->velocity;
    for (uint32_t row = range.begin; row < range.end; row++) {
        if (held != NULL && held[row] != 0) continue;
        for (size_t k = 3 * (size_t)row; k < 3 * (size_t)row + 3; k++) {
            v[k] += rows->factor * rows->rows[k];
        }
    }
}

// c in one of the rooms
static float *find_turn(Rows *rows, const ThawLiquidPass *pass, float *room, float *other) {
    ThawSpinPass spin = {.pass = pass, .kind = THAW_SPIN_CURL, .from = room, .to = other};
    rows->rows = room;
    run_rows(rows, mean_chunk);
    walk(rows->step, &spin);
    spin.kind = THAW_SPIN_FILTER;
    for (int k = 0; k < FILTERS; k++) {
        float *written = spin.to;
        spin.to = k % 2 == 0 ? room : other;
        spin.from = written;
        spin.share = shares[k];
        walk(rows->step, &spin);
    }
    rows->rows = spin.to;
    run_rows(rows, weigh_chunk);
    spin.kind = THAW_SPIN_TURN;
    spin.from = spin.to;
    spin.to = spin.from == room ? other : room;
    walk(rows->step, &spin);
    return spin.to;
}

// the largest factor of c that takes no more energy than there is: ½ s f² + g f ≤ budget
static double find_most(double budget, double gain, double square) {
    if (!(budget > 0) || !(gain > 0)) return 0;
    return 2 * budget / (gain + sqrt(gain * gain + 2 * square * budget));
}

void thaw_vorticity_give(ThawVorticity *vorticity, ThawStep *step, const ThawLiquidPass *pass) {
    if (!vorticity->on) return;
    vorticity->budget -= add_up(vorticity, step, NULL, row_kinetic) + add_up_bodies(step);
    Rows rows = {.step = step, .vorticity = vorticity};
    const float *c = find_turn(&rows, pass, (float *)(void *)step->work->next, step->work->shift);
    double square = add_up(vorticity, step, c, row_square);
    double lost = add_up(vorticity, step, c, row_lost);
    double strength = (double)vorticity->most, gain = add_up(vorticity, step, c, row_gain);
    double most = find_most(KEPT * strength * vorticity->budget, gain, square);
    double viscosity = square > 0 ? fmin(GIVEN * lost / square, MOST) * strength : 0;
    double factor = fmin(viscosity, most);
    if (factor > 0) {
        rows.rows = (float *)(uintptr_t)c;
        rows.factor = (float)factor;
        run_rows(&rows, give_chunk);
    }
    thaw_step_lap(step, THAW_PHASE_VISCOSITY);
}
