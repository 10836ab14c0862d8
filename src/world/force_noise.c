// Gradient noise and its curl.
#include "world/force_noise.h"

#include "math/random.h"

#define PURPOSE 4711             // of random numbers; their seeds are the turbulence's own
#define GAIN 0.5                 // strength of an octave to that of the one before
#define HASTE 1.5874010519681994 // 2^(2/3): how much faster smaller eddies change (Kolmogorov)

// Mean square of one derivative of the noise, in lattice cells, for slopes of unit variance. With the
// weights w = 1 − s, s and the distances δ = u, u − 1 of an axis and means over the cell of Σ w² = 0.78355,
// Σ (w δ)² = 0.059385, Σ w'² = 2.85714, Σ ((w δ)')² = 0.779221 it is, by products over the axes:
#define DERIVATIVE_3D 0.744295090727880
#define DERIVATIVE_2D 0.780229871138961

// slopes are one of 128 levels; their standard deviation
#define LEVELS 128
#define LEVEL_DEVIATION 36.949289 // √((128² − 1) / 12)

// ---------------------------------------------------------------- the lattice

static void set_axis(ThawNoiseOctave *octave, const ThawDomain *domain, int axis, double size) {
    octave->scale[axis] = 1 / size;
    octave->period[axis] = 0;
    if (!domain->periodic[axis]) return;
    // with two cells at least no corner meets itself
    double length = thaw_fixed_cells(domain->length[axis]) * domain->cell;
    double count = fmax(2, rint(length / size));
    octave->period[axis] = (int64_t)count;
    octave->scale[axis] = count / length;
}

// what makes the curl's mean square that of `strength`
static double scale_strength(const ThawNoiseOctave *octave, int dimensions, double strength) {
    double x = octave->scale[0], y = octave->scale[1], z = octave->scale[2];
    if (dimensions == 2) return strength / sqrt(DERIVATIVE_2D * (x * x + y * y));
    return strength / sqrt(2 * DERIVATIVE_3D * (x * x + y * y + z * z));
}

ThawNoise thaw_noise(const ThawNoiseDef *def, const ThawDomain *domain, ThawIsa isa) {
    ThawNoise noise = {.dimensions = domain->dimensions,
                       .curl = THAW_WIDE_PICK(isa, thaw_noise_curl)};
    double size = def->size, share = 1, power = 0, haste = 1;
    for (int a = 0; a < 3; a++) {
        if (domain->periodic[a]) noise.lower[a] = thaw_fixed_cells(domain->lower[a]) * domain->cell;
    }
    for (int k = 0; k < THAW_NOISE_OCTAVES && (k == 0 || size >= def->least); k++) {
        ThawNoiseOctave *octave = &noise.octave[k];
        for (int a = 0; a < 3; a++) set_axis(octave, domain, a, size);
        octave->strength = scale_strength(octave, domain->dimensions, share * def->strength);
        octave->moment = def->moment * haste;
        octave->seed = thaw_random_bits(def->seed, (uint64_t)k, 0, PURPOSE);
        power += share * share;
        noise.octaves++;
        size *= 0.5;
        share *= GAIN;
        haste *= HASTE;
    }
    for (int k = 0; k < noise.octaves; k++) noise.octave[k].strength /= sqrt(power);
    return noise;
}

// ---------------------------------------------------------------- slopes

static double smooth(double u) {
    return u * u * u * (u * (u * 6 - 15) + 10);
}

// the n-th number of a corner's own stream (SplitMix64)
static uint64_t draw(uint64_t own, uint64_t n) {
    uint64_t z = own + n * UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

// nine levels in a number's bits
static float level(uint64_t bits, int place) {
    return (float)((int)(bits >> (7 * place) & (LEVELS - 1)) * 2 - (LEVELS - 1));
}

// The slopes of one corner at the octave's moment. Old and fresh slopes are mixed so that their squares add up
// to one.
static void find_slopes(const ThawNoiseOctave *octave, const int64_t at[3], ThawNoiseCell *cell,
                        int corner) {
    uint64_t own =
        thaw_random_bits(octave->seed, (uint64_t)at[0], (uint64_t)at[1], (uint64_t)at[2]);
    double moment = octave->moment + (double)(own >> 11) * 0x1p-53, count = floor(moment);
    uint64_t turn = (uint64_t)(int64_t)count, from = draw(own, turn), to = draw(own, turn + 1);
    double s = smooth(moment - count);
    double norm = 1 / (2 * LEVEL_DEVIATION * sqrt((1 - s) * (1 - s) + s * s));
    float old = (float)((1 - s) * norm), fresh = (float)(s * norm);
    for (int k = 0; k < 9; k++) {
        cell->slope[k][corner] = old * level(from, k) + fresh * level(to, k);
    }
}

static int64_t wrap(int64_t at, int64_t period) {
    if (period == 0) return at;
    int64_t rest = at % period;
    return rest < 0 ? rest + period : rest;
}

static const ThawNoiseCell *find_cell(const ThawNoise *noise, int octave, ThawNoiseCache *cache,
                                      const int64_t at[3]) {
    uint32_t place =
        ((uint32_t)at[0] & 3) | ((uint32_t)at[1] & 1) << 2 | ((uint32_t)at[2] & 1) << 3;
    ThawNoiseCell *cell = &cache->cells[octave][place];
    if (cell->known && cell->at[0] == at[0] && cell->at[1] == at[1] && cell->at[2] == at[2]) {
        return cell;
    }
    const ThawNoiseOctave *lattice = &noise->octave[octave];
    int corners = noise->dimensions == 3 ? 8 : 4;
    for (int c = 0; c < corners; c++) {
        int64_t corner[3];
        for (int a = 0; a < 3; a++) corner[a] = wrap(at[a] + (c >> a & 1), lattice->period[a]);
        find_slopes(lattice, corner, cell, c);
    }
    for (int a = 0; a < 3; a++) cell->at[a] = at[a];
    cell->known = true;
    return cell;
}

// ---------------------------------------------------------------- the curl

static ThawVec3 curl_of(const ThawNoise *noise, int k, ThawNoiseCache *cache, ThawVec3 point) {
    const ThawNoiseOctave *octave = &noise->octave[k];
    const double from[3] = {point.x - noise->lower[0], point.y - noise->lower[1],
                            point.z - noise->lower[2]};
    int64_t at[3];
    float u[3], scale[3], curl[3];
    for (int a = 0; a < 3; a++) {
        // in 2D a stream function: nothing changes along z
        bool used = a < noise->dimensions;
        double cells = used ? from[a] * octave->scale[a] : 0, whole = floor(cells);
        at[a] = wrap((int64_t)whole, octave->period[a]);
        u[a] = (float)(cells - whole);
        scale[a] = used ? (float)(octave->strength * octave->scale[a]) : 0;
    }
    noise->curl(find_cell(noise, k, cache, at), u, scale, curl);
    return (ThawVec3){(double)curl[0], (double)curl[1],
                      noise->dimensions == 3 ? (double)curl[2] : 0};
}

ThawVec3 thaw_noise_at(const ThawNoise *noise, ThawNoiseCache *cache, ThawVec3 point) {
    ThawVec3 sum = {0, 0, 0};
    for (int k = 0; k < noise->octaves; k++) {
        ThawVec3 part = curl_of(noise, k, cache, point);
        sum = (ThawVec3){sum.x + part.x, sum.y + part.y, sum.z + part.z};
    }
    return sum;
}
