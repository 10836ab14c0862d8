// Exports of one frame: a format is one row here and a file beside.
#include "export/attributes.h"

#include "base/result.h"

#include <assert.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

typedef ThawResult Exporter(const ThawFrame *frame, const ThawAttributes *attributes,
                            ThawFile *file);

static const struct {
    const char *name;
    Exporter *run;
} formats[] = {
    {"ply", thaw_export_ply},
    {"csv", thaw_export_csv},
};

static Exporter *find_exporter(const char *format) {
    for (size_t k = 0; k < sizeof formats / sizeof formats[0]; k++) {
        if (strcmp(formats[k].name, format) == 0) return formats[k].run;
    }
    return NULL;
}

// a point is a point whatever the host's language is
static ThawResult run_plain(Exporter *run, const ThawFrame *frame, const ThawAttributes *attributes,
                            ThawFile *file) {
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    locale_t before = uselocale(plain);
    ThawResult result = run(frame, attributes, file);
    uselocale(before);
    if (plain != (locale_t)0) freelocale(plain);
    return result;
}

static ThawResult write_file(const ThawFrame *frame, const ThawAttributes *attributes,
                             Exporter *run, const char *path) {
    ThawFile *file;
    ThawResult result = thaw_file_create(path, &file);
    if (result != THAW_OK) return result;
    result = run_plain(run, frame, attributes, file);
    if (result == THAW_OK) return thaw_file_commit(file);
    thaw_file_abandon(file);
    return result;
}

ThawResult thaw_export_frame(const ThawFrame *frame, const char *format, const char *path) {
    assert(frame != NULL && format != NULL && path != NULL);
    Exporter *run = find_exporter(format);
    if (run == NULL) {
        return thaw_fail(THAW_BAD_INPUT,
                         "there is no export format \"%.40s\" of single frames: choose ply or csv",
                         format);
    }
    ThawAttributes *attributes = thaw_attributes_of(frame);
    if (attributes == NULL) return THAW_BAD_INPUT;
    ThawResult result = write_file(frame, attributes, run, path);
    free(attributes);
    return result;
}
