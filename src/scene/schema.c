// The table as a JSON Schema (draft 07), with which editors complete and check scenes.
//
// Editors cannot check units or expressions: where a number may be text, any text passes.
#include "scene/keys.h"
#include "scene/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void put_map(SceneText *text, const char *scope);

// a number in the row's range, or text with a unit or an expression
static void put_number(SceneText *text, const SceneRow *row, bool whole) {
    SceneRange range = scene_row_range(row);
    scene_text_put(text, "{\"anyOf\": [{\"type\": \"%s\"", whole ? "integer" : "number");
    if (isfinite(range.low)) {
        scene_text_put(text, ", \"%s\": ", range.open ? "exclusiveMinimum" : "minimum");
        scene_text_number(text, range.low);
    }
    if (isfinite(range.high)) {
        scene_text_put(text, ", \"maximum\": ");
        scene_text_number(text, range.high);
    }
    scene_text_put(text, "}%s", whole ? "" : ", {\"type\": \"string\"}");
    if (row->key.animated && !whole) scene_text_put(text, ", {\"type\": \"array\"}");
    scene_text_put(text, "]}");
}

static void put_array(SceneText *text, const SceneRow *row, int least, int most) {
    scene_text_put(text, "{\"type\": \"array\", ");
    if (row->key.animated) {
        // keys over time may be of any number
        scene_text_put(text, "\"minItems\": 1}");
        return;
    }
    scene_text_put(text, "\"minItems\": %d, \"maxItems\": %d, \"items\": ", least, most);
    put_number(text, row, false);
    scene_text_put(text, "}");
}

static void put_choice(SceneText *text, const SceneRow *row) {
    char word[32];
    scene_text_put(text, "{\"enum\": [");
    for (int k = 0; scene_row_choice(row, k, word); k++) {
        scene_text_put(text, "%s\"%s\"", k > 0 ? ", " : "", word);
    }
    scene_text_put(text, "]}");
}

// one of the shapes, each with its own keys; openings are for emitters
static void put_shape(SceneText *text, bool openings) {
    const SceneRow *row;
    bool first = true;
    scene_text_put(text, "{\"type\": \"object\", \"minProperties\": 1, \"maxProperties\": 1, "
                         "\"additionalProperties\": false, \"properties\": {");
    for (int k = 0; (row = scene_row(k)) != NULL; k++) {
        const char *key = scene_row_key(row, "shape");
        bool opening = key != NULL && (strcmp(key, "disc") == 0 || strcmp(key, "rectangle") == 0);
        if (key == NULL || (opening && !openings)) continue;
        scene_text_put(text, "%s\"%s\": ", first ? "" : ", ", key);
        put_map(text, row->key.path);
        first = false;
    }
    scene_text_put(text, "}}");
}

static void put_balls(SceneText *text, const SceneRow *row) {
    scene_text_put(
        text, "{\"type\": \"array\", \"minItems\": 1, \"maxItems\": %d, \"items\": ", THAW_BALLS);
    put_array(text, row, 3, 4);
    scene_text_put(text, "}");
}

static void put_by_name(SceneText *text, const char *scope) {
    scene_text_put(text, "{\"type\": \"object\", \"additionalProperties\": ");
    put_map(text, scope);
    scene_text_put(text, "}");
}

static void put_list_of(SceneText *text, const char *scope) {
    scene_text_put(text, "{\"type\": \"array\", \"items\": ");
    put_map(text, scope);
    scene_text_put(text, "}");
}

static bool is_list_of_maps(const char *path) {
    static const char *const lists[] = {"bodies", "colliders", "attachments", "emitters",
                                        "sinks",  "forces",    "heat_sources"};
    for (size_t k = 0; k < sizeof lists / sizeof *lists; k++) {
        if (strcmp(path, lists[k]) == 0) return true;
    }
    return false;
}

static void put_curve(SceneText *text) {
    scene_text_put(text,
                   "{\"type\": \"array\", \"maxItems\": %d, \"items\": {\"type\": \"array\", "
                   "\"minItems\": 2, \"maxItems\": 2}}",
                   THAW_CURVE_POINTS);
}

// rows that are read by hand
static void put_hand(SceneText *text, const SceneRow *row) {
    const char *path = row->key.path;
    const char *last = strrchr(path, '.');
    if (strcmp(path, "thaw") == 0) {
        scene_text_put(text, "{\"const\": 1}");
    } else if (strcmp(path, "materials") == 0) {
        put_by_name(text, "materials.*");
    } else if (strcmp(path, "channels") == 0) {
        put_by_name(text, "channels.*");
    } else if (is_list_of_maps(path)) {
        char scope[32];
        snprintf(scope, sizeof scope, "%s[]", path);
        put_list_of(text, scope);
    } else if (last != NULL && strcmp(last, ".motion") == 0) {
        // attachments' motions are written as colliders' are
        scene_text_put(text, "{\"anyOf\": [");
        put_list_of(text, "colliders[].motion[]");
        scene_text_put(text, ", ");
        put_map(text, "colliders[].motion");
        scene_text_put(text, "]}");
    } else if (last != NULL && strcmp(last, ".rotate") == 0) {
        put_map(text, path);
    } else if (strcmp(path, "bodies[].channels") == 0 || strcmp(path, "emitters[].channels") == 0) {
        scene_text_put(text, "{\"type\": \"object\"}");
    } else if (strcmp(path, "shape.blend.balls") == 0) {
        put_balls(text, row);
    } else if (last != NULL && (strcmp(last, ".shape") == 0 || strcmp(last, ".region") == 0)) {
        put_shape(text, strcmp(path, "emitters[].shape") == 0);
    } else if (strcmp(row->key.type, "number") == 0) {
        put_number(text, row, false);
    } else if (strcmp(row->key.type, "pair") == 0) {
        scene_text_put(text, "{\"anyOf\": [");
        put_number(text, row, false);
        scene_text_put(text, ", ");
        put_array(text, row, 2, 2);
        scene_text_put(text, "]}");
    } else if (strcmp(row->key.type, "map") == 0) {
        put_map(text, path);
    } else if (strcmp(row->key.type, "text") == 0) {
        scene_text_put(text, "{\"type\": \"string\"}");
    } else if (strcmp(row->key.type, "expression") == 0) {
        scene_text_put(text, "{\"type\": [\"string\", \"number\"]}");
    } else if (strcmp(row->key.type, "list of pairs") == 0) {
        put_curve(text);
    } else {
        scene_text_put(text,
                       "{\"type\": [\"array\", \"string\"], \"items\": {\"type\": \"string\"}}");
    }
}

static void put_type(SceneText *text, const SceneRow *row) {
    switch (row->kind) {
    case SCENE_KIND_NUMBER: put_number(text, row, false); break;
    case SCENE_KIND_VECTOR: put_array(text, row, 2, 3); break;
    case SCENE_KIND_WHOLE: put_number(text, row, true); break;
    case SCENE_KIND_AUTO:
        scene_text_put(text, "{\"anyOf\": [{\"const\": \"auto\"}, ");
        put_number(text, row, true);
        scene_text_put(text, "]}");
        break;
    case SCENE_KIND_COUNT: put_number(text, row, true); break;
    case SCENE_KIND_SEED: scene_text_put(text, "{\"type\": \"integer\", \"minimum\": 0}"); break;
    case SCENE_KIND_SWITCH:
        scene_text_put(text, "{\"enum\": [true, false, \"yes\", \"no\"]}");
        break;
    case SCENE_KIND_TEXT: scene_text_put(text, "{\"type\": [\"string\", \"number\"]}"); break;
    case SCENE_KIND_CHOICE: put_choice(text, row); break;
    case SCENE_KIND_COLOR:
        scene_text_put(text, "{\"anyOf\": [{\"type\": \"string\", \"pattern\": "
                             "\"^#[0-9a-fA-F]{6}$\"}, {\"enum\": [");
        for (int k = 0; scene_color(k) != NULL; k++) {
            scene_text_put(text, "%s\"%s\"", k > 0 ? ", " : "", scene_color(k)->name);
        }
        scene_text_put(text, "]}, ");
        put_array(text, row, 3, 3);
        scene_text_put(text, "]}");
        break;
    case SCENE_KIND_PAIR: put_array(text, row, 2, 2); break;
    case SCENE_KIND_QUAT: put_array(text, row, 4, 4); break;
    case SCENE_KIND_ROTATE: put_map(text, "rotate"); break;
    case SCENE_KIND_MAP: put_map(text, row->key.path); break;
    case SCENE_KIND_HAND: put_hand(text, row); break;
    }
}

static void put_meaning(SceneText *text, const ThawSceneKey *key) {
    SceneText words = {0};
    scene_text_put(&words, "%s", key->meaning);
    if (key->unit[0] != '\0') scene_text_put(&words, "; %s", key->unit);
    if (key->initial[0] != '\0' && strcmp(key->initial, "required") != 0) {
        scene_text_put(&words, "; default %s", key->initial);
    }
    scene_text_put(text, "\"description\": ");
    scene_text_quote(text, words.bytes != NULL ? words.bytes : "");
    free(words.bytes);
}

static void put_required(SceneText *text, const char *scope) {
    const SceneRow *row;
    bool first = true;
    for (int k = 0; (row = scene_row(k)) != NULL; k++) {
        const char *key = scene_row_key(row, scope);
        if (key == NULL || !scene_row_required(row)) continue;
        scene_text_put(text, "%s\"%s\"", first ? ", \"required\": [" : ", ", key);
        first = false;
    }
    if (!first) scene_text_put(text, "]");
}

static void put_properties(SceneText *text, const char *scope) {
    const SceneRow *row;
    bool first = true;
    scene_text_put(text,
                   "\"type\": \"object\", \"additionalProperties\": false, \"properties\": {");
    for (int k = 0; (row = scene_row(k)) != NULL; k++) {
        const char *key = scene_row_key(row, scope);
        if (key == NULL) continue;
        // the type is wrapped so that the meaning can stand beside it
        scene_text_put(text, "%s\n\"%s\": {", first ? "" : ",", key);
        put_meaning(text, &row->key);
        scene_text_put(text, ", \"allOf\": [");
        put_type(text, row);
        scene_text_put(text, "]}");
        first = false;
    }
    scene_text_put(text, "}");
    put_required(text, scope);
}

static void put_map(SceneText *text, const char *scope) {
    scene_text_put(text, "{");
    put_properties(text, scope);
    scene_text_put(text, "}");
}

char *thaw_scene_schema(void) {
    SceneText text = {0};
    scene_text_put(&text, "{\"$schema\": \"http://json-schema.org/draft-07/schema#\", "
                          "\"title\": \"thaw scene\", ");
    put_properties(&text, "");
    scene_text_put(&text, "}\n");
    return text.bytes;
}
