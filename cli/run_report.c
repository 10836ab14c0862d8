// Reports that a step does not give: of the state before any step, and of a step that stopped.
#include "run.h"

#include "say.h"

#include <math.h>
#include <stdlib.h>

// ---------------------------------------------------------------- the initial state

// what the sums are made of; all rows in the world's order
typedef struct Matter {
    uint32_t count;
    double (*place)[3];       // m
    const float *speed;       // m/s, three a row
    const float *spacing;     // m
    const uint16_t *material; // from 0
} Matter;

static const void *view_data(ThawWorld *world, const char *field) {
    ThawView view;
    return thaw_world_view(world, field, &view) == THAW_OK ? view.data : NULL;
}

static bool see_matter(const Run *run, Matter *matter) {
    matter->count = thaw_world_count(run->world);
    matter->place = calloc((size_t)matter->count + 1, sizeof *matter->place);
    if (matter->place == NULL) return false;
    thaw_world_positions(run->world, matter->place);
    matter->speed = view_data(run->world, "velocity");
    matter->spacing = view_data(run->world, "spacing");
    matter->material = view_data(run->world, "material");
    return matter->speed != NULL && matter->spacing != NULL && matter->material != NULL;
}

static double particle_mass(const Run *run, const Matter *matter, uint32_t row) {
    double d = (double)matter->spacing[row];
    double volume = run->scene->world.dimensions == 2 ? d * d : d * d * d;
    return run->scene->materials[matter->material[row]].density * volume;
}

static void add_particle(ThawReport *report, double mass, const double x[3], const float v[3]) {
    double vx = (double)v[0], vy = (double)v[1], vz = (double)v[2];
    double square = vx * vx + vy * vy + vz * vz;
    report->mass += mass;
    report->kinetic += 0.5 * mass * square;
    report->max_speed = fmax(report->max_speed, sqrt(square));
    report->momentum.x += mass * vx;
    report->momentum.y += mass * vy;
    report->momentum.z += mass * vz;
    report->angular_momentum.x += mass * (x[1] * vz - x[2] * vy);
    report->angular_momentum.y += mass * (x[2] * vx - x[0] * vz);
    report->angular_momentum.z += mass * (x[0] * vy - x[1] * vx);
}

// to rounding: a solid that is cut into just enough steps is no softer for it
bool run_is_stiff(const ThawReport *report) {
    return report->young_wanted > 1.001 * report->young_limit;
}

static uint32_t count_solid(const Run *run) {
    ThawView state;
    uint32_t count = 0;
    if (thaw_world_view(run->world, "state", &state) != THAW_OK) return 0;
    const uint8_t *states = state.data;
    for (uint32_t k = 0; k < state.count; k++) count += states[k] == THAW_STATE_SOLID;
    return count;
}

// what a world with heat tells of it
static void add_heat(const Run *run, const Matter *matter, ThawReport *report) {
    const ThawScene *scene = run->scene;
    const double *enthalpy = scene->heat.on ? view_data(run->world, "enthalpy") : NULL;
    ThawMaterialDef *materials = calloc((size_t)scene->material_count + 1, sizeof *materials);
    if (enthalpy == NULL || materials == NULL || matter->count == 0) {
        free(materials);
        return;
    }
    for (int k = 0; k < scene->material_count; k++) {
        materials[k] = thaw_scene_material_at(&scene->materials[k], thaw_world_time(run->world));
    }
    report->coldest = INFINITY;
    for (uint32_t row = 0; row < matter->count; row++) {
        double molten, mass = particle_mass(run, matter, row);
        double temperature =
            thaw_thermal_temperature(&materials[matter->material[row]], enthalpy[row], &molten);
        report->heat += mass * enthalpy[row];
        report->molten += mass * molten;
        report->coldest = fmin(report->coldest, temperature);
        report->hottest = fmax(report->hottest, temperature);
    }
    free(materials);
}

ThawReport run_initial_report(const Run *run) {
    ThawReport report = {.particles = thaw_world_count(run->world), .solid = count_solid(run)};
    Matter matter = {0};
    if (see_matter(run, &matter)) {
        ThawVec3 g = run->scene->world.gravity;
        double lowest = INFINITY, lift = 0;
        for (uint32_t row = 0; row < matter.count; row++) {
            const double *x = matter.place[row];
            double mass = particle_mass(run, &matter, row);
            double height = -(g.x * x[0] + g.y * x[1] + g.z * x[2]);
            add_particle(&report, mass, x, matter.speed + 3 * (size_t)row);
            lowest = fmin(lowest, height);
            lift += mass * height;
        }
        // relative to the lowest particle, as the step's own reports are
        if (matter.count > 0) report.potential = lift - report.mass * lowest;
        add_heat(run, &matter, &report);
    }
    free(matter.place);
    return report;
}

// ---------------------------------------------------------------- trouble

// where the particle is, what it belongs to, how fast it is
static void print_particle(const Run *run, ThawParticleId id) {
    uint32_t row;
    if (id == 0 || thaw_world_index(run->world, id, &row) != THAW_OK) return;
    const float *place = view_data(run->world, "position");
    const float *speed = view_data(run->world, "velocity");
    const int32_t *object = view_data(run->world, "object");
    if (place == NULL || speed == NULL || object == NULL) return;
    int body = object[row] - 1;
    bool known = body >= 0 && body < run->scene->body_count;
    const float *x = place + 3 * (size_t)row, *v = speed + 3 * (size_t)row;
    fprintf(stderr, "  particle %llu of %s%s%s was at (%g, %g, %g) m with %g m/s\n",
            (unsigned long long)id, known ? "body '" : "an emitter",
            known ? run->scene->bodies[body].name : "", known ? "'" : "", (double)x[0],
            (double)x[1], (double)x[2], hypot(hypot((double)v[0], (double)v[1]), (double)v[2]));
}

static void print_cause(const Run *run, const ThawReport *report, double dt) {
    const ThawSolverDef *solver = &run->scene->world.solver;
    uint32_t substeps =
        solver->substeps > 0 ? (uint32_t)solver->substeps : (uint32_t)solver->max_substeps;
    if (report->substeps_wanted < substeps) substeps = report->substeps_wanted;
    double moves = report->max_speed * dt / fmax(substeps, 1) / run->scene->world.spacing;
    fprintf(stderr, "  likely cause: ");
    if (report->substeps_wanted > substeps)
        fprintf(stderr,
                "%u substeps were wanted in this frame and %u allowed; %s, or look for what makes "
                "matter so fast\n",
                report->substeps_wanted, substeps,
                solver->substeps > 0 ? "set solver.substeps to auto" : "raise solver.max_substeps");
    else if (moves > 1.5)
        fprintf(stderr,
                "matter at %g m/s moves %.1f spacings a substep; lower solver.max_displacement, or "
                "look for what makes it so fast\n",
                report->max_speed, moves);
    else if (report->max_density_error > 0.5)
        fprintf(stderr,
                "matter is compressed by %.0f %% at worst: bodies that overlap, or a collider that "
                "squeezes them\n",
                100 * report->max_density_error);
    else
        fprintf(stderr,
                "a value that grows without bound; look at the animated numbers near %g s\n",
                thaw_world_time(run->world));
}

void run_say_trouble(const Run *run, int frame, const ThawReport *report) {
    say_failure("run", "numerical trouble in frame %d, after %g s: %s", frame,
                thaw_world_time(run->world), thaw_error_text());
    print_particle(run, report->first_trouble);
    print_cause(run, report, run_step(run, frame));
    if (frame - 1 >= run->first)
        fprintf(stderr, "frames %d to %d are kept in '%s'\n", run->first, frame - 1,
                run->directory);
}
