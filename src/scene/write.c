// Scenes as text: every value written out, in the table's order, so that equal scenes give equal texts.
#include "scene/writer.h"

#include "math/vec.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------- lines

static void extend_path(SceneWriter *writer, const char *word) {
    size_t length = strlen(writer->path);
    snprintf(writer->path + length, sizeof writer->path - length, "%s%.63s", length > 0 ? "." : "",
             word);
}

void scene_put_key(SceneWriter *writer, const char *key) {
    if (writer->flat) {
        scene_text_put(&writer->text, "%s%s%s: ", writer->path, writer->path[0] ? "." : "", key);
        return;
    }
    int indent = 2 * writer->depth;
    scene_text_put(&writer->text, "%*s%s%s: ", writer->item ? indent - 2 : indent, "",
                   writer->item ? "- " : "", key);
    writer->item = false;
}

void scene_put_end(SceneWriter *writer) {
    scene_text_bytes(&writer->text, "\n", 1);
}

size_t scene_put_open(SceneWriter *writer, const char *key) {
    size_t mark = strlen(writer->path);
    if (writer->flat) {
        extend_path(writer, key);
        return mark;
    }
    scene_put_key(writer, key);
    writer->text.size--; // no blank at the line's end
    scene_put_end(writer);
    writer->depth++;
    return mark;
}

size_t scene_put_item(SceneWriter *writer, const char *name) {
    size_t mark = strlen(writer->path);
    if (writer->flat) extend_path(writer, name);
    writer->item = true;
    writer->depth++;
    return mark;
}

void scene_put_close(SceneWriter *writer, size_t mark) {
    writer->path[mark] = '\0';
    if (writer->depth > 0) writer->depth--;
}

// ---------------------------------------------------------------- values

void scene_put_vector(SceneText *text, ThawVec3 v) {
    const double values[3] = {v.x, v.y, v.z};
    for (int a = 0; a < 3; a++) {
        scene_text_put(text, a == 0 ? "[" : ", ");
        scene_text_number(text, values[a]);
    }
    scene_text_put(text, "]");
}

void scene_put_quat(SceneText *text, ThawQuat q) {
    const double values[4] = {q.x, q.y, q.z, q.w};
    for (int a = 0; a < 4; a++) {
        scene_text_put(text, a == 0 ? "[" : ", ");
        scene_text_number(text, values[a]);
    }
    scene_text_put(text, "]");
}

// `unit` is written behind numbers whose bare form would mean another
static void put_double(SceneText *text, double value, const char *unit) {
    scene_text_number(text, value);
    if (unit[0] != '\0') scene_text_put(text, " %s", unit);
}

void scene_put_number(SceneText *text, const ThawNumber *number, const char *unit) {
    if (number->expression != NULL) {
        scene_text_quote(text, number->text != NULL ? number->text : "0");
        return;
    }
    if (number->key_count == 0) {
        put_double(text, number->constant, unit);
        return;
    }
    for (int k = 0; k < number->key_count; k++) {
        scene_text_put(text, k == 0 ? "[[" : ", [");
        scene_text_number(text, number->keys[k][0]);
        scene_text_put(text, ", ");
        put_double(text, number->keys[k][1], unit);
        scene_text_put(text, "]");
    }
    scene_text_put(text, "]");
}

void scene_put_numbers(SceneText *text, const ThawNumber *numbers, int count) {
    for (int k = 0; k < count; k++) {
        scene_text_put(text, k == 0 ? "[" : ", ");
        scene_put_number(text, &numbers[k], "");
    }
    scene_text_put(text, "]");
}

static void put_choice(SceneText *text, const SceneRow *row, int value) {
    char word[32] = "";
    scene_row_choice(row, value, word);
    scene_text_put(text, "%s", word);
}

static void put_value(SceneText *text, const SceneRow *row, const void *at) {
    bool moving = row->key.animated || row->key.field;
    const char *unit = strcmp(row->key.unit, "deg") == 0 ? "rad" : "";
    const double *d = at;
    switch (row->kind) {
    case SCENE_KIND_NUMBER:
        if (moving) {
            scene_put_number(text, at, unit);
        } else {
            put_double(text, *d, unit);
        }
        break;
    case SCENE_KIND_VECTOR:
        if (moving) {
            scene_put_numbers(text, ((const ThawNumber3 *)at)->axis, 3);
        } else {
            scene_put_vector(text, *(const ThawVec3 *)at);
        }
        break;
    case SCENE_KIND_WHOLE: scene_text_put(text, "%d", *(const int *)at); break;
    case SCENE_KIND_AUTO:
        if (*(const int *)at == 0) {
            scene_text_put(text, "auto");
        } else {
            scene_text_put(text, "%d", *(const int *)at);
        }
        break;
    case SCENE_KIND_SEED:
    case SCENE_KIND_COUNT: scene_text_put(text, "%" PRIu64, *(const uint64_t *)at); break;
    case SCENE_KIND_SWITCH: scene_text_put(text, *(const bool *)at ? "yes" : "no"); break;
    case SCENE_KIND_TEXT: scene_text_quote(text, *(const char *const *)at); break;
    case SCENE_KIND_CHOICE: put_choice(text, row, *(const int *)at); break;
    case SCENE_KIND_COLOR: scene_put_vector(text, thaw_vec(d[0], d[1], d[2])); break;
    case SCENE_KIND_QUAT: scene_put_quat(text, *(const ThawQuat *)at); break;
    case SCENE_KIND_PAIR:
    case SCENE_KIND_ROTATE:
    case SCENE_KIND_MAP:
    case SCENE_KIND_HAND: break;
    }
}

// ---------------------------------------------------------------- maps by the table

// keys that pictures, messages or the length of a run depend on, and nothing that moves
static bool is_about_motion(const char *path) {
    static const char *const others[] = {"title", "camera", "output", "frames.count"};
    for (size_t k = 0; k < sizeof others / sizeof *others; k++) {
        if (strcmp(path, others[k]) == 0) return false;
    }
    const char *last = strrchr(path, '.');
    return last == NULL || (strcmp(last, ".color") != 0 && strcmp(last, ".visible") != 0);
}

// of a rigid body: what was not given, and is worked out from its shape
static bool is_of_the_shape(const char *last, const ThawDynamicDef *dynamic) {
    bool even = dynamic->inertia.x == 0 && dynamic->inertia.y == 0 && dynamic->inertia.z == 0;
    if (strcmp(last, "mass") == 0) return dynamic->mass == 0;
    if (strcmp(last, "density") == 0) return dynamic->mass > 0;
    return even && (strcmp(last, "inertia") == 0 || strcmp(last, "center") == 0);
}

// no temperature: insulated, or as warm as the air
static bool is_unsaid(const ThawNumber *number) {
    return number->constant == 0 && number->expression == NULL && number->key_count == 0;
}

// maps that say nothing: of heat, where there is none
static bool is_empty_map(const SceneWriter *writer, const SceneRow *row, const void *source) {
    if (row->offset == 0 || writer->scene->heat.on) return false;
    return !*(const bool *)((const char *)source + row->offset);
}

// a camera that was not given has no place; what goes on for ever has no end; volumes have no speed
static bool is_left_out(const SceneWriter *writer, const SceneRow *row, const void *source) {
    const void *at = (const char *)source + row->offset;
    static const char dynamic[] = "colliders[].dynamic.";
    if (strncmp(row->key.path, dynamic, sizeof dynamic - 1) == 0) {
        return is_of_the_shape(row->key.path + sizeof dynamic - 1,
                               &((const ThawSceneCollider *)source)->dynamic);
    }
    size_t length = strlen(row->key.path);
    if (length > 4 && strcmp(row->key.path + length - 4, "].to") == 0) {
        return !isfinite(*(const double *)at);
    }
    if (strcmp(row->key.path, "emitters[].speed") == 0) {
        return ((const ThawSceneEmitter *)source)->kind == THAW_EMITTER_VOLUME;
    }
    if (strcmp(row->key.path, "bodies[].temperature") == 0) return *(const double *)at == 0;
    if (length > 12 && strcmp(row->key.path + length - 12, ".temperature") == 0) {
        return is_unsaid(at);
    }
    if (strcmp(row->key.path, "heat_sources[].power") == 0) {
        return !is_unsaid(&((const ThawSceneHeatSource *)source)->temperature);
    }
    if (strcmp(row->key.path, "camera.map") == 0) return writer->scene->camera.map == NULL;
    static const char melting[] = "materials.*.thermal.";
    if (strncmp(row->key.path, melting, sizeof melting - 1) == 0 &&
        strcmp(row->key.path + length - 3, "_at") == 0) {
        return *(const double *)at == 0;
    }
    bool aim =
        strcmp(row->key.path, "camera.eye") == 0 || strcmp(row->key.path, "camera.target") == 0;
    return aim && !writer->scene->camera.given;
}

void scene_put_map(SceneWriter *writer, const char *scope, const void *source, SceneHandOut *hand) {
    const SceneRow *row;
    for (int k = 0; (row = scene_row(k)) != NULL; k++) {
        const char *key = scene_row_key(row, scope);
        if (key == NULL || (writer->motion && !is_about_motion(row->key.path))) continue;
        if (row->kind == SCENE_KIND_MAP && is_empty_map(writer, row, source)) continue;
        if (row->kind == SCENE_KIND_MAP) {
            size_t mark = scene_put_open(writer, key);
            scene_put_map(writer, row->key.path, source, hand);
            scene_put_close(writer, mark);
        } else if (row->kind == SCENE_KIND_HAND) {
            hand(writer, row, key, source);
        } else if (!is_left_out(writer, row, source)) {
            scene_put_key(writer, key);
            put_value(&writer->text, row, (const char *)source + row->offset);
            scene_put_end(writer);
        }
    }
}

// ---------------------------------------------------------------- things

static void put_curve(SceneText *text, const ThawFactorCurve *curve) {
    scene_text_put(text, "[");
    for (int k = 0; k < curve->count; k++) {
        scene_text_put(text, k == 0 ? "[" : ", [");
        scene_text_number(text, (double)curve->temperature[k]);
        scene_text_put(text, ", ");
        scene_text_number(text, (double)curve->factor[k]);
        scene_text_put(text, "]");
    }
    scene_text_put(text, "]");
}

// curves, rules, and the artist's surface tension; the physical one is a row
static void put_material_key(SceneWriter *writer, const SceneRow *row, const char *key,
                             const void *source) {
    const void *at = (const char *)source + row->offset;
    bool rule = strcmp(row->key.type, "expression") == 0;
    bool curve = strcmp(row->key.type, "list of pairs") == 0;
    if (rule && ((const ThawSceneRule *)at)->text == NULL) return;
    if (curve && ((const ThawFactorCurve *)at)->count == 0) return;
    scene_put_key(writer, key);
    if (rule) {
        scene_text_quote(&writer->text, ((const ThawSceneRule *)at)->text);
    } else if (curve) {
        put_curve(&writer->text, at);
    } else {
        scene_put_number(&writer->text, at, "");
    }
    scene_put_end(writer);
}

static void put_materials(SceneWriter *writer, const ThawScene *scene) {
    for (int k = 0; k < scene->material_count; k++) {
        const ThawSceneMaterial *material = &scene->materials[k];
        // a name is a key here, and may be any text
        SceneText name = {0};
        scene_text_quote(&name, material->name);
        const char *key = writer->flat || name.bytes == NULL ? material->name : name.bytes;
        size_t mark = scene_put_open(writer, key);
        scene_put_map(writer, "materials.*", material, put_material_key);
        scene_put_close(writer, mark);
        free(name.bytes);
    }
}

static void put_channels(SceneWriter *writer, const ThawScene *scene) {
    for (int k = 0; k < scene->channel_count; k++) {
        const ThawSceneChannel *channel = &scene->channels[k];
        scene_put_key(writer, channel->name);
        scene_text_put(&writer->text, "{type: %s, components: %u}",
                       channel->type == THAW_F32 ? "float" : "int", channel->components);
        scene_put_end(writer);
    }
}

void scene_put_values(SceneWriter *writer, const ThawScene *scene,
                      const ThawSceneChannelValue *values, int count) {
    if (count == 0) return;
    size_t mark = scene_put_open(writer, "channels");
    for (int k = 0; k < count; k++) {
        const ThawSceneChannel *channel = &scene->channels[values[k].channel];
        scene_put_key(writer, channel->name);
        scene_put_numbers(&writer->text, values[k].value, (int)channel->components);
        scene_put_end(writer);
    }
    scene_put_close(writer, mark);
}

// a body and the scene that its numbers point into
typedef struct BodySource {
    ThawSceneBody body; // first: rows point into it
    const ThawScene *scene;
} BodySource;

static void put_body_key(SceneWriter *writer, const SceneRow *row, const char *key,
                         const void *source) {
    (void)row;
    const BodySource *from = source;
    if (strcmp(key, "material") == 0) {
        scene_put_key(writer, key);
        scene_text_quote(&writer->text, from->scene->materials[from->body.material].name);
        scene_put_end(writer);
    } else if (strcmp(key, "shape") == 0) {
        scene_put_shape(writer, key, &from->body.shape, from->body.mesh);
    } else if (strcmp(key, "channels") == 0) {
        scene_put_values(writer, from->scene, from->body.values, from->body.value_count);
    }
}

static void put_bodies(SceneWriter *writer, const ThawScene *scene) {
    for (int k = 0; k < scene->body_count; k++) {
        BodySource source = {scene->bodies[k], scene};
        size_t mark = scene_put_item(writer, source.body.name);
        scene_put_map(writer, "bodies[]", &source, put_body_key);
        scene_put_close(writer, mark);
    }
}

// a motion of expressions as it was given: reading it makes the same keys
static void put_formula(SceneText *text, const ThawSceneMotion *formula) {
    scene_text_put(text, "{move: ");
    scene_put_numbers(text, formula->move.axis, 3);
    if (formula->turns) {
        scene_text_put(text, ", rotate: {axis: ");
        scene_put_vector(text, formula->axis);
        scene_text_put(text, ", angle: ");
        scene_put_number(text, &formula->angle, "");
        scene_text_put(text, "}");
    }
    if (formula->pivoted) {
        scene_text_put(text, ", pivot: ");
        scene_put_vector(text, formula->pivot);
    }
    scene_text_put(text, "}");
}

void scene_put_motion(SceneText *text, const ThawKeyframe *keys, int count,
                      const ThawSceneMotion *formula) {
    if (formula != NULL) {
        put_formula(text, formula);
        return;
    }
    for (int k = 0; k < count; k++) {
        const ThawKeyframe *key = &keys[k];
        scene_text_put(text, k == 0 ? "[{time: " : ", {time: ");
        scene_text_number(text, key->time);
        scene_text_put(text, ", move: ");
        scene_put_vector(text, key->move);
        scene_text_put(text, ", orientation: ");
        scene_put_quat(text, key->rotation);
        scene_text_put(text, "}");
    }
    scene_text_put(text, "]");
}

static void put_collider_key(SceneWriter *writer, const SceneRow *row, const char *key,
                             const void *source) {
    (void)row;
    const ThawSceneCollider *collider = source;
    if (strcmp(key, "shape") == 0) {
        scene_put_shape(writer, key, &collider->shape, collider->mesh);
    } else if (strcmp(key, "dynamic") == 0 && collider->dynamic.on) {
        size_t mark = scene_put_open(writer, key);
        scene_put_map(writer, "colliders[].dynamic", collider, NULL);
        scene_put_close(writer, mark);
    } else if (strcmp(key, "motion") == 0 && collider->motion_count > 0) {
        scene_put_key(writer, key);
        scene_put_motion(&writer->text, collider->motion, collider->motion_count,
                         collider->formula);
        scene_put_end(writer);
    }
}

static void put_colliders(SceneWriter *writer, const ThawScene *scene) {
    for (int k = 0; k < scene->collider_count; k++) {
        size_t mark = scene_put_item(writer, scene->colliders[k].name);
        scene_put_map(writer, "colliders[]", &scene->colliders[k], put_collider_key);
        scene_put_close(writer, mark);
    }
}

// an attachment and the scene that its numbers point into
typedef struct AttachmentSource {
    ThawSceneAttachment attachment; // first: rows point into it
    const ThawScene *scene;
} AttachmentSource;

static void put_attachment_key(SceneWriter *writer, const SceneRow *row, const char *key,
                               const void *source) {
    (void)row;
    const AttachmentSource *from = source;
    const ThawSceneAttachment *held = &from->attachment;
    bool body = strcmp(key, "body") == 0, collider = strcmp(key, "collider") == 0;
    bool motion = strcmp(key, "motion") == 0;
    if ((body && held->body < 0) || (collider && held->collider < 0)) return;
    if (motion && held->motion_count == 0) return;
    if (strcmp(key, "region") == 0) {
        scene_put_shape(writer, key, &held->region, NULL);
        return;
    }
    scene_put_key(writer, key);
    if (body) {
        scene_text_quote(&writer->text, from->scene->bodies[held->body].name);
    } else if (collider) {
        scene_text_quote(&writer->text, from->scene->colliders[held->collider].name);
    } else {
        scene_put_motion(&writer->text, held->motion, held->motion_count, held->formula);
    }
    scene_put_end(writer);
}

static void put_attachments(SceneWriter *writer, const ThawScene *scene) {
    for (int k = 0; k < scene->attachment_count; k++) {
        AttachmentSource source = {scene->attachments[k], scene};
        size_t mark = scene_put_item(writer, source.attachment.name);
        scene_put_map(writer, "attachments[]", &source, put_attachment_key);
        scene_put_close(writer, mark);
    }
}

// ---------------------------------------------------------------- the scene's own keys

static void put_periodic(SceneWriter *writer, const ThawWorldDef *world) {
    static const char *const names[3] = {"x", "y", "z"};
    const double lower[3] = {world->lower.x, world->lower.y, world->lower.z};
    const double upper[3] = {world->upper.x, world->upper.y, world->upper.z};
    if (!world->periodic[0] && !world->periodic[1] && !world->periodic[2]) return;
    size_t mark = scene_put_open(writer, "periodic");
    for (int a = 0; a < 3; a++) {
        if (!world->periodic[a]) continue;
        scene_put_key(writer, names[a]);
        scene_text_put(&writer->text, "[");
        scene_text_number(&writer->text, lower[a]);
        scene_text_put(&writer->text, ", ");
        scene_text_number(&writer->text, upper[a]);
        scene_text_put(&writer->text, "]");
        scene_put_end(writer);
    }
    scene_put_close(writer, mark);
}

static void put_output(SceneWriter *writer, const ThawSceneOutput *output) {
    scene_put_key(writer, "channels");
    scene_text_put(&writer->text, "[");
    for (int k = 0; k < output->channel_count; k++) {
        scene_text_put(&writer->text, "%s", k > 0 ? ", " : "");
        scene_text_quote(&writer->text, output->channels[k]);
    }
    scene_text_put(&writer->text, "]");
    scene_put_end(writer);
}

typedef struct Section {
    const char *key;
    void (*put)(SceneWriter *writer, const ThawScene *scene);
} Section;

static const Section sections[] = {{"materials", put_materials},
                                   {"channels", put_channels},
                                   {"bodies", put_bodies},
                                   {"colliders", put_colliders},
                                   {"attachments", put_attachments},
                                   {"emitters", scene_put_emitters},
                                   {"sinks", scene_put_sinks},
                                   {"forces", scene_put_forces},
                                   {"heat_sources", scene_put_heat_sources}};

static int count_things(const ThawScene *scene, const char *key) {
    const struct {
        const char *key;
        int count;
    } lists[] = {{"materials", scene->material_count},
                 {"channels", scene->channel_count},
                 {"bodies", scene->body_count},
                 {"colliders", scene->collider_count},
                 {"attachments", scene->attachment_count},
                 {"emitters", scene->emitter_count},
                 {"sinks", scene->sink_count},
                 {"forces", scene->force_count},
                 {"heat_sources", scene->heat_source_count}};
    for (size_t k = 0; k < sizeof lists / sizeof *lists; k++) {
        if (strcmp(lists[k].key, key) == 0) return lists[k].count;
    }
    return 0;
}

static void put_scene_key(SceneWriter *writer, const SceneRow *row, const char *key,
                          const void *source) {
    const ThawScene *scene = source;
    if (strcmp(row->key.path, "output.channels") == 0) {
        put_output(writer, &scene->output);
        return;
    }
    if (strcmp(key, "thaw") == 0) {
        scene_put_key(writer, key);
        scene_text_put(&writer->text, "1");
        scene_put_end(writer);
        return;
    }
    if (strcmp(key, "periodic") == 0) put_periodic(writer, &scene->world);
    for (size_t k = 0; k < sizeof sections / sizeof *sections; k++) {
        if (strcmp(sections[k].key, key) != 0 || count_things(scene, key) == 0) continue;
        size_t mark = scene_put_open(writer, key);
        sections[k].put(writer, scene);
        scene_put_close(writer, mark);
    }
}

SceneText scene_write_text(const ThawScene *scene, bool flat, bool motion) {
    SceneWriter writer = {.scene = scene, .flat = flat, .motion = motion};
    scene_put_map(&writer, "", scene, put_scene_key);
    return writer.text;
}

ThawResult thaw_scene_write(const ThawScene *scene, char **text, size_t *size) {
    assert(scene != NULL && text != NULL && size != NULL);
    SceneText written = scene_write_text(scene, false, false);
    if (written.failed || written.bytes == NULL) {
        free(written.bytes);
        return thaw_fail_memory(written.size);
    }
    *text = written.bytes;
    *size = written.size;
    return THAW_OK;
}
