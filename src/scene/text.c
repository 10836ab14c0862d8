// A text that grows.
#include "scene/text.h"

#include "scene/units.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void scene_text_bytes(SceneText *text, const char *bytes, size_t size) {
    if (text->failed) return;
    if (text->capacity - text->size <= size) {
        size_t wanted = 2 * (text->size + size) + 256;
        char *grown = realloc(text->bytes, wanted);
        if (grown == NULL) {
            text->failed = true;
            return;
        }
        text->bytes = grown;
        text->capacity = wanted;
    }
    memcpy(text->bytes + text->size, bytes, size);
    text->size += size;
    text->bytes[text->size] = '\0';
}

void scene_text_put(SceneText *text, const char *format, ...) {
    char line[1024];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    if (length < 0) return;
    scene_text_bytes(text, line, (size_t)length < sizeof line ? (size_t)length : sizeof line - 1);
}

// what our own reader makes of it: the host's locale and library do not matter
static bool reads_back(const char *digits, double value) {
    double again;
    bool minus = digits[0] == '-';
    size_t length = strlen(digits + minus);
    return scene_scan_number(digits + minus, length, &again) == length &&
           (minus ? -again : again) == value;
}

void scene_text_number(SceneText *text, double value) {
    char digits[40];
    for (int precision = 15; precision <= 17; precision++) {
        snprintf(digits, sizeof digits, "%.*g", precision, value);
        char *comma = strchr(digits, ',');
        if (comma != NULL) *comma = '.';
        if (reads_back(digits, value)) break;
    }
    scene_text_bytes(text, digits, strlen(digits));
}

void scene_text_quote(SceneText *text, const char *string) {
    scene_text_bytes(text, "\"", 1);
    for (const char *c = string; *c != '\0'; c++) {
        if (*c == '"' || *c == '\\') {
            scene_text_put(text, "\\%c", *c);
        } else if (*c == '\n') {
            scene_text_put(text, "\\n");
        } else if (*c == '\t') {
            scene_text_put(text, "\\t");
        } else if ((unsigned char)*c < ' ' || *c == 0x7f) {
            scene_text_put(text, "\\u%04x", (unsigned)(unsigned char)*c);
        } else {
            scene_text_bytes(text, c, 1);
        }
    }
    scene_text_bytes(text, "\"", 1);
}
