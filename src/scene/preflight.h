// What the parts of the preflight share.
#ifndef THAW_SCENE_PREFLIGHT_H
#define THAW_SCENE_PREFLIGHT_H

#include "scene/messages.h"

#define SCENE_SUPPORT 2.0 // h in spacings

// A body as it will be, and some of its particles.
typedef struct SceneProbe {
    uint32_t particles;
    double spacing;        // m
    double distance;       // m, D of a solid's lattice; 0: a liquid
    ThawVec3 lower, upper; // of the particles
    ThawVec3 *points;
    uint32_t count;
    double (*sites)
        [3]; // all particles of a solid, local; shared by bodies that are filled alike and follow each other
} SceneProbe;

typedef struct SceneFlight {
    const ThawScene *scene;
    ThawPreflight *preflight;
    ThawMessages *messages;
    SceneProbe *probes; // one a body
    int steps;          // that a frame is made of
    double wanted;      // substeps a step before the cap, where matter is at its fastest
    double fast, calm;  // substeps a step after the cap: there, and where matter rests
    bool set;           // what is asked for is when liquid that freezes has
    bool falling;       // it is the fall's speed that asks for them, not the depth
    bool tense;         // it is the surface tension
    bool liquid;        // there is any
    double gravity;     // m/s^2, the strongest of the run
    double peak, mean;  // particles of emitters that live at once: the most, and on average
    double volume;      // m^3 (2D: m^2) of them at the most
    bool told_speed;    // that an emitter is too fast for the substeps
} SceneFlight;

void scene_estimate_substeps(SceneFlight *flight);
// The same flight when what freezes has: its substeps.
SceneFlight scene_flight_set(const SceneFlight *flight);
// Adds warnings, and errors for what must not be run. Fails for want of memory only.
ThawResult scene_warn(SceneFlight *flight);
ThawResult scene_warn_overlaps(SceneFlight *flight);
ThawResult scene_warn_contacts(SceneFlight *flight);
// Calls `visit` for all pairs i < j of bodies whose particles' extents are within `margin` of each other, until it
// returns false. Fails for want of memory only.
typedef bool SceneVisit(void *context, int i, int j);
ThawResult scene_visit_pairs(SceneFlight *flight, double margin, SceneVisit *visit, void *context);
// Whether each of the two bodies is a copy of its like, or that itself.
bool scene_are_pairs_alike(const ThawScene *scene, int i, int j, int like_i, int like_j);
// Whether one of the two has particles well inside the other: a warning of its own.
bool scene_do_overlap(const SceneFlight *flight, int i, int j);
// Pieces that stiffness cuts each of `count` substeps of a step into.
double scene_elastic_pieces(const SceneFlight *flight, double count);
// The spacing of what begins as liquid and becomes solid in the run, of a material that is not solid at the start; 0:
// nothing does.
double scene_setting_spacing(const SceneFlight *flight, int material);
// Fills in what the solids can carry; and warns of what they cannot.
ThawResult scene_forecast_solids(SceneFlight *flight);
void scene_warn_solids(SceneFlight *flight);
void scene_warn_attachments(SceneFlight *flight);
// Refuses a scene that was read without its meshes.
ThawResult scene_check_fields(const ThawScene *scene);
// Tells about each mesh, and then warns of what is likely wrong with it.
ThawResult scene_forecast_meshes(SceneFlight *flight);
ThawResult scene_warn_meshes(SceneFlight *flight);
// Bytes that solids take besides, for each particle of the scene.
double scene_solid_bytes(const ThawScene *scene);

// What emitters will make, and what is likely wrong with them.
ThawResult scene_forecast_emission(SceneFlight *flight);
void scene_warn_emitters(SceneFlight *flight);
double scene_emitter_spacing(const ThawScene *scene, const ThawSceneEmitter *emitter);
double scene_opening_area(const ThawSceneEmitter *emitter, int dimensions); // m^2 (2D: m)
// m/s of what it makes at time t.
double scene_emitter_speed(const ThawScene *scene, const ThawSceneEmitter *emitter, double t);
// What liquids can do; and warns of what they cannot.
ThawResult scene_forecast_liquids(SceneFlight *flight);
void scene_warn_liquids(SceneFlight *flight);
// How far heat goes; and warns of what is likely not meant.
ThawResult scene_forecast_heat(SceneFlight *flight);
void scene_warn_heat(SceneFlight *flight);
// Bytes that heat takes for each particle of the scene; whether solids of a material may become liquid, and whether any
// liquid may become solid.
double scene_heat_bytes(const ThawScene *scene);
bool scene_may_melt(const ThawScene *scene, int material);
bool scene_may_freeze(const ThawScene *scene);
// N/m that a material asks for at a spacing, the most of the run: the artist's and the physical together.
double scene_tension_asked(const ThawScene *scene, int material, double spacing);
// The smallest spacing of a material that flows; infinite where none does.
double scene_finest_liquid(const SceneFlight *flight, int material);

double scene_duration(const ThawScene *scene); // s, of the run and what comes before it
// The largest value of a number over the run.
double scene_largest(const ThawNumber *number, double duration);
double scene_smallest(const ThawNumber *number, double duration);
// The material as a world takes it.
ThawMaterialDef scene_material_at(const ThawSceneMaterial *material, const ThawMoment *moment);
// Whether two bodies are copies of one, by their names.
bool scene_are_copies(const ThawSceneBody *a, const ThawSceneBody *b);
// The name without the numbers of a copy.
void scene_base_name(const ThawSceneBody *body, char base[64]);

typedef bool ScenePointTest(const ThawShape *shape, ThawVec3 point, double spacing);
// Share of a body's test points that a test holds for.
double scene_share(const SceneProbe *probe, const ThawShape *shape, ScenePointTest *test);

#endif
