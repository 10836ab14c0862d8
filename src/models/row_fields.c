// Strain and stress of solids, from their frames; zero for liquids. Six components are xx yy zz xy yz zx. How molten
// matter is, from its enthalpy.
//
// Stress follows from the elastic strain e = R S Rᵀ − 1 by Hooke's law, and for neo-Hookean materials from
// the elastic map E as Cauchy's stress (μ (E Eᵀ − 1) + λ ln J) / J. In 2D it is plane stress: λ is the plane's,
// and everything across the plane is zero.
#include "models/row_fields.h"

#include "materials/softening.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LEAST_VOLUME                                                                               \
    1e-3 // of a particle's own: ln J of less, or of what is inside out, is that of this

// ---------------------------------------------------------------- strain

static void write_strain(const ThawRows *rows, uint32_t row, void *out) {
    thaw_lattice_strain(&rows->lattice, row, rows->dimensions, out);
}

static void write_green(const ThawRows *rows, uint32_t row, void *out) {
    thaw_lattice_green(&rows->lattice, row, rows->dimensions, out);
}

static void write_bonds(const ThawRows *rows, uint32_t row, void *out) {
    int32_t sites = rows->lattice.sites[row], count = 0;
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
static void write_plastic(const ThawRows *rows, uint32_t row, void *out) {
    const float *F = &rows->lattice.flow[9 * (size_t)row];
    static const int pairs[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {1, 2}, {2, 0}};
    double square[6], value[3], sum = 0;
    for (int k = 0; k < 6; k++) {
        int i = pairs[k][0], j = pairs[k][1];
        square[k] = 0;
        for (int r = 0; r < 3; r++) square[k] += (double)F[3 * r + i] * (double)F[3 * r + j];
    }
    if (rows->dimensions == 2) square[2] = 1, square[4] = square[5] = 0;
    find_eigenvalues(square, value);
    for (int k = 0; k < 3; k++) {
        double log_strain = 0.5 * log(fmax(value[k], LEAST_VOLUME));
        sum += log_strain * log_strain;
    }
    float strain = (float)sqrt(sum * (rows->dimensions - 1) / rows->dimensions);
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
static void soften(const ThawRows *rows, uint32_t row, double *mu, double *lambda) {
    const ThawMaterial *material = &rows->materials[rows->store->material[row]];
    const ThawFactorCurve *curve = &material->thermal.stiffness;
    if (rows->heat.temperature == NULL || curve->count == 0) return;
    double factor = thaw_factor_at(curve, (double)rows->heat.temperature[row]);
    factor = fmax(factor, THAW_LEAST_STIFFNESS);
    double part = rows->dimensions == 3 ? 2.0 / 3.0 : 1.0, share = thaw_soft_bulk(factor);
    double bulk = share * (*lambda + part * *mu), nu = (double)material->solid.poisson;
    *mu *= share * thaw_soft_shear(factor / share, nu, rows->dimensions);
    *lambda = bulk - part * *mu;
}

static void stress_of_strain(const ThawRows *rows, uint32_t row, double mu, double lambda,
                             double stress[6]) {
    float e[6];
    thaw_lattice_strain(&rows->lattice, row, rows->dimensions, e);
    double trace = (double)e[0] + (double)e[1] + (double)e[2];
    for (int k = 0; k < 6; k++) {
        stress[k] = 2 * mu * (double)e[k] + (k < rows->dimensions ? lambda * trace : 0);
    }
}

static void stress_of_map(const ThawRows *rows, uint32_t row, double mu, double lambda,
                          double stress[6]) {
    static const int pairs[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {1, 2}, {2, 0}};
    double E[9];
    ThawMat3 map = thaw_lattice_elastic(&rows->lattice, row, rows->dimensions);
    memcpy(E, map.m, sizeof map.m);
    double J = E[0] * (E[4] * E[8] - E[5] * E[7]) - E[1] * (E[3] * E[8] - E[5] * E[6]) +
               E[2] * (E[3] * E[7] - E[4] * E[6]);
    J = fmax(J, LEAST_VOLUME);
    for (int k = 0; k < 6; k++) {
        const double *a = &E[3 * pairs[k][0]], *b = &E[3 * pairs[k][1]];
        double square = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
        bool across = k == 2 && rows->dimensions == 2;
        double own = k < 3 ? mu * (square - 1) + (across ? 0 : lambda * log(J)) : mu * square;
        stress[k] = own / J;
    }
}

static void find_stress(const ThawRows *rows, uint32_t row, double stress[6]) {
    const ThawSolidDef *solid = &rows->materials[rows->store->material[row]].solid;
    double mu, lambda;
    find_moduli(solid, rows->dimensions, &mu, &lambda);
    soften(rows, row, &mu, &lambda);
    if (solid->elasticity == THAW_ELASTIC_NEO_HOOKEAN)
        stress_of_map(rows, row, mu, lambda, stress);
    else
        stress_of_strain(rows, row, mu, lambda, stress);
}

static void write_stress(const ThawRows *rows, uint32_t row, void *out) {
    double stress[6];
    find_stress(rows, row, stress);
    for (int k = 0; k < 6; k++) ((float *)out)[k] = (float)stress[k];
}

static void write_von_mises(const ThawRows *rows, uint32_t row, void *out) {
    double s[6];
    find_stress(rows, row, s);
    double xy = s[0] - s[1], yz = s[1] - s[2], zx = s[2] - s[0];
    double shear = s[3] * s[3] + s[4] * s[4] + s[5] * s[5];
    float value = (float)sqrt(0.5 * (xy * xy + yz * yz + zx * zx) + 3 * shear);
    memcpy(out, &value, sizeof value);
}

// ---------------------------------------------------------------- heat

// without heat, matter is what its state says
static void write_molten(const ThawRows *rows, uint32_t row, void *out) {
    float molten = rows->store->state[row] == THAW_STATE_SOLID ? 0 : 1;
    const ThawThermalDef *thermal = &rows->materials[rows->store->material[row]].thermal;
    if (rows->heat.heat != NULL && thermal->melts_at > 0) {
        ThawEnthalpyCurve curve = thaw_enthalpy_curve(thermal);
        molten = (float)thaw_curve_molten(&curve, rows->heat.heat[row]);
    }
    memcpy(out, &molten, sizeof molten);
}

// ---------------------------------------------------------------- the table

static const ThawRowField fields[THAW_ROW_FIELDS] = {
    {"strain", write_strain, THAW_F32, 6, false},
    {"green_strain", write_green, THAW_F32, 6, false},
    {"stress", write_stress, THAW_F32, 6, false},
    {"von_mises", write_von_mises, THAW_F32, 1, false},
    {"plastic_strain", write_plastic, THAW_F32, 1, false},
    {"bonds", write_bonds, THAW_I32, 1, false},
    {"molten", write_molten, THAW_F32, 1, true},
};

const ThawRowField *thaw_row_field(int index) {
    return index >= 0 && index < THAW_ROW_FIELDS ? &fields[index] : NULL;
}

void thaw_row_field_write(const ThawRowField *field, const ThawRows *rows, uint32_t row,
                          void *out) {
    bool solid = rows->lattice.map != NULL && rows->store->state[row] == THAW_STATE_SOLID;
    if (solid || field->any)
        field->write(rows, row, out);
    else
        memset(out, 0, field->components * sizeof(float));
}

// ---------------------------------------------------------------- one number of a row

// 0 to 15 of ".3", ".xy" of six, ".y" of up to four; -1: no such component
static int find_component(const char *word, uint32_t components) {
    static const char *const tensor[6] = {"xx", "yy", "zz", "xy", "yz", "zx"};
    static const char *const vector[4] = {"x", "y", "z", "w"};
    for (uint32_t k = 0; k < components; k++) {
        if (components == 6 && strcmp(word, tensor[k]) == 0) return (int)k;
        if (components < 5 && strcmp(word, vector[k]) == 0) return (int)k;
    }
    char *end;
    long number = word[0] >= '0' && word[0] <= '9' ? strtol(word, &end, 10) : -1;
    return number >= 0 && number < (long)components && *end == '\0' ? (int)number : -1;
}

// what its name means without the component: false where there is none
static bool find_base(const ThawStore *store, const char *name, ThawRowNumber *number) {
    for (int k = 0; k < THAW_ROW_FIELDS; k++) {
        if (strcmp(fields[k].name, name) != 0) continue;
        *number = (ThawRowNumber){
            .field = &fields[k], .type = fields[k].type, .components = fields[k].components};
        return true;
    }
#define ROW_COLUMN(column, ctype, kind, count, unit, saved, meaning)                               \
    if (strcmp(#column, name) == 0) {                                                              \
        *number = (ThawRowNumber){.data = store->column, .type = kind, .components = count};       \
        return true;                                                                               \
    }
    THAW_FIELDS(ROW_COLUMN)
#undef ROW_COLUMN
    for (uint32_t c = 0; c < store->channel_count; c++) {
        const ThawChannel *channel = &store->channels[c];
        if (strcmp(channel->name, name) != 0) continue;
        *number = (ThawRowNumber){
            .data = channel->data, .type = channel->type, .components = channel->components};
        return true;
    }
    return false;
}

bool thaw_row_number_find(const ThawStore *store, const char *name, ThawRowNumber *number) {
    char base[64];
    const char *dot = strchr(name, '.');
    size_t length = dot != NULL ? (size_t)(dot - name) : strlen(name);
    if (length >= sizeof base) return false;
    memcpy(base, name, length);
    base[length] = '\0';
    if (!find_base(store, base, number)) return false;
    number->component = -1;
    if (dot != NULL) number->component = find_component(dot + 1, number->components);
    if (dot == NULL && number->components == 1) number->component = 0;
    bool whole = dot == NULL && number->components == 6 && number->field != NULL;
    return number->component >= 0 || whole;
}

static double number_at(const void *data, ThawType type, size_t at) {
    switch (type) {
    case THAW_F32: return (double)((const float *)data)[at];
    case THAW_F64: return ((const double *)data)[at];
    case THAW_I32: return ((const int32_t *)data)[at];
    case THAW_I64: return (double)((const int64_t *)data)[at];
    case THAW_U64: return (double)((const uint64_t *)data)[at];
    case THAW_U16: return ((const uint16_t *)data)[at];
    case THAW_U8: return ((const uint8_t *)data)[at];
    }
    return 0;
}

static double norm_of(const float t[6]) {
    double sum = 0;
    for (int k = 0; k < 6; k++) sum += (k < 3 ? 1 : 2) * (double)t[k] * (double)t[k];
    return sqrt(sum);
}

double thaw_row_number(const ThawRowNumber *number, const ThawRows *rows, uint32_t row) {
    if (number->field == NULL) {
        size_t at = (size_t)row * number->components + (size_t)number->component;
        return number_at(number->data, number->type, at);
    }
    if (number->component < 0 && number->field->write == write_stress) {
        float stress;
        thaw_row_field_write(&fields[THAW_ROW_VON_MISES], rows, row, &stress);
        return (double)stress;
    }
    float values[6];
    thaw_row_field_write(number->field, rows, row, values);
    if (number->component < 0) return norm_of(values);
    return number_at(values, number->type, (size_t)number->component);
}
