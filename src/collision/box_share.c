// The share of a kernel in a box whose edges run along axes, by tables of its cumulative integral.
//
// With F(a, b, c) the kernel's share in x < a, y < b, z < c, a box is at most eight values of F,
// and its faces are partial derivatives of F. F is smooth and constant beyond ±1, so that a cubic
// spline with level ends carries it: through 41³ values, shares are within 3e-4 of a fine twin's
// and faces within 0.5 % of the largest. Where faces are out of reach, what counts is a side of the
// cube (two axes, also all of 2D) or an edge (one axis), which have tables of their own.
#include "collision/walls_internal.h"

#define HALF (THAW_WALL_KNOTS / 2)
#define KNOTS THAW_WALL_KNOTS
#define SPLINE THAW_WALL_SPLINE
#define NODES 3 // Gauss points a cell and axis

// ---------------------------------------------------------------- tables

// the kernel over one cell of the positive octant (2D: quadrant), unscaled
static double integrate_cell(ThawKernel kernel, int dimensions, int i, int j, int k) {
    static const double node[NODES] = {-0.774596669241483377, 0, 0.774596669241483377};
    static const double weight[NODES] = {5.0 / 9, 8.0 / 9, 5.0 / 9};
    double sum = 0, half = 0.5 / HALF;
    for (int a = 0; a < NODES; a++) {
        double x = (i + 0.5) / HALF + half * node[a];
        for (int b = 0; b < NODES; b++) {
            double y = (j + 0.5) / HALF + half * node[b], plane = x * x + y * y;
            if (dimensions == 2) {
                sum += weight[a] * weight[b] * thaw_kernel_value(kernel, 2, sqrt(plane), 1);
                continue;
            }
            for (int c = 0; c < NODES; c++) {
                double z = (k + 0.5) / HALF + half * node[c];
                double value = thaw_kernel_value(kernel, 3, sqrt(plane + z * z), 1);
                sum += weight[a] * weight[b] * weight[c] * value;
            }
        }
    }
    return sum;
}

static void sort_two(int *a, int *b) {
    int low = *a < *b ? *a : *b, high = *a < *b ? *b : *a;
    *a = low;
    *b = high;
}

// place of the cell in the octant that mirrors cell i of the whole axis
static int mirrored(int i) {
    return i < HALF ? HALF - 1 - i : i - HALF;
}

typedef struct Octant {
    double cell[HALF][HALF][HALF]; // filled for i <= j <= k; 2D: [0][j][k]
} Octant;

static double octant_cell(const Octant *octant, int i, int j, int k) {
    i = mirrored(i), j = mirrored(j), k = mirrored(k);
    sort_two(&i, &j);
    sort_two(&j, &k);
    sort_two(&i, &j);
    return octant->cell[i][j][k];
}

// Values at knots, `stride` apart from values[stride] on, become spline coefficients in place;
// level ends make the first and last coefficient mirror images. Tridiagonal: c₋ + 4 c + c₊ = 6 f.
static void make_spline(float *values, int stride) {
    double scale[KNOTS + 1], part[KNOTS + 1];
    for (int k = 0; k <= KNOTS; k++) {
        double upper = k == 0 ? 2 : 1, lower = k == KNOTS ? 2 : 1;
        double f = 6 * (double)values[(k + 1) * stride];
        double pivot = k == 0 ? 4 : 4 - lower * scale[k - 1];
        scale[k] = upper / pivot;
        part[k] = (f - (k == 0 ? 0 : lower * part[k - 1])) / pivot;
    }
    for (int k = KNOTS - 1; k >= 0; k--) part[k] -= scale[k] * part[k + 1];
    for (int k = 0; k <= KNOTS; k++) values[(k + 1) * stride] = (float)part[k];
    values[0] = values[2 * stride];
    values[(KNOTS + 2) * stride] = values[KNOTS * stride];
}

static void make_edge_spline(ThawQuadrature *q) {
    for (int i = 1; i <= KNOTS + 1; i++) make_spline(&q->edge[i][0], 1);
    for (int j = 0; j < SPLINE; j++) make_spline(&q->edge[0][j], SPLINE);
}

static void make_corner_spline(ThawQuadrature *q) {
    for (int i = 1; i <= KNOTS + 1; i++) {
        for (int j = 1; j <= KNOTS + 1; j++) make_spline(&q->corner[i][j][0], 1);
        for (int k = 0; k < SPLINE; k++) make_spline(&q->corner[i][0][k], SPLINE);
    }
    for (int j = 0; j < SPLINE; j++) {
        for (int k = 0; k < SPLINE; k++) make_spline(&q->corner[0][j][k], SPLINE * SPLINE);
    }
}

static void make_edges_2d(ThawQuadrature *q, const Octant *octant) {
    double above[KNOTS + 1] = {0}, whole = 0;
    for (int j = 0; j < HALF; j++) {
        for (int k = 0; k < HALF; k++) {
            whole += 4 * octant->cell[0][j < k ? j : k][j < k ? k : j];
        }
    }
    for (int j = 0; j < KNOTS; j++) {
        double row = 0;
        for (int k = 0; k < KNOTS; k++) {
            int a = mirrored(j), b = mirrored(k);
            sort_two(&a, &b);
            row += octant->cell[0][a][b];
            above[k + 1] += row;
            q->edge[j + 2][k + 2] = (float)(above[k + 1] / whole);
        }
    }
}

static void make_corners_3d(ThawQuadrature *q, const Octant *octant) {
    double above[KNOTS][KNOTS] = {{0}}, whole = 0;
    for (int i = 0; i < KNOTS; i++) {
        for (int j = 0; j < KNOTS; j++) {
            for (int k = 0; k < KNOTS; k++) whole += octant_cell(octant, i, j, k);
        }
    }
    for (int i = 0; i < KNOTS; i++) {
        double sums[KNOTS] = {0}; // cells of this layer up to row j, column k
        for (int j = 0; j < KNOTS; j++) {
            double row = 0;
            for (int k = 0; k < KNOTS; k++) {
                row += octant_cell(octant, i, j, k);
                sums[k] += row;
                above[j][k] += sums[k];
                q->corner[i + 2][j + 2][k + 2] = (float)(above[j][k] / whole);
            }
        }
    }
    for (int j = 2; j <= KNOTS + 1; j++) {
        for (int k = 2; k <= KNOTS + 1; k++) q->edge[j][k] = q->corner[KNOTS + 1][j][k];
    }
}

// expects both tables cleared: F is 0 at −1
void thaw_box_tables_make(ThawQuadrature *q, ThawKernel kernel, int dimensions) {
    Octant octant;
    for (int i = 0; i < (dimensions == 2 ? 1 : HALF); i++) {
        for (int j = i; j < HALF; j++) {
            for (int k = j; k < HALF; k++) {
                octant.cell[i][j][k] = dimensions == 2 ? integrate_cell(kernel, 2, j, k, 0)
                                                       : integrate_cell(kernel, 3, i, j, k);
            }
        }
    }
    if (dimensions == 2) {
        make_edges_2d(q, &octant);
    } else {
        make_corners_3d(q, &octant);
        make_corner_spline(q);
    }
    make_edge_spline(q);
}

// ---------------------------------------------------------------- boxes

// Where a face cuts an axis: the spline's four weights there, and their slopes.
typedef struct End {
    int knot;
    float weight[4], slope[4];
    double at, sign;
    double *face; // where the kernel on it is added up
} End;

typedef struct Axis {
    End ends[2];
    int count;
} Axis;

static void add_end(Axis *axis, double at, double sign, double *face) {
    End *end = &axis->ends[axis->count++];
    end->at = at;
    end->sign = sign;
    end->face = face;
}

static void weigh_end(End *end) {
    double x = (end->at + 1) * HALF;
    end->knot = x < KNOTS ? (int)x : KNOTS - 1;
    float t = (float)(x - end->knot), s = 1 - t;
    end->weight[0] = s * s * s / 6;
    end->weight[1] = (4 - 3 * t * t * (2 - t)) / 6;
    end->weight[2] = (4 - 3 * s * s * (2 - s)) / 6;
    end->weight[3] = t * t * t / 6;
    end->slope[0] = -0.5f * HALF * s * s;
    end->slope[1] = 0.5f * HALF * t * (3 * t - 4);
    end->slope[2] = 0.5f * HALF * s * (4 - 3 * s);
    end->slope[3] = 0.5f * HALF * t * t;
}

// F beyond one face; a face below is seen in the mirror
static void span_axis(Axis *axis, ThawSpan span, double *low, double *high) {
    axis->count = 0;
    if (span.high >= 1) {
        add_end(axis, -span.low, 1, low);
    } else {
        add_end(axis, span.high, 1, high);
        if (span.low > -1) add_end(axis, span.low, -1, low);
    }
}

static void add_edge(const ThawQuadrature *q, const End *a, const End *b, double *share) {
    float f = 0, fa = 0, fb = 0;
    for (int i = 0; i < 4; i++) {
        const float *row = &q->edge[a->knot + i][b->knot];
        float across = 0, slope = 0;
        for (int j = 0; j < 4; j++) {
            across += b->weight[j] * row[j];
            slope += b->slope[j] * row[j];
        }
        f += a->weight[i] * across;
        fa += a->slope[i] * across;
        fb += a->weight[i] * slope;
    }
    *share += a->sign * b->sign * (double)f;
    *a->face += b->sign * (double)fa;
    *b->face += a->sign * (double)fb;
}

static void add_corner(const ThawQuadrature *q, const End *a, const End *b, const End *c,
                       double *share) {
    float f[4] = {0}, fa[4] = {0}, fb[4] = {0};
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 4; j++) {
            const float *row = &q->corner[a->knot + i][b->knot + j][c->knot];
            float w = a->weight[i] * b->weight[j], wa = a->slope[i] * b->weight[j];
            float wb = a->weight[i] * b->slope[j];
            for (int k = 0; k < 4; k++) {
                f[k] += w * row[k];
                fa[k] += wa * row[k];
                fb[k] += wb * row[k];
            }
        }
    }
    double sums[4] = {0};
    for (int k = 0; k < 4; k++) {
        sums[0] += (double)(c->weight[k] * f[k]);
        sums[1] += (double)(c->weight[k] * fa[k]);
        sums[2] += (double)(c->weight[k] * fb[k]);
        sums[3] += (double)(c->slope[k] * f[k]);
    }
    *share += a->sign * b->sign * c->sign * sums[0];
    *a->face += b->sign * c->sign * sums[1];
    *b->face += a->sign * c->sign * sums[2];
    *c->face += a->sign * b->sign * sums[3];
}

static void add_half_space(const ThawQuadrature *q, const End *a, double *share) {
    double f, area;
    thaw_quadrature_half_space(q, -a->at, &f, &area);
    *share += a->sign * f;
    *a->face += area;
}

static void add_ends(const ThawQuadrature *q, Axis axes[3], int count, double *share) {
    for (int a = 0; a < count && count > 1; a++) {
        for (int i = 0; i < axes[a].count; i++) weigh_end(&axes[a].ends[i]);
    }
    for (int i = 0; i < axes[0].count; i++) {
        const End *a = &axes[0].ends[i];
        if (count == 1) add_half_space(q, a, share);
        for (int j = 0; count > 1 && j < axes[1].count; j++) {
            const End *b = &axes[1].ends[j];
            if (count == 2) add_edge(q, a, b, share);
            for (int k = 0; count > 2 && k < axes[2].count; k++) {
                add_corner(q, a, b, &axes[2].ends[k], share);
            }
        }
    }
}

ThawBoxShare thaw_box_share(const ThawQuadrature *q, const ThawSpan spans[3]) {
    ThawBoxShare box = {0};
    Axis axes[3];
    int count = 0;
    for (int a = 0; a < 3; a++) {
        ThawSpan s = spans[a];
        if (s.high <= s.low || s.high <= -1 || s.low >= 1) return (ThawBoxShare){0};
        if (s.low <= -1 && s.high >= 1) continue;
        span_axis(&axes[count++], s, &box.low[a], &box.high[a]);
    }
    if (count == 0)
        box.share = 1;
    else
        add_ends(q, axes, count, &box.share);
    return box;
}
