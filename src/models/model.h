// The model contract: a model is a row of stage functions over the shared particles.
//
// Adding a model is new files that define one `const ThawModel`, and its row in models.c. Each stage
// declares the fields that it reads at the particle, reads at neighbours, and writes; from these follow
// what a GPU must hold, what a neighbouring process must be sent, what an adaptive pass may skip and
// what a test may permute.
#ifndef THAW_MODELS_MODEL_H
#define THAW_MODELS_MODEL_H

#include "collision/walls.h"
#include "materials/material.h"
#include "neighbors/neighbors.h"
#include "particles/store.h"
#include "particles/work.h"
#include <thaw/report.h>
#include <thaw/world.h>

// What a stage may see. All of it belongs to the world.
typedef struct ThawStep {
    const ThawDomain *domain;
    const ThawSolverDef *solver;
    ThawStore *store;
    ThawWork *work;
    ThawNeighbors *neighbors;
    ThawWalls *walls;
    const ThawWallStep *wall_step;
    const ThawMaterial *materials;
    uint32_t material_count;
    ThawParallel *parallel;
    ThawIsa isa;
    ThawReport *report;
    double phase_clock; // for thaw_step_lap
    double gravity[3];  // m/s²
    double depth;       // m, about how deep matter may lie on itself along gravity
    double press; // m²/s²: what forces besides gravity may press matter by, over its density
    float least_spacing, largest_spacing; // m, of the particles there are
    double time;                          // s, at the start of the substep
    double dt;                            // s
    uint32_t substep;                     // of this step, from 0
    uint32_t iteration;                   // of this substep, from 0
    bool fresh; // lists were made in this substep: rows have moved since the last one
    // where fresh: row k was row order[k] before, when the store was of that revision
    const uint32_t *order;
    uint64_t order_revision;
    uint64_t seed, step; // of random numbers; steps taken before this one
    const uint8_t *held; // one a row: 1 = moved by an attachment alone; NULL when nothing is held
    const uint8_t
        *firm;   // one a row: not 0 = a solid, without a density of its own; set in aim; or NULL
    float *grip; // two a row, where firm is: what walls remember of friction with it
    bool liquid; // there is some; set in begin
    bool last;   // the last substep of the step
    bool unmeasured; // energies that cost a pass of their own are not asked for
    double travel;   // m: how far any particle may have moved in this substep; known from finish on
    // one a row, or NULL = 1: what temperature makes of stiffness, damping and viscosity; set in aim by the thermal model
    const float *stiffness, *damping, *viscosity;
    // one a row, or NULL where nothing has just melted: 1 when it does, fading; and what its C may be without pressing,
    // which the liquid measures; set in aim by the thermal model
    const float *youth;
    float *excess;
    bool changed; // set in change: states of particles have changed, and models must begin anew
    const ThawHeatDef *heat;        // NULL: the world has none
    struct ThawHeatSource *sources; // of heat: see models/heat_state.h
    uint32_t source_count;
    const ThawTransitionRules *rules; // one a material; NULL: none has any
    double density_error; // mean, from the last iteration: what a tolerance is compared with
} ThawStep;

// The moments of a substep, in order; see docs/architecture.md.
typedef enum ThawStage {
    THAW_STAGE_BEGIN,     // once a step, before its first substep: parameters, limits
    THAW_STAGE_PREDICT,   // forces: change velocities
    THAW_STAGE_AIM,       // neighbours are known: forces that need them change where particles aim
    THAW_STAGE_PREPARE,   // walls have stopped what they stop
    THAW_STAGE_ITERATE,   // once an iteration
    THAW_STAGE_FINISH,    // velocities are known: viscosity, damping
    THAW_STAGE_TRANSFORM, // flow, fracture
    THAW_STAGE_CHANGE,    // heat; particles melt and freeze
    THAW_STAGE_COUNT
} ThawStage;

// How a stage acts on tentative positions.
typedef enum ThawAction {
    THAW_ACTION_NONE,   // it does not move particles
    THAW_ACTION_JACOBI, // reads work->place everywhere, writes work->next and adds to work->shift
    THAW_ACTION_PROJECT // moves each particle by itself: work->place and work->shift of its row
} ThawAction;

typedef struct ThawStageRow {
    ThawResult (*run)(void *state, ThawStep *step); // NULL: the model has no such stage
    uint32_t reads;                                 // fields read at the particle, THAW_BIT(...)
    uint32_t reads_neighbors;                       // fields read at its neighbours
    uint32_t writes;                                // fields written at the particle
    bool reads_places;                              // reads neighbours' tentative positions
    ThawAction action;
} ThawStageRow;

typedef struct ThawModel {
    const char *name;
    const char *summary;                                          // one line for `thaw models`
    ThawResult (*create)(void **state, const ThawDomain *domain); // NULL: no state of its own
    void (*destroy)(void *state);
    // the substep length in s that the model wants for its accuracy, before the cap; NULL: any
    double (*wanted_dt)(void *state, const ThawStep *step);
    // the shorter one that it asks for stiffness alone, which may be refused; NULL: none
    double (*stiff_dt)(void *state, const ThawStep *step);
    ThawStageRow stages[THAW_STAGE_COUNT];
    // adds its figures to step->report, after the last substep; NULL: it has none
    void (*report)(void *state, ThawStep *step);
    // the bonds that broke in the last step; NULL: it breaks none
    void (*fractures)(const void *state, const ThawFracture **fractures, uint32_t *count);
} ThawModel;

// The rows, NULL-terminated. Models run in this order in every stage.
extern const ThawModel *const thaw_models[];

// Adds the time since the last lap to a phase of the report.
void thaw_step_lap(ThawStep *step, ThawPhase phase);

#endif
