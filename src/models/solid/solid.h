// The solid's inside: what its files share.
//
// A substep is three passes over blocks of eight rows: `frames` finds each particle's rotation and
// strain from where its neighbours are (eq. 4) and from them what it does to its neighbourhood; `kick` adds up
// what each particle feels from its own neighbourhood and from its neighbours' and changes velocities;
// `advance` moves. What i's neighbourhood does to the particle on site l is always of the form
// P_i l − h_i r (r and l in lattice distances), so a neighbour need only read P_i and h_i.
#ifndef THAW_MODELS_SOLID_H
#define THAW_MODELS_SOLID_H

#include "lattice/bonds.h"
#include "models/model.h"
#include "models/solid/contact.h"

#define THAW_SOLID_CHUNK 32u // blocks a task

// Solids of one material and one spacing.
typedef struct ThawSolidKind {
    uint16_t material;
    float spacing;    // m
    float distance;   // D, m
    float mass;       // kg, of a particle
    float unit;       // D a place unit
    float half_k;     // N/m: h = k/2
    float volume_k;   // N/m: λ V₀ / D²
    float shear_k;    // N/m: 2 μ V₀ / D²; what the strain-driven laws use
    float push;       // D/m: m/s² for a force sum in N/m
    float damping;    // η/m, 1/s
    float held_share; // of the stiffness that the step can carry, 1 below the limit
    float lambda, mu; // Pa, as asked for
    float asked_k, asked_volume_k;
    float omega; // 1/s, of the stiffest wave when nothing is limited
    ThawElasticity law;
} ThawSolidKind;

// One row of what neighbours read: four rows of four.
//   P00 P01 P02 u_x | P10 P11 P12 u_y | P20 P21 P22 u_z | h ω_x ω_y ω_z
// u and ω: the neighbourhood's rigid motion at its particle, m/s and m/s a lattice distance.
typedef struct ThawSolidFrame {
    float row[4][4];
} ThawSolidFrame;

typedef struct ThawSolidPass {
    int dimensions;
    int newton; // steps of the rotation
    bool damped, flows;
    const ThawSites *sites;
    const ThawBonds *bonds;
    const ThawSolidKind *kinds;
    const uint16_t *kind; // one a row; 0 is no solid
    const uint8_t *held;  // one a row or NULL
    uint32_t rows, blocks;
    int32_t period[3];
    const ThawPlace *place;
    float (*speed)[4]; // m/s
    ThawLatticeState state;
    ThawSolidFrame *frame;
    float gravity[3];
    float dt;       // s, of the substep
    double *energy; // one a chunk, J: frames adds up what strained rows hold; NULL: it does not
} ThawSolidPass;

THAW_WIDE_DECLARE(void, thaw_solid_frames, (const ThawSolidPass *pass, uint32_t chunk));
THAW_WIDE_DECLARE(void, thaw_solid_kick, (const ThawSolidPass *pass, uint32_t chunk));

typedef struct ThawSolids {
    ThawSolidKind *kinds; // [0] is no solid
    uint32_t kind_count;
    uint32_t solids; // rows
    bool active;     // there are solids
    bool damped, flows, docks, breaks;
    ThawBonds bonds;
    ThawContacts *contacts;
    // one a row
    uint16_t *kind;
    uint8_t *traits;
    int32_t *group;
    float *unit, *weight, *friction, *distance;
    float (*speed)[4];
    ThawSolidFrame *frame;
    float (*measure)[8]; // fracture: strain or stress and its norm
    // events of this step
    ThawFracture *fractures;
    uint32_t fracture_count;
    uint32_t fracture_capacity;
    uint32_t *chunk_counts;
    double *chunk_energy;
    size_t kinds_bytes, kind_bytes, traits_bytes, group_bytes, unit_bytes, weight_bytes,
        friction_bytes, distance_bytes, speed_bytes, frame_bytes, measure_bytes, counts_bytes,
        energy_bytes;
} ThawSolids;

// ---------------------------------------------------------------- plan.c: numbers of a step

// Fills kinds from the materials; reports the stiffness limit.
ThawResult thaw_solid_plan(ThawSolids *solid, ThawStep *step);
// Limits the kinds' stiffness to what a substep of step->dt carries.
void thaw_solid_pace(ThawSolids *solid, ThawStep *step);
// The substep that load asks for, and the one that stiffness asks for, s.
double thaw_solid_wanted_dt(const ThawSolids *solid, const ThawStep *step);
double thaw_solid_stiff_dt(const ThawSolids *solid);
// Largest ω² m / k over all waves on the lattice, with λ V₀ / (k D²) given.
double thaw_solid_spectrum(int dimensions, double volume_ratio);

// ---------------------------------------------------------------- flow.c, fracture.c: changes of state

// Lets a row's shape change become permanent where it passes the yield strain.
void thaw_solid_flow_row(const ThawSolids *solid, const ThawStep *step, ThawLatticeState *state,
                         uint32_t row);
// Flow, fracture and docking after a substep.
ThawResult thaw_solid_transform(ThawSolids *solid, ThawStep *step);

// energy.c: what a strained row holds, J, in double precision: the plain form of what `frames` adds up, and
// the only one of strain-driven laws
double thaw_solid_row_energy(const ThawSolidPass *pass, uint32_t row);

// the pass that all inner loops take
ThawSolidPass thaw_solid_pass(const ThawSolids *solid, const ThawStep *step);

// Where a solid's rows are and what they feel, for tests: of the model's state after a step.
const ThawSolids *thaw_solid_inside(const void *state);
void thaw_solid_fractures(const void *state, const ThawFracture **fractures, uint32_t *count);

#endif
