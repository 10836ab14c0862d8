// From libfyaml's events to nodes. Depth and number are bounded while reading, before anything is built
// on them; the library's own diagnostics become messages with a place.
#include "scene/tree.h"

#include "scene/units.h"
#include "scene/yaml_words.h"

#include <libfyaml.h>
#include <stdlib.h>
#include <string.h>

#define MOST_MERGED 1000 // keys of a map that merges, or is merged

typedef struct Anchor {
    const char *name;
    size_t length;
    SceneNode *node;
} Anchor;

// one text being read
typedef struct Reading {
    SceneTree *tree;
    const SceneSource *source;
    size_t begin; // byte of the source that the parser was given first
    SceneNode *stack[SCENE_MOST_DEPTH];
    SceneNode *key[SCENE_MOST_DEPTH]; // waiting for its value
    int depth;
    SceneNode *root;
    Anchor *anchors;
    int anchor_count;
    int documents;
    bool json;
    bool failed;
} Reading;

// ---------------------------------------------------------------- nodes

static void fail(Reading *reading, ScenePlace place, const char *format, ...) THAW_PRINTF(3, 4);
static void fail(Reading *reading, ScenePlace place, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    scene_messages_vadd(reading->tree->messages, true, place, format, arguments);
    va_end(arguments);
    reading->failed = true;
}

SceneNode *scene_node_create(SceneTree *tree, SceneNodeKind kind, ScenePlace place) {
    if (++tree->nodes > SCENE_MOST_NODES) return NULL;
    SceneNode *node = scene_take(&tree->arena, sizeof *node);
    if (node == NULL) return NULL;
    node->kind = kind;
    node->place = place;
    node->text = "";
    return node;
}

SceneNode *scene_node_scalar(SceneTree *tree, ScenePlace place, const char *text, size_t length) {
    SceneNode *node = scene_node_create(tree, SCENE_SCALAR, place);
    if (node == NULL) return NULL;
    node->text = scene_copy(&tree->arena, text, length);
    node->length = length;
    return node->text != NULL ? node : NULL;
}

SceneNode *scene_node_copy(SceneTree *tree, const SceneNode *node) {
    SceneNode *copy = scene_node_create(tree, node->kind, node->place);
    if (copy == NULL) return NULL;
    *copy = *node;
    copy->items = NULL;
    copy->count = 0;
    for (int k = 0; k < node->count; k++) {
        if (!scene_node_add(tree, copy, node->items[k].key, node->items[k].value)) return NULL;
    }
    return copy;
}

bool scene_node_add(SceneTree *tree, SceneNode *node, SceneNode *key, SceneNode *value) {
    if (++tree->nodes > SCENE_MOST_NODES) return false;
    void *items = scene_grow(&tree->arena, node->items, node->count, sizeof *node->items);
    if (items == NULL) return false;
    node->items = items;
    node->items[node->count++] = (SceneItem){key, value};
    return true;
}

SceneItem *scene_node_find(const SceneNode *map, const char *key) {
    if (map == NULL || map->kind != SCENE_MAP) return NULL;
    for (int k = 0; k < map->count; k++) {
        if (strcmp(map->items[k].key->text, key) == 0) return &map->items[k];
    }
    return NULL;
}

bool scene_node_is_null(const SceneNode *node) {
    return node->kind == SCENE_SCALAR && !node->quoted &&
           (node->length == 0 || strcmp(node->text, "~") == 0 || strcmp(node->text, "null") == 0);
}

const char *scene_node_look(const SceneNode *node) {
    if (node->kind == SCENE_LIST) return "a list";
    if (node->kind == SCENE_MAP) return "a map";
    if (scene_node_is_null(node)) return "nothing";
    return !node->quoted && scene_is_quantity(node->text, node->length) ? "a number" : "text";
}

// ---------------------------------------------------------------- building

static void fail_full(Reading *reading, ScenePlace place) {
    fail(reading, place, "the scene is too large: more than %d values", SCENE_MOST_NODES);
}

// hangs a finished or opened node into the innermost open one
static void hang(Reading *reading, SceneNode *node) {
    if (reading->depth == 0) {
        reading->root = node;
        return;
    }
    SceneNode *parent = reading->stack[reading->depth - 1];
    SceneNode **key = &reading->key[reading->depth - 1];
    if (parent->kind == SCENE_MAP && *key == NULL) {
        if (node->kind != SCENE_SCALAR) {
            fail(reading, node->place, "a key must be a word, not %s", scene_node_look(node));
        }
        *key = node;
        return;
    }
    if (!scene_node_add(reading->tree, parent, *key, node)) fail_full(reading, node->place);
    *key = NULL;
}

static void open_node(Reading *reading, SceneNode *node) {
    hang(reading, node);
    if (reading->depth == SCENE_MOST_DEPTH) {
        fail(reading, node->place, "values are nested more than %d deep", SCENE_MOST_DEPTH);
        return;
    }
    node->open = true;
    reading->key[reading->depth] = NULL;
    reading->stack[reading->depth++] = node;
}

static int compare_items(const void *a, const void *b) {
    const SceneItem *const *x = a, *const *y = b;
    int order = strcmp((*x)->key->text, (*y)->key->text);
    return order != 0 ? order : (*x < *y ? -1 : *x > *y);
}

// every key but the first of its name is an error
static void find_duplicates(Reading *reading, const SceneNode *map) {
    if (map->count < 2) return;
    const SceneItem **order = malloc((size_t)map->count * sizeof *order);
    if (order == NULL) {
        fail_full(reading, map->place);
        return;
    }
    for (int k = 0; k < map->count; k++) order[k] = &map->items[k];
    qsort(order, (size_t)map->count, sizeof *order, compare_items);
    for (int k = 1; k < map->count; k++) {
        const SceneNode *key = order[k]->key;
        int first = k - 1;
        if (strcmp(order[first]->key->text, key->text) != 0 || strcmp(key->text, "<<") == 0)
            continue;
        while (first > 0 && strcmp(order[first - 1]->key->text, key->text) == 0) first--;
        fail(reading, key->place, "key '%.60s' is given twice; first on line %d", key->text,
             order[first]->key->line);
    }
    free(order);
}

// the keys of `from` that the map lacks
static void merge_map(Reading *reading, SceneNode *map, const SceneNode *from) {
    if (from->kind != SCENE_MAP) {
        fail(reading, from->place, "'<<' merges maps, not %s", scene_node_look(from));
        return;
    }
    if (map->count > MOST_MERGED || from->count > MOST_MERGED) {
        fail(reading, map->place, "'<<' merges maps of up to %d keys", MOST_MERGED);
        return;
    }
    for (int k = 0; k < from->count && !reading->failed; k++) {
        if (scene_node_find(map, from->items[k].key->text) != NULL) continue;
        if (!scene_node_add(reading->tree, map, from->items[k].key, from->items[k].value)) {
            fail_full(reading, map->place);
        }
    }
}

// takes "<<" out and its maps' keys in
static void merge_all(Reading *reading, SceneNode *map) {
    for (int k = 0; k < map->count; k++) {
        SceneItem item = map->items[k];
        if (item.key->quoted || strcmp(item.key->text, "<<") != 0) continue;
        memmove(&map->items[k], &map->items[k + 1],
                (size_t)(map->count - k - 1) * sizeof *map->items);
        map->count--;
        k--;
        if (item.value->kind != SCENE_LIST) merge_map(reading, map, item.value);
        for (int n = 0; item.value->kind == SCENE_LIST && n < item.value->count; n++) {
            merge_map(reading, map, item.value->items[n].value);
        }
    }
}

static void close_node(Reading *reading) {
    SceneNode *node = reading->stack[--reading->depth];
    node->open = false;
    if (node->kind != SCENE_MAP) return;
    find_duplicates(reading, node);
    if (!reading->failed) merge_all(reading, node);
}

// ---------------------------------------------------------------- events

static ScenePlace place_of(const Reading *reading, struct fy_token *token, size_t back) {
    const struct fy_mark *mark = token != NULL ? fy_token_start_mark(token) : NULL;
    if (mark != NULL) {
        size_t offset = reading->begin + mark->input_pos;
        return (ScenePlace){reading->source, offset >= back ? offset - back : 0};
    }
    // an empty value has no token of its own: its key is the nearest place
    const SceneNode *key = reading->depth > 0 ? reading->key[reading->depth - 1] : NULL;
    if (key != NULL) return key->place;
    return (ScenePlace){reading->source, reading->begin};
}

static int line_of(const Reading *reading, struct fy_token *token) {
    const struct fy_mark *mark = token != NULL ? fy_token_start_mark(token) : NULL;
    if (mark != NULL) return mark->line + 1;
    const SceneNode *key = reading->depth > 0 ? reading->key[reading->depth - 1] : NULL;
    return key != NULL ? key->line : 1;
}

static void keep_anchor(Reading *reading, struct fy_token *token, SceneNode *node) {
    if (token == NULL) return;
    SceneArena *arena = &reading->tree->arena;
    size_t length = 0;
    const char *text = fy_token_get_text(token, &length);
    void *grown =
        scene_grow(arena, reading->anchors, reading->anchor_count, sizeof *reading->anchors);
    char *name = text != NULL ? scene_copy(arena, text, length) : NULL;
    if (grown == NULL || name == NULL || ++reading->tree->nodes > SCENE_MOST_NODES) {
        fail_full(reading, node->place);
        return;
    }
    reading->anchors = grown;
    reading->anchors[reading->anchor_count++] = (Anchor){name, length, node};
}

static void refuse_tag(Reading *reading, struct fy_token *tag, ScenePlace place) {
    if (tag != NULL) fail(reading, place, "tags like !!str have no place in a scene");
}

// ---------------------------------------------------------------- text in single quotes

static bool is_blank(char c) {
    return c == ' ' || c == '\t';
}

static bool is_break(char c) {
    return c == '\n' || c == '\r';
}

// Skips the blanks and breaks at `at` and writes what they fold to: a space for one break, else a break
// less than there are. Gives where the next line's text begins.
static const char *fold(const char *at, const char *end, char *copy, size_t *length) {
    int breaks = 0;
    while (*length > 0 && is_blank(copy[*length - 1])) --*length;
    for (; at < end && (is_blank(*at) || is_break(*at)); at++) {
        if (*at == '\r' && at + 1 < end && at[1] == '\n') at++;
        breaks += is_break(*at);
    }
    if (breaks == 1) copy[(*length)++] = ' ';
    for (int k = 1; k < breaks; k++) copy[(*length)++] = '\n';
    return at;
}

// Read by ourselves: libfyaml 0.7 loses memory over texts with several quotes in them.
static const char *read_single_quoted(const Reading *reading, size_t begin, size_t *length) {
    const char *at = reading->source->text + begin;
    const char *end = reading->source->text + reading->source->size;
    const char *close = at;
    while (close < end && (*close != '\'' || (close + 1 < end && close[1] == '\''))) {
        close += *close == '\'' ? 2 : 1;
    }
    char *copy = scene_take(&reading->tree->arena, (size_t)(close - at) + 1);
    *length = 0;
    while (copy != NULL && at < close) {
        if (is_break(*at)) {
            at = fold(at, close, copy, length);
        } else {
            copy[(*length)++] = *at;
            at += *at == '\'' ? 2 : 1;
        }
    }
    return copy;
}

static const char *text_of(const Reading *reading, struct fy_token *token, size_t *length) {
    *length = 0;
    if (token == NULL) return "";
    const struct fy_mark *mark = fy_token_start_mark(token);
    if (fy_token_scalar_style(token) == FYSS_SINGLE_QUOTED && mark != NULL) {
        return read_single_quoted(reading, reading->begin + mark->input_pos, length);
    }
    return fy_token_get_text(token, length);
}

// ---------------------------------------------------------------- events, one by one

static void take_scalar(Reading *reading, const struct fy_event_scalar_data *data) {
    enum fy_scalar_style style =
        data->value != NULL ? fy_token_scalar_style(data->value) : FYSS_PLAIN;
    bool quoted = style != FYSS_PLAIN && style != FYSS_ANY;
    bool marks = style == FYSS_SINGLE_QUOTED || style == FYSS_DOUBLE_QUOTED;
    size_t length = 0;
    ScenePlace place = place_of(reading, data->value, marks);
    const char *text = text_of(reading, data->value, &length);
    SceneNode *node = scene_node_scalar(reading->tree, place, text != NULL ? text : "", length);
    if (node == NULL) {
        fail_full(reading, place);
        return;
    }
    node->quoted = quoted;
    node->line = line_of(reading, data->value);
    if (memchr(node->text, 0, length) != NULL) fail(reading, place, "text must not hold \\0");
    refuse_tag(reading, data->tag, place);
    keep_anchor(reading, data->anchor, node);
    hang(reading, node);
}

static void take_start(Reading *reading, SceneNodeKind kind, struct fy_token *start,
                       struct fy_token *anchor, struct fy_token *tag) {
    ScenePlace place = place_of(reading, start, 0);
    SceneNode *node = scene_node_create(reading->tree, kind, place);
    if (node == NULL) {
        fail_full(reading, place);
        return;
    }
    node->line = line_of(reading, start);
    refuse_tag(reading, tag, place);
    keep_anchor(reading, anchor, node);
    open_node(reading, node);
}

static void take_alias(Reading *reading, struct fy_token *token) {
    size_t length = 0;
    const char *text = fy_token_get_text(token, &length);
    ScenePlace place = place_of(reading, token, 1);
    // the last anchor of the name counts
    for (int k = reading->anchor_count - 1; text != NULL && k >= 0; k--) {
        const Anchor *anchor = &reading->anchors[k];
        if (anchor->length != length || memcmp(anchor->name, text, length) != 0) continue;
        if (anchor->node->open) {
            fail(reading, place, "alias '*%.60s' stands inside the value that it repeats",
                 anchor->name);
        } else {
            hang(reading, anchor->node);
        }
        return;
    }
    fail(reading, place, "there is no anchor '&%.*s' before this", (int)(length < 60 ? length : 60),
         text != NULL ? text : "");
}

static void take_event(Reading *reading, const struct fy_event *event) {
    switch (event->type) {
    case FYET_DOCUMENT_START:
        if (++reading->documents == 2) {
            struct fy_token *start = event->document_start.document_start;
            fail(reading, place_of(reading, start, 0),
                 "a scene is one document; here begins another");
        }
        break;
    case FYET_SCALAR: take_scalar(reading, &event->scalar); break;
    case FYET_ALIAS: take_alias(reading, event->alias.anchor); break;
    case FYET_MAPPING_START:
        take_start(reading, SCENE_MAP, event->mapping_start.mapping_start,
                   event->mapping_start.anchor, event->mapping_start.tag);
        break;
    case FYET_SEQUENCE_START:
        take_start(reading, SCENE_LIST, event->sequence_start.sequence_start,
                   event->sequence_start.anchor, event->sequence_start.tag);
        break;
    case FYET_MAPPING_END:
    case FYET_SEQUENCE_END: close_node(reading); break;
    default: break;
    }
}

// ---------------------------------------------------------------- texts

// offset of a line and column (both from 1) as the parser counts them
static size_t offset_of(const SceneSource *source, size_t begin, int line, int column) {
    size_t at = begin;
    for (int n = 1; n < line && at < source->size; at++) n += source->text[at] == '\n';
    for (int n = 1; n < column && at < source->size && source->text[at] != '\n'; n++) at++;
    return at;
}

// the first character of the next line that is not blank
static size_t next_line(const SceneSource *source, size_t at) {
    while (at < source->size && source->text[at] != '\n') at++;
    while (at < source->size && strchr(" \r\n", source->text[at]) != NULL) at++;
    return at;
}

static void tell_error(Reading *reading, const struct fy_diag_error *error) {
    const SceneSource *source = reading->source;
    ScenePlace place = {source, offset_of(source, reading->begin, error->line, error->column)};
    bool next;
    const char *words =
        scene_yaml_words(error->msg, reading->json, source->text + place.offset, &next);
    if (next) {
        size_t after = next_line(source, place.offset);
        if (after < source->size) place.offset = after;
    }
    if (words != NULL) {
        fail(reading, place, "%s", words);
    } else {
        fail(reading, place, "this cannot be read as %s: %s", reading->json ? "JSON" : "YAML",
             error->msg);
    }
}

// the parser's own complaints
static void take_errors(Reading *reading, struct fy_diag *diag) {
    void *previous = NULL;
    const struct fy_diag_error *error;
    while ((error = fy_diag_errors_iterate(diag, &previous)) != NULL) {
        if (error->type < FYET_ERROR || error->msg == NULL) continue;
        tell_error(reading, error);
        return; // what follows the first is its echo
    }
    fail(reading, (ScenePlace){reading->source, reading->begin}, "this is not YAML");
}

static void stay_silent(struct fy_diag *diag, void *user, const char *text, size_t length) {
    (void)diag, (void)user, (void)text, (void)length;
}

static void run_parser(Reading *reading, struct fy_parser *parser, struct fy_diag *diag) {
    const SceneSource *source = reading->source;
    if (fy_parser_set_string(parser, source->text + reading->begin,
                             source->size - reading->begin)) {
        take_errors(reading, diag);
        return;
    }
    struct fy_event *event;
    while (!reading->failed && (event = fy_parser_parse(parser)) != NULL) {
        take_event(reading, event);
        fy_parser_event_free(parser, event);
    }
    if (!reading->failed && (fy_parser_get_stream_error(parser) || fy_diag_got_error(diag))) {
        take_errors(reading, diag);
    }
}

static void parse(Reading *reading, bool json) {
    struct fy_diag_cfg quiet;
    fy_diag_cfg_default(&quiet);
    quiet.fp = NULL;
    quiet.output_fn = stay_silent;
    quiet.colorize = false;
    struct fy_diag *diag = fy_diag_create(&quiet);
    if (diag != NULL) fy_diag_set_collect_errors(diag, true);
    struct fy_parse_cfg config = {.flags = json ? FYPCF_JSON_FORCE : FYPCF_JSON_NONE, .diag = diag};
    struct fy_parser *parser = diag != NULL ? fy_parser_create(&config) : NULL;
    if (parser != NULL) {
        run_parser(reading, parser, diag);
    } else {
        fail(reading, (ScenePlace){NULL, 0}, "out of memory");
    }
    fy_parser_destroy(parser);
    fy_diag_destroy(diag);
}

// bytes of the UTF-8 character at the start of `text`, 0 when there is none
static size_t character_bytes(const unsigned char *text, size_t left) {
    unsigned char c = text[0];
    size_t bytes = c < 0x80 ? 1 : c >= 0xc2 && c < 0xe0 ? 2 : c >= 0xe0 && c < 0xf0 ? 3 : 4;
    if (c >= 0xf5 || (c >= 0x80 && c < 0xc2) || bytes > left) return 0;
    for (size_t k = 1; k < bytes; k++) {
        if ((text[k] & 0xc0) != 0x80) return 0;
    }
    // overlong forms, surrogates and what lies beyond U+10FFFF
    if (c == 0xe0 && text[1] < 0xa0) return 0;
    if (c == 0xed && text[1] > 0x9f) return 0;
    if (c == 0xf0 && text[1] < 0x90) return 0;
    if (c == 0xf4 && text[1] > 0x8f) return 0;
    return bytes;
}

static bool check_text(Reading *reading) {
    const SceneSource *source = reading->source;
    if (source->size > SCENE_MOST_BYTES) {
        fail(reading, (ScenePlace){source, 0}, "the file is too large: more than %zu MB",
             SCENE_MOST_BYTES >> 20);
        return false;
    }
    for (size_t k = reading->begin; k < source->size;) {
        unsigned char c = (unsigned char)source->text[k];
        size_t bytes = character_bytes((const unsigned char *)source->text + k, source->size - k);
        if (bytes == 0 || (c < ' ' && c != '\t' && c != '\n' && c != '\r') || c == 0x7f) {
            fail(reading, (ScenePlace){source, k}, "byte 0x%02x: a scene is UTF-8 text", c);
            return false;
        }
        k += bytes;
    }
    return true;
}

bool scene_tree_check(SceneTree *tree, const SceneSource *source, size_t begin) {
    Reading reading = {.tree = tree, .source = source, .begin = begin};
    return check_text(&reading);
}

SceneNode *scene_tree_read(SceneTree *tree, const SceneSource *source, size_t begin, bool json,
                           bool *empty) {
    Reading reading = {.tree = tree, .source = source, .begin = begin, .json = json};
    if (empty != NULL) *empty = false;
    if (!check_text(&reading)) return NULL;
    parse(&reading, json);
    if (reading.failed) return NULL;
    if (empty != NULL) *empty = reading.root == NULL;
    return reading.root;
}
