// The energy that a strained particle holds, in double precision.
#include "models/solid/solid.h"

#include "math/matrix.h"

#include <math.h>

static double offset(const ThawSolidPass *pass, int axis, int32_t from, int32_t to) {
    int32_t d = thaw_place_sub(to, from), period = pass->period[axis];
    double way = d, below = thaw_place_sub(d, period), above = thaw_place_add(d, period);
    if (fabs(below) < fabs(way)) way = below;
    return fabs(above) < fabs(way) ? above : way;
}

// Σ over the sites of |g l − r|², lattice distances²
static double misfit_energy(const ThawSolidPass *pass, uint32_t row, const ThawMat3 *g) {
    const ThawSites *sites = pass->sites;
    const ThawPlace *place = pass->place, *a = &place[row];
    double unit = (double)pass->kinds[pass->kind[row]].unit, sum = 0;
    for (uint32_t s = 0; s < sites->count; s++) {
        uint32_t other = pass->bonds->slot[thaw_bond_at(row, s)];
        if (other == row) continue;
        const ThawPlace *b = &place[other];
        const double r[3] = {offset(pass, 0, a->x, b->x) * unit, offset(pass, 1, a->y, b->y) * unit,
                             offset(pass, 2, a->z, b->z) * unit};
        float l[3];
        thaw_lattice_site(&pass->state, row, s, pass->sites->vector[s], l);
        for (int k = 0; k < 3; k++) {
            double off = g->m[3 * k] * (double)l[0] + g->m[3 * k + 1] * (double)l[1] +
                         g->m[3 * k + 2] * (double)l[2] - r[k];
            sum += off * off;
        }
    }
    return sum;
}

static double strain_energy(const ThawSolidKind *kind, const ThawMat3 *elastic, ThawMat3 turn,
                            double volume) {
    if (kind->law == THAW_ELASTIC_NEO_HOOKEAN) {
        double square = 0, j = fmax(volume, 0.4), log_j = log(j);
        for (int k = 0; k < 9; k++) square += elastic->m[k] * elastic->m[k];
        return 0.25 * (double)kind->shear_k * (square - 3 - 2 * log_j) +
               0.5 * (double)kind->volume_k * log_j * log_j;
    }
    double square = 0, trace = -3;
    for (int k = 0; k < 9; k++) {
        double off = elastic->m[k] - turn.m[k];
        square += off * off;
        trace += elastic->m[k] * turn.m[k];
    }
    return 0.5 * (double)kind->shear_k * square + 0.5 * (double)kind->volume_k * trace * trace;
}

// the weight that edges and corners have, and 0 for thin neighbourhoods: see surface_weight in frames_wide.c
static double weight_of(const ThawSolidPass *pass, uint32_t row) {
    ThawMat3 q = {{0}}, inverse;
    double reach[3] = {0, 0, 0}, steep = 0;
    for (uint32_t s = 0; s < pass->sites->count; s++) {
        if (pass->bonds->slot[thaw_bond_at(row, s)] == row) continue;
        float l[3];
        thaw_lattice_site(&pass->state, row, s, pass->sites->vector[s], l);
        for (int k = 0; k < 9; k++) q.m[k] += (double)l[k / 3] * (double)l[k % 3];
        for (int k = 0; k < 3; k++) reach[k] += (double)l[k];
    }
    double full = (double)pass->sites->moment;
    if (pass->dimensions == 2) q.m[8] = full;
    if (thaw_mat3_determinant(q) <= (double)THAW_SOLID_THIN * full * full * full) return 0;
    if (!thaw_mat3_invert(q, &inverse)) return 0;
    for (int k = 0; k < 3; k++) {
        if (k < pass->dimensions) steep += inverse.m[4 * k];
        double own = inverse.m[3 * k] * reach[0] + inverse.m[3 * k + 1] * reach[1] +
                     inverse.m[3 * k + 2] * reach[2];
        steep += own * own;
    }
    double face = (double)(pass->dimensions == 3 ? THAW_SOLID_FACE_3D : THAW_SOLID_FACE_2D);
    return fmin(1.0, face / steep);
}

// a row's kind, as stiff as temperature makes it
static ThawSolidKind kind_of(const ThawSolidPass *pass, uint32_t row) {
    ThawSolidKind kind = pass->kinds[pass->kind[row]];
    if (pass->soft == NULL) return kind;
    kind.half_k *= pass->soft[row].shear;
    kind.shear_k *= pass->soft[row].shear;
    kind.volume_k *= pass->soft[row].volume;
    return kind;
}

double thaw_solid_row_energy(const ThawSolidPass *pass, uint32_t row, const float turned[4],
                             const float mapped[9]) {
    const ThawSolidKind kind = kind_of(pass, row);
    double area = (double)kind.distance * (double)kind.distance;
    ThawMat3 flow = thaw_mat3_from_floats(&pass->state.flow[9 * (size_t)row]), back;
    ThawMat3 turn = thaw_mat3_from_turn(turned), map = thaw_mat3_from_floats(mapped);
    thaw_mat3_invert(flow, &back);
    ThawMat3 elastic = thaw_mat3_mul(map, back);
    double volume = thaw_mat3_determinant(elastic), half_k = (double)kind.half_k;
    double weight = weight_of(pass, row);
    if (kind.law != THAW_ELASTIC_LATTICE && weight > 0) {
        turn = thaw_mat3_rotation(elastic, turn);
        return area * (0.5 * half_k * misfit_energy(pass, row, &map) +
                       weight * strain_energy(&kind, &elastic, turn, volume));
    }
    ThawMat3 rest = thaw_mat3_mul(turn, flow);
    return area * (0.5 * half_k * misfit_energy(pass, row, &rest) +
                   0.5 * weight * (double)kind.volume_k * (volume - 1) * (volume - 1));
}
