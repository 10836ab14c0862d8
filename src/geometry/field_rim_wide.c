// The winding number near a rim. The rim's edges joined to one point are a surface with the same rim as the mesh, so
// the two wind about any point alike but for a whole number. Eight points at a time.
//
// Solid angles add up as the angles of complex numbers (van Oosterom and Strackee 1983), multiplied together: whole
// turns are lost, and not wanted. The slope is Biot and Savart's law along the rim.
#include "geometry/field_sign.h"

#include "simd/wide_pick.h"

typedef struct Vec {
    F8 x, y, z;
} Vec;

THAW_INLINE Vec from_point(const float at[3], const Vec *point) {
    return (Vec){f8_sub(f8_set(at[0]), point->x), f8_sub(f8_set(at[1]), point->y),
                 f8_sub(f8_set(at[2]), point->z)};
}

THAW_INLINE F8 dot(const Vec *a, const Vec *b) {
    return f8_add(f8_add(f8_mul(a->x, b->x), f8_mul(a->y, b->y)), f8_mul(a->z, b->z));
}

THAW_INLINE Vec cross(const Vec *a, const Vec *b) {
    return (Vec){f8_sub(f8_mul(a->y, b->z), f8_mul(a->z, b->y)),
                 f8_sub(f8_mul(a->z, b->x), f8_mul(a->x, b->z)),
                 f8_sub(f8_mul(a->x, b->y), f8_mul(a->y, b->x))};
}

typedef struct Sum {
    F8 real, imaginary; // product of the triangles' numbers
    Vec slope;
} Sum;

THAW_INLINE void add_edge(Sum *sum, const Vec *apex, F8 apex_length, const Vec *a, const Vec *b) {
    F8 la = f8_sqrt(dot(a, a)), lb = f8_sqrt(dot(b, b)), lab = f8_mul(la, lb), ab = dot(a, b);
    Vec normal = cross(a, b);
    F8 imaginary = dot(&normal, apex);
    F8 real = f8_add(f8_mul(lab, apex_length), f8_mul(ab, apex_length));
    real = f8_add(real, f8_add(f8_mul(dot(a, apex), lb), f8_mul(dot(b, apex), la)));
    // a number of length 1, so that products neither grow nor vanish; 1 where the triangle is seen from itself
    F8 square = f8_add(f8_mul(real, real), f8_mul(imaginary, imaginary));
    F8 scale = f8_div(f8_set(1), f8_sqrt(f8_max(square, f8_set(1e-30f))));
    real = f8_where(square, f8_set(1e-30f), f8_set(1), f8_mul(real, scale));
    imaginary = f8_mul(imaginary, scale);
    F8 product = f8_sub(f8_mul(sum->real, real), f8_mul(sum->imaginary, imaginary));
    sum->imaginary = f8_add(f8_mul(sum->real, imaginary), f8_mul(sum->imaginary, real));
    sum->real = product;
    F8 below = f8_mul(lab, f8_add(lab, ab));
    F8 weight = f8_div(f8_add(la, lb), f8_max(below, f8_set(1e-12f)));
    sum->slope.x = f8_add(sum->slope.x, f8_mul(normal.x, weight));
    sum->slope.y = f8_add(sum->slope.y, f8_mul(normal.y, weight));
    sum->slope.z = f8_add(sum->slope.z, f8_mul(normal.z, weight));
}

static void move(const double from[3], const double middle[3], float out[3]) {
    for (int a = 0; a < 3; a++) out[a] = (float)(from[a] - middle[a]);
}

void THAW_WIDE(thaw_rim_sample)(const ThawRim *rim, const double middle[3], const float point[3][8],
                                ThawRimSample *sample);
void THAW_WIDE(thaw_rim_sample)(const ThawRim *rim, const double middle[3], const float point[3][8],
                                ThawRimSample *sample) {
    Vec at = {f8_load(point[0]), f8_load(point[1]), f8_load(point[2])};
    Sum sum = {f8_set(1), f8_set(0), {f8_set(0), f8_set(0), f8_set(0)}};
    float apex[3], from[3], to[3];
    move(rim->apex, middle, apex);
    Vec c = from_point(apex, &at);
    F8 length = f8_sqrt(dot(&c, &c));
    for (uint32_t k = 0; k < rim->count; k++) {
        move(rim->from[k], middle, from);
        move(rim->to[k], middle, to);
        Vec a = from_point(from, &at), b = from_point(to, &at);
        add_edge(&sum, &c, length, &a, &b);
    }
    float real[8], imaginary[8];
    f8_store(real, sum.real);
    f8_store(imaginary, sum.imaginary);
    F8 slope = f8_sqrt(dot(&sum.slope, &sum.slope));
    f8_store(sample->slope, f8_mul(slope, f8_set(0.0795774715f))); // 1 / 4 pi
    // the angle is half the solid angle; turns of it are whole windings
    for (int k = 0; k < 8; k++) {
        sample->fraction[k] = atan2f(imaginary[k], real[k]) * 0.159154943f;
    }
}
