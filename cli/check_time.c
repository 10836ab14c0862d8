// How long a scene will take, from what its particles cost in a substep.
//
// Costs are of one thread and were measured with `thaw bench` and runs of the example scenes: a dam break, a
// throw of dice, and liquids of c = 0.5 and 50. Machines differ, and so does what matter does in a run: good to a
// factor of two or so.
#include "check.h"

#include <math.h>
#include <unistd.h>

// s of a particle and substep
#define LIQUID_SECONDS 600e-9
#define SOLID_SECONDS 500e-9
#define PASS_SECONDS 35e-9 // of a smoothing pass; of one that spares turns twice that

// how the solver spends a coefficient: passes of ½, then an implicit solve
#define PASSES 4.0
#define PASS_SHARE 0.5
#define SOLVED 5.99  // acosh of one over what the solve leaves
#define SPECTRUM 1.2 // of what smoothing does to resting matter
#define MOST_STEPS 128.0
#define MOMENT 0.0583806 // of the kernel along an axis, supports²

long machine_threads(void) {
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    return cores < 1 ? 1 : cores > 256 ? 256 : cores;
}

static double count_passes(double c) {
    if (c <= PASSES * PASS_SHARE) return ceil(c / PASS_SHARE);
    double steps = ceil(SOLVED / acosh(1 + 2 / (SPECTRUM * (c - PASSES * PASS_SHARE))));
    return PASSES + fmin(fmax(steps, 1), MOST_STEPS);
}

// s that smoothing takes of a particle in a substep of dt: the thickest liquid decides for all
static double smoothing_seconds(const ThawScene *scene, const ThawPreflight *flight, double dt) {
    const ThawMoment start = {.t = 0};
    double most = 0;
    for (int k = 0; k < flight->liquid_count; k++) {
        const ThawLiquidForecast *liquid = &flight->liquids[k];
        double h = 2 * liquid->spacing;
        double c = thaw_number_at(&scene->materials[liquid->material].xsph, &start) * dt /
                   THAW_REFERENCE_TIME;
        // a physical viscosity spares turns, for which it smooths by twice as much
        double physical = 4 * (liquid->viscosity - liquid->smoothing) * dt / (MOMENT * h * h);
        double walks = physical > c ? 2 : 1;
        most = fmax(most, walks * count_passes(c + physical) * PASS_SECONDS);
    }
    return most;
}

double guess_seconds(const ThawScene *scene, const ThawPreflight *flight) {
    double frames = scene->frames.count + ceil(scene->frames.preroll * scene->frames.fps);
    // what freezes does so early: all of the run goes on as when it has
    double substeps = fmax(flight->substeps, flight->set_substeps);
    double dt = 1 / (scene->frames.fps * fmax(substeps, 1)), solids = 0;
    for (int k = 0; k < flight->solid_count; k++) solids += flight->solids[k].particles;
    double liquids = fmax(flight->mean - solids, 0);
    double each = LIQUID_SECONDS + smoothing_seconds(scene, flight, dt);
    double substep = SOLID_SECONDS * solids + each * liquids;
    return substep * substeps * frames / (double)machine_threads();
}
