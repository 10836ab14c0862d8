#include "math/matrix.h"

#include <math.h>

ThawMat3 thaw_mat3_identity(void) {
    return (ThawMat3){{1, 0, 0, 0, 1, 0, 0, 0, 1}};
}

ThawMat3 thaw_mat3_from_floats(const float m[9]) {
    ThawMat3 a;
    for (int k = 0; k < 9; k++) a.m[k] = (double)m[k];
    return a;
}

ThawMat3 thaw_mat3_from_turn(const float turn[4]) {
    double x = (double)turn[0], y = (double)turn[1], z = (double)turn[2], w = (double)turn[3];
    return (ThawMat3){{1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w),
                       2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w),
                       2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)}};
}

ThawMat3 thaw_mat3_mul(ThawMat3 a, ThawMat3 b) {
    ThawMat3 out;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            out.m[3 * i + j] =
                a.m[3 * i] * b.m[j] + a.m[3 * i + 1] * b.m[3 + j] + a.m[3 * i + 2] * b.m[6 + j];
        }
    }
    return out;
}

ThawMat3 thaw_mat3_transpose(ThawMat3 a) {
    return (ThawMat3){{a.m[0], a.m[3], a.m[6], a.m[1], a.m[4], a.m[7], a.m[2], a.m[5], a.m[8]}};
}

static ThawMat3 adjugate(const ThawMat3 *a) {
    ThawMat3 out;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            int r = (j + 1) % 3, s = (j + 2) % 3, u = (i + 1) % 3, v = (i + 2) % 3;
            out.m[3 * i + j] =
                a->m[3 * r + u] * a->m[3 * s + v] - a->m[3 * r + v] * a->m[3 * s + u];
        }
    }
    return out;
}

double thaw_mat3_determinant(ThawMat3 a) {
    ThawMat3 b = adjugate(&a);
    return a.m[0] * b.m[0] + a.m[1] * b.m[3] + a.m[2] * b.m[6];
}

bool thaw_mat3_invert(ThawMat3 a, ThawMat3 *inverse) {
    *inverse = adjugate(&a);
    double det = a.m[0] * inverse->m[0] + a.m[1] * inverse->m[3] + a.m[2] * inverse->m[6];
    if (!(fabs(det) > 1e-12)) {
        *inverse = thaw_mat3_identity();
        return false;
    }
    for (int k = 0; k < 9; k++) inverse->m[k] /= det;
    return true;
}

// Newton's iteration: the mean of a matrix and its inverse turned over closes in on the rotation.
ThawMat3 thaw_mat3_rotation(ThawMat3 a, ThawMat3 otherwise) {
    if (!(thaw_mat3_determinant(a) > 1e-6)) return otherwise;
    for (int step = 0; step < 20; step++) {
        ThawMat3 inverse;
        if (!thaw_mat3_invert(a, &inverse)) return otherwise;
        double change = 0;
        ThawMat3 over = thaw_mat3_transpose(inverse);
        for (int k = 0; k < 9; k++) {
            double next = 0.5 * (a.m[k] + over.m[k]);
            change = fmax(change, fabs(next - a.m[k]));
            a.m[k] = next;
        }
        if (change < 1e-9) break;
    }
    return a;
}

// one Jacobi rotation that makes a[p][q] nothing; v collects the rotations
static void rotate_pair(double a[3][3], double v[3][3], int p, int q) {
    if (a[p][q] == 0) return;
    double theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
    double t = (theta >= 0 ? 1 : -1) / (fabs(theta) + sqrt(theta * theta + 1));
    double c = 1 / sqrt(t * t + 1), s = t * c;
    for (int k = 0; k < 3; k++) {
        double kp = a[k][p], kq = a[k][q];
        a[k][p] = c * kp - s * kq;
        a[k][q] = s * kp + c * kq;
    }
    for (int k = 0; k < 3; k++) {
        double pk = a[p][k], qk = a[q][k];
        a[p][k] = c * pk - s * qk;
        a[q][k] = s * pk + c * qk;
        double vp = v[k][p], vq = v[k][q];
        v[k][p] = c * vp - s * vq;
        v[k][q] = s * vp + c * vq;
    }
}

double thaw_largest_principal(const double e[6], double direction[3]) {
    double a[3][3] = {{e[0], e[3], e[5]}, {e[3], e[1], e[4]}, {e[5], e[4], e[2]}};
    double v[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int sweep = 0; sweep < 8; sweep++) {
        rotate_pair(a, v, 0, 1);
        rotate_pair(a, v, 1, 2);
        rotate_pair(a, v, 0, 2);
    }
    int most = 0;
    for (int k = 1; k < 3; k++) {
        if (a[k][k] > a[most][most]) most = k;
    }
    for (int k = 0; k < 3; k++) direction[k] = v[k][most];
    return a[most][most];
}
