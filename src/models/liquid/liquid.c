// The liquid: position-based fluids with a volume-fraction constraint.
//
// Alduán, Tena, Otaduy, "Efficient and Robust Position-Based Fluids for VFX" (2015), eq. 1–7: stiffness
// from a prototype neighbourhood (the close packing), relaxation β, Jacobi iterations, XSPH, and the
// tensile term. Density and corrections share one kernel, so that corrections follow the constraint's
// own gradient.
#include "models/liquid/liquid.h"
#include "base/memory.h"
#include "base/result.h"
#include "math/lattice.h"
#include "models/heat_state.h"
#include "models/liquid/kinds.h"
#include "models/liquid/mirror.h"
#include "models/liquid/tension.h"
#include "models/liquid/viscosity.h"
#include "models/liquid/vorticity.h"
#include "models/model.h"

#include <math.h>
#include <string.h>

#define KERNEL THAW_KERNEL_DEFAULT
#define SUPPORT 2.0    // h in spacings
#define NARROW 0.975   // of the support, in planes where sizes differ: see choose_support
#define TENSILE_AT 0.2 // Δq of eq. 7 in supports
#define SHORT 0.0005   // s: in longer substeps the liquid is always as stiff as it can be
#define RESTING 0.25   // of the substep that the liquid asks for at rest, and
#define MOVING 0.125   // of that which its speed asks for: where stiffness ends to grow

typedef struct Liquid {
    ThawRestState wide, narrow_rest; // of unit spacing, with the whole support and a narrower one
    ThawRestState rest;              // the one in use
    double narrow;                   // its share of the support
    double relaxation;               // β in use
    double pace;                     // the share of it that this substep takes
    ThawLiquidGrain *grains;
    uint8_t *kind; // of each particle
    ThawKinds kinds;
    ThawMirrors mirrors;
    ThawLiquidSums *sums;
    float *pulls; // surface tension's, three a row
    float *lean;  // h ∇γ, three a row, where sizes differ
    size_t grains_bytes, kind_bytes, sums_bytes, pulls_bytes, lean_bytes;
    ThawViscosity viscosity;
    bool mixed;
    ThawVorticity vorticity;
    bool idle; // there is no liquid
} Liquid;

static ThawResult create_liquid(void **state, const ThawDomain *domain) {
    Liquid *liquid = thaw_alloc(sizeof *liquid);
    if (liquid == NULL) return thaw_fail_memory(sizeof *liquid);
    liquid->wide = thaw_rest_state(KERNEL, KERNEL, domain->dimensions, SUPPORT);
    liquid->narrow_rest = liquid->wide;
    if (domain->dimensions == 2) {
        liquid->narrow_rest = thaw_rest_state(KERNEL, KERNEL, 2, NARROW * SUPPORT);
    }
    *state = liquid;
    return THAW_OK;
}

static void destroy_liquid(void *state) {
    Liquid *liquid = state;
    if (liquid == NULL) return;
    thaw_free(liquid->grains);
    thaw_free(liquid->kind);
    thaw_free(liquid->sums);
    thaw_free(liquid->pulls);
    thaw_free(liquid->lean);
    thaw_mirrors_release(&liquid->mirrors);
    thaw_viscosity_release(&liquid->viscosity);
    thaw_vorticity_release(&liquid->vorticity);
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

static bool sizes_differ(const ThawStep *step) {
    return step->least_spacing < step->largest_spacing;
}

// In a plane squares take 0.15 % less room than hexagons with the whole support, and 0.14 % more with a narrower one. A
// crystal that turns to squares thickens where it does, and small ones fill what it leaves.
static void choose_support(Liquid *liquid, const ThawStep *step) {
    bool narrow = step->domain->dimensions == 2 && sizes_differ(step);
    liquid->rest = narrow ? liquid->narrow_rest : liquid->wide;
    liquid->narrow = narrow ? NARROW : 1;
    double limit = relaxation_limit(liquid);
    liquid->relaxation = step->solver->relaxation < limit ? step->solver->relaxation : limit;
    step->report->relaxation_used = liquid->relaxation;
}

// scratch that no substep asks for any more goes: see base/memory.h
static void rest(Liquid *liquid) {
    thaw_scratch((void **)&liquid->grains, &liquid->grains_bytes, 0);
    thaw_scratch((void **)&liquid->kind, &liquid->kind_bytes, 0);
    thaw_scratch((void **)&liquid->pulls, &liquid->pulls_bytes, 0);
    thaw_scratch((void **)&liquid->lean, &liquid->lean_bytes, 0);
    thaw_scratch((void **)&liquid->sums, &liquid->sums_bytes, 0);
    thaw_mirrors_rest(&liquid->mirrors);
}

static ThawResult begin_step(void *state, ThawStep *step) {
    Liquid *liquid = state;
    step->liquid = any_liquid(step);
    liquid->idle = !step->liquid;
    choose_support(liquid, step);
    rest(liquid);
    return THAW_OK;
}

// β k of eq. 4 for particles of a spacing, in its unit squared
static double stiffness_of(const Liquid *liquid, double spacing) {
    return liquid->relaxation * spacing * spacing / liquid->rest.gradients;
}

// At rest the constraint's error grows with depth by g dt² / (iterations β k): iterations of λ = −β k C
// move matter by β k ∇C each, which must undo what gravity does in a substep.
static double resting_dt(const Liquid *liquid, const ThawStep *step) {
    const double *g = step->gravity;
    double pull = sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]) * step->depth + step->press;
    if (pull <= 0) return INFINITY;
    double stiffness = stiffness_of(liquid, (double)step->least_spacing);
    return sqrt(step->solver->max_compression * step->solver->iterations * stiffness / pull);
}

static double wanted_dt(void *state, const ThawStep *step) {
    const Liquid *liquid = state;
    if (!step->liquid) return INFINITY;
    double dt = resting_dt(liquid, step);
    for (uint32_t k = 0; k < step->material_count; k++) {
        const ThawMaterial *material = &step->materials[k];
        double d = (double)step->least_spacing, tension = thaw_tension_asked(material, d);
        dt = fmin(dt, thaw_tension_dt(tension, (double)material->density, d));
    }
    return dt;
}

// Corrections undo the same share of an error whatever dt is: as a pressure they grow with 1/dt², so that a
// rest of compression that no one sees becomes an explosion in microseconds. No flow needs that. In
// substeps well below what the liquid itself asks for, its stiffness stays what it is there: β falls with
// dt², and shorter steps give the same motion.
static double choose_pace(Liquid *liquid, const ThawStep *step) {
    if (!(step->dt > 0 && step->dt < SHORT)) return 1;
    double most = step->solver->max_displacement * (double)step->least_spacing;
    double moved = (double)step->wall_step->longest * step->domain->cell;
    double stiff = fmin(RESTING * wanted_dt(liquid, step), MOVING * most * step->dt / moved);
    stiff = fmin(stiff, SHORT);
    return step->dt < stiff ? step->dt * step->dt / (stiff * stiff) : 1;
}

// kernel value without its norm
static double kernel_at(double q) {
    return thaw_kernel_value(KERNEL, 3, q, 1.0) / thaw_kernel_norm(KERNEL, 3);
}

static ThawLiquidGrain make_grain(const Liquid *liquid, const ThawStep *step, float spacing,
                                  const ThawMaterial *material) {
    double d = (double)spacing / step->domain->cell;
    double k = d * d / liquid->rest.gradients, stiffness = liquid->pace * stiffness_of(liquid, d);
    const ThawLiquidDef *def = &material->liquid;
    double reference = 1;
    for (int n = 0; n < def->tensile_exponent; n++) reference *= kernel_at(TENSILE_AT);
    double tension = thaw_tension_used(material, (double)spacing, step->dt);
    double cap = thaw_tension_cap(step->domain->dimensions, step->solver->iterations, tension,
                                  (double)material->density, (double)spacing, step->dt);
    return (ThawLiquidGrain){.support = (float)(SUPPORT * d),
                             .volume = (float)(step->domain->dimensions == 3 ? d * d * d : d * d),
                             .density = material->density,
                             .stiffness = (float)stiffness,
                             .tensile = (float)((double)def->tensile * k / reference),
                             .xsph = (float)thaw_viscosity_asked(step->domain->dimensions, def,
                                                                 (double)spacing, step->dt),
                             .cap = (float)(cap / (step->domain->cell * step->domain->cell)),
                             .tension = (float)tension};
}

// whether particles differ in anything that the liquid reads, or from the usual size
static bool differ(const ThawStep *step) {
    if (step->firm != NULL) return true;
    if (sizes_differ(step)) return true;
    if ((float)SUPPORT * step->least_spacing != (float)step->domain->cell) return true;
    const uint16_t *material = step->store->material;
    for (uint32_t row = 1; step->material_count > 1 && row < step->store->count; row++) {
        if (material[row] != material[0]) return true;
    }
    return false;
}

// the grain of a kind that was not met before in this substep
static ThawLiquidGrain new_grain(const Liquid *liquid, const ThawStep *step,
                                 const ThawKindKey *key) {
    const ThawMaterial *material = &step->materials[key->material];
    double swell = key->firm ? thaw_material_swell(material, step->domain->dimensions) : 1;
    float size = (float)((double)key->spacing * swell);
    ThawLiquidGrain grain = make_grain(liquid, step, size, material);
    if (swell != 1) grain.density = material->solid.density;
    // a solid takes room and is pushed, but does not press by itself
    if (key->firm) grain.stiffness = grain.tensile = grain.xsph = grain.cap = grain.tension = 0;
    return grain;
}

static ThawResult fill_grains(Liquid *liquid, const ThawStep *step) {
    const ThawStore *store = step->store;
    ThawKinds *kinds = &liquid->kinds;
    size_t rows = (size_t)store->count + THAW_STORE_PAD, bytes = rows * sizeof(ThawLiquidGrain);
    if (!thaw_scratch((void **)&liquid->grains, &liquid->grains_bytes, bytes)) {
        return thaw_fail_memory(bytes);
    }
    if (!thaw_scratch((void **)&liquid->kind, &liquid->kind_bytes, rows)) {
        return thaw_fail_memory(rows);
    }
    kinds->count = 0;
    kinds->many = false;
    for (uint32_t row = 0; row < store->count; row++) {
        ThawKindKey key = {store->spacing[row], store->material[row],
                           step->firm != NULL && step->firm[row] != 0};
        uint32_t k = thaw_kinds_find(kinds, &key);
        if (k == kinds->count) {
            ThawLiquidGrain grain = new_grain(liquid, step, &key);
            thaw_kinds_add(kinds, &key, &grain);
            k = kinds->last;
        }
        liquid->grains[row] = kinds->grains[k];
        liquid->kind[row] = (uint8_t)k;
    }
    for (size_t row = store->count; row < rows; row++) liquid->grains[row] = liquid->grains[0];
    return THAW_OK;
}

// α of the top layer of a lattice is what it lacks, and that is the most: loose drops are not pressed
static void set_air(const Liquid *liquid, ThawLiquidPass *pass) {
    const ThawRestState *rest = &liquid->rest;
    double noise = (double)THAW_LIQUID_NOISE;
    pass->lean = liquid->lean;
    pass->air = (float)(rest->open / (rest->lean * rest->lean - noise * noise));
    pass->most_air = (float)rest->open;
}

// the pass that all inner loops take
static ThawLiquidPass make_pass(Liquid *liquid, const ThawStep *step) {
    const ThawStore *store = step->store;
    const ThawMaterial *material = &step->materials[store->material[0]];
    ThawLiquidPass pass = {
        .dimensions = step->domain->dimensions,
        .norm = (float)(thaw_kernel_norm(KERNEL, step->domain->dimensions) / liquid->rest.sum),
        .rest_sum = (float)liquid->rest.sum,
        .narrow = (float)liquid->narrow,
        .segments = thaw_neighbors_segments(step->neighbors),
        .reach = (float)thaw_neighbors_reach(step->neighbors),
        .place = step->work->place,
        .next = step->work->next,
        .shift = step->work->shift,
        .wall = step->work->wall,
        .error = store->density_error,
        .sums = liquid->sums,
        .excess = step->excess,
        .grain = make_grain(liquid, step, store->spacing[0], material),
        .inverse_relaxation = (float)(1.0 / (liquid->pace * liquid->relaxation)),
        .grains = liquid->mixed ? liquid->grains : NULL};
    pass.clusters = thaw_neighbors_clusters(step->neighbors, &pass.cluster_count);
    for (uint32_t k = 0; k < step->material_count; k++) {
        const ThawLiquidDef *def = &step->materials[k].liquid;
        if (def->tensile > 0) pass.tensile_exponent = def->tensile_exponent;
        if (def->surface_tension > 0 || def->tension > 0) pass.tension = true;
    }
    if (!liquid->mixed) return pass;
    pass.uneven = thaw_kinds_uneven(&liquid->kinds) ? 1.0f : 0.0f;
    if (sizes_differ(step)) set_air(liquid, &pass);
    if (liquid->kinds.many) return pass;
    thaw_kinds_pair(&liquid->kinds, &pass);
    pass.kinds = liquid->kind;
    pass.pairs = liquid->kinds.pairs;
    pass.kind_count = liquid->kinds.count;
    return pass;
}

static ThawResult reserve_sums(Liquid *liquid, const ThawStep *step) {
    uint32_t clusters;
    thaw_neighbors_clusters(step->neighbors, &clusters);
    size_t bytes = (size_t)thaw_chunk_count(clusters, THAW_LIQUID_CHUNK) * sizeof(ThawLiquidSums);
    // the number of clusters changes as matter moves: room for some more
    if (!thaw_scratch_room((void **)&liquid->sums, &liquid->sums_bytes, bytes,
                           bytes + bytes / 4 + 256)) {
        return thaw_fail_memory(bytes);
    }
    return THAW_OK;
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

// what curved surfaces pull by changes where particles aim
static ThawResult pull_surfaces(Liquid *liquid, ThawStep *step) {
    ThawLiquidPass pass = make_pass(liquid, step);
    if (!pass.tension) return THAW_OK;
    size_t bytes = ((size_t)step->store->count + THAW_STORE_PAD) * 3 * sizeof(float);
    if (!thaw_scratch((void **)&liquid->pulls, &liquid->pulls_bytes, bytes)) {
        return thaw_fail_memory(bytes);
    }
    thaw_tension_run(step, &pass, liquid->pulls);
    turn_over(step);
    thaw_tension_lean(step, liquid->pulls);
    thaw_step_lap(step, THAW_PHASE_CORRECTION);
    return THAW_OK;
}

// where sizes differ surfaces are told from walls
static ThawResult lean_on_walls(Liquid *liquid, const ThawStep *step) {
    if (!sizes_differ(step)) return THAW_OK;
    size_t bytes = ((size_t)step->store->count + THAW_STORE_PAD) * 3 * sizeof(float);
    if (!thaw_scratch((void **)&liquid->lean, &liquid->lean_bytes, bytes)) {
        return thaw_fail_memory(bytes);
    }
    memset(liquid->lean, 0, bytes);
    thaw_walls_slopes(step->walls, liquid->lean);
    return THAW_OK;
}

static ThawResult prepare(void *state, ThawStep *step) {
    Liquid *liquid = state;
    if (liquid->idle) return THAW_OK;
    ThawResult result = reserve_sums(liquid, step);
    liquid->mixed = differ(step);
    choose_support(liquid, step);
    liquid->pace = choose_pace(liquid, step);
    if (result == THAW_OK) result = thaw_vorticity_begin(&liquid->vorticity, step);
    if (result == THAW_OK && liquid->mixed) result = fill_grains(liquid, step);
    if (result == THAW_OK) result = thaw_mirrors_find(&liquid->mirrors, step);
    if (result == THAW_OK) result = lean_on_walls(liquid, step);
    return result != THAW_OK ? result : pull_surfaces(liquid, step);
}

// What has just melted begins as dense as it is: with the excess that is more than any, it has not pressed yet.
static void measure_excess(const ThawStep *step) {
    float *excess = step->excess, *error = step->store->density_error;
    for (uint32_t row = 0; excess != NULL && row < step->store->count; row++) {
        if (excess[row] != THAW_EXCESS_UNKNOWN) continue;
        float dense = error[row] + THAW_EXCESS_UNKNOWN;
        excess[row] = dense > 0 ? dense : 0;
        error[row] = dense - excess[row];
    }
}

static ThawResult iterate(void *state, ThawStep *step) {
    Liquid *liquid = state;
    if (liquid->idle) return THAW_OK;
    thaw_walls_density(step->walls, step->wall_step);
    thaw_step_lap(step, THAW_PHASE_COLLISION);
    ThawLiquidPass pass = make_pass(liquid, step);
    thaw_mirrors_density(&liquid->mirrors, step, &pass);
    if (thaw_neighbors_rough(step->neighbors)) {
        run_pass(step, &pass, THAW_WIDE_PICK(step->isa, thaw_liquid_prune));
        thaw_neighbors_pruned(step->neighbors, add_up_pairs(&pass));
    } else {
        run_pass(step, &pass, THAW_WIDE_PICK(step->isa, thaw_liquid_density));
    }
    add_up_errors(step, &pass);
    measure_excess(step);
    turn_over(step);
    thaw_step_lap(step, THAW_PHASE_DENSITY);
    pass = make_pass(liquid, step);
    thaw_mirrors_push(&liquid->mirrors, step, &pass);
    step->work->along = NULL;
    if (pass.tension) thaw_tension_complete(step, &pass, liquid->pulls);
    run_pass(step, &pass, THAW_WIDE_PICK(step->isa, thaw_liquid_correct));
    turn_over(step);
    thaw_step_lap(step, THAW_PHASE_CORRECTION);
    return THAW_OK;
}

static ThawResult finish(void *state, ThawStep *step) {
    Liquid *liquid = state;
    if (liquid->idle) return THAW_OK;
    ThawLiquidPass pass = make_pass(liquid, step);
    thaw_vorticity_moved(&liquid->vorticity, step);
    ThawResult result = thaw_viscosity_run(&liquid->viscosity, step, &pass);
    if (result == THAW_OK) thaw_vorticity_give(&liquid->vorticity, step, &pass);
    return result;
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
        [THAW_STAGE_PREPARE] = {.run = prepare,
                                .reads = OWN | THAW_BIT(velocity) | THAW_BIT(cells),
                                .reads_neighbors = OWN,
                                .reads_places = true,
                                .action = THAW_ACTION_JACOBI},
        [THAW_STAGE_ITERATE] = {.run = iterate,
                                .reads = OWN | THAW_BIT(cells),
                                .reads_neighbors = OWN,
                                .writes = THAW_BIT(density_error),
                                .reads_places = true,
                                .action = THAW_ACTION_JACOBI},
        [THAW_STAGE_FINISH] = {.run = finish,
                               .reads = OWN | THAW_BIT(velocity) | THAW_BIT(density_error),
                               .reads_neighbors = OWN | THAW_BIT(velocity),
                               .writes = THAW_BIT(velocity),
                               .reads_places = true},
    }};
