// Strain and stress of solids, from their frames; zero for liquids. Six components are xx yy zz xy yz zx. How molten
// matter is, from its enthalpy.
//
// Stress follows from the elastic strain e = R S Rᵀ − 1 by Hooke's law, and for neo-Hookean materials from
// the elastic map E as Cauchy's stress (μ (E Eᵀ − 1) + λ ln J) / J. In 2D it is plane stress: λ is the plane's,
// and everything across the plane is zero. Each field has rows of its own, so that several can be looked at
// together.
#include "world/derived.h"

#include "base/memory.h"
#include "base/result.h"
#include "lattice/state.h"
#include "materials/softening.h"
#include "models/heat_state.h"

#include <math.h>
#include <string.h>

#define ROW_CHUNK 4096u
#define LEAST_VOLUME                                                                               \
    1e-3 // of a particle's own: ln J of less, or of what is inside out, is that of this

typedef struct DerivedJob DerivedJob;
typedef void WriteRow(const DerivedJob *job, uint32_t row, void *out);

struct DerivedJob {
    const ThawWorld *world;
    ThawLatticeState state;
    ThawThermalState heat;
    int dimensions;
    WriteRow *write;
    uint32_t components;
    bool any;
    char *rows;
};

// ---------------------------------------------------------------- strain

static void write_strain(const DerivedJob *job, uint32_t row, void *out) {
    thaw_lattice_strain(&job->state, row, job->dimensions, out);
}

static void write_green(const DerivedJob *job, uint32_t row, void *out) {
    thaw_lattice_green(&job->state, row, job->dimensions, out);
}

static void write_bonds(const DerivedJob *job, uint32_t row, void *out) {
    int32_t sites = job->state.sites[row], count = 0;
    for (uint32_t s = 0; s < THAW_SITES && sites != THAW_SITES_FRESH; s++) {
        count += ((uint32_t)sites & THAW_SITE_OCCUPIED(s)) != 0;
    }
    memcpy(out, &count, sizeof count);
}

// eigenvalues of a symmetric matrix (xx yy zz xy yz zx), by angles (Smith 1961)
static void find_eigenvalues(const double a[6], double value[3]) {
    double mean = (a[0] + a[1] + a[2]) / 3;
    double d[3] = {a[0] - mean, a[1] - mean, a[2] - mean};
    double off = a[3] * a[3] + a[4] * a[4] + a[5] * a[5];
    double p = sqrt((d[0] * d[0] + d[1] * d[1] + d[2] * d[2] + 2 * off) / 6);
    double det = d[0] * (d[1] * d[2] - a[4] * a[4]) - a[3] * (a[3] * d[2] - a[4] * a[5]) +
                 a[5] * (a[3] * a[4] - d[1] * a[5]);
    double cosine = p > 0 ? det / (2 * p * p * p) : 1;
    double angle = acos(fmax(-1, fmin(1, cosine))) / 3;
    const double third = 2.0943951023931954923; // 2π/3
    for (int k = 0; k < 3; k++) value[k] = mean + 2 * p * cos(angle + third * k);
}

// √((n−1)/n) times the norm of the logarithmic strain ½ ln FᵀF: in a bar of constant volume that is drawn
// out, its permanent logarithmic strain along the bar
static void write_plastic(const DerivedJob *job, uint32_t row, void *out) {
    const float *F = &job->state.flow[9 * (size_t)row];
    static const int pairs[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {1, 2}, {2, 0}};
    double square[6], value[3], sum = 0;
    for (int k = 0; k < 6; k++) {
        int i = pairs[k][0], j = pairs[k][1];
        square[k] = 0;
        for (int r = 0; r < 3; r++) square[k] += (double)F[3 * r + i] * (double)F[3 * r + j];
    }
    if (job->dimensions == 2) square[2] = 1, square[4] = square[5] = 0;
    find_eigenvalues(square, value);
    for (int k = 0; k < 3; k++) {
        double log_strain = 0.5 * log(fmax(value[k], LEAST_VOLUME));
        sum += log_strain * log_strain;
    }
    float strain = (float)sqrt(sum * (job->dimensions - 1) / job->dimensions);
    memcpy(out, &strain, sizeof strain);
}

// ---------------------------------------------------------------- stress

// Lamé's two
static void find_moduli(const ThawSolidDef *solid, int dimensions, double *mu, double *lambda) {
    double E = (double)solid->young, nu = (double)solid->poisson;
    *mu = E / (2 * (1 + nu));
    *lambda = dimensions == 3 ? E * nu / ((1 + nu) * (1 - 2 * nu)) : E * nu / (1 - nu * nu);
}

// what temperature makes of them
static void soften(const DerivedJob *job, uint32_t row, double *mu, double *lambda) {
    const ThawMaterial *material = &job->world->materials[job->world->store->material[row]];
    const ThawFactorCurve *curve = &material->thermal.stiffness;
    if (job->heat.temperature == NULL || curve->count == 0) return;
    double factor = thaw_factor_at(curve, (double)job->heat.temperature[row]);
    factor = fmax(factor, THAW_LEAST_STIFFNESS);
    double part = job->dimensions == 3 ? 2.0 / 3.0 : 1.0, share = thaw_soft_bulk(factor);
    double bulk = share * (*lambda + part * *mu), nu = (double)material->solid.poisson;
    *mu *= share * thaw_soft_shear(factor / share, nu, job->dimensions);
    *lambda = bulk - part * *mu;
}

static void stress_of_strain(const DerivedJob *job, uint32_t row, double mu, double lambda,
                             double stress[6]) {
    float e[6];
    thaw_lattice_strain(&job->state, row, job->dimensions, e);
    double trace = (double)e[0] + (double)e[1] + (double)e[2];
    for (int k = 0; k < 6; k++) {
        stress[k] = 2 * mu * (double)e[k] + (k < job->dimensions ? lambda * trace : 0);
    }
}

static void stress_of_map(const DerivedJob *job, uint32_t row, double mu, double lambda,
                          double stress[6]) {
    static const int pairs[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {1, 2}, {2, 0}};
    double E[9];
    ThawMat3 map = thaw_lattice_elastic(&job->state, row, job->dimensions);
    memcpy(E, map.m, sizeof map.m);
    double J = E[0] * (E[4] * E[8] - E[5] * E[7]) - E[1] * (E[3] * E[8] - E[5] * E[6]) +
               E[2] * (E[3] * E[7] - E[4] * E[6]);
    J = fmax(J, LEAST_VOLUME);
    for (int k = 0; k < 6; k++) {
        const double *a = &E[3 * pairs[k][0]], *b = &E[3 * pairs[k][1]];
        double square = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
        bool across = k == 2 && job->dimensions == 2;
        double own = k < 3 ? mu * (square - 1) + (across ? 0 : lambda * log(J)) : mu * square;
        stress[k] = own / J;
    }
}

static void find_stress(const DerivedJob *job, uint32_t row, double stress[6]) {
    const ThawSolidDef *solid = &job->world->materials[job->world->store->material[row]].solid;
    double mu, lambda;
    find_moduli(solid, job->dimensions, &mu, &lambda);
    soften(job, row, &mu, &lambda);
    if (solid->elasticity == THAW_ELASTIC_NEO_HOOKEAN)
        stress_of_map(job, row, mu, lambda, stress);
    else
        stress_of_strain(job, row, mu, lambda, stress);
}

static void write_stress(const DerivedJob *job, uint32_t row, void *out) {
    double stress[6];
    find_stress(job, row, stress);
    for (int k = 0; k < 6; k++) ((float *)out)[k] = (float)stress[k];
}

static void write_von_mises(const DerivedJob *job, uint32_t row, void *out) {
    double s[6];
    find_stress(job, row, s);
    double xy = s[0] - s[1], yz = s[1] - s[2], zx = s[2] - s[0];
    double shear = s[3] * s[3] + s[4] * s[4] + s[5] * s[5];
    float value = (float)sqrt(0.5 * (xy * xy + yz * yz + zx * zx) + 3 * shear);
    memcpy(out, &value, sizeof value);
}

// ---------------------------------------------------------------- heat

// without heat, matter is what its state says
static void write_molten(const DerivedJob *job, uint32_t row, void *out) {
    const ThawWorld *world = job->world;
    float molten = world->store->state[row] == THAW_STATE_SOLID ? 0 : 1;
    const ThawThermalDef *thermal = &world->materials[world->store->material[row]].thermal;
    if (job->heat.heat != NULL && thermal->melts_at > 0) {
        ThawEnthalpyCurve curve = thaw_enthalpy_curve(thermal);
        molten = (float)thaw_curve_molten(&curve, job->heat.heat[row]);
    }
    memcpy(out, &molten, sizeof molten);
}

// ---------------------------------------------------------------- views

// one row a field
static const struct {
    const char *name;
    WriteRow *write;
    ThawType type;
    uint32_t components;
    bool any; // of liquids too
} fields[THAW_WORLD_DERIVED] = {
    {"strain", write_strain, THAW_F32, 6, false},
    {"green_strain", write_green, THAW_F32, 6, false},
    {"stress", write_stress, THAW_F32, 6, false},
    {"von_mises", write_von_mises, THAW_F32, 1, false},
    {"plastic_strain", write_plastic, THAW_F32, 1, false},
    {"bonds", write_bonds, THAW_I32, 1, false},
    {"molten", write_molten, THAW_F32, 1, true},
};

const char *thaw_derived_name(int index) {
    return index >= 0 && index < THAW_WORLD_DERIVED ? fields[index].name : NULL;
}

int thaw_derived_find(const char *name) {
    for (int k = 0; k < THAW_WORLD_DERIVED; k++) {
        if (strcmp(fields[k].name, name) == 0) return k;
    }
    return -1;
}

static void write_chunk(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    const DerivedJob *job = context;
    const ThawStore *store = job->world->store;
    ThawRange range = thaw_chunk_range(chunk, store->count, ROW_CHUNK);
    size_t row_bytes = job->components * sizeof(float);
    for (uint32_t row = range.begin; row < range.end; row++) {
        void *out = job->rows + row * row_bytes;
        bool solid = job->state.map != NULL && store->state[row] == THAW_STATE_SOLID;
        if (solid || job->any)
            job->write(job, row, out);
        else
            memset(out, 0, row_bytes);
    }
}

ThawResult thaw_derived_view(ThawWorld *world, int index, ThawView *view) {
    uint32_t count = world->store->count;
    size_t bytes = (size_t)count * fields[index].components * sizeof(float);
    void **rows = &world->derived_views[index];
    if (!thaw_scratch(rows, &world->derived_view_bytes[index], bytes)) {
        return thaw_fail_memory(bytes);
    }
    DerivedJob job = {.world = world,
                      .state = thaw_lattice_state(world->store),
                      .heat = world->def.heat.on ? thaw_thermal_state(world->store)
                                                 : (ThawThermalState){0},
                      .dimensions = world->def.dimensions,
                      .write = fields[index].write,
                      .components = fields[index].components,
                      .any = fields[index].any,
                      .rows = *rows};
    thaw_parallel_run(world->parallel, write_chunk, &job, thaw_chunk_count(count, ROW_CHUNK));
    *view = (ThawView){*rows, fields[index].type, fields[index].components, count};
    return THAW_OK;
}
