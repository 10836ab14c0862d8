// Reports: what a step did, measured.
#ifndef THAW_REPORT_H
#define THAW_REPORT_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

// The phases that a step's time is split into.
typedef enum ThawPhase {
    THAW_PHASE_PREDICT,    // forces, tentative positions, cell keys
    THAW_PHASE_SORT,       // ordering by cell
    THAW_PHASE_PERMUTE,    // moving every field to its new place
    THAW_PHASE_TABLE,      // rows and clusters
    THAW_PHASE_BUILD,      // neighbour lists
    THAW_PHASE_DENSITY,    // the density constraint
    THAW_PHASE_CORRECTION, // position corrections
    THAW_PHASE_COLLISION,  // colliders
    THAW_PHASE_VELOCITY,   // velocities and final positions
    THAW_PHASE_VISCOSITY,  // XSPH
    THAW_PHASE_BONDS,      // the solid's lattice: who sits on which site
    THAW_PHASE_ELASTICITY, // the solid's forces
    THAW_PHASE_CONTACT,    // solids against each other and against liquids
    THAW_PHASE_HEAT,       // conduction, exchange with walls and air
    THAW_PHASE_CHANGE,     // melting and freezing
    THAW_PHASE_OTHER,      // everything else
    THAW_PHASE_COUNT
} ThawPhase;

// Name of a phase in lower case, for tables and JSON.
THAW_API const char *thaw_phase_name(ThawPhase phase);

typedef struct ThawReport {
    double time;               // s, at the end of the step
    uint64_t step;             // steps taken so far
    uint32_t particles;        // live
    uint32_t substeps;         // taken in this step
    uint32_t substeps_wanted;  // what the limits asked for before the cap
    uint32_t iterations;       // summed over the substeps
    uint32_t rebuilds;         // neighbour lists built
    double neighbours;         // mean number within the support, self included
    double mass;               // kg
    ThawVec3 momentum;         // kg m/s
    ThawVec3 angular_momentum; // kg m²/s about the world's origin
    double kinetic;            // J
    double potential; // J, −Σ m g·(x − datum), datum the lowest particle of the first step
    double max_speed; // m/s
    uint32_t solid;   // particles that are solid
    double elastic;   // J, stored in strained solids; 0 with ThawWorldDef.skip_energy
    double
        surface; // J, of surface tension: of the free surface and of what holds pairs, at the last
                 // substep; only its changes mean anything
    uint32_t bonds;         // between solid particles, each counted once
    uint32_t bonds_broken;  // in this step
    uint32_t bonds_made;    // in this step
    uint32_t elastic_steps; // pieces that each substep was cut into for stiffness
    double young_limit;     // Pa: what the step could carry of the solid that asks for most
    double
        young_wanted; // Pa: what that solid asks for; above the limit it acts as the limit or a few times stiffer
    uint32_t solid_contacts;   // pairs of particles of solids that touched in the last substep
    double mean_density_error; // –, mean of max(C, 0): how far matter is compressed
    double max_density_error;  // –, its largest value
    double relaxation_used;    // –, β after the stability limit
    uint32_t
        viscosity_passes; // smoothing passes and steps of the implicit solve, over the substeps
    double
        viscosity_limit; // m²/s: the most that this step's substeps take as asked; 0 = no viscous liquid
    double tension_limit; // N/m: the same of surface tension; 0 = none asks for it
    double heat;          // J, enthalpy of all particles; 0 without heat
    double
        heat_taken; // J, that particles took from walls, air and sources in this step; with what particles
                    // that came and went brought and took, it is the change of `heat`
    double coldest, hottest;    // K, of particles
    double molten;              // kg, Σ of masses times their molten shares
    uint32_t melted, frozen;    // particles that changed their state in this step
    uint32_t heat_stages;       // passes over all pairs that conduction took in this step
    uint64_t born;              // particles that emitters made in this step
    uint64_t died;              // particles that sinks, age or number removed in this step
    uint32_t contacts;          // particles pushed by any collider in the last substep
    uint32_t removed_nonfinite; // particles removed because a value was not finite
    uint32_t removed_outside;   // particles removed because they left the 2^21 cells of the domain
    ThawParticleId first_trouble; // the first such particle, 0 when none
    double phase_seconds[THAW_PHASE_COUNT];
} ThawReport;

#ifdef __cplusplus
}
#endif

#endif
