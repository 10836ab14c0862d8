// Perfect lattices and sums over them.
//
// A site is three integers (a, b, c). Cubic close packing: (D/√2)(a, b, c) with a + b + c even,
// that is eq. 1 of Wicke et al. 2006; hexagonal: D (a + b/2, (√3/2) b). Each has an integer norm
// that grows with the distance, so shells can be told apart exactly.
//
// The rest state's spectrum: one Jacobi correction with multipliers λ_j = −k C_j moves particles by
// Δp_i = Σ_j (V/S)(λ_i + λ_j) ∇W_ij, which changes C_i by Σ_j (V/S) ∇W_ij·(Δp_i − Δp_j). For a wave
// C_j = exp(iκ·x_j) the sums over a symmetric lattice leave only sines: the wave is multiplied by
// 1 − μ(κ), μ = k G_density(κ)·G_gradient(κ), G(κ) = (V/S) Σ_j ∇W(r_j) sin(κ·r_j).
#include "math/lattice.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>

#define PI 3.14159265358979323846
#define SQRT_HALF 0.70710678118654752440
#define SQRT_3 1.73205080756887729353

// sites within THAW_REST_SUPPORT spacings: 4/3 π 6³ = 905, and some
#define MAX_SITES 1200

double thaw_lattice_distance(int dimensions, double spacing) {
    assert(dimensions == 2 || dimensions == 3);
    return spacing * (dimensions == 3 ? cbrt(sqrt(2.0)) : sqrt(2.0 / SQRT_3));
}

// ---------------------------------------------------------------- sites

typedef struct Lattice {
    ThawPacking packing;
    int dimensions;
    double unit; // m: distance = unit √norm
} Lattice;

static Lattice make_lattice(ThawPacking packing, int dimensions, double spacing) {
    double unit = spacing;
    if (packing == THAW_PACKING_CLOSE) {
        unit = thaw_lattice_distance(dimensions, spacing);
        if (dimensions == 3) unit *= SQRT_HALF;
    }
    return (Lattice){packing, dimensions, unit};
}

// squared distance in squared units, or −1 where the lattice has no site
static int64_t site_norm(const Lattice *lattice, int64_t a, int64_t b, int64_t c) {
    if (lattice->packing == THAW_PACKING_CUBIC) return a * a + b * b + c * c;
    if (lattice->dimensions == 2) return a * a + a * b + b * b;
    return (a + b + c) % 2 == 0 ? a * a + b * b + c * c : -1;
}

static void site_offset(const Lattice *lattice, int64_t a, int64_t b, int64_t c, double offset[3]) {
    double x = (double)a, y = (double)b;
    if (lattice->packing == THAW_PACKING_CLOSE && lattice->dimensions == 2) {
        x += 0.5 * y;
        y *= 0.5 * SQRT_3;
    }
    offset[0] = x * lattice->unit;
    offset[1] = y * lattice->unit;
    offset[2] = (double)c * lattice->unit;
}

// the sites of one shell in a fixed order; `filled` of the capacity are taken already
static uint32_t list_shell(const Lattice *lattice, int64_t norm, uint32_t filled,
                           double (*offsets)[3], uint32_t capacity) {
    // hexagonal: a² + ab + b² >= 3/4 max(a², b²), hence the wider range
    int64_t reach = (int64_t)ceil(sqrt((double)norm * 4.0 / 3.0));
    int64_t depth = lattice->dimensions == 3 ? reach : 0;
    uint32_t count = filled;
    for (int64_t c = -depth; c <= depth; c++) {
        for (int64_t b = -reach; b <= reach; b++) {
            for (int64_t a = -reach; a <= reach; a++) {
                if (site_norm(lattice, a, b, c) != norm) continue;
                if (count < capacity) site_offset(lattice, a, b, c, offsets[count]);
                count++;
            }
        }
    }
    return count;
}

uint32_t thaw_lattice_neighbors(ThawPacking packing, int dimensions, double spacing, double radius,
                                double (*offsets)[3], uint32_t capacity) {
    Lattice lattice = make_lattice(packing, dimensions, spacing);
    uint32_t count = 0;
    double limit = radius * (1.0 - 1e-12);
    for (int64_t norm = 1; lattice.unit * sqrt((double)norm) < limit; norm++) {
        count = list_shell(&lattice, norm, count, offsets, capacity);
    }
    return count;
}

// ---------------------------------------------------------------- waves

// one of each pair ±r of neighbours, with both kernels' gradients there, already doubled
typedef struct WaveSite {
    double r[3];
    double density[3], gradient[3];
} WaveSite;

typedef struct Waves {
    uint32_t count;
    WaveSite sites[MAX_SITES];
} Waves;

// G_density(κ)·G_gradient(κ)
static double wave_gain(const Waves *waves, const double wave[3]) {
    double gd[3] = {0, 0, 0}, gg[3] = {0, 0, 0};
    for (uint32_t n = 0; n < waves->count; n++) {
        const WaveSite *site = &waves->sites[n];
        double sine = sin(wave[0] * site->r[0] + wave[1] * site->r[1] + wave[2] * site->r[2]);
        for (int a = 0; a < 3; a++) {
            gd[a] += sine * site->density[a];
            gg[a] += sine * site->gradient[a];
        }
    }
    return gd[0] * gg[0] + gd[1] * gg[1] + gd[2] * gg[2];
}

// steps along the axes from `wave`, shorter and shorter, for as long as the gain grows
static double climb_gain(const Waves *waves, int dimensions, double wave[3], double step) {
    double best = wave_gain(waves, wave);
    for (double end = step * 1e-4; step > end; step *= 0.5) {
        for (bool moved = true; moved;) {
            moved = false;
            for (int way = 0; way < 2 * dimensions; way++) {
                double old = wave[way / 2];
                wave[way / 2] = old + (way % 2 == 0 ? step : -step);
                double gain = wave_gain(waves, wave);
                if (gain > best) {
                    best = gain;
                    moved = true;
                } else {
                    wave[way / 2] = old;
                }
            }
        }
    }
    return best;
}

// largest gain over the first Brillouin zone: a coarse grid over the part that mirror symmetry
// leaves, then uphill from its best point
static double largest_gain(const Waves *waves, int dimensions) {
    enum { GRID = 20 };
    // the zone's corner nearest the axes: fcc: the cube up to X = 2π/a with cell edge a = √2 D;
    // hexagonal: up to the corner K = 4π/(3D) and the edge's middle M = 2π/(√3 D)
    double D = thaw_lattice_distance(dimensions, 1.0);
    double reach[3] = {2.0 * PI * SQRT_HALF / D, 2.0 * PI * SQRT_HALF / D,
                       2.0 * PI * SQRT_HALF / D};
    if (dimensions == 2) {
        reach[0] = 4.0 * PI / (3.0 * D);
        reach[1] = 2.0 * PI / (SQRT_3 * D);
        reach[2] = 0.0;
    }
    double best = 0.0, best_wave[3] = {0, 0, 0};
    for (int i = 0; i <= GRID; i++) {
        for (int j = 0; j <= (dimensions == 3 ? i : GRID); j++) {
            for (int k = 0; k <= (dimensions == 3 ? j : 0); k++) {
                double wave[3] = {reach[0] * i / GRID, reach[1] * j / GRID, reach[2] * k / GRID};
                double gain = wave_gain(waves, wave);
                if (gain <= best) continue;
                best = gain;
                for (int a = 0; a < 3; a++) best_wave[a] = wave[a];
            }
        }
    }
    return climb_gain(waves, dimensions, best_wave, 0.5 * reach[0] / GRID);
}

// ---------------------------------------------------------------- rest state

// a site that lies above a layer, by its direction's part along up
static void add_above(ThawRestState *rest, double up, double h, double value, double slope) {
    if (!(up > 1e-9)) return;
    rest->open += value;
    rest->lean -= h * slope * up;
}

ThawRestState thaw_rest_state(ThawKernel density, ThawKernel gradient, int dimensions, double h) {
    assert(h > 0.0 && h <= THAW_REST_SUPPORT);
    double offsets[MAX_SITES][3];
    uint32_t count =
        thaw_lattice_neighbors(THAW_PACKING_CLOSE, dimensions, 1.0, h, offsets, MAX_SITES);
    assert(count <= MAX_SITES);

    ThawRestState rest = {.sum = thaw_kernel_value(density, dimensions, 0.0, h),
                          .neighbors = count};
    Waves waves = {.count = 0};
    for (uint32_t n = 0; n < count; n++) {
        const double *r = offsets[n];
        double length = sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]);
        rest.sum += thaw_kernel_value(density, dimensions, length, h);
        double slope = thaw_kernel_slope(gradient, dimensions, length, h);
        rest.gradients += slope * slope;
        add_above(&rest, r[dimensions - 1] / length, h,
                  thaw_kernel_value(density, dimensions, length, h),
                  thaw_kernel_slope(density, dimensions, length, h));
        // r and −r give the same term of G: keep the one above the origin, twice
        bool upper = r[2] > 0.0 || (r[2] == 0.0 && (r[1] > 0.0 || (r[1] == 0.0 && r[0] > 0.0)));
        if (!upper) continue;
        WaveSite *site = &waves.sites[waves.count++];
        double density_slope = thaw_kernel_slope(density, dimensions, length, h);
        for (int a = 0; a < 3; a++) {
            site->r[a] = r[a];
            site->density[a] = 2.0 * density_slope * r[a] / length;
            site->gradient[a] = 2.0 * slope * r[a] / length;
        }
    }
    // everything above still lacks V/S, with V = 1
    double share2 = 1.0 / (rest.sum * rest.sum);
    rest.gradients *= share2;
    rest.open /= rest.sum;
    rest.lean /= rest.sum;
    if (count > 0) rest.spectrum = largest_gain(&waves, dimensions) * share2 / rest.gradients;
    return rest;
}
