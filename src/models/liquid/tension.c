// Surface tension by one coefficient: it sets how strongly particles attract each other (f), how strongly they
// keep apart (g = f / W at one spacing), and how strongly curved surfaces pull.
//
// Attraction alone makes a glass: cohesion presses matter by about ten σ / h, and a packing under pressure bears a
// few per cent of that in shear, more than curvature drives it by. So most of σ comes from an energy that presses
// flat matter not at all, σ times the surface's area (tension_wide.c), and attraction is only as strong as it takes to
// hold single particles, which have no surface of their own.
#include "models/liquid/tension.h"

#include "math/lattice.h"
#include <thaw/world.h>

#include <math.h>
#include <string.h>

#define SUPPORT 2.0 // h in spacings
// What the artist's κ = 1 means: a capillary length √(σ/ρg) of so many spacings, under this gravity.
#define CAPILLARY_SPACINGS 3.0
#define CAPILLARY_GRAVITY 9.81 // m/s²
#define COHESION 0.133         // attraction, of what would make all of σ by λ alone
#define AREA 4.0   // the energy of the area; with ε a fifth of it counts: measured on drops
#define NOISE 1.0f // ε: h |∇| of the volume fraction is 1.6 at a flat surface
#define WAVES 0.06 // a substep in times √(ρ d³ / σ), of the shortest waves on the surface

// E|z| of the kernel (1 − q²)⁶ in supports: ∫ z (1 − z²)ⁿ over ∫ (1 − z²)ⁿ from 0 to 1, n = 6½ in 2D, 7 in 3D
static double mean_distance(int dimensions) {
    return dimensions == 3 ? 0.196381 : 0.202610;
}

static double tension_of(const ThawLiquidDef *def, double density, double spacing) {
    double length = CAPILLARY_SPACINGS * spacing;
    double full = density * CAPILLARY_GRAVITY * length * length;
    return (double)def->tension + (double)def->surface_tension * full;
}

double thaw_tension_asked(const ThawMaterial *material, double spacing) {
    return tension_of(&material->liquid, (double)material->density, spacing);
}

double thaw_liquid_tension(const ThawMaterialDef *material, double spacing) {
    return tension_of(&material->liquid, (double)material->density, spacing);
}

// Were λ = cap everywhere, n iterations a substep would make the energy m n cap / dt² · Σ |C|, and Σ |C| over a
// flat surface is E|z| / 2 a unit of area.
double thaw_tension_cap(int dimensions, int iterations, double tension, double density,
                        double spacing, double dt) {
    double depth = 0.5 * SUPPORT * spacing * mean_distance(dimensions);
    return COHESION * tension * dt * dt / (density * iterations * depth);
}

double thaw_liquid_tension_limit(double density, double spacing, double dt) {
    return WAVES * WAVES * density * spacing * spacing * spacing / (dt * dt);
}

double thaw_tension_used(const ThawMaterial *material, double spacing, double dt) {
    double limit = thaw_liquid_tension_limit((double)material->density, spacing, dt);
    return fmin(thaw_tension_asked(material, spacing), limit);
}

double thaw_tension_dt(double tension, double density, double spacing) {
    return tension > 0 ? WAVES * sqrt(density * spacing * spacing * spacing / tension) : INFINITY;
}

// ---------------------------------------------------------------- the pull of curved surfaces

typedef struct Job {
    const ThawTensionPass *pass;
    void (*run)(const ThawTensionPass *pass, uint32_t chunk);
} Job;

static void run_chunk(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    const Job *job = context;
    job->run(job->pass, chunk);
}

// the least limit of the materials that ask for tension
static void report_limit(const ThawStep *step) {
    double d = (double)step->least_spacing, least = INFINITY;
    for (uint32_t k = 0; k < step->material_count; k++) {
        const ThawMaterial *material = &step->materials[k];
        if (!(thaw_tension_asked(material, d) > 0)) continue;
        least = fmin(least, thaw_liquid_tension_limit((double)material->density, d, step->dt));
    }
    step->report->tension_limit = least;
}

// of the area and of pairs, J; in 2D of a metre of depth
static void report_energy(const ThawStep *step, const ThawLiquidPass *pass, uint32_t chunks) {
    double area = 0, hold = 0, cell = step->domain->cell;
    for (uint32_t k = 0; k < chunks; k++) {
        area += (double)pass->sums[k].error;
        hold += (double)pass->sums[k].max_error;
    }
    double unit = step->domain->dimensions == 3 ? cell * cell : cell;
    // n iterations a substep pull by f each; every pair was counted twice
    double rate = step->solver->iterations / (step->dt * step->dt);
    step->report->surface = AREA * area * unit - 0.5 * rate * hold * unit * cell * cell * cell;
}

void thaw_tension_run(ThawStep *step, const ThawLiquidPass *pass, float *rows) {
    double cell = step->domain->cell;
    ThawTensionPass tension = {.liquid = pass,
                               .noise = NOISE,
                               .kick = (float)(AREA * step->dt * step->dt / (cell * cell * cell)),
                               .pull = rows};
    report_limit(step);
    memset(rows, 0, (size_t)step->store->count * 3 * sizeof(float));
    thaw_walls_slopes(step->walls, rows);
    uint32_t chunks = thaw_chunk_count(pass->cluster_count, THAW_LIQUID_CHUNK);
    Job surface = {&tension, THAW_WIDE_PICK(step->isa, thaw_tension_surface)};
    thaw_parallel_run(step->parallel, run_chunk, &surface, chunks);
    report_energy(step, pass, chunks);
    Job pull = {&tension, THAW_WIDE_PICK(step->isa, thaw_tension_pull)};
    thaw_parallel_run(step->parallel, run_chunk, &pull, chunks);
}

void thaw_tension_lean(ThawStep *step, const float *rows) {
    double cell = step->domain->cell;
    ThawWallBend bend = {rows, (float)(AREA * step->dt * step->dt / (cell * cell * cell))};
    thaw_walls_bend(step->walls, step->wall_step, &bend);
}

void thaw_tension_complete(ThawStep *step, const ThawLiquidPass *pass, float *rows) {
    if (thaw_walls_near(step->walls) == 0) return;
    // others without tension keep what completes them in every bit
    if (pass->grains == NULL && !(pass->grain.tension > 0)) return;
    ThawTensionPass tension = {.liquid = pass, .pull = rows};
    Job along = {&tension, THAW_WIDE_PICK(step->isa, thaw_tension_along)};
    uint32_t chunks = thaw_chunk_count(pass->cluster_count, THAW_LIQUID_CHUNK);
    thaw_parallel_run(step->parallel, run_chunk, &along, chunks);
    step->work->along = rows;
}
