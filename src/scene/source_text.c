// Emitters, sinks, forces and heat sources as text.
#include "scene/writer.h"

#include "math/vec.h"

#include <string.h>

// a thing and the scene that its numbers point into
typedef struct EmitterSource {
    ThawSceneEmitter emitter; // first: rows point into it
    const ThawScene *scene;
} EmitterSource;

typedef struct SinkSource {
    ThawSceneSink sink; // first
    const ThawScene *scene;
} SinkSource;

typedef struct ForceSource {
    ThawSceneForce force; // first
    const ThawScene *scene;
} ForceSource;

typedef struct HeatSource {
    ThawSceneHeatSource source; // first
    const ThawScene *scene;
} HeatSource;

// −1 is any, and not said
static void put_material(SceneWriter *writer, const ThawScene *scene, int material) {
    if (material < 0) return;
    scene_put_key(writer, "material");
    scene_text_quote(&writer->text, scene->materials[material].name);
    scene_put_end(writer);
}

// ---------------------------------------------------------------- openings

static bool same_quat(ThawQuat a, ThawQuat b) {
    return memcmp(&a, &b, sizeof a) == 0;
}

// a direction of its frame in the world, rounded to what was probably meant
static ThawVec3 direction_of(ThawQuat rotation, ThawVec3 local) {
    ThawVec3 axis = thaw_quat_rotate(rotation, local);
    double *part[3] = {&axis.x, &axis.y, &axis.z};
    for (int a = 0; a < 3; a++) {
        double whole = floor(*part[a] + 0.5);
        if (fabs(*part[a] - whole) < 1e-12) *part[a] = whole;
    }
    return axis;
}

// in the plain way where reading that gives the same bits
static void put_facing(SceneText *text, const ThawScene *scene, const ThawSceneEmitter *emitter) {
    ThawQuat turn = emitter->pose.rotation;
    int dimensions = scene->world.dimensions;
    const ThawVec3 y = {0, 1, 0}, z = {0, 0, 1};
    ThawVec3 normal = direction_of(turn, dimensions == 2 ? y : z), up = direction_of(turn, y);
    bool disc = emitter->kind == THAW_EMITTER_DISC;
    ThawQuat again = disc ? scene_face_disc(dimensions, normal)
                          : scene_face_rectangle(dimensions, normal, up, 0);
    if (!same_quat(again, turn)) {
        scene_text_put(text, ", orientation: ");
        scene_put_quat(text, turn);
        return;
    }
    scene_text_put(text, ", normal: ");
    scene_put_vector(text, normal);
    if (disc || dimensions == 2) return;
    scene_text_put(text, ", up: ");
    scene_put_vector(text, up);
}

static void put_opening(SceneWriter *writer, const ThawScene *scene,
                        const ThawSceneEmitter *emitter) {
    SceneText *text = &writer->text;
    bool disc = emitter->kind == THAW_EMITTER_DISC;
    scene_put_key(writer, "shape");
    scene_text_put(text, "{%s: {center: ", disc ? "disc" : "rectangle");
    scene_put_vector(text, emitter->pose.position);
    put_facing(text, scene, emitter);
    if (disc) {
        scene_text_put(text, ", radius: ");
        scene_text_number(text, emitter->radius);
    } else {
        scene_text_put(text, ", size: [");
        scene_text_number(text, emitter->size[0]);
        scene_text_put(text, ", ");
        scene_text_number(text, emitter->size[1]);
        scene_text_put(text, "]");
    }
    scene_text_put(text, "}}");
    scene_put_end(writer);
}

// ---------------------------------------------------------------- emitters

static void put_emitter_key(SceneWriter *writer, const SceneRow *row, const char *key,
                            const void *source) {
    (void)row;
    const EmitterSource *from = source;
    const ThawSceneEmitter *emitter = &from->emitter;
    if (strcmp(key, "material") == 0) {
        put_material(writer, from->scene, emitter->material);
    } else if (strcmp(key, "channels") == 0) {
        scene_put_values(writer, from->scene, emitter->values, emitter->value_count);
    } else if (strcmp(key, "motion") == 0) {
        if (emitter->motion_count == 0) return;
        scene_put_key(writer, key);
        scene_put_motion(&writer->text, emitter->motion, emitter->motion_count, emitter->formula);
        scene_put_end(writer);
    } else if (emitter->kind == THAW_EMITTER_VOLUME) {
        scene_put_shape(writer, key, &emitter->shape, emitter->mesh);
    } else {
        put_opening(writer, from->scene, emitter);
    }
}

void scene_put_emitters(SceneWriter *writer, const ThawScene *scene) {
    for (int k = 0; k < scene->emitter_count; k++) {
        EmitterSource source = {scene->emitters[k], scene};
        size_t mark = scene_put_item(writer, source.emitter.name);
        scene_put_map(writer, "emitters[]", &source, put_emitter_key);
        scene_put_close(writer, mark);
    }
}

// ---------------------------------------------------------------- sinks

static void put_sink_key(SceneWriter *writer, const SceneRow *row, const char *key,
                         const void *source) {
    (void)row;
    const SinkSource *from = source;
    if (strcmp(key, "material") == 0) {
        put_material(writer, from->scene, from->sink.material);
    } else {
        scene_put_shape(writer, key, &from->sink.shape, from->sink.mesh);
    }
}

void scene_put_sinks(SceneWriter *writer, const ThawScene *scene) {
    for (int k = 0; k < scene->sink_count; k++) {
        SinkSource source = {scene->sinks[k], scene};
        size_t mark = scene_put_item(writer, source.sink.name);
        scene_put_map(writer, "sinks[]", &source, put_sink_key);
        scene_put_close(writer, mark);
    }
}

// ---------------------------------------------------------------- forces

static void put_force_key(SceneWriter *writer, const SceneRow *row, const char *key,
                          const void *source) {
    const ForceSource *from = source;
    const ThawSceneForce *force = &from->force;
    if (strcmp(key, "material") == 0) {
        put_material(writer, from->scene, force->material);
    } else if (strcmp(key, "region") == 0) {
        if (force->bounded) scene_put_shape(writer, key, &force->region, NULL);
    } else if (strcmp(key, scene_force_kind(force->kind)) == 0) {
        size_t mark = scene_put_open(writer, key);
        scene_put_map(writer, row->key.path, source, NULL);
        scene_put_close(writer, mark);
    }
}

void scene_put_forces(SceneWriter *writer, const ThawScene *scene) {
    for (int k = 0; k < scene->force_count; k++) {
        ForceSource source = {scene->forces[k], scene};
        size_t mark = scene_put_item(writer, source.force.name);
        scene_put_map(writer, "forces[]", &source, put_force_key);
        scene_put_close(writer, mark);
    }
}

// ---------------------------------------------------------------- heat sources

static void put_heat_source_key(SceneWriter *writer, const SceneRow *row, const char *key,
                                const void *source) {
    (void)row;
    const HeatSource *from = source;
    const ThawSceneHeatSource *heats = &from->source;
    if (strcmp(key, "material") == 0) {
        put_material(writer, from->scene, heats->material);
    } else if (strcmp(key, "shape") == 0) {
        if (heats->bounded) scene_put_shape(writer, key, &heats->shape, heats->mesh);
    } else if (strcmp(key, "motion") == 0) {
        if (heats->motion_count == 0) return;
        scene_put_key(writer, key);
        scene_put_motion(&writer->text, heats->motion, heats->motion_count, heats->formula);
        scene_put_end(writer);
    } else if (heats->body >= 0) {
        scene_put_key(writer, key);
        scene_text_quote(&writer->text, from->scene->bodies[heats->body].name);
        scene_put_end(writer);
    }
}

void scene_put_heat_sources(SceneWriter *writer, const ThawScene *scene) {
    for (int k = 0; k < scene->heat_source_count; k++) {
        HeatSource source = {scene->heat_sources[k], scene};
        size_t mark = scene_put_item(writer, source.source.name);
        scene_put_map(writer, "heat_sources[]", &source, put_heat_source_key);
        scene_put_close(writer, mark);
    }
}
