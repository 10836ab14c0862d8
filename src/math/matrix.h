// Small matrices in double precision, row by row.
#ifndef THAW_MATH_MATRIX_H
#define THAW_MATH_MATRIX_H

#include <stdbool.h>

typedef struct ThawMat3 {
    double m[9];
} ThawMat3;

ThawMat3 thaw_mat3_identity(void);
ThawMat3 thaw_mat3_from_floats(const float m[9]);
// of a unit quaternion x y z w
ThawMat3 thaw_mat3_from_turn(const float turn[4]);
ThawMat3 thaw_mat3_mul(ThawMat3 a, ThawMat3 b);
ThawMat3 thaw_mat3_transpose(ThawMat3 a);
double thaw_mat3_determinant(ThawMat3 a);
// false, and the identity, where there is none
bool thaw_mat3_invert(ThawMat3 a, ThawMat3 *inverse);

// The rotation nearest to a matrix: a = R S. `otherwise` where a turns space inside out or flattens it.
ThawMat3 thaw_mat3_rotation(ThawMat3 a, ThawMat3 otherwise);

// The largest eigenvalue of a symmetric matrix xx yy zz xy yz zx, and its unit eigenvector.
double thaw_largest_principal(const double symmetric[6], double direction[3]);

#endif
