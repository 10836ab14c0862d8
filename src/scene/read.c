// From text to scene: load, override, walk the table, read what refers to other parts, check the whole.
//
// A mistake never ends the reading: each part is read as far as it can be, so that all mistakes of a file
// are said at once.
#include "scene/heat.h"
#include "scene/load.h"
#include "scene/sources.h"

#include "base/memory.h"
#include "math/vec.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#define GRAVITY 9.81
#define DEFAULT_FIELDS 5
static const char *const default_fields[DEFAULT_FIELDS] = {"velocity", "material", "object",
                                                           "state", "density_error"};

// ---------------------------------------------------------------- the scene's own keys

static bool read_periodic(SceneReader *reader, const SceneNode *node) {
    ThawWorldDef *world = &reader->owner->scene.world;
    ScenePeriod period = {0};
    if (!scene_read_map(reader, "periodic", node, &period, NULL)) return false;
    static const char *const names[3] = {"x", "y", "z"};
    for (int a = 0; a < 3; a++) world->periodic[a] = scene_node_find(node, names[a]) != NULL;
    world->lower = thaw_vec(period.axis[0][0], period.axis[1][0], period.axis[2][0]);
    world->upper = thaw_vec(period.axis[0][1], period.axis[1][1], period.axis[2][1]);
    return true;
}

// keys that refer to others are read later, in their own order
static bool take_key(SceneReader *reader, const SceneRow *row, const SceneNode *key,
                     const SceneNode *value, void *target) {
    (void)row, (void)target;
    return strcmp(key->text, "periodic") == 0 ? read_periodic(reader, value) : true;
}

static bool read_section(SceneReader *reader, const SceneNode *root, const char *key,
                         bool (*read)(SceneReader *reader, const SceneNode *node)) {
    const SceneItem *item = scene_node_find(root, key);
    if (item == NULL) return true;
    size_t length = scene_enter(reader, key);
    bool good = read(reader, item->value);
    scene_leave(reader, length);
    return good;
}

// ---------------------------------------------------------------- output

static bool add_output(SceneReader *reader, const char *name) {
    ThawSceneOutput *output = &reader->owner->scene.output;
    output->channels =
        scene_append(reader, output->channels, &output->channel_count, sizeof *output->channels);
    if (output->channels == NULL) return false;
    output->channels[output->channel_count - 1] = name;
    return true;
}

static bool writes(const ThawSceneOutput *output, const char *name) {
    for (int k = 0; k < output->channel_count; k++) {
        if (strcmp(output->channels[k], name) == 0) return true;
    }
    return false;
}

static bool read_output_channel(SceneReader *reader, const SceneNode *node) {
    const ThawScene *scene = &reader->owner->scene;
    const char *name, *known[SCENE_MOST_CHANNELS + 32];
    if (!scene_read_text(reader, node, &name)) return false;
    // these two are always written
    if (strcmp(name, "id") == 0 || strcmp(name, "position") == 0) return true;
    if (writes(&scene->output, name)) {
        return scene_complain(reader, node, "'%.60s' is listed twice", name);
    }
    if (!scene->heat.on && scene_is_thermal_field(name)) {
        // what would switch it on may be what is wrong
        if (thaw_messages_errors(reader->tree.messages) > 0) return false;
        return scene_complain(reader, node,
                              "'%s' is there only where heat is on: give a temperature, melts_at "
                              "or 'heat: {on: yes}'",
                              name);
    }
    int count = scene_collect_fields(scene, known, SCENE_MOST_CHANNELS + 32);
    for (int k = 0; k < count; k++) {
        if (strcmp(known[k], name) == 0) return add_output(reader, name);
    }
    char hint[96];
    return scene_complain(reader, node, "there is no field or channel '%.60s'%s", name,
                          scene_hint(name, known, count, hint));
}

static bool read_output(SceneReader *reader, const SceneNode *node) {
    const SceneItem *item = scene_node_find(node, "channels");
    if (item == NULL) return true;
    size_t length = scene_enter(reader, "channels");
    bool good = scene_expect(reader, item->value, SCENE_LIST);
    for (int k = 0; good && k < item->value->count; k++) {
        good &= read_output_channel(reader, item->value->items[k].value);
    }
    scene_leave(reader, length);
    return good;
}

// where there is heat, frames tell the temperature, whatever else they hold
static bool add_temperature(SceneReader *reader) {
    const ThawScene *scene = &reader->owner->scene;
    if (!scene->heat.on || writes(&scene->output, "temperature")) return true;
    return add_output(reader, "temperature");
}

static bool default_output(SceneReader *reader, const SceneNode *root) {
    const ThawScene *scene = &reader->owner->scene;
    const SceneItem *output = scene_node_find(root, "output");
    if (output != NULL && scene_node_find(output->value, "channels") != NULL) {
        return add_temperature(reader);
    }
    bool good = true;
    for (int k = 0; k < DEFAULT_FIELDS; k++) good &= add_output(reader, default_fields[k]);
    good &= add_temperature(reader);
    for (int k = 0; k < scene->channel_count; k++) {
        good &= add_output(reader, scene->channels[k].name);
    }
    return good;
}

// ---------------------------------------------------------------- defaults that depend on others

static void default_space(SceneReader *reader, const SceneNode *root) {
    ThawScene *scene = &reader->owner->scene;
    if (scene_node_find(root, "gravity") == NULL) {
        for (int a = 0; a < 3; a++) {
            double pull = a == scene->up ? -GRAVITY : 0;
            scene->gravity.axis[a] = (ThawNumber){.constant = pull, .scale = 1};
        }
    }
    const ThawMoment start = {0, 0, 0, 0};
    scene->world.gravity = thaw_number3_at(&scene->gravity, &start);
    scene->world.heat = scene_heat_at(&scene->heat, 0);
}

static bool is_animated(const ThawScene *scene) {
    bool animated = scene_vector_varies(&scene->gravity);
    for (int k = 0; k < scene->material_count && !animated; k++) {
        const ThawSceneMaterial *m = &scene->materials[k];
        const ThawSceneSolid *s = &m->solid;
        const ThawNumber *const numbers[] = {
            &m->viscosity,    &m->xsph,      &m->surface_tension, &m->tension,
            &m->tensile,      &m->vorticity, &s->young,           &s->damping,
            &s->yield_strain, &s->creep,     &s->fracture_strain, &s->fracture_stress,
            &s->docking_rate, &s->friction};
        for (size_t n = 0; n < sizeof numbers / sizeof *numbers; n++) {
            animated |= thaw_number_varies(numbers[n]);
        }
    }
    for (int k = 0; k < scene->collider_count && !animated; k++) {
        const ThawSceneCollider *collider = &scene->colliders[k];
        animated =
            thaw_number_varies(&collider->friction) || thaw_number_varies(&collider->restitution) ||
            thaw_number_varies(&collider->adhesion) || thaw_number_varies(&collider->temperature);
    }
    for (int k = 0; k < scene->emitter_count && !animated; k++) {
        animated = scene_emitter_varies(&scene->emitters[k]);
    }
    for (int k = 0; k < scene->force_count && !animated; k++) {
        animated = scene_force_varies(&scene->forces[k]);
    }
    return animated || scene_heat_varies(scene);
}

// vectors of two numbers are allowed in 2D, so this is known first
static int find_dimensions(const SceneNode *root) {
    const SceneItem *item = scene_node_find(root, "dimensions");
    bool flat =
        item != NULL && item->value->kind == SCENE_SCALAR && strcmp(item->value->text, "2") == 0;
    return flat ? 2 : 3;
}

static bool is_empty(const SceneItem *item) {
    return item == NULL || (item->value->kind == SCENE_LIST && item->value->count == 0);
}

// something must be there, or come
static bool check_matter(SceneReader *reader, const SceneNode *root) {
    const SceneItem *bodies = scene_node_find(root, "bodies");
    const SceneItem *emitters = scene_node_find(root, "emitters");
    const SceneItem *given = bodies != NULL ? bodies : emitters;
    if (!is_empty(bodies) || !is_empty(emitters)) return true;
    if (given != NULL) {
        return scene_complain(reader, given->value,
                              "a scene needs a body or an emitter: there is nothing to simulate");
    }
    if (scene_is_misspelt("", root, "bodies") || scene_is_misspelt("", root, "emitters")) {
        return false; // that was said
    }
    return scene_complain(reader, root, "the scene needs the key 'bodies', or 'emitters'");
}

// ---------------------------------------------------------------- the recipe

static void read_root(SceneReader *reader, const SceneNode *root) {
    ThawScene *scene = &reader->owner->scene;
    reader->dimensions = find_dimensions(root);
    scene->world = thaw_world_default();
    scene->title = "";
    bool good = scene_read_map(reader, "", root, scene, take_key);
    if (scene_node_find(root, "up") == NULL) scene->up = scene->world.dimensions == 2 ? 1 : 2;
    good &= read_section(reader, root, "channels", scene_read_channels);
    good &= read_section(reader, root, "materials", scene_read_materials);
    good &= read_section(reader, root, "colliders", scene_read_colliders);
    good &= read_section(reader, root, "bodies", scene_read_bodies);
    good &= read_section(reader, root, "attachments", scene_read_attachments);
    good &= read_section(reader, root, "emitters", scene_read_emitters);
    good &= read_section(reader, root, "sinks", scene_read_sinks);
    good &= read_section(reader, root, "forces", scene_read_forces);
    good &= read_section(reader, root, "heat_sources", scene_read_heat_sources);
    good &= check_matter(reader, root);
    scene_settle_heat(reader, root);
    good &= read_section(reader, root, "output", read_output);
    if (!good) {
        scene_finish_meshes(reader, false);
        return;
    }
    default_space(reader, root);
    if (!default_output(reader, root)) return;
    if (scene_check_whole(reader, root)) scene->animated = is_animated(scene);
    scene_finish_meshes(reader, thaw_messages_errors(reader->tree.messages) == 0);
}

static void read_source(SceneReader *reader, const SceneSource *source, const char *path,
                        const ThawSceneOptions *options) {
    reader->main_path = path;
    SceneNode *root = scene_load(reader, source, path);
    for (int k = 0; options != NULL && k < options->set_count && root != NULL; k++) {
        SceneNode *changed = scene_override(reader, root, options->sets[k]);
        if (changed != NULL) root = changed;
    }
    if (root != NULL) read_root(reader, root);
}

static ThawResult finish(SceneReader *reader, const char *path, ThawScene **scene) {
    ThawMessages *messages = reader->tree.messages;
    SceneOwner *owner = reader->owner;
    owner->scene.path = scene_copy(&owner->arena, path, strlen(path));
    if (owner->scene.path == NULL) scene_complain_memory(reader);
    scene_arena_free(&reader->tree.arena);
    scene_messages_close(messages);
    int errors = thaw_messages_errors(messages);
    if (errors == 0) {
        *scene = &owner->scene;
        return THAW_OK;
    }
    thaw_scene_free(&owner->scene);
    if (reader->out_of_memory) return thaw_fail_memory(0);
    const ThawMessage *first = thaw_messages_get(messages, 0);
    return thaw_fail(THAW_BAD_INPUT, "%s:%d:%d: %s%s", first->file, first->line, first->column,
                     first->text, errors > 1 ? " (and more)" : "");
}

static ThawResult start(SceneReader *reader, const ThawSceneOptions *options,
                        ThawMessages **messages) {
    *messages = NULL;
    *reader = (SceneReader){0};
    if (options != NULL) {
        reader->allow_outside = options->allow_outside;
        reader->field_folder = options->field_folder;
        reader->threads = options->threads;
        reader->no_meshes = options->no_meshes;
        reader->allow_lost = options->allow_lost;
    }
    reader->owner = thaw_alloc(sizeof *reader->owner);
    reader->tree.messages = scene_messages_create();
    if (reader->owner != NULL && reader->tree.messages != NULL) {
        *messages = reader->tree.messages;
        return THAW_OK;
    }
    thaw_free(reader->owner);
    thaw_messages_free(reader->tree.messages);
    return thaw_fail_memory(sizeof *reader->owner);
}

ThawResult thaw_scene_parse(const char *text, size_t size, const char *path,
                            const ThawSceneOptions *options, ThawScene **scene,
                            ThawMessages **messages) {
    assert(path != NULL && scene != NULL && messages != NULL && (text != NULL || size == 0));
    SceneReader reader;
    ThawResult result = start(&reader, options, messages);
    if (result != THAW_OK) return result;
    SceneSource *source = scene_source_create(&reader.tree, path, size > 0 ? text : "", size);
    if (source == NULL) {
        scene_complain_memory(&reader);
    } else {
        read_source(&reader, source, path, options);
    }
    return finish(&reader, path, scene);
}

ThawResult thaw_scene_read(const char *path, const ThawSceneOptions *options, ThawScene **scene,
                           ThawMessages **messages) {
    assert(path != NULL && scene != NULL && messages != NULL);
    SceneArena arena = {0};
    const char *text;
    size_t size;
    ThawResult result = scene_file_read(&arena, path, &text, &size);
    if (result == THAW_OK) {
        result = thaw_scene_parse(text, size, path, options, scene, messages);
    } else if (result == THAW_BAD_INPUT && (*messages = scene_messages_create()) != NULL) {
        scene_messages_add_line(*messages, true, path, 0, thaw_error_text());
    } else {
        *messages = NULL;
    }
    scene_arena_free(&arena);
    return result;
}

void thaw_scene_free(ThawScene *scene) {
    if (scene == NULL) return;
    SceneOwner *owner = (SceneOwner *)(void *)scene;
    for (int k = 0; k < owner->expression_count; k++) thaw_expression_free(owner->expressions[k]);
    for (int k = 0; k < owner->mesh_count; k++) thaw_field_release(owner->meshes[k]->field);
    scene_arena_free(&owner->arena);
    thaw_free(owner);
}
