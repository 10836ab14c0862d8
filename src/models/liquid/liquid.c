// The liquid: position-based fluids with a volume-fraction constraint.
//
// Alduán, Tena, Otaduy, "Efficient and Robust Position-Based Fluids for VFX" (2015), eq. 1–7: stiffness
// from a prototype neighbourhood (the close packing), relaxation β, Jacobi iterations, XSPH, and the tensile
// term. Density and corrections share one kernel, so that corrections follow the constraint's own gradient.
#include "models/liquid/liquid.h"
#include "base/memory.h"
#include "base/result.h"
#include "math/lattice.h"
#include "models/model.h"

#include <math.h>
#include <string.h>

#define KERNEL THAW_KERNEL_DEFAULT
#define SUPPORT 2.0     // h in spacings
#define TENSILE_AT 0.2f // Δq of eq. 7 in supports
#define MOST_XSPH 0.5f  // what one smoothing pass takes stably
#define COPY_CHUNK 8192u
// How hard a two-sided constraint may pull, m/s². At a free surface the deficit is half the kernel; pulling
// by all of it would tear the surface into clumps and make energy.
#define MOST_PULL 3.0
// λ's slope at a free surface in 1/spacings, about
#define SURFACE_SLOPE 0.3

typedef struct Liquid {
    ThawRestState rest; // of unit spacing
    double relaxation;  // β in use
    ThawLiquidGrain *grains;
    ThawLiquidSums *sums;
    size_t grains_bytes, sums_bytes;
    bool mixed;
    bool idle; // there is no liquid
} Liquid;

static ThawResult create_liquid(void **state, const ThawDomain *domain) {
    Liquid *liquid = thaw_alloc(sizeof *liquid);
    if (liquid == NULL) return thaw_fail_memory(sizeof *liquid);
    liquid->rest = thaw_rest_state(KERNEL, KERNEL, domain->dimensions, SUPPORT);
    *state = liquid;
    return THAW_OK;
}

static void destroy_liquid(void *state) {
    Liquid *liquid = state;
    if (liquid == NULL) return;
    thaw_free(liquid->grains);
    thaw_free(liquid->sums);
    thaw_free(liquid);
}

// Beyond this β the fluid may gain energy. An iteration multiplies the error of the stiffest wave on the
// lattice by b = 1 − β·spectrum, and a substep maps (x, v dt) by [[b, b], [b − 1, b]] for one iteration:
// its eigenvalues stay within 1 while b > −1/3. More iterations allow more; a margin is kept for
// compressed matter, whose neighbours are nearer.
static double relaxation_limit(const Liquid *liquid) {
    return 1.25 / liquid->rest.spectrum;
}

// a solid that nothing holds together is a liquid
static bool is_liquid(const ThawStep *step, uint32_t row) {
    const ThawSolidDef *solid = &step->materials[step->store->material[row]].solid;
    return step->store->state[row] != THAW_STATE_SOLID || !(solid->young > 0 || solid->damping > 0);
}

static bool any_liquid(const ThawStep *step) {
    for (uint32_t row = 0; row < step->store->count; row++) {
        if (is_liquid(step, row)) return true;
    }
    return false;
}

static ThawResult begin_step(void *state, ThawStep *step) {
    Liquid *liquid = state;
    step->liquid = any_liquid(step);
    liquid->idle = !step->liquid;
    double limit = relaxation_limit(liquid);
    liquid->relaxation = step->solver->relaxation < limit ? step->solver->relaxation : limit;
    step->report->relaxation_used = liquid->relaxation;
    return THAW_OK;
}

// At rest the constraint's error grows with depth by g dt² / (iterations β k): iterations of λ = −β k C
// move matter by β k ∇C each, which must undo what gravity does in a substep.
static double wanted_dt(void *state, const ThawStep *step) {
    const Liquid *liquid = state;
    const double *g = step->gravity;
    double pull = sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]) * step->depth;
    if (pull <= 0 || liquid->idle) return INFINITY;
    double d = (double)step->least_spacing;
    double stiffness = liquid->relaxation * d * d / liquid->rest.gradients;
    return sqrt(step->solver->max_compression * step->solver->iterations * stiffness / pull);
}

// kernel value without its norm
static float kernel_at(double q) {
    return (float)(thaw_kernel_value(KERNEL, 3, q, 1.0) / thaw_kernel_norm(KERNEL, 3));
}

// The least C that acts: 0 one-sided; two-sided what pulls by MOST_PULL, however long the substep is and
// however many iterations share it.
static float least_constraint(const Liquid *liquid, const ThawStep *step, double d,
                              bool two_sided) {
    if (!two_sided) return 0.0f;
    double move = MOST_PULL * step->dt * step->dt / step->solver->iterations;
    double pull = move * liquid->rest.gradients / (liquid->relaxation * SURFACE_SLOPE * d);
    return -(float)fmin(pull, 1.0);
}

// Smoothing by c multiplies a wave by 1 − c (1 − Ŵ(k)), which is a viscosity of c M₂ / (2 dt) with M₂ the
// kernel's second moment along an axis: h²/17 in 3D and h²/16 in 2D for (1 − q²)⁶.
static float smoothing(const ThawStep *step, float spacing, const ThawLiquidDef *def) {
    double h = SUPPORT * (double)spacing;
    double moment = h * h / (step->domain->dimensions == 3 ? 17.0 : 16.0);
    float c = def->xsph + (float)(2.0 * (double)def->viscosity * step->dt / moment);
    return c < MOST_XSPH ? c : MOST_XSPH;
}

static ThawLiquidGrain make_grain(const Liquid *liquid, const ThawStep *step, float spacing,
                                  const ThawMaterial *material) {
    float d = spacing / (float)step->domain->cell;
    float k = (float)(1.0 / liquid->rest.gradients) * d * d;
    const ThawLiquidDef *def = &material->liquid;
    float reference = 1.0f;
    for (int n = 0; n < def->tensile_exponent; n++) reference *= kernel_at(TENSILE_AT);
    return (ThawLiquidGrain){.support = (float)SUPPORT * d,
                             .volume = step->domain->dimensions == 3 ? d * d * d : d * d,
                             .density = material->density,
                             .stiffness = (float)liquid->relaxation * k,
                             .tensile = def->tensile * k / reference,
                             .xsph = smoothing(step, spacing, def),
                             .floor =
                                 least_constraint(liquid, step, (double)spacing, def->two_sided)};
}

// whether particles differ in anything that the liquid reads, or from the usual size
static bool differ(const ThawStep *step) {
    if (step->firm != NULL) return true;
    if (step->least_spacing < step->largest_spacing) return true;
    if ((float)SUPPORT * step->least_spacing != (float)step->domain->cell) return true;
    const uint16_t *material = step->store->material;
    for (uint32_t row = 1; step->material_count > 1 && row < step->store->count; row++) {
        if (material[row] != material[0]) return true;
    }
    return false;
}

static ThawResult fill_grains(Liquid *liquid, const ThawStep *step) {
    const ThawStore *store = step->store;
    size_t rows = (size_t)store->count + THAW_STORE_PAD;
    if (!thaw_scratch((void **)&liquid->grains, &liquid->grains_bytes,
                      rows * sizeof(ThawLiquidGrain))) {
        return thaw_fail_memory(rows * sizeof(ThawLiquidGrain));
    }
    for (uint32_t row = 0; row < store->count; row++) {
        ThawLiquidGrain *grain = &liquid->grains[row];
        *grain =
            make_grain(liquid, step, store->spacing[row], &step->materials[store->material[row]]);
        // a solid takes room and is pushed, but does not press by itself
        bool firm = step->firm != NULL && step->firm[row] != 0;
        if (firm) grain->stiffness = grain->tensile = grain->xsph = 0;
    }
    for (size_t row = store->count; row < rows; row++) liquid->grains[row] = liquid->grains[0];
    return THAW_OK;
}

// the pass that all inner loops take
static ThawLiquidPass make_pass(const Liquid *liquid, const ThawStep *step) {
    const ThawStore *store = step->store;
    const ThawMaterial *material = &step->materials[store->material[0]];
    ThawLiquidPass pass = {
        .dimensions = step->domain->dimensions,
        .norm = (float)(thaw_kernel_norm(KERNEL, step->domain->dimensions) / liquid->rest.sum),
        .rest_sum = (float)liquid->rest.sum,
        .segments = thaw_neighbors_segments(step->neighbors),
        .reach = (float)thaw_neighbors_reach(step->neighbors),
        .place = step->work->place,
        .next = step->work->next,
        .shift = step->work->shift,
        .wall = step->work->wall,
        .error = store->density_error,
        .velocity = store->velocity,
        .smoothed = (float *)(void *)step->work->next,
        .sums = liquid->sums,
        .grain = make_grain(liquid, step, store->spacing[0], material),
        .grains = liquid->mixed ? liquid->grains : NULL};
    pass.clusters = thaw_neighbors_clusters(step->neighbors, &pass.cluster_count);
    for (uint32_t k = 0; k < step->material_count; k++) {
        if (step->materials[k].liquid.tensile > 0) {
            pass.tensile_exponent = step->materials[k].liquid.tensile_exponent;
        }
    }
    return pass;
}

static ThawResult prepare(void *state, ThawStep *step) {
    Liquid *liquid = state;
    if (liquid->idle) return THAW_OK;
    uint32_t clusters;
    thaw_neighbors_clusters(step->neighbors, &clusters);
    size_t bytes = (size_t)thaw_chunk_count(clusters, THAW_LIQUID_CHUNK) * sizeof(ThawLiquidSums);
    // the number of clusters changes as matter moves: room for some more
    if (bytes > liquid->sums_bytes) bytes += bytes / 4 + 256;
    if (!thaw_scratch((void **)&liquid->sums, &liquid->sums_bytes, bytes)) {
        return thaw_fail_memory(bytes);
    }
    liquid->mixed = differ(step);
    return liquid->mixed ? fill_grains(liquid, step) : THAW_OK;
}

typedef void RunPass(const ThawLiquidPass *pass, uint32_t chunk);

typedef struct PassTask {
    const ThawLiquidPass *pass;
    RunPass *run;
} PassTask;

static void run_chunk(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    const PassTask *task = context;
    task->run(task->pass, chunk);
}

static void run_pass(ThawStep *step, const ThawLiquidPass *pass, RunPass *run) {
    PassTask task = {pass, run};
    uint32_t chunks = thaw_chunk_count(pass->cluster_count, THAW_LIQUID_CHUNK);
    thaw_parallel_run(step->parallel, run_chunk, &task, chunks);
}

static void add_up_errors(ThawStep *step, const ThawLiquidPass *pass) {
    double sum = 0, largest = 0;
    uint32_t chunks = thaw_chunk_count(pass->cluster_count, THAW_LIQUID_CHUNK);
    for (uint32_t k = 0; k < chunks; k++) {
        sum += (double)pass->sums[k].error;
        if ((double)pass->sums[k].max_error > largest) largest = (double)pass->sums[k].max_error;
    }
    step->density_error = sum / step->store->count;
    step->report->mean_density_error = step->density_error;
    step->report->max_density_error = largest;
}

static uint64_t add_up_pairs(const ThawLiquidPass *pass) {
    uint64_t pairs = 0;
    uint32_t chunks = thaw_chunk_count(pass->cluster_count, THAW_LIQUID_CHUNK);
    for (uint32_t k = 0; k < chunks; k++) pairs += pass->sums[k].pairs;
    return pairs;
}

// what was written to next is where particles are now
static void turn_over(ThawStep *step) {
    ThawPlace *written = step->work->next;
    step->work->next = step->work->place;
    step->work->place = written;
}

static ThawResult iterate(void *state, ThawStep *step) {
    Liquid *liquid = state;
    if (liquid->idle) return THAW_OK;
    thaw_walls_density(step->walls, step->wall_step);
    thaw_step_lap(step, THAW_PHASE_COLLISION);
    ThawLiquidPass pass = make_pass(liquid, step);
    if (thaw_neighbors_rough(step->neighbors)) {
        run_pass(step, &pass, THAW_WIDE_PICK(step->isa, thaw_liquid_prune));
        thaw_neighbors_pruned(step->neighbors, add_up_pairs(&pass));
    } else {
        run_pass(step, &pass, THAW_WIDE_PICK(step->isa, thaw_liquid_density));
    }
    add_up_errors(step, &pass);
    turn_over(step);
    thaw_step_lap(step, THAW_PHASE_DENSITY);
    pass = make_pass(liquid, step);
    run_pass(step, &pass, THAW_WIDE_PICK(step->isa, thaw_liquid_correct));
    turn_over(step);
    thaw_step_lap(step, THAW_PHASE_CORRECTION);
    return THAW_OK;
}

static void copy_chunk(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    const ThawStep *step = context;
    ThawRange range = thaw_chunk_range(chunk, step->store->count, COPY_CHUNK);
    const float *smoothed = (const float *)(const void *)step->work->next;
    memcpy(&step->store->velocity[3 * (size_t)range.begin], &smoothed[3 * (size_t)range.begin],
           (size_t)(range.end - range.begin) * 3 * sizeof(float));
}

static bool any_viscous(const ThawStep *step) {
    for (uint32_t k = 0; k < step->material_count; k++) {
        const ThawLiquidDef *def = &step->materials[k].liquid;
        if (def->xsph > 0 || def->viscosity > 0) return true;
    }
    return false;
}

static ThawResult finish(void *state, ThawStep *step) {
    const Liquid *liquid = state;
    if (liquid->idle || !any_viscous(step)) return THAW_OK;
    ThawLiquidPass pass = make_pass(state, step);
    run_pass(step, &pass, THAW_WIDE_PICK(step->isa, thaw_liquid_smooth));
    thaw_parallel_run(step->parallel, copy_chunk, step,
                      thaw_chunk_count(step->store->count, COPY_CHUNK));
    thaw_step_lap(step, THAW_PHASE_VISCOSITY);
    return THAW_OK;
}

#define OWN (THAW_BIT(spacing) | THAW_BIT(material))

const ThawModel thaw_model_liquid = {
    .name = "liquid",
    .summary = "position-based fluid: incompressible, viscous, from water on",
    .create = create_liquid,
    .destroy = destroy_liquid,
    .wanted_dt = wanted_dt,
    .stages = {
        [THAW_STAGE_BEGIN] = {.run = begin_step},
        [THAW_STAGE_PREPARE] = {.run = prepare, .reads = OWN},
        [THAW_STAGE_ITERATE] = {.run = iterate,
                                .reads = OWN,
                                .reads_neighbors = OWN,
                                .writes = THAW_BIT(density_error),
                                .reads_places = true,
                                .action = THAW_ACTION_JACOBI},
        [THAW_STAGE_FINISH] = {.run = finish,
                               .reads = OWN | THAW_BIT(velocity),
                               .reads_neighbors = OWN | THAW_BIT(velocity),
                               .writes = THAW_BIT(velocity),
                               .reads_places = true},
    }};
