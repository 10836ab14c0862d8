// Softening: what a factor on Young's modulus makes of a solid's stiffness against shear and against pressure.
//
// What gets softer first does so at the same bulk modulus: matter that is about to melt gives way to shear, not to
// pressure, or it would sink into itself under its own weight and burst apart when it melts. From a tenth on both fall
// together, at a Poisson's ratio near ½ (2D: 1): kept up to the end, the bulk modulus made lumps that their weight had
// crushed gain energy as their bonds changed. What gets stiffer does so in all, at the ratio given.
#ifndef THAW_MATERIALS_SOFTENING_H
#define THAW_MATERIALS_SOFTENING_H

// Matter without any stiffness is no solid: nothing would keep its particles on their sites. A solid keeps this share.
#define THAW_LEAST_STIFFNESS 1e-3
#define THAW_SOFT_BULK 10.0 // how many times a bulk modulus' share may be that of Young's modulus

// The share of the bulk modulus K = λ + ⅔ μ (of a plane λ + μ) at a factor on Young's modulus.
static inline double thaw_soft_bulk(double factor) {
    if (factor >= 1) return factor;
    double most = THAW_SOFT_BULK * (factor > THAW_LEAST_STIFFNESS ? factor : THAW_LEAST_STIFFNESS);
    return most < 1 ? most : 1;
}

// The share of μ at a factor of up to 1 and the same K: E = 9 K μ / (3 K + μ), of a plane 4 K μ / (K + μ).
static inline double thaw_soft_shear(double factor, double poisson, int dimensions) {
    if (dimensions == 2) return factor * (1 + poisson) / (2 - factor * (1 - poisson));
    return factor * (2 + 2 * poisson) / (3 - factor * (1 - 2 * poisson));
}

#endif
