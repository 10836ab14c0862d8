// The numbers of a step: what materials come to on their lattice, and how stiff a step can be.
#include "models/solid/solid.h"

#include "base/memory.h"
#include "base/result.h"
#include "materials/softening.h"
#include "math/lattice.h"

#include <math.h>

#define TOGETHER 1024u // rows that are compared at once
#define PI 3.14159265358979323846
#define DAMPING_FREQUENCY 10.0 // Hz: where the material's damping is a damping ratio
// ω h of the stiffest wave. Symplectic Euler carries up to 2; damping, contacts and strained lattices need
// some of that.
#define MOST_PHASE 1.4
#define SURFACE 3.0 // how much stiffer against a change of volume a face is than the inside
// Laws of the strain act beside the lattice's hold on what is not affine, and the nonlinear one stiffens when it
// is squeezed: their ω counts for more.
static const double law_factors[] = {
    [THAW_ELASTIC_LATTICE] = 1.0, [THAW_ELASTIC_COROTATED] = 1.4, [THAW_ELASTIC_NEO_HOOKEAN] = 2.0};
// η h / m summed over a particle's neighbourhoods
#define MOST_DRAG 0.5
// share of a lattice distance that what lies on top may press the lowest layer in a substep
#define MOST_PRESS 0.1

// ---------------------------------------------------------------- waves on the lattice

// ω² m / k of the stiffer waves with one wave vector; see docs/theory/solid.md
static double wave_stiffness(const ThawSites *sites, const double wave[3], double volume_ratio) {
    double stretch = 0, g[3] = {0, 0, 0};
    for (uint32_t s = 0; s < sites->count; s++) {
        const float *l = sites->vector[s];
        double phase = 0;
        for (int a = 0; a < 3; a++) phase += wave[a] * (double)l[a];
        stretch += 2.0 - 2.0 * cos(phase);
        for (int a = 0; a < 3; a++) g[a] += sin(phase) * (double)l[a] / (double)sites->moment;
    }
    return 0.5 * stretch + volume_ratio * (g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
}

double thaw_solid_spectrum(int dimensions, double volume_ratio) {
    enum { GRID = 12 };
    const ThawSites *sites = thaw_sites(dimensions);
    // a box that holds the first zone; in 3D axes may be exchanged
    double reach = dimensions == 3 ? 2.0 * PI / sqrt(2.0) : 4.0 * PI / 3.0, most = 0;
    for (int i = 0; i <= GRID; i++) {
        for (int j = 0; j <= (dimensions == 3 ? i : GRID); j++) {
            for (int k = 0; k <= (dimensions == 3 ? j : 0); k++) {
                double wave[3] = {reach * i / GRID, reach * j / GRID, reach * k / GRID};
                most = fmax(most, wave_stiffness(sites, wave, volume_ratio));
            }
        }
    }
    return most;
}

// ---------------------------------------------------------------- a material on its lattice

typedef struct Elastic {
    double mu, lambda;     // Pa
    double k, volume_k;    // N/m
    double bulk_k;         // N/m, of the bulk modulus; in 2D the plane's
    double distance, mass; // m, kg
    double omega;          // 1/s, of the stiffest wave
} Elastic;

// Two dimensions are a plane that is free to thicken: the lateral contraction seen is ν itself.
static Elastic make_elastic(const ThawSolidDef *def, double density, int dimensions,
                            double spacing) {
    if (def->density > 0) density = (double)def->density;
    double young = (double)def->young, nu = (double)def->poisson;
    double volume = pow(spacing, dimensions), moment = (double)thaw_sites(dimensions)->moment;
    Elastic e = {.mu = young / (2.0 * (1.0 + nu)),
                 .lambda =
                     young * nu / ((1.0 + nu) * (dimensions == 3 ? 1.0 - 2.0 * nu : 1.0 - nu)),
                 .distance = thaw_lattice_distance(dimensions, spacing),
                 .mass = density * volume};
    double area = e.distance * e.distance;
    e.k = 4.0 * volume * e.mu / (moment * area);
    e.volume_k = e.lambda * volume / area;
    e.bulk_k = e.volume_k + (dimensions == 3 ? 2.0 / 3.0 : 1.0) * e.mu * volume / area;
    double ratio = e.k > 0 ? e.volume_k / e.k : 0.0;
    e.omega = law_factors[def->elasticity] *
              sqrt(e.k / e.mass * thaw_solid_spectrum(dimensions, SURFACE * ratio));
    return e;
}

double thaw_solid_young_limit(const ThawMaterialDef *material, int dimensions, double spacing,
                              double elastic_dt) {
    ThawSolidDef def = material->solid;
    def.young = 1e6f;
    if (def.density > 0) {
        spacing *= pow((double)(material->density / def.density), 1.0 / dimensions);
    }
    Elastic e = make_elastic(&def, (double)material->density, dimensions, spacing);
    double phase = e.omega * elastic_dt;
    return 1e6 * MOST_PHASE * MOST_PHASE / (phase * phase);
}

static bool is_solid(const ThawMaterial *material) {
    return material->solid.young > 0 || material->solid.damping > 0;
}

static ThawResult find_kind(ThawSolids *solid, const ThawStep *step, uint16_t material,
                            float spacing, uint16_t *index) {
    for (uint32_t k = 1; k < solid->kind_count; k++) {
        const ThawSolidKind *kind = &solid->kinds[k];
        if (kind->material == material && kind->spacing == spacing) {
            *index = (uint16_t)k;
            return THAW_OK;
        }
    }
    if (solid->kind_count == UINT16_MAX) {
        return thaw_fail(THAW_BAD_INPUT, "a world holds at most %d sorts of solid", UINT16_MAX - 1);
    }
    size_t bytes = ((size_t)solid->kind_count + 1) * sizeof *solid->kinds;
    if (bytes > solid->kinds_bytes) {
        ThawSolidKind *grown = thaw_alloc(2 * bytes);
        if (grown == NULL) return thaw_fail_memory(2 * bytes);
        for (uint32_t k = 0; k < solid->kind_count; k++) grown[k] = solid->kinds[k];
        thaw_free(solid->kinds);
        solid->kinds = grown;
        solid->kinds_bytes = 2 * bytes;
    }
    const ThawMaterial *made_of = &step->materials[material];
    double size = (double)spacing * thaw_material_swell(made_of, step->domain->dimensions);
    Elastic e =
        make_elastic(&made_of->solid, (double)made_of->density, step->domain->dimensions, size);
    double cells = e.distance / step->domain->cell;
    solid->kinds[solid->kind_count] =
        (ThawSolidKind){.material = material,
                        .spacing = spacing,
                        .distance = (float)e.distance,
                        .mass = (float)e.mass,
                        .unit = (float)((double)THAW_PLACE_CELLS / cells),
                        .push = (float)(e.distance / e.mass),
                        .asked_k = (float)e.k,
                        .asked_volume_k = (float)e.volume_k,
                        .asked_bulk_k = (float)e.bulk_k,
                        .held_share = 1,
                        .stiffest = step->stiffness != NULL ? 0.0f : 1.0f,
                        .lambda = (float)e.lambda,
                        .mu = (float)e.mu,
                        .law = made_of->solid.elasticity,
                        .omega = (float)e.omega};
    *index = (uint16_t)solid->kind_count++;
    return THAW_OK;
}

ThawRange thaw_solid_alike(const ThawStore *store, ThawRange range) {
    const uint32_t first = range.begin, count = range.end - range.begin;
    if (thaw_all_alike(store->spacing + first, count, sizeof *store->spacing) &&
        thaw_all_alike(store->material + first, count, sizeof *store->material) &&
        thaw_all_alike(store->state + first, count, sizeof *store->state)) {
        return range;
    }
    uint32_t end = first + 1;
    while (end < range.end && store->spacing[end] == store->spacing[first] &&
           store->material[end] == store->material[first] &&
           store->state[end] == store->state[first]) {
        end++;
    }
    return (ThawRange){first, end};
}

// kind of each row; 0 where it is no solid
static ThawResult sort_rows(ThawSolids *solid, const ThawStep *step) {
    const ThawStore *store = step->store;
    solid->solids = 0;
    for (ThawRange left = {0, 0}; left.begin < store->count;) {
        left.end = store->count - left.begin < TOGETHER ? store->count : left.begin + TOGETHER;
        ThawRange alike = thaw_solid_alike(store, left);
        uint32_t row = left.begin;
        uint16_t kind = 0;
        left.begin = alike.end;
        if (store->state[row] == THAW_STATE_SOLID &&
            is_solid(&step->materials[store->material[row]])) {
            ThawResult result =
                find_kind(solid, step, store->material[row], store->spacing[row], &kind);
            if (result != THAW_OK) return result;
            solid->solids += alike.end - row;
        }
        for (uint32_t k = row; k < alike.end; k++) solid->kind[k] = kind;
        if (kind == 0 || step->stiffness == NULL) continue;
        float *stiffest = &solid->kinds[kind].stiffest;
        for (; row < alike.end; row++) *stiffest = fmaxf(*stiffest, step->stiffness[row]);
    }
    return THAW_OK;
}

static void note_traits(ThawSolids *solid, const ThawStep *step) {
    solid->damped = solid->flows = solid->docks = solid->breaks = false;
    for (uint32_t k = 1; k < solid->kind_count; k++) {
        const ThawSolidDef *def = &step->materials[solid->kinds[k].material].solid;
        solid->damped |= def->damping > 0;
        solid->flows |= def->yield_strain > 0 || def->creep > 0;
        solid->docks |= def->docking_rate > 0;
        solid->breaks |= def->fracture_strain > 0 || def->fracture_stress > 0;
    }
}

ThawResult thaw_solid_plan(ThawSolids *solid, ThawStep *step) {
    if (!thaw_scratch((void **)&solid->kinds, &solid->kinds_bytes, 2 * sizeof *solid->kinds)) {
        return thaw_fail_memory(2 * sizeof *solid->kinds);
    }
    size_t bytes = ((size_t)step->store->count + THAW_STORE_PAD) * sizeof *solid->kind;
    if (!thaw_scratch((void **)&solid->kind, &solid->kind_bytes, bytes)) {
        return thaw_fail_memory(bytes);
    }
    solid->kinds[0] = (ThawSolidKind){0};
    solid->kind_count = 1;
    ThawResult result = sort_rows(solid, step);
    note_traits(solid, step);
    solid->active = solid->solids > 0;
    return result;
}

// ---------------------------------------------------------------- the pace of a substep

double thaw_solid_wanted_dt(const ThawSolids *solid, const ThawStep *step) {
    double dt = INFINITY;
    const double *g = step->gravity;
    double pull = sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]) * step->depth;
    for (uint32_t k = 1; k < solid->kind_count; k++) {
        if (pull > 0) dt = fmin(dt, (double)solid->kinds[k].distance * sqrt(MOST_PRESS / pull));
    }
    return dt;
}

double thaw_solid_stiff_dt(const ThawSolids *solid) {
    double omega = 0;
    for (uint32_t k = 1; k < solid->kind_count; k++) {
        const ThawSolidKind *kind = &solid->kinds[k];
        omega = fmax(omega, (double)kind->omega * sqrt(thaw_soft_bulk((double)kind->stiffest)));
    }
    return omega > 0 ? MOST_PHASE / omega : INFINITY;
}

// stiffness and damping that a substep of h carries
static void limit_kind(ThawSolidKind *kind, const ThawStep *step, double h) {
    const ThawMaterial *material = &step->materials[kind->material];
    double phase = (double)kind->omega * h, share = 1.0, k = (double)kind->asked_k;
    double carries = step->solver->explicit_forces || !(phase > 0)
                         ? INFINITY
                         : MOST_PHASE * MOST_PHASE / (phase * phase);
    bool soft = step->stiffness != NULL;
    kind->carries = (float)carries;
    kind->held_share = (float)fmin(1.0, carries / (double)kind->stiffest);
    // where temperature has a say, each row finds its own share
    if (!soft) share = fmin(1.0, carries);
    kind->half_k = (float)(0.5 * share * k);
    kind->volume_k = soft ? kind->asked_bulk_k : (float)(share * (double)kind->asked_volume_k);
    // 2 μ V₀ / D², as k = 4 V₀ μ / (q D²)
    kind->shear_k = kind->half_k * thaw_sites(step->domain->dimensions)->moment;
    double time = (double)material->solid.damping / (PI * DAMPING_FREQUENCY);
    double rate = 0.5 * share * k * time / (double)kind->mass;
    double most = MOST_DRAG / (h * (thaw_sites(step->domain->dimensions)->count + 1.0));
    if (step->solver->explicit_forces) most = INFINITY;
    kind->rate = (float)rate;
    kind->most_rate = (float)most;
    kind->damping = (float)fmin(rate, most);
}

void thaw_solid_pace(ThawSolids *solid, ThawStep *step) {
    double worst = -1;
    for (uint32_t k = 1; k < solid->kind_count; k++) {
        ThawSolidKind *kind = &solid->kinds[k];
        limit_kind(kind, step, step->dt);
        // the report is about the kind that asks for most, compared with what the step carries of it
        double phase = (double)kind->omega * step->dt, most = (double)kind->stiffest;
        if (phase * sqrt(most) <= worst) continue;
        worst = phase * sqrt(most);
        double young = (double)step->materials[kind->material].solid.young;
        step->report->young_wanted = young * most;
        step->report->young_limit =
            phase > 0 ? young * MOST_PHASE * MOST_PHASE / (phase * phase) : INFINITY;
    }
}
