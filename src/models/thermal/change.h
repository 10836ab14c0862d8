// Changes of state: what its files share.
//
// A round works on the particles as they are at the end of a substep. Rows only ever change themselves: who melts, who
// freezes and who wins a site that two want is decided from numbers that both sides see alike, so that the order of
// work does not matter. Heat is not touched: a change of state never changes an enthalpy.
#ifndef THAW_MODELS_THERMAL_CHANGE_H
#define THAW_MODELS_THERMAL_CHANGE_H

#include "models/row_fields.h"
#include "models/thermal/thermal.h"

#define THAW_CHANGE_CHUNK 32u     // clusters a task
#define THAW_CHANGE_ROWS 1024u    // rows a task
#define THAW_CHANGE_REACH 1.36    // D: how far off first neighbours may be
#define THAW_CHANGE_MISFIT_3D 0.4 // D: matter that is further off a site does not fit it
#define THAW_CHANGE_MISFIT_2D 0.3
#define THAW_CHANGE_NOBODY UINT32_MAX

// A liquid particle beside a vacant site.
typedef struct ThawClaim {
    uint32_t row, cluster;
    uint32_t anchor;          // the solid neighbour whose site fits best
    uint32_t neighbors;       // n: the solids around that site
    double misfit;            // D, root of the mean square over them
    double off[3];            // D, from the middle of the sites that they see to the particle
    double speed;             // m/s, past them
    double distance;          // m, D
    int32_t object, other[2]; // the anchor's, and those of others around the site; 0 = none
    bool welds[2];            // whether there are such others
} ThawClaim;

// Where a lattice begins.
typedef struct ThawBeginning {
    uint32_t row;
    float turn[4];
} ThawBeginning;

// A wall that frosts and that a particle touches.
typedef struct ThawTouch {
    int32_t handle; // of the collider, 0: none
    double normal[3];
    double slip; // m/s past it
} ThawTouch;

// An object that becomes part of another.
typedef struct ThawWeld {
    int32_t from, to;
} ThawWeld;

typedef struct ThawChanges {
    ThawClaim *claims;
    uint32_t claim_count;
    uint32_t *first;    // one a chunk of clusters, and one more: where its claims begin
    uint32_t *found;    // one a chunk: how many there are
    uint32_t *wants;    // one a row: 1 + the claim that is to freeze in this round, or 0
    uint8_t *melted;    // one a row: melted in this round
    uint8_t *begins;    // one a row: a lattice may begin there
    ThawTouch *touches; // one a row, where colliders frost
    ThawWeld *welds;
    uint32_t weld_count;
    uint32_t *counts;       // one a chunk of rows or clusters
    double *distances;      // one a material: D a spacing, as a solid
    ThawRowNumber *numbers; // THAW_TRANSITION_FIELDS a material: what rules of one's own look at
    size_t claims_bytes, first_bytes, found_bytes, wants_bytes, melted_bytes, counts_bytes,
        distances_bytes, begins_bytes, touches_bytes, welds_bytes, numbers_bytes;
} ThawChanges;

// One round.
typedef struct ThawChangeRound {
    ThawThermal *thermal;
    ThawChanges *changes;
    ThawStep *step;
    ThawThermalState heat;
    ThawLatticeState lattice; // all NULL while nothing is or was solid
    ThawRows rows;            // the same, for rules of one's own
    const ThawCluster *clusters;
    const ThawSegment *segments;
    uint32_t cluster_count;
    double dt;     // s
    uint64_t draw; // of random numbers
    double misfit; // D: the most
    double needed; // n₀ of a full shell of 12 times this: 1, in 2D ½
    bool frosts;   // some colliders do, and touches are known
} ThawChangeRound;

// ---------------------------------------------------------------- rates.c

// λ of eq. 15 in 1/s; INFINITY: at once.
double thaw_melting_rate(const ThawThermalDef *def, double temperature);

// What eq. 16 looks at.
typedef struct ThawFreezingPoint {
    double temperature; // K
    double neighbors;   // n
    double least;       // n₀
    double speed;       // m/s past the solid neighbours
    double misfit;      // D, root of the mean square
} ThawFreezingPoint;

// λ of eq. 16 in 1/s, every factor clamped; INFINITY: at once.
double thaw_freezing_rate(const ThawThermalDef *def, const ThawFreezingPoint *at);
// The same with a rate of one's own instead of the temperature: where there are neighbours enough.
double thaw_freezing_rate_by(const ThawThermalDef *def, const ThawFreezingPoint *at, double rate);
// K: below this, liquid freezes; 0 = never.
double thaw_freezing_temperature(const ThawThermalDef *def);

// Above 0 where a row is cold enough to freeze: K, or the rate of a rule.
double thaw_change_cold_rate(const ThawChangeRound *round, uint32_t row);

// Whether something that happens at a rate happens within dt.
bool thaw_change_happens(const ThawChangeRound *round, uint32_t row, double rate, uint64_t purpose);
// The row as rules of one's own see it.
ThawTransitionPoint thaw_change_point(const ThawChangeRound *round, uint32_t row);
// The rules of a row's material, or NULL.
const ThawTransitionRules *thaw_change_rules(const ThawChangeRound *round, uint32_t row);

// Metres from one row to another one of its list.
void thaw_change_way(const ThawChangeRound *round, const ThawSegment *segment, uint32_t row,
                     uint32_t other, double way[3]);
// From a row to where its lattice takes it to be: takes the lag off a way to it.
void thaw_change_step_back(const ThawChangeRound *round, uint32_t row, double way[3]);
// Whether a row is a solid that others may freeze to.
bool thaw_change_is_solid(const ThawChangeRound *round, uint32_t row);
// m: the lattice distance of a row as a solid
static inline double thaw_change_distance(const ThawChangeRound *round, uint32_t row) {
    const ThawStore *store = round->step->store;
    return round->changes->distances[store->material[row]] * (double)store->spacing[row];
}

// Notes that a row has just frozen: it looks for neighbours.
static inline void thaw_change_make_young(const ThawChangeRound *round, uint32_t row) {
    round->lattice.misfit[THAW_MISFITS * (size_t)row + THAW_SITES] = THAW_LATTICE_YOUTH;
}

// Where a place, given from a solid in m, is in its lattice: the site nearest to it (−1: none of the first shell),
// how far off it is in D, and the site in m.
typedef struct ThawSeenSite {
    int site;
    double misfit;
    double at[3];
} ThawSeenSite;
ThawSeenSite thaw_change_see(const ThawChangeRound *round, uint32_t solid, const double place[3]);

// ---------------------------------------------------------------- the parts of a round

// Returns how many melted in *melted.
ThawResult thaw_change_melt(ThawChangeRound *round, uint32_t *melted);
// Returns how many froze in *frozen.
ThawResult thaw_change_freeze(ThawChangeRound *round, uint32_t *frozen);
// Begins lattices where there is none; returns how many in *frozen.
ThawResult thaw_change_begin(ThawChangeRound *round, uint32_t *frozen);
// Lets solids that touch grow together, where one has just frozen or the materials ask for it; *any: some did.
ThawResult thaw_change_sinter(ThawChangeRound *round, bool *any);

// frosting.c: finds who touches walls that frost.
ThawResult thaw_change_touch(ThawChangeRound *round);
// The collider that a row freezes to where it is now, 0 = none.
int32_t thaw_change_frost_of(const ThawChangeRound *round, uint32_t row);
// Whether a lattice begins at a row that touches such a wall.
bool thaw_change_begins_on_wall(const ThawChangeRound *round, uint32_t row, ThawBeginning *begin);
// Lets solids that lie still on such walls freeze to them.
void thaw_change_stick(ThawChangeRound *round);

// welding.c: notes that two objects are one from now on.
ThawResult thaw_change_weld(ThawChanges *changes, int32_t a, int32_t b);
// Makes them so.
void thaw_change_relabel(ThawChangeRound *round);

#endif
