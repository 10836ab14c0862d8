// Turbulence: a random field of accelerations that has no sources, a function of seed, place and time
// alone.
//
// It is the curl of a potential, so matter is stirred and never gathered. The potential is gradient noise:
// a lattice whose corners have random slopes, blended smoothly between them (Perlin 2002; its curl as a
// flow: Bridson, Houriham, Nordenstam 2007). Corners change their slopes in time, each at its own moments,
// from one random slope to the next, so that the field is as strong at all times. Along periodic axes a
// whole number of lattice cells makes a period.
#ifndef THAW_WORLD_FORCE_NOISE_H
#define THAW_WORLD_FORCE_NOISE_H

#include "particles/domain.h"
#include "simd/isa.h"

#define THAW_NOISE_OCTAVES 3
#define THAW_NOISE_KEPT 16 // cells that are remembered, an octave

typedef struct ThawNoiseOctave {
    double scale[3];   // lattice cells a metre
    int64_t period[3]; // lattice cells of a periodic axis; 0 = not periodic
    double strength;   // of the curl, m/s²
    double moment;     // when it is: counts the changes of slopes
    uint64_t seed;
} ThawNoiseOctave;

// What a turbulence is like.
typedef struct ThawNoiseDef {
    double strength; // m/s², root mean square of the vector
    double size;     // m, of a cell of the coarsest lattice
    double least;    // m: no finer lattice than this, but for the coarsest
    double moment;   // –: the time in changes
    uint64_t seed;
} ThawNoiseDef;

// Slopes at the eight corners of cells that were asked for lately; zero it before the first use. The field
// does not depend on it.
typedef struct ThawNoiseCell {
    int64_t at[3];
    bool known;
    float slope[9][8]; // [component of the potential × 3 + axis][corner]
} ThawNoiseCell;

typedef struct ThawNoiseCache {
    ThawNoiseCell cells[THAW_NOISE_OCTAVES][THAW_NOISE_KEPT];
} ThawNoiseCache;

// The curl of the potential at a place within a cell, 0..1 along each axis; `scale` is the strength times
// the lattice cells a metre.
typedef void ThawNoiseCurl(const ThawNoiseCell *cell, const float at[3], const float scale[3],
                           float curl[3]);
THAW_WIDE_DECLARE(void, thaw_noise_curl,
                  (const ThawNoiseCell *cell, const float at[3], const float scale[3],
                   float curl[3]));

typedef struct ThawNoise {
    int dimensions;
    int octaves;
    ThawNoiseCurl *curl;
    double lower[3]; // m, where the lattice begins
    ThawNoiseOctave octave[THAW_NOISE_OCTAVES];
} ThawNoise;

ThawNoise thaw_noise(const ThawNoiseDef *def, const ThawDomain *domain, ThawIsa isa);
// The acceleration at a point, m/s². A cache serves one noise at one time.
ThawVec3 thaw_noise_at(const ThawNoise *noise, ThawNoiseCache *cache, ThawVec3 point);

#endif
