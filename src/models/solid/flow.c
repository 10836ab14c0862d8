// Plasticity: shape change that stays.
//
// A particle's rest sites are F l. When its elastic shape change passes the yield strain, F takes up what is
// above, so that the elastic part is back at the limit; creep takes up a share of it all the time. F keeps its
// volume. The measure is von Mises' stress over Young's modulus, which for a stretched bar is its strain:
// stretched to ε and let go, a bar keeps ε − yield strain.
#include "models/solid/solid.h"

#include "math/matrix.h"

#include <math.h>

// no rest site may be further than this from the perfect one, as a factor of its length
#define MOST_STRETCH 1.5

// the deviator of the elastic stretch, in the particle's own frame; returns von Mises' stress over E
static double shape_change(const ThawMat3 *stretch, double poisson, int dimensions, double dev[6]) {
    const double *s = stretch->m;
    double e[6] = {s[0] - 1,           s[4] - 1, s[8] - 1, 0.5 * (s[1] + s[3]), 0.5 * (s[5] + s[7]),
                   0.5 * (s[2] + s[6])};
    // a plane is free to thicken
    if (dimensions == 2) e[2] = -poisson / (1 - poisson) * (e[0] + e[1]);
    double mean = (e[0] + e[1] + e[2]) / 3;
    for (int k = 0; k < 6; k++) dev[k] = e[k] - (k < 3 ? mean : 0);
    double square = 0;
    for (int k = 0; k < 6; k++) square += (k < 3 ? 1 : 2) * dev[k] * dev[k];
    return sqrt(1.5 * square) / (1 + poisson);
}

static double longest_site(const ThawMat3 *flow) {
    double most = 0;
    for (int c = 0; c < 3; c++) {
        double length = 0;
        for (int r = 0; r < 3; r++) length += flow->m[3 * r + c] * flow->m[3 * r + c];
        most = fmax(most, length);
    }
    return sqrt(most);
}

// F after `share` of the elastic shape change became permanent
static void let_flow(float flow[9], const double dev[6], double share, int dimensions) {
    ThawMat3 grow = {{1 + share * dev[0], share * dev[3], share * dev[5], share * dev[3],
                      1 + share * dev[1], share * dev[4], share * dev[5], share * dev[4],
                      1 + share * dev[2]}};
    // the plane's own volume is its area
    if (dimensions == 2) grow.m[8] = 1;
    ThawMat3 grown = thaw_mat3_mul(grow, thaw_mat3_from_floats(flow));
    double size = thaw_mat3_determinant(grown);
    if (!(size > 0.1) || longest_site(&grown) > MOST_STRETCH) return;
    double scale = 1 / (dimensions == 2 ? sqrt(size) : cbrt(size));
    for (int k = 0; k < 9; k++) {
        bool across = dimensions == 2 && (k % 3 == 2 || k / 3 == 2);
        flow[k] = across ? (k == 8 ? 1.0f : 0.0f) : (float)(grown.m[k] * scale);
    }
}

void thaw_solid_flow_row(const ThawSolids *solid, const ThawStep *step, ThawLatticeState *state,
                         uint32_t row) {
    const ThawSolidKind *kind = &solid->kinds[solid->kind[row]];
    const ThawSolidDef *def = &step->materials[kind->material].solid;
    if (def->yield_strain <= 0 && def->creep <= 0) return;
    int dimensions = step->domain->dimensions;
    float *flow = &state->flow[9 * (size_t)row];
    ThawMat3 back, turn = thaw_mat3_from_turn(&state->turn[4 * (size_t)row]);
    if (!thaw_mat3_invert(thaw_mat3_from_floats(flow), &back)) return;
    ThawMat3 elastic = thaw_mat3_mul(thaw_mat3_from_floats(&state->map[9 * (size_t)row]), back);
    ThawMat3 stretch = thaw_mat3_mul(thaw_mat3_transpose(turn), elastic);
    double dev[6], size = shape_change(&stretch, (double)def->poisson, dimensions, dev);
    double share = 0;
    if (def->yield_strain > 0 && size > (double)def->yield_strain) {
        share = 1 - (double)def->yield_strain / size;
    }
    if (def->creep > 0) share += (1 - share) * (1 - exp(-(double)def->creep * step->dt));
    if (share > 0) let_flow(flow, dev, share, dimensions);
}
