// Viscosity by eq. 6: how much of it a substep takes, in how many passes, and the solve beyond
// them.
//
// All of it is symmetric between pairs, so momentum is kept whatever densities and sizes are. The
// solve is Chebyshev's semi-iteration from the velocities that the passes leave: it needs the
// bounds of the spectrum and no sums over particles, and stopped after any step it multiplies each
// wave by at most 1, and what moves as one by exactly 1. So energy never rises and momentum stays,
// converged or not.
#include "models/liquid/viscosity.h"

#include "base/memory.h"
#include "base/result.h"
#include "models/liquid/kinds.h"

#include <math.h>
#include <string.h>

#define SUPPORT 2.0 // h in spacings
#define COPY_CHUNK 8192u
#define LOOKS 64u       // chunks of a look at all particles
#define PASS_SHARE 0.5  // c of a pass; eq. 6 is stable up to it
#define MOST_ROW 0.9    // c times row sums of a pass: at 1 the shortest waves would stop shrinking
#define TOLERANCE 0.005 // what the solve leaves of a wave's way to its end
#define MOST_STEPS 128  // of the solve; a larger c is cut to what they can do
#define WAVE 0.5        // k h of the waves that the limit is about
#define RATE_KEPT                                                                                  \
    0.955 // of the rate of decay that is asked for, at the limit: 95 % with what the solve leaves
#define MOST_ERROR 1e3 // of density: more is trouble of another kind
#define MARGIN 0.05    // of density, for what moves after it was measured
#define STIFFER 1e-5   // of J: where neighbours lie on a line it has no inverse
#define LEAST_MOMENT 1e-12
#define LEAST_SPARED 0.025 // c of a substep from which on turns are spared, fully at twice that
#define NOTHING 1e-7       // c that changes no float
#define THINNEST 1e-30f    // factor of temperature, or its inverse: less is this

// Second moment of the kernel along an axis on the perfect lattice, in supports: Σ V W x² / h². The
// integral is 1/17 in 3D and 1/16 in 2D; on the close packing 0.8 % less in 3D.
static double second_moment(int dimensions) {
    return dimensions == 3 ? 0.0583806 : 0.0625007;
}

// c that is a viscosity of 1 m²/s: a wave loses c k² M₂ / 2 in a substep and should lose ν k² dt
static double conversion(int dimensions, double spacing, double dt) {
    double h = SUPPORT * spacing;
    return 2.0 * dt / (second_moment(dimensions) * h * h);
}

double thaw_viscosity_asked(int dimensions, const ThawLiquidDef *liquid, double spacing,
                            double dt) {
    return (double)liquid->xsph * dt / THAW_REFERENCE_TIME +
           (double)liquid->viscosity * conversion(dimensions, spacing, dt);
}

double thaw_liquid_viscosity(const ThawMaterialDef *material, int dimensions, double spacing) {
    double unit = conversion(dimensions, spacing, THAW_REFERENCE_TIME); // of c in 1/240 s
    return (double)material->liquid.viscosity +
           (double)thaw_material_xsph(&material->liquid) / unit;
}

// ---------------------------------------------------------------- how c is spent

// κ of the widest spectrum that the most steps can do
static double widest(void) {
    double sigma = cosh(acosh(1.0 / TOLERANCE) / MOST_STEPS);
    return (sigma + 1.0) / (sigma - 1.0);
}

// steps after which Chebyshev's polynomial is below the tolerance on [1, 1 + largest]
static uint32_t count_steps(double largest) {
    double sigma = (2.0 + largest) / largest;
    double steps = ceil(acosh(1.0 / TOLERANCE) / acosh(sigma));
    return steps < 1 ? 1 : steps < MOST_STEPS ? (uint32_t)steps : MOST_STEPS;
}

ThawViscosityPlan thaw_viscosity_plan(double c, double row) {
    ThawViscosityPlan plan = {0};
    // matter that is pressed together has more to share: smaller passes, and more left to the solve
    double most = fmin(PASS_SHARE, MOST_ROW / row);
    double left = c;
    while (plan.passes < THAW_VISCOSITY_PASSES && left > NOTHING) {
        double part = fmin(left, most);
        plan.pass[plan.passes++] = part;
        plan.c += part;
        left -= part;
    }
    if (left <= NOTHING) return plan;
    plan.rest = fmin(left, (widest() - 1.0) / (2.0 * row));
    plan.largest = 2.0 * row * plan.rest; // Gershgorin's bound
    plan.steps = count_steps(plan.largest);
    plan.c += plan.rest;
    return plan;
}

double thaw_viscosity_factor(const ThawViscosityPlan *plan, double x) {
    double factor = 1;
    for (uint32_t n = 0; n < plan->passes; n++) factor *= 1.0 - plan->pass[n] * x;
    return factor / (1.0 + plan->rest * x);
}

// The c up to which waves of k h = WAVE die at RATE_KEPT of the rate asked for, by halving
// intervals. Sparing turns takes twice the c for half the eigenvalue, which is k² M₂ / 2 and a
// little more.
static double find_limit(int dimensions) {
    double wanted = 0.5 * second_moment(dimensions) * WAVE * WAVE, low = 1, high = 500;
    double fourth =
        dimensions == 3 ? 3.0 / 19.0 : 3.0 / 18.0; // of the kernel's moments, over the second
    double x = wanted * (1.0 + fourth * WAVE * WAVE / 6.0);
    for (int n = 0; n < 40; n++) {
        double c = 0.5 * (low + high);
        ThawViscosityPlan plan = thaw_viscosity_plan(2.0 * c, 1.0);
        bool kept = -log(thaw_viscosity_factor(&plan, 0.5 * x)) >= RATE_KEPT * c * wanted;
        if (kept)
            low = c;
        else
            high = c;
    }
    return low;
}

double thaw_liquid_viscosity_limit(int dimensions, double spacing, double dt) {
    return find_limit(dimensions) / conversion(dimensions, spacing, dt);
}

// ---------------------------------------------------------------- who takes part

// What differs between particles: the largest c, the range of densities and sizes, and a row of
// each kind.
typedef struct Spread {
    float c, least_density, most_density, least_support, most_support;
    uint32_t thickest; // the first row with that c
    uint32_t example[THAW_LIQUID_KINDS];
} Spread;

static Spread spread_of(const ThawLiquidGrain *grain) {
    return (Spread){.c = grain->xsph,
                    .least_density = grain->density,
                    .most_density = grain->density,
                    .least_support = grain->support,
                    .most_support = grain->support};
}

static void widen(Spread *spread, const Spread *by) {
    if (by->c > spread->c) spread->thickest = by->thickest;
    spread->c = fmaxf(spread->c, by->c);
    spread->least_density = fminf(spread->least_density, by->least_density);
    spread->most_density = fmaxf(spread->most_density, by->most_density);
    spread->least_support = fminf(spread->least_support, by->least_support);
    spread->most_support = fmaxf(spread->most_support, by->most_support);
}

typedef struct Look {
    const ThawLiquidPass *pass;
    uint32_t rows, size;
    Spread spreads[LOOKS];
} Look;

static void look_chunk(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    Look *look = context;
    const ThawLiquidPass *pass = look->pass;
    ThawRange range = thaw_chunk_range(chunk, look->rows, look->size);
    Spread *spread = &look->spreads[chunk];
    *spread = spread_of(&pass->grains[range.begin]);
    spread->thickest = range.begin;
    for (uint32_t k = 0; k < THAW_LIQUID_KINDS; k++) spread->example[k] = UINT32_MAX;
    for (uint32_t row = range.begin; row < range.end; row++) {
        // neighbours in memory are mostly alike
        bool same = pass->kinds != NULL && spread->example[pass->kinds[row]] != UINT32_MAX;
        if (same) continue;
        Spread own = spread_of(&pass->grains[row]);
        own.thickest = row;
        widen(spread, &own);
        if (pass->kinds != NULL) spread->example[pass->kinds[row]] = row;
    }
}

static Spread find_spread(const ThawStep *step, const ThawLiquidPass *pass) {
    if (pass->grains == NULL) return spread_of(&pass->grain);
    Look look = {.pass = pass, .rows = step->store->count};
    look.size = thaw_chunk_count(look.rows, LOOKS);
    uint32_t chunks = thaw_chunk_count(look.rows, look.size);
    thaw_parallel_run(step->parallel, look_chunk, &look, chunks);
    Spread spread = look.spreads[0];
    for (uint32_t k = 1; k < chunks; k++) {
        widen(&spread, &look.spreads[k]);
        for (uint32_t kind = 0; kind < THAW_LIQUID_KINDS; kind++) {
            uint32_t row = look.spreads[k].example[kind];
            if (row < spread.example[kind]) spread.example[kind] = row;
        }
    }
    return spread;
}

// The largest row sum of L over c. Σ_j V_j W_ij without j = i is what the density counts, less the
// particle itself; but that counts neighbours larger than the pair's mean h / h_j times. Shares of
// a pair's densities are at most 2 ρ_max / (ρ_min + ρ_max).
static double find_row(const ThawStep *step, const ThawLiquidPass *pass, const Spread *spread) {
    double norm = (double)pass->norm * (double)pass->rest_sum;
    double own = norm / pow(SUPPORT, pass->dimensions);
    double error = fmin(fmax(step->report->max_density_error, 0), MOST_ERROR);
    double density = (1.0 + MARGIN) * (1.0 + error);
    double light = (double)spread->least_density, heavy = (double)spread->most_density;
    double small = (double)spread->least_support, large = (double)spread->most_support;
    double uneven = 2.0 * large / (small + large) * 2.0 * heavy / (light + heavy);
    return ((double)pass->rest_sum * density - own) * uneven;
}

// The table of pairs of kinds. Where temperature has a say, what has no viscosity of its own (a solid) counts as thick
// without end, so that pairs go by the other's factor alone: the harmonic mean is twice that, and c is halved.
static void fill_pairs(const ThawLiquidPass *pass, const Spread *spread, bool uneven,
                       ThawSmoothingPair *pairs) {
    for (uint32_t n = 0; n < pass->kind_count * pass->kind_count; n++) {
        uint32_t i = spread->example[n / pass->kind_count],
                 j = spread->example[n % pass->kind_count];
        // of a kind that nobody is
        if (i == UINT32_MAX || j == UINT32_MAX) continue;
        const ThawLiquidGrain *own = &pass->grains[i], *other = &pass->grains[j];
        double h = 0.5 * ((double)own->support + (double)other->support);
        double share =
            2.0 * (double)other->density / ((double)own->density + (double)other->density);
        double c = 0.5 * ((double)own->xsph + (double)other->xsph);
        if (uneven && !(own->xsph > 0 && other->xsph > 0)) c *= 0.5;
        double norm = (double)pass->norm * (double)pass->rest_sum / pow(h, pass->dimensions);
        double unit = (double)THAW_PLACE_CELLS / h;
        pairs[n] = (ThawSmoothingPair){(float)(unit * unit),
                                       (float)(norm * (double)other->volume * share * c)};
    }
}

// ---------------------------------------------------------------- temperature

typedef struct Thicken {
    const ThawLiquidPass *pass;
    const float *factor; // f, one a row
    uint32_t rows, size;
    struct {
        float c;
        uint32_t row;
    } thickest[LOOKS];
    float *thinness;
    float most; // c that a row may have
} Thicken;

static float c_of(const ThawLiquidPass *pass, uint32_t row) {
    return pass->grains != NULL ? pass->grains[row].xsph : pass->grain.xsph;
}

static void find_thickest_chunk(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    Thicken *job = context;
    ThawRange range = thaw_chunk_range(chunk, job->rows, job->size);
    job->thickest[chunk].c = -1;
    for (uint32_t row = range.begin; row < range.end; row++) {
        float c = c_of(job->pass, row) * job->factor[row];
        if (!(c > job->thickest[chunk].c)) continue;
        job->thickest[chunk].c = c;
        job->thickest[chunk].row = row;
    }
}

static void thin_chunk(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    const Thicken *job = context;
    ThawRange range = thaw_chunk_range(chunk, job->rows, job->size);
    for (uint32_t row = range.begin; row < range.end; row++) {
        float c = c_of(job->pass, row), f = fmaxf(job->factor[row], THINNEST);
        // no viscosity of its own: thick without end, but no 0, as two of them make a pair
        job->thinness[row] = c > 0 ? fmaxf(1.0f / f, c / job->most) : THINNEST;
    }
}

static Thicken thicken_job(const ThawStep *step, const ThawLiquidPass *pass) {
    Thicken job = {.pass = pass, .factor = step->viscosity, .rows = step->store->count};
    job.size = thaw_chunk_count(job.rows, LOOKS);
    return job;
}

// the largest c that temperature makes
static void find_thickest(const ThawStep *step, const ThawLiquidPass *pass, Spread *spread) {
    Thicken job = thicken_job(step, pass);
    uint32_t chunks = thaw_chunk_count(job.rows, job.size);
    thaw_parallel_run(step->parallel, find_thickest_chunk, &job, chunks);
    spread->c = -1;
    for (uint32_t k = 0; k < chunks; k++) {
        if (!(job.thickest[k].c > spread->c)) continue;
        spread->c = job.thickest[k].c;
        spread->thickest = job.thickest[k].row;
    }
}

// 1/f of all rows, whose c is at most `most`: what is cut is the thick, and not the thin with it
static ThawResult thin(ThawViscosity *viscosity, const ThawStep *step, const ThawLiquidPass *pass,
                       double most) {
    size_t bytes = ((size_t)step->store->count + THAW_STORE_PAD) * sizeof(float);
    if (!thaw_scratch((void **)&viscosity->thinness, &viscosity->thinness_bytes, bytes)) {
        return thaw_fail_memory(bytes);
    }
    Thicken job = thicken_job(step, pass);
    job.thinness = viscosity->thinness;
    job.most = (float)most;
    thaw_parallel_run(step->parallel, thin_chunk, &job, thaw_chunk_count(job.rows, job.size));
    for (uint32_t k = 0; k < THAW_STORE_PAD; k++) viscosity->thinness[job.rows + k] = 1;
    return THAW_OK;
}

// ---------------------------------------------------------------- turns

void thaw_viscosity_invert(const float moments[6], float inverse[6]) {
    double xx = (double)moments[0], yy = (double)moments[1], zz = (double)moments[2];
    double xy = -(double)moments[3], yz = -(double)moments[4], zx = -(double)moments[5];
    double all = xx + yy + zz, more = all * STIFFER + LEAST_MOMENT;
    double a = all - xx + more, b = all - yy + more, c = all - zz + more;
    double det = a * (b * c - yz * yz) - xy * (xy * c - yz * zx) + zx * (xy * yz - b * zx);
    inverse[0] = (float)((b * c - yz * yz) / det);
    inverse[1] = (float)((a * c - zx * zx) / det);
    inverse[2] = (float)((a * b - xy * xy) / det);
    inverse[3] = (float)((zx * yz - xy * c) / det);
    inverse[4] = (float)((xy * zx - a * yz) / det);
    inverse[5] = (float)((xy * yz - zx * b) / det);
}

// How much of turns is spared: as much of c as is a physical viscosity, in the thickest liquid.
// Thin ones take so little that it is not worth two walks.
static double choose_spared(const ThawStep *step, const Spread *spread) {
    uint32_t row = spread->thickest;
    const ThawLiquidDef *liquid = &step->materials[step->store->material[row]].liquid;
    ThawLiquidDef physical = {.viscosity = liquid->viscosity};
    double c = thaw_viscosity_asked(step->domain->dimensions, &physical,
                                    (double)step->store->spacing[row], step->dt);
    if (step->viscosity != NULL) c *= (double)step->viscosity[row];
    double worth = fmin(fmax((c - LEAST_SPARED) / LEAST_SPARED, 0.0), 1.0);
    return worth * 2.0 * c / ((double)spread->c + c);
}

static ThawResult reserve(ThawViscosity *viscosity, const ThawStep *step) {
    size_t rows = (size_t)step->store->count + THAW_STORE_PAD;
    size_t spins = rows * 3 * sizeof(float), moments = rows * 6 * sizeof(float);
    if (!thaw_scratch((void **)&viscosity->spins, &viscosity->spins_bytes, spins)) {
        return thaw_fail_memory(spins);
    }
    if (!thaw_scratch((void **)&viscosity->moments, &viscosity->moments_bytes, moments)) {
        return thaw_fail_memory(moments);
    }
    return THAW_OK;
}

void thaw_viscosity_release(ThawViscosity *viscosity) {
    thaw_clinging_release(&viscosity->clinging);
    thaw_free(viscosity->spins);
    thaw_free(viscosity->moments);
    thaw_free(viscosity->thinness);
}

// ---------------------------------------------------------------- running

typedef void RunWalk(const ThawSmoothing *smoothing, uint32_t chunk);

typedef struct Job {
    ThawStep *step;
    ThawClinging *clinging;
    ThawSmoothing smoothing;
    RunWalk *run;
} Job;

static void run_chunk(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    const Job *job = context;
    job->run(&job->smoothing, chunk);
}

static void run_walk(Job *job, RunWalk *run) {
    job->run = run;
    uint32_t chunks = thaw_chunk_count(job->smoothing.pass->cluster_count, THAW_LIQUID_CHUNK);
    thaw_parallel_run(job->step->parallel, run_chunk, job, chunks);
}

static void run_pass(Job *job, const float *from, float *to) {
    ThawIsa isa = job->step->isa;
    job->smoothing.velocity = from;
    job->smoothing.next = to;
    if (job->smoothing.spin != NULL) run_walk(job, THAW_WIDE_PICK(isa, thaw_viscosity_turn));
    run_walk(job, THAW_WIDE_PICK(isa, thaw_viscosity_pass));
    thaw_clinging_pass(job->clinging, job->step, &job->smoothing);
    job->step->report->viscosity_passes++;
}

typedef struct Copy {
    float *to;
    const float *from;
    uint32_t rows;
} Copy;

static void copy_chunk(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    const Copy *copy = context;
    ThawRange range = thaw_chunk_range(chunk, copy->rows, COPY_CHUNK);
    memcpy(&copy->to[3 * (size_t)range.begin], &copy->from[3 * (size_t)range.begin],
           (size_t)(range.end - range.begin) * 3 * sizeof(float));
}

static void keep(ThawStep *step, const float *velocity) {
    if (velocity == step->store->velocity) return;
    Copy copy = {step->store->velocity, velocity, step->store->count};
    thaw_parallel_run(step->parallel, copy_chunk, &copy, thaw_chunk_count(copy.rows, COPY_CHUNK));
}

// the passes; an even number ends where it began
static void run_passes(Job *job, const ThawViscosityPlan *plan, double largest_c) {
    float *from = job->step->store->velocity, *to = (float *)(void *)job->step->work->next;
    for (uint32_t n = 0; n < plan->passes; n++) {
        job->smoothing.share = (float)(plan->pass[n] / largest_c);
        run_pass(job, from, to);
        float *written = to;
        to = from;
        from = written;
    }
    keep(job->step, from);
}

// Chebyshev's semi-iteration on the spectrum [1, 1 + largest]: steps alternate between two rooms,
// each written over the last but one.
static void solve(Job *job, const ThawViscosityPlan *plan, double largest_c) {
    double theta = 1.0 + 0.5 * plan->largest, delta = 0.5 * plan->largest;
    double sigma = theta / delta, rho = 1.0 / sigma;
    float *velocity = job->step->store->velocity;
    float *room[2] = {(float *)(void *)job->step->work->next, job->step->work->shift};
    ThawSmoothing *smoothing = &job->smoothing;
    smoothing->aim = velocity;
    smoothing->share = (float)(plan->rest / largest_c);
    smoothing->momentum = 0;
    smoothing->step = (float)(1.0 / theta);
    smoothing->last = velocity;
    thaw_clinging_aim(job->clinging);
    run_pass(job, velocity, room[0]);
    for (uint32_t n = 1; n < plan->steps; n++) {
        double next = 1.0 / (2.0 * sigma - rho);
        smoothing->momentum = (float)(next * rho);
        smoothing->step = (float)(2.0 * next / delta);
        smoothing->last = n == 1 ? velocity : room[n % 2];
        run_pass(job, room[(n - 1) % 2], room[n % 2]);
        rho = next;
    }
    thaw_clinging_solved(job->clinging, smoothing, room[(plan->steps - 1) % 2]);
    keep(job->step, room[(plan->steps - 1) % 2]);
}

// makes turns known to the passes
static ThawResult spare_turns(ThawViscosity *viscosity, Job *job, double spared) {
    ThawResult result = reserve(viscosity, job->step);
    if (result != THAW_OK) return result;
    job->smoothing.spared = (float)spared;
    job->smoothing.spin = job->smoothing.spins = viscosity->spins;
    job->smoothing.moments = viscosity->moments;
    job->smoothing.velocity = job->step->store->velocity;
    run_walk(job, THAW_WIDE_PICK(job->step->isa, thaw_viscosity_moments));
    return THAW_OK;
}

ThawResult thaw_viscosity_run(ThawViscosity *viscosity, ThawStep *step,
                              const ThawLiquidPass *pass) {
    Spread spread = find_spread(step, pass);
    bool uneven = step->viscosity != NULL;
    if (uneven) find_thickest(step, pass, &spread);
    double c = (double)spread.c, row = find_row(step, pass, &spread);
    if (!(c > NOTHING)) return THAW_OK;
    ThawSmoothingPair pairs[THAW_LIQUID_KINDS * THAW_LIQUID_KINDS];
    if (pass->kinds != NULL) fill_pairs(pass, &spread, uneven, pairs);
    Job job = {step, &viscosity->clinging, {.pass = pass, .pairs = pairs}, NULL};
    // what turns as one is no shear: with it spared, half the operator is left
    double spared = choose_spared(step, &spread), all = 1.0 / (1.0 - 0.5 * spared);
    if (uneven) c = fmin(c, thaw_viscosity_plan(INFINITY, row).c / all);
    ThawResult result = uneven ? thin(viscosity, step, pass, c) : THAW_OK;
    if (result != THAW_OK) return result;
    job.smoothing.thinness = uneven ? viscosity->thinness : NULL;
    ThawViscosityPlan plan = thaw_viscosity_plan(c * all, row);
    const ThawClingingDef cling = {c * all * row, all, job.smoothing.thinness};
    result = thaw_clinging_begin(&viscosity->clinging, step, &cling);
    if (result == THAW_OK && spared > 0) result = spare_turns(viscosity, &job, spared);
    if (result != THAW_OK) return result;
    run_passes(&job, &plan, c);
    if (plan.steps > 0) solve(&job, &plan, c);
    thaw_clinging_end(&viscosity->clinging, step);
    step->report->viscosity_limit =
        thaw_liquid_viscosity_limit(pass->dimensions, (double)step->least_spacing, step->dt);
    thaw_step_lap(step, THAW_PHASE_VISCOSITY);
    return THAW_OK;
}
