// XDMF 2: a text that names every frame with its time and where its arrays are. ParaView's readers of XDMF 3
// fail on relative paths, so it is version 2.
//
// The text of all frames is kept, so that writing the file again is one copy; the cache does that for each
// frame of a short series and at growing distances in a long one.
#define _XOPEN_SOURCE 700 // realpath is of the X/Open part of POSIX

#include "cache/xdmf.h"

#include "cache/files.h"
#include "cache/header.h"

#include "base/result.h"

#include <assert.h>
#include <errno.h>
#include <locale.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FRAME_MOST 32768u // bytes of one frame's text without its 64 paths

static const char prologue[] = "<?xml version=\"1.0\" ?>\n"
                               "<!DOCTYPE Xdmf SYSTEM \"Xdmf.dtd\" []>\n"
                               "<Xdmf Version=\"2.0\">\n"
                               "<Domain>\n"
                               "<Grid Name=\"frames\" GridType=\"Collection\""
                               " CollectionType=\"Temporal\">\n";
static const char epilogue[] = "</Grid>\n</Domain>\n</Xdmf>\n";

// ---------------------------------------------------------------- text

// grows so that `more` bytes fit
static bool reserve(ThawSeries *series, size_t more) {
    if (series->capacity - series->used >= more) return true;
    size_t wanted = series->used + more + series->used / 2;
    char *text = realloc(series->text, wanted);
    if (text == NULL) return false;
    series->text = text;
    series->capacity = wanted;
    return true;
}

static THAW_PRINTF(2, 3) void print(ThawSeries *series, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int length =
        vsnprintf(series->text + series->used, series->capacity - series->used, format, arguments);
    va_end(arguments);
    assert(length >= 0 && (size_t)length < series->capacity - series->used);
    series->used += (size_t)length;
}

static const char *escape_of(char c) {
    switch (c) {
    case '&': return "&amp;";
    case '<': return "&lt;";
    case '>': return "&gt;";
    case '"': return "&quot;";
    default: return NULL;
    }
}

static char *escape(const char *text) {
    char *result = malloc(strlen(text) * 6 + 1);
    if (result == NULL) return NULL;
    char *to = result;
    for (; *text != '\0'; text++) {
        const char *word = escape_of(*text);
        if (word == NULL) {
            *to++ = *text;
        } else {
            memcpy(to, word, strlen(word));
            to += strlen(word);
        }
    }
    *to = '\0';
    return result;
}

// ---------------------------------------------------------------- one frame

// XDMF 2 has no unsigned 64-bit numbers; ids stay below 2^63
static const char *number_type(ThawType type) {
    switch (type) {
    case THAW_F32: return "NumberType=\"Float\" Precision=\"4\"";
    case THAW_F64: return "NumberType=\"Float\" Precision=\"8\"";
    case THAW_I32: return "NumberType=\"Int\" Precision=\"4\"";
    case THAW_U8: return "NumberType=\"UChar\" Precision=\"1\"";
    case THAW_U16: return "NumberType=\"UInt\" Precision=\"2\"";
    case THAW_I64:
    case THAW_U64: return "NumberType=\"Int\" Precision=\"8\"";
    }
    return "";
}

static const char *attribute_type(uint32_t components) {
    return components == 1 ? "Scalar" : components == 3 ? "Vector" : "Matrix";
}

static void print_item(ThawSeries *series, const ThawFrame *frame, const ThawColumn *column) {
    char dimensions[32];
    if (column->components == 1) {
        snprintf(dimensions, sizeof dimensions, "%lu", (unsigned long)frame->count);
    } else {
        snprintf(dimensions, sizeof dimensions, "%lu %lu", (unsigned long)frame->count,
                 (unsigned long)column->components);
    }
    print(series, "<DataItem Dimensions=\"%s\" %s Format=\"HDF\">%sframe_%06d.h5:/%s</DataItem>",
          dimensions, number_type(column->type), series->prefix, frame->info.frame, column->name);
}

// of a frame without particles ParaView 5.11 says that it cannot be read, and shows nothing, which is right; a grid
// without arrays makes it crash
static void print_frame(ThawSeries *series, const ThawFrame *frame) {
    print(series, "<Grid Name=\"frame_%06d\" GridType=\"Uniform\">\n", frame->info.frame);
    print(series, "<Time Value=\"%.17g\"/>\n", frame->info.time);
    print(series, "<Topology TopologyType=\"Polyvertex\" NumberOfElements=\"%lu\"/>\n",
          (unsigned long)frame->count);
    for (int k = 0; k < frame->column_count; k++) {
        const ThawColumn *column = &frame->columns[k];
        bool geometry = strcmp(column->name, "position") == 0;
        if (geometry) {
            print(series, "<Geometry GeometryType=\"XYZ\">");
        } else {
            print(series, "<Attribute Name=\"%s\" AttributeType=\"%s\" Center=\"Node\">",
                  column->name, attribute_type(column->components));
        }
        print_item(series, frame, column);
        print(series, geometry ? "</Geometry>\n" : "</Attribute>\n");
    }
    print(series, "</Grid>\n");
}

// ---------------------------------------------------------------- the series

ThawResult thaw_series_begin(ThawSeries *series, const char *prefix) {
    memset(series, 0, sizeof *series);
    series->written = -1;
    series->prefix = escape(prefix);
    return series->prefix != NULL ? THAW_OK : thaw_fail_memory(strlen(prefix));
}

ThawResult thaw_series_add(ThawSeries *series, const ThawFrame *frame) {
    size_t most = FRAME_MOST + THAW_COLUMNS_MOST * strlen(series->prefix);
    if (!reserve(series, most)) return thaw_fail_memory(most);
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    locale_t before = uselocale(plain);
    print_frame(series, frame);
    uselocale(before);
    if (plain != (locale_t)0) freelocale(plain);
    series->frames++;
    return THAW_OK;
}

ThawResult thaw_series_write(ThawSeries *series, const char *path) {
    ThawFile *file;
    ThawResult result = thaw_file_create(path, &file);
    if (result != THAW_OK) return result;
    thaw_file_append(file, prologue, sizeof prologue - 1);
    thaw_file_append(file, series->text, series->used);
    thaw_file_append(file, epilogue, sizeof epilogue - 1);
    result = thaw_file_commit(file);
    if (result == THAW_OK) series->written = series->frames;
    return result;
}

void thaw_series_free(ThawSeries *series) {
    free(series->prefix);
    free(series->text);
    memset(series, 0, sizeof *series);
}

// ---------------------------------------------------------------- on request

// the directory of a path as the system sees it; NULL with the result set
static char *real_parent(const char *path, ThawResult *result) {
    char *copy = malloc(strlen(path) + 2);
    if (copy == NULL) {
        *result = thaw_fail_memory(strlen(path));
        return NULL;
    }
    strcpy(copy, path);
    char *slash = strrchr(copy, '/');
    if (slash == NULL) {
        strcpy(copy, ".");
    } else {
        slash[slash == copy ? 1 : 0] = '\0';
    }
    char *real = realpath(copy, NULL);
    if (real == NULL) *result = thaw_file_fail("write", path, errno);
    free(copy);
    return real;
}

// the way from one absolute directory to another, ending in "frames/"
static char *relative_way(const char *from, const char *to) {
    // the common part ends where both end or have a slash
    size_t common = 0;
    for (size_t k = 0;; k++) {
        bool from_ends = from[k] == '/' || from[k] == '\0';
        bool to_ends = to[k] == '/' || to[k] == '\0';
        if (from_ends && to_ends) common = k;
        if (from[k] != to[k] || from[k] == '\0') break;
    }
    size_t ups = 0;
    for (size_t k = common; from[k] != '\0'; k++) ups += from[k] == '/' && from[k + 1] != '\0';
    const char *rest = to + common + (to[common] == '/' ? 1 : 0);
    char *way = malloc(ups * 3 + strlen(rest) + sizeof "/frames/");
    if (way == NULL) return NULL;
    char *at = way;
    for (size_t k = 0; k < ups; k++, at += 3) memcpy(at, "../", 3);
    sprintf(at, "%s%sframes/", rest, rest[0] == '\0' ? "" : "/");
    return way;
}

static char *way_to_frames(const char *directory, const char *path, ThawResult *result) {
    char *to = realpath(directory, NULL);
    if (to == NULL) {
        *result = thaw_file_fail("read the directory", directory, errno);
        return NULL;
    }
    char *from = real_parent(path, result);
    char *way = from == NULL ? NULL : relative_way(from, to);
    if (from != NULL && way == NULL) *result = thaw_fail_memory(strlen(to));
    free(from);
    free(to);
    return way;
}

static ThawResult add_frames(ThawSeries *series, const char *directory, int first, int last) {
    char path[4096];
    for (int frame = first; frame <= last; frame++) {
        ThawFrame *seen;
        ThawResult result = thaw_cache_frame_path(directory, frame, path, sizeof path);
        if (result == THAW_OK) result = thaw_frame_peek(path, &seen);
        if (result != THAW_OK) return result;
        result = thaw_series_add(series, seen);
        thaw_frame_free(seen);
        if (result != THAW_OK) return result;
    }
    return THAW_OK;
}

ThawResult thaw_export_xdmf(const char *directory, int first, int last, const char *path) {
    assert(directory != NULL && path != NULL);
    if (first < 0 || last < first) {
        return thaw_fail(THAW_BAD_INPUT, "there are no frames from %d to %d", first, last);
    }
    ThawResult result = THAW_OK;
    char *way = way_to_frames(directory, path, &result);
    if (way == NULL) return result;
    ThawSeries series;
    result = thaw_series_begin(&series, way);
    free(way);
    if (result == THAW_OK) result = add_frames(&series, directory, first, last);
    if (result == THAW_OK) result = thaw_series_write(&series, path);
    thaw_series_free(&series);
    return result;
}
