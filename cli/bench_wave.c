// The twin of the viscosity that `thaw bench viscosity` times: a shear wave on the perfect lattice dies at
// the rate that eq. 6 asks for.
//
// Coefficient c takes c x of a wave a reference time, where x = k² h² M₂ / 2 for long waves and M₂ is the
// kernel's second moment. The wave goes once through a periodic box and moves across it, so that nothing
// but viscosity acts on it.
#include "bench.h"

#include <math.h>
#include <stdlib.h>

#define SPACING 0.01
#define LONG 32          // lattice cells along the wave: k h = ¼
#define WIDE 3           // across it
#define SPEED 0.01       // m/s
#define MOMENT 0.0583806 // M₂ of the kernel on the close packing, supports²
#define DECAY 0.02       // at least what the wave should lose, ln
#define PI 3.14159265358979323846

typedef struct Wave {
    double edge; // m, of a cubic cell of four particles
    uint32_t count;
    double (*positions)[3];
    float (*velocities)[3];
} Wave;

static double wave_number(const Wave *wave) {
    return 2.0 * PI / (LONG * wave->edge);
}

// the close packing along the axes of the box, moving up and down along x
static bool make_wave(Wave *wave) {
    static const double corners[4][3] = {{0, 0, 0}, {0, 0.5, 0.5}, {0.5, 0, 0.5}, {0.5, 0.5, 0}};
    *wave = (Wave){.edge = SPACING * cbrt(4.0), .count = LONG * WIDE * WIDE * 4};
    wave->positions = malloc(wave->count * sizeof *wave->positions);
    wave->velocities = calloc(wave->count, sizeof *wave->velocities);
    if (wave->positions == NULL || wave->velocities == NULL) return false;
    for (uint32_t n = 0; n < wave->count; n++) {
        const uint32_t cell[3] = {n / 4 % LONG, n / 4 / LONG % WIDE, n / 4 / LONG / WIDE};
        for (int a = 0; a < 3; a++) {
            wave->positions[n][a] = (cell[a] + corners[n % 4][a] + 0.25) * wave->edge;
        }
        double phase = wave_number(wave) * wave->positions[n][0];
        wave->velocities[n][2] = (float)(SPEED * sin(phase));
    }
    return true;
}

static ThawResult put_wave(const Wave *wave, const BenchWave *asked, ThawWorld **world) {
    ThawWorldDef def = thaw_world_default();
    def.spacing = SPACING;
    def.gravity = (ThawVec3){0, 0, 0};
    def.threads = asked->threads;
    def.isa = asked->isa;
    def.solver.substeps = 1;
    for (int a = 0; a < 3; a++) def.periodic[a] = true;
    def.upper = (ThawVec3){LONG * wave->edge, WIDE * wave->edge, WIDE * wave->edge};
    ThawResult result = thaw_world_create(&def, world);
    if (result != THAW_OK) return result;
    ThawMaterialDef material = thaw_material_default();
    material.liquid.xsph = (float)asked->xsph;
    ThawParticlesDef particles = {.count = wave->count,
                                  .positions = (const double(*)[3])wave->positions,
                                  .velocities = (const float(*)[3])wave->velocities};
    result = thaw_world_add_material(*world, &material, &particles.material);
    ThawParticleId first;
    return result == THAW_OK ? thaw_world_add_particles(*world, &particles, &first) : result;
}

// how much of the wave there is, m/s
static ThawResult measure_wave(const Wave *wave, ThawWorld *world, double *amplitude) {
    ThawView velocity;
    ThawResult result = thaw_world_view(world, "velocity", &velocity);
    if (result != THAW_OK) return result;
    const float *v = velocity.data;
    double sum = 0;
    thaw_world_positions(world, wave->positions);
    for (uint32_t n = 0; n < wave->count; n++) {
        sum += (double)v[3 * (size_t)n + 2] * sin(wave_number(wave) * wave->positions[n][0]);
    }
    *amplitude = 2.0 * sum / wave->count;
    return THAW_OK;
}

ThawResult bench_wave(const BenchWave *asked, double *rate) {
    Wave wave;
    ThawWorld *world = NULL;
    ThawResult result = make_wave(&wave) ? put_wave(&wave, asked, &world) : THAW_OUT_OF_MEMORY;
    double kh = wave_number(&wave) * 2.0 * SPACING, begin = 0, end = 0;
    double loss = asked->xsph * asked->dt / THAW_REFERENCE_TIME * 0.5 * MOMENT * kh * kh;
    long steps = (long)ceil(DECAY / loss);
    if (result == THAW_OK) result = measure_wave(&wave, world, &begin);
    for (long k = 0; k < steps && result == THAW_OK; k++) {
        result = thaw_world_step(world, asked->dt, NULL);
    }
    if (result == THAW_OK) result = measure_wave(&wave, world, &end);
    if (result == THAW_OK) *rate = log(begin / end) / ((double)steps * loss);
    thaw_world_destroy(world);
    free(wave.positions);
    free(wave.velocities);
    return result;
}
