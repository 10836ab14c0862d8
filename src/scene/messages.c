// Messages: kept up to a bound, ordered by place, each with its line and a caret.
#include "scene/messages.h"

#include "base/memory.h"
#include "scene/arena.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEXT_BYTES 700    // the longest sentence
#define EXCERPT_BYTES 160 // the most of a line that is shown

struct ThawMessages {
    SceneArena arena;
    ThawMessage *list;
    int count;    // kept
    int errors;   // all, kept or not
    int warnings; // all, kept or not
    bool closed;  // the last of the list says how many were not kept
};

ThawMessages *scene_messages_create(void) {
    return thaw_alloc(sizeof(ThawMessages));
}

void thaw_messages_free(ThawMessages *messages) {
    if (messages == NULL) return;
    scene_arena_free(&messages->arena);
    thaw_free(messages);
}

int thaw_messages_count(const ThawMessages *messages) {
    return messages != NULL ? messages->count : 0;
}

int thaw_messages_errors(const ThawMessages *messages) {
    return messages != NULL ? messages->errors : 0;
}

int thaw_messages_warnings(const ThawMessages *messages) {
    return messages != NULL ? messages->warnings : 0;
}

const ThawMessage *thaw_messages_get(const ThawMessages *messages, int index) {
    return index >= 0 && index < messages->count ? &messages->list[index] : NULL;
}

// ---------------------------------------------------------------- places

static bool is_continuation(char c) {
    return ((unsigned char)c & 0xc0) == 0x80;
}

void scene_place_find(ScenePlace place, int *line, int *column) {
    const SceneSource *source = place.source;
    size_t end = place.offset < source->size ? place.offset : source->size;
    *line = *column = 1;
    for (size_t k = 0; k < end; k++) {
        if (source->text[k] == '\n') {
            ++*line;
            *column = 1;
        } else if (!is_continuation(source->text[k])) {
            ++*column;
        }
    }
}

// where the part of a line begins that shows the place, when the line is long
static size_t cut_line(const char *text, size_t begin, size_t at) {
    if (at - begin < EXCERPT_BYTES - 40) return begin;
    size_t cut = at - (EXCERPT_BYTES - 40);
    while (cut < at && is_continuation(text[cut])) cut++;
    return cut;
}

// the line of the place, a newline, and blanks (tabs where the line has tabs) up to a caret
static char *copy_excerpt(SceneArena *arena, ScenePlace place) {
    const char *text = place.source->text;
    size_t size = place.source->size;
    size_t at = place.offset < size ? place.offset : size;
    size_t begin = at, end = at;
    while (begin > 0 && text[begin - 1] != '\n') begin--;
    while (end < size && text[end] != '\n' && text[end] != '\r') end++;
    begin = cut_line(text, begin, at);
    if (end - begin > EXCERPT_BYTES) end = begin + EXCERPT_BYTES;
    while (end > at && end < size && is_continuation(text[end])) end--;
    char *excerpt = scene_take(arena, (end - begin) + 1 + (at - begin) + 2);
    if (excerpt == NULL) return NULL;
    size_t n = end - begin;
    for (size_t k = 0; k < n; k++) {
        char c = text[begin + k];
        excerpt[k] = (unsigned char)c < ' ' && c != '\t' ? ' ' : c;
    }
    excerpt[n++] = '\n';
    for (size_t k = begin; k < at; k++) {
        if (!is_continuation(text[k])) excerpt[n++] = text[k] == '\t' ? '\t' : ' ';
    }
    excerpt[n] = '^';
    return excerpt;
}

// ---------------------------------------------------------------- adding

// takes the line away that says how many were not kept
static void reopen(ThawMessages *messages) {
    messages->count -= messages->closed;
    messages->closed = false;
}

// takes the last warning out; false when there is none
static bool drop_warning(ThawMessages *messages) {
    int k = messages->count - 1;
    while (k >= 0 && messages->list[k].error) k--;
    if (k < 0) return false;
    memmove(&messages->list[k], &messages->list[k + 1],
            (size_t)(messages->count - k - 1) * sizeof *messages->list);
    messages->count--;
    return true;
}

static ThawMessage *append(ThawMessages *messages, bool error) {
    void *list =
        scene_grow(&messages->arena, messages->list, messages->count, sizeof *messages->list);
    if (list == NULL) return NULL;
    messages->list = list;
    ThawMessage *message = &messages->list[messages->count++];
    *message = (ThawMessage){.error = error, .file = "", .text = "", .excerpt = ""};
    return message;
}

static ThawMessage *add_empty(ThawMessages *messages, bool error) {
    reopen(messages);
    messages->errors += error;
    messages->warnings += !error;
    // a warning never takes an error's room
    bool full = messages->count >= SCENE_MESSAGES_KEPT;
    if (full && !(error && drop_warning(messages))) return NULL;
    return append(messages, error);
}

// a copy without control characters, so that no file can write to a terminal's state
static const char *keep_text(ThawMessages *messages, const char *text) {
    char *copy = scene_copy(&messages->arena, text, strlen(text));
    if (copy == NULL) return "out of memory";
    for (char *c = copy; *c != '\0'; c++) {
        if ((unsigned char)*c < ' ' || *c == 0x7f) *c = '?';
    }
    return copy;
}

void scene_messages_vadd(ThawMessages *messages, bool error, ScenePlace place, const char *format,
                         va_list arguments) {
    char text[TEXT_BYTES];
    vsnprintf(text, sizeof text, format, arguments);
    ThawMessage *message = add_empty(messages, error);
    if (message == NULL) return;
    message->text = keep_text(messages, text);
    if (place.source == NULL) return;
    message->file = keep_text(messages, place.source->name);
    scene_place_find(place, &message->line, &message->column);
    const char *excerpt = copy_excerpt(&messages->arena, place);
    if (excerpt != NULL) message->excerpt = excerpt;
}

void scene_messages_add(ThawMessages *messages, bool error, ScenePlace place, const char *format,
                        ...) {
    va_list arguments;
    va_start(arguments, format);
    scene_messages_vadd(messages, error, place, format, arguments);
    va_end(arguments);
}

void scene_messages_add_line(ThawMessages *messages, bool error, const char *file, int line,
                             const char *text) {
    ThawMessage *message = add_empty(messages, error);
    if (message == NULL) return;
    message->file = keep_text(messages, file);
    message->line = line;
    message->column = line > 0;
    message->text = keep_text(messages, text);
}

// ---------------------------------------------------------------- order

static int first_of_file(const ThawMessages *messages, const char *file) {
    int k = 0;
    while (strcmp(messages->list[k].file, file) != 0) k++;
    return k;
}

static bool comes_before(const ThawMessages *messages, const ThawMessage *a, const ThawMessage *b) {
    int file_a = first_of_file(messages, a->file), file_b = first_of_file(messages, b->file);
    if (file_a != file_b) return file_a < file_b;
    if (a->line != b->line) return a->line < b->line;
    return a->column < b->column;
}

// by insertion: stable, and there are few
static void sort(ThawMessages *messages) {
    ThawMessage sorted[SCENE_MESSAGES_KEPT];
    assert(messages->count <= SCENE_MESSAGES_KEPT);
    for (int k = 0; k < messages->count; k++) {
        int at = k;
        while (at > 0 && comes_before(messages, &messages->list[k], &sorted[at - 1])) {
            sorted[at] = sorted[at - 1];
            at--;
        }
        sorted[at] = messages->list[k];
    }
    if (messages->count > 0) {
        memcpy(messages->list, sorted, (size_t)messages->count * sizeof *sorted);
    }
}

static const char *plural(int count) {
    return count == 1 ? "" : "s";
}

void scene_messages_close(ThawMessages *messages) {
    reopen(messages);
    sort(messages);
    int errors = messages->errors, warnings = messages->warnings;
    for (int k = 0; k < messages->count; k++) {
        errors -= messages->list[k].error;
        warnings -= !messages->list[k].error;
    }
    if (errors + warnings == 0) return;
    char text[96];
    if (warnings == 0) {
        snprintf(text, sizeof text, "and %d more error%s", errors, plural(errors));
    } else if (errors == 0) {
        snprintf(text, sizeof text, "and %d more warning%s", warnings, plural(warnings));
    } else {
        snprintf(text, sizeof text, "and %d more error%s and %d warning%s", errors, plural(errors),
                 warnings, plural(warnings));
    }
    ThawMessage *message = append(messages, errors > 0);
    if (message == NULL) return;
    message->file = messages->list[0].file;
    message->text = keep_text(messages, text);
    messages->closed = true;
}
