// The slow twin of the liquid; see twin.h for the equations.
#include "support/twin.h"

#include <math.h>
#include <string.h>

Twin twin_make(int dimensions, ThawKernel density, ThawKernel gradient) {
    Twin twin = {.dimensions = dimensions, .density = density, .gradient = gradient};
    twin.support = TWIN_SUPPORT;
    twin.rest = thaw_rest_state(density, gradient, dimensions, twin.support);
    twin.relaxation = 1.0;
    twin.tensile_exponent = 4;
    twin.least_constraint = -1.0;
    return twin;
}

void twin_fit(Twin *twin, double stranger) {
    double least = twin->spacing[0], most = fmax(least, stranger);
    for (uint32_t i = 1; i < twin->count; i++) {
        least = fmin(least, twin->spacing[i]);
        most = fmax(most, twin->spacing[i]);
    }
    twin->sizes = least < most;
    twin->support = twin_support(twin->dimensions, twin->sizes);
    twin->rest = thaw_rest_state(twin->density, twin->gradient, twin->dimensions, twin->support);
}

double twin_support(int dimensions, bool sizes) {
    return dimensions == 2 && sizes ? TWIN_NARROW * TWIN_SUPPORT : TWIN_SUPPORT;
}

double twin_volume(const Twin *twin, uint32_t i) {
    double d = twin->spacing[i];
    return twin->dimensions == 3 ? d * d * d : d * d;
}

double twin_mass(const Twin *twin, uint32_t i) {
    return twin->rest_density[i] * twin_volume(twin, i);
}

double twin_stiffness(const Twin *twin, uint32_t i) {
    // the rest state is of unit spacing, and ∇ goes as 1 / length
    return twin->spacing[i] * twin->spacing[i] / twin->rest.gradients;
}

double twin_offset(const Twin *twin, uint32_t i, uint32_t j, double offset[3]) {
    double length2 = 0.0;
    for (int a = 0; a < 3; a++) {
        offset[a] = twin->positions[i][a] - twin->positions[j][a];
        if (twin->length[a] > 0.0) offset[a] -= twin->length[a] * rint(offset[a] / twin->length[a]);
        length2 += offset[a] * offset[a];
    }
    return sqrt(length2);
}

static double pair_support(const Twin *twin, uint32_t i, uint32_t j) {
    return 0.5 * twin->support * (twin->spacing[i] + twin->spacing[j]);
}

// h_ij / h_j: what makes a sheet of particles of any size count the same
static double pair_ratio(const Twin *twin, uint32_t i, uint32_t j) {
    return pair_support(twin, i, j) / (twin->support * twin->spacing[j]);
}

// g_ij: by how much more a particle counts those that are smaller
static double pair_guard(const Twin *twin, uint32_t i, uint32_t j) {
    double mean = 0.5 * (twin->spacing[i] + twin->spacing[j]);
    double larger = fmax(twin->spacing[i] / mean - 1.0, 0.0);
    return 1.0 + (twin->dimensions == 3 ? 1.45 : 1.0) * larger * twin->spacing[j] / mean;
}

// what i counts of a particle j in C_i
static double pair_weight(const Twin *twin, uint32_t i, uint32_t j) {
    return twin_volume(twin, j) * pair_guard(twin, i, j) * pair_ratio(twin, i, j);
}

// 2 ρ_j / (ρ_i + ρ_j): 1 within one fluid, and what makes impulses symmetric between two
static double pair_share(const Twin *twin, uint32_t i, uint32_t j) {
    double ri = twin->rest_density[i], rj = twin->rest_density[j];
    return 2.0 * rj / (ri + rj);
}

// ∇W(r_ij, h_ij) with respect to x_i; 0 for coincident particles, which have no direction
static void pair_gradient(const Twin *twin, uint32_t i, uint32_t j, double gradient[3]) {
    double r = twin_offset(twin, i, j, gradient);
    double slope = thaw_kernel_slope(twin->gradient, twin->dimensions, r, pair_support(twin, i, j));
    for (int a = 0; a < 3; a++) gradient[a] = r > 0.0 ? slope * gradient[a] / r : 0.0;
}

static double pair_value(const Twin *twin, uint32_t i, uint32_t j) {
    double offset[3];
    double r = twin_offset(twin, i, j, offset);
    return thaw_kernel_value(twin->density, twin->dimensions, r, pair_support(twin, i, j));
}

void twin_density(const Twin *twin, double *constraint) {
    for (uint32_t i = 0; i < twin->count; i++) {
        double sum = 0.0;
        for (uint32_t j = 0; j < twin->count; j++) {
            sum += pair_weight(twin, i, j) * pair_value(twin, i, j);
        }
        constraint[i] = sum / twin->rest.sum - 1.0 + (twin->wall != NULL ? twin->wall[i] : 0.0);
    }
}

void twin_gradients(const Twin *twin, uint32_t i, double (*gradients)[3]) {
    memset(gradients, 0, twin->count * sizeof *gradients);
    for (uint32_t j = 0; j < twin->count; j++) {
        if (j == i) continue;
        double gradient[3];
        pair_gradient(twin, i, j, gradient);
        for (int a = 0; a < 3; a++) {
            double term = pair_weight(twin, i, j) / twin->rest.sum * gradient[a];
            gradients[i][a] += term;
            gradients[j][a] -= term;
        }
    }
}

double twin_gradient_sum(const Twin *twin, uint32_t i) {
    double sum = 0.0;
    for (uint32_t j = 0; j < twin->count; j++) {
        double g[3], weight = pair_weight(twin, i, j) / twin->rest.sum;
        if (j == i) continue;
        pair_gradient(twin, i, j, g);
        double square = weight * weight * (g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
        sum += square * pair_share(twin, j, i) * twin_volume(twin, i) / twin_volume(twin, j);
    }
    return sum;
}

// whether all particles are of one size and density
static bool is_even(const Twin *twin) {
    for (uint32_t i = 1; i < twin->count; i++) {
        if (twin->spacing[i] != twin->spacing[0]) return false;
        if (twin->rest_density[i] != twin->rest_density[0]) return false;
    }
    return true;
}

// α_i of eq. 4: the share of the kernel that lies in air
static double air_of(const Twin *twin, uint32_t i) {
    double n[3] = {0, 0, 0}, open = twin->rest.open, lean = twin->rest.lean;
    for (uint32_t j = 0; j < twin->count; j++) {
        double gradient[3], h = pair_support(twin, i, j);
        if (j == i) continue;
        pair_gradient(twin, i, j, gradient);
        for (int a = 0; a < 3; a++) {
            n[a] += pair_weight(twin, i, j) * h * gradient[a] / twin->rest.sum;
        }
    }
    double n2 = n[0] * n[0] + n[1] * n[1] + n[2] * n[2];
    double share = open * (n2 - 0.25) / (lean * lean - 0.25);
    return fmin(fmax(share, 0.0), open);
}

void twin_lambda(const Twin *twin, const double *constraint, double *lambda) {
    bool even = is_even(twin);
    for (uint32_t i = 0; i < twin->count; i++) {
        double least = twin->two_sided ? twin->least_constraint / twin->spacing[i] : 0.0;
        double air = twin->sizes ? air_of(twin, i) : 0.0;
        double acting = fmax(constraint[i] + air, least);
        double k = twin_stiffness(twin, i), ratio = fmax(1.0 + constraint[i], 1.0);
        double softer = fmax(ratio * ratio, even ? 0.0 : k * twin_gradient_sum(twin, i));
        lambda[i] = -twin->relaxation * k * acting / softer;
    }
}

static double pair_tensile(const Twin *twin, uint32_t i, uint32_t j) {
    if (twin->tensile == 0.0) return 0.0;
    double h = pair_support(twin, i, j);
    double reference = thaw_kernel_value(twin->density, twin->dimensions, 0.2 * h, h);
    double ratio = pair_value(twin, i, j) / reference;
    double k = 0.5 * (twin_stiffness(twin, i) + twin_stiffness(twin, j));
    return -twin->tensile * k * pow(ratio, twin->tensile_exponent);
}

void twin_correct(const Twin *twin, const double *lambda, double (*shift)[3]) {
    for (uint32_t i = 0; i < twin->count; i++) {
        double sum[3] = {0, 0, 0};
        for (uint32_t j = 0; j < twin->count; j++) {
            if (j == i) continue;
            double gradient[3];
            pair_gradient(twin, i, j, gradient);
            double own = pair_ratio(twin, i, j), other = pair_ratio(twin, j, i);
            // λ_i h_i / h_ij is λ_i over the ratio that j takes
            double push = lambda[i] * pair_guard(twin, i, j) / other +
                          lambda[j] * pair_guard(twin, j, i) / own + pair_tensile(twin, i, j);
            double weight = twin_volume(twin, j) / twin->rest.sum * pair_share(twin, i, j);
            weight *= own * other;
            for (int a = 0; a < 3; a++) sum[a] += weight * push * gradient[a];
        }
        memcpy(shift[i], sum, sizeof sum);
    }
}

void twin_xsph(const Twin *twin, double c, const double (*velocity)[3], double (*result)[3]) {
    for (uint32_t i = 0; i < twin->count; i++) {
        double sum[3] = {0, 0, 0};
        for (uint32_t j = 0; j < twin->count; j++) {
            double offset[3], r = twin_offset(twin, i, j, offset);
            double h = 0.5 * TWIN_SUPPORT * (twin->spacing[i] + twin->spacing[j]);
            double value = thaw_kernel_value(twin->density, twin->dimensions, r, h);
            double weight = twin_volume(twin, j) * pair_share(twin, i, j) * value;
            for (int a = 0; a < 3; a++) sum[a] += weight * (velocity[j][a] - velocity[i][a]);
        }
        for (int a = 0; a < 3; a++) result[i][a] = velocity[i][a] + c * sum[a];
    }
}
