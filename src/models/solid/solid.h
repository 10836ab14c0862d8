// The solid's inside: what its files share.
//
// A substep is three passes over blocks of eight rows: `frames` finds each particle's rotation and
// strain from where its neighbours are (eq. 4) and from them what it does to its neighbourhood; `kick` adds up
// what each particle feels from its own neighbourhood and from its neighbours' and changes velocities;
// `advance` moves. What i's neighbourhood does to the particle on site l is always of the form
// P_i l − h_i r (r and l in lattice distances), so a neighbour need only read P_i and h_i. What rounding leaves of
// its torque is taken off, see balance_wide.h.
#ifndef THAW_MODELS_SOLID_H
#define THAW_MODELS_SOLID_H

#include "lattice/bonds.h"
#include "models/model.h"
#include "models/solid/contact.h"

#define THAW_SOLID_CHUNK 8u // blocks a task
// below this share of the full shell's determinant a neighbourhood is flat or thin: no strain across it
#define THAW_SOLID_THIN 0.004f
// how steeply the strain of a (001) face, and of a row's end in 2D, changes with places: see surface_weight
#define THAW_SOLID_FACE_3D 3.17f
#define THAW_SOLID_FACE_2D 2.41f

// Solids of one material and one spacing.
typedef struct ThawSolidKind {
    uint16_t material;
    float spacing;         // m
    float distance;        // D, m
    float mass;            // kg, of a particle
    float unit;            // D a place unit
    float half_k;          // N/m: h = k/2
    float volume_k;        // N/m: λ V₀ / D²
    float shear_k;         // N/m: 2 μ V₀ / D²; what the strain-driven laws use
    float push;            // D/m: m/s² for a force sum in N/m
    float damping;         // η/m, 1/s
    float rate, most_rate; // 1/s: what it would be without a limit, and the limit
    float held_share;      // of the stiffness that the step can carry, 1 below the limit
    float carries;         // how many times the stiffness asked for a substep carries
    float stiffest;        // largest factor of temperature on the stiffness, when the step began
    float lambda, mu;      // Pa, as asked for
    float asked_k, asked_volume_k, asked_bulk_k; // the last: K V₀ / D² of the bulk modulus
    float omega; // 1/s, of the stiffest wave when nothing is limited
    ThawElasticity law;
} ThawSolidKind;

// One row of what neighbours read: four rows of four.
//   P00 P01 P02 u_x | P10 P11 P12 u_y | P20 P21 P22 u_z | h ω_x ω_y ω_z
// P comes with the sites' scale, P l = P n for whole sites n. u and ω: the neighbourhood's rigid motion at its
// particle, m/s and m/s a lattice distance. Without damping there are none, and w stands in the place of u, N/m a
// place unit: forces w × r take the torque off that rounding left.
typedef struct ThawSolidFrame {
    float row[4][4];
} ThawSolidFrame;

// What temperature makes of a row's stiffness. Kinds then have the stiffness asked for, and the bulk modulus in
// the place of λ.
typedef struct ThawSolidSoft {
    float shear;  // of half_k and shear_k
    float volume; // of volume_k
} ThawSolidSoft;

// What fracture measures of a row.
typedef struct ThawCrackMeasure {
    float bound;   // on its strain over the limit, squared
    float load;    // of its most loaded bond; 0 where none is loaded beyond its limit
    uint32_t torn; // the sites whose bonds break
} ThawCrackMeasure;

typedef struct ThawSolidPass {
    int dimensions;
    int newton; // steps of the rotation
    bool damped, flows;
    bool uneven;  // neighbourhoods that are thin do nothing: long bonds
    bool passing; // turns and maps that are found are not kept: long bonds
    const ThawSites *sites;
    const ThawBonds *bonds;
    const ThawSolidKind *kinds;
    const uint16_t *kind;      // one a row; 0 is no solid
    const ThawSolidSoft *soft; // one a row, or NULL: all are as their kinds
    const float *drag;         // one a row, 1/s: η/m; or NULL: as their kinds'
    const uint8_t *held;       // one a row or NULL
    uint32_t rows, blocks;
    int32_t period[3];
    const ThawPlace *place;
    float (*speed)[4]; // m/s
    ThawLatticeState state;
    ThawSolidFrame *frame; // NULL where nothing will move by them
    float gravity[3];
    float dt;       // s, of the substep
    double *energy; // one a chunk, J: frames adds up what strained rows hold; NULL: it does not
} ThawSolidPass;

typedef void ThawSolidRun(const ThawSolidPass *pass, uint32_t chunk);
THAW_WIDE_DECLARE(void, thaw_solid_frames, (const ThawSolidPass *pass, uint32_t chunk));
THAW_WIDE_DECLARE(void, thaw_solid_kick, (const ThawSolidPass *pass, uint32_t chunk));

typedef struct ThawSolids {
    ThawSolidKind *kinds; // [0] is no solid
    uint32_t kind_count;
    uint32_t solids;     // rows
    uint32_t bond_count; // at the end of the last step
    bool active;         // there are solids
    bool changed;        // bonds broke or were made since contacts were listed
    bool damped, flows, docks, breaks;
    bool braced;      // some kind is stiffer than the step carries: long bonds help, see brace.c
    bool brace_found; // since bonds changed
    ThawSolidKind *brace_kinds;
    ThawBonds brace; // slots of long bonds; only slot, back and block are used
    ThawBonds bonds;
    ThawContacts *contacts;
    // one a row
    uint16_t *kind;
    uint8_t *traits;
    int32_t *group;
    float *unit, *weight, *friction, *distance;
    float (*speed)[4];
    ThawSolidFrame *frame;
    ThawSolidSoft *soft, *brace_soft; // of stiffness over temperature, when `softens`
    float *drag;                      // of damping over temperature, when `drags`
    bool softens, drags;
    ThawPlace *lagged; // where elasticity takes rows to be, when `lags`
    size_t lagged_bytes;
    bool lags;
    ThawCrackMeasure *measure;
    // events of this step
    ThawFracture *fractures;
    uint32_t fracture_count;
    uint32_t fracture_capacity;
    uint32_t *chunk_counts;
    double *chunk_energy;
    size_t kinds_bytes, kind_bytes, traits_bytes, group_bytes, unit_bytes, weight_bytes,
        friction_bytes, distance_bytes, speed_bytes, frame_bytes, measure_bytes, counts_bytes,
        energy_bytes, brace_kinds_bytes, soft_bytes, brace_soft_bytes, drag_bytes;
} ThawSolids;

// ---------------------------------------------------------------- plan.c: numbers of a step

// Fills kinds from the materials; reports the stiffness limit.
ThawResult thaw_solid_plan(ThawSolids *solid, ThawStep *step);
// The first rows of the range that are of one material, spacing and state.
ThawRange thaw_solid_alike(const ThawStore *store, ThawRange range);
// Limits the kinds' stiffness to what a substep of step->dt carries.
void thaw_solid_pace(ThawSolids *solid, ThawStep *step);
// The substep that load asks for, and the one that stiffness asks for, s.
double thaw_solid_wanted_dt(const ThawSolids *solid, const ThawStep *step);
double thaw_solid_stiff_dt(const ThawSolids *solid);
// Largest ω² m / k over all waves on the lattice, with λ V₀ / (k D²) given.
double thaw_solid_spectrum(int dimensions, double volume_ratio);

// ---------------------------------------------------------------- soften.c: stiffness over temperature

// Finds what temperature makes of each row's stiffness and damping, within what the substep carries. After the pace
// is known, and long bonds are.
ThawResult thaw_solid_soften(ThawSolids *solid, const ThawStep *step);
// Lamé's constants that a row acts by in this substep, Pa.
void thaw_solid_moduli(const ThawSolids *solid, uint32_t row, int dimensions, double *mu,
                       double *lambda);

// ---------------------------------------------------------------- lag.c: what froze off its site

// Lets lags fade for dt and finds where elasticity takes rows to be, from where they are now.
ThawResult thaw_solid_lag(ThawSolids *solid, const ThawStep *step, double dt);

// ---------------------------------------------------------------- flow.c, fracture.c: changes of state

// Lets a row's shape change become permanent where it passes the yield strain.
void thaw_solid_flow_row(const ThawSolids *solid, const ThawStep *step, ThawLatticeState *state,
                         uint32_t row);
// Flow, fracture and docking after a substep.
ThawResult thaw_solid_transform(ThawSolids *solid, ThawStep *step);

// energy.c: what a strained row holds, J, in double precision: the plain form of what `frames` adds up, and
// the only one of strain-driven laws
double thaw_solid_row_energy(const ThawSolidPass *pass, uint32_t row, const float turned[4],
                             const float mapped[9]);

// ---------------------------------------------------------------- brace.c: stiffness beyond the limit

#define THAW_BRACE 4 // lattice distances that a long bond spans
// Of the stiffness asked for, the share that long bonds take where the lattice's own hold `held` of `asked`.
double thaw_solid_brace_share(double asked, double held);
// Where four bonds in each direction lead from a block of rows, or the rows themselves, for bonds between opposite
// sites: the slots of the block's long bonds.
typedef struct ThawBraceFollow {
    const uint32_t *slot; // of the bonds
    const uint16_t *kind; // one a row: bonds never lead to another; NULL when there is only one
} ThawBraceFollow;
THAW_WIDE_DECLARE(void, thaw_brace_follow,
                  (const ThawBraceFollow *follow, uint32_t block, uint32_t *slots));
// Gives kinds that are stiffer than a substep carries long bonds as stiff as is stable.
ThawResult thaw_solid_brace_plan(ThawSolids *solid, const ThawStep *step);
// Follows bonds four times in one direction, unless that is done already.
ThawResult thaw_solid_brace_find(ThawSolids *solid, const ThawStep *step);
// The pass over long bonds.
ThawSolidPass thaw_solid_brace_pass(ThawSolids *solid, const ThawStep *step);
// What the long bonds do to velocities, after the short ones have.
void thaw_solid_brace_kick(ThawSolids *solid, ThawStep *step);

// the pass that all inner loops take
ThawSolidPass thaw_solid_pass(const ThawSolids *solid, const ThawStep *step);
void thaw_solid_run(const ThawStep *step, const ThawSolidPass *pass, ThawSolidRun *run);

// Where a solid's rows are and what they feel, for tests: of the model's state after a step.
const ThawSolids *thaw_solid_inside(const void *state);
void thaw_solid_fractures(const void *state, const ThawFracture **fractures, uint32_t *count);

#endif
