// The table of statistics. The columns are one list, which makes the header and the rows.
#include "cache/stats.h"
#include "cache/files.h"

#include "base/result.h"

#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

#define CELLS_MOST 48
#define ROW_MOST 1920 // bytes: 48 cells of at most 25 characters and a comma, with room to spare

typedef struct Cell {
    const char *name;
    double value;
} Cell;

// what there is none of is 0
static int list_cells(const ThawStats *stats, Cell cells[CELLS_MOST]) {
    const ThawReport *r = &stats->report;
    const Cell list[] = {
        {"frame", stats->frame},
        {"time", r->time},
        {"particles", r->particles},
        {"solid", r->solid},
        {"liquid", (double)r->particles - (double)r->solid},
        {"mass", r->mass},
        {"px", r->momentum.x},
        {"py", r->momentum.y},
        {"pz", r->momentum.z},
        {"lx", r->angular_momentum.x},
        {"ly", r->angular_momentum.y},
        {"lz", r->angular_momentum.z},
        {"kinetic", r->kinetic},
        {"potential", r->potential},
        {"elastic", r->elastic},
        {"heat", r->heat},
        {"mean_density_error", r->mean_density_error},
        {"max_density_error", r->max_density_error},
        {"max_speed", r->max_speed},
        {"substeps", r->substeps},
        {"iterations", r->iterations},
        {"melted", r->melted},
        {"frozen", r->frozen},
        {"bonds_broken", r->bonds_broken},
        {"ms", stats->ms},
        {"peak_rss_bytes", (double)stats->peak_rss_bytes},
        {"rebuilds", r->rebuilds},
        {"neighbours", r->neighbours},
        {"contacts", r->contacts},
        {"removed", (double)r->removed_nonfinite + (double)r->removed_outside},
        {"bonds", r->bonds},
        {"bonds_made", r->bonds_made},
        {"solid_contacts", r->solid_contacts},
        {"elastic_steps", r->elastic_steps},
        {"young_limit", isfinite(r->young_limit) ? r->young_limit : 0}, // no solid, no limit
        {"born", (double)r->born},
        {"died", (double)r->died},
        {"viscosity_passes", r->viscosity_passes},
        {"viscosity_limit", isfinite(r->viscosity_limit) ? r->viscosity_limit : 0},
        {"tension_limit", isfinite(r->tension_limit) ? r->tension_limit : 0},
        {"heat_taken", r->heat_taken},
        {"coldest", isfinite(r->coldest) ? r->coldest : 0}, // of no particles
        {"hottest", r->hottest},
        {"molten", r->molten},
        {"heat_stages", r->heat_stages},
    };
    memcpy(cells, list, sizeof list);
    return (int)(sizeof list / sizeof list[0]);
}

// ---------------------------------------------------------------- text

// the fewest digits that give the same number back
static size_t format_number(char *text, size_t size, double value) {
    int length = 0;
    for (int digits = 15; digits <= 17; digits++) {
        length = snprintf(text, size, "%.*g", digits, value);
        if (strtod(text, NULL) == value) break;
    }
    return (size_t)length;
}

static size_t format_cells(const Cell *cells, int count, bool names, char row[ROW_MOST]) {
    size_t used = 0;
    for (int k = 0; k < count; k++) {
        if (names) {
            used += (size_t)snprintf(row + used, ROW_MOST - used, "%s", cells[k].name);
        } else {
            used += format_number(row + used, ROW_MOST - used, cells[k].value);
        }
        row[used++] = k + 1 < count ? ',' : '\n';
    }
    return used;
}

// the header, or one row; a point is a point whatever the host's language is
static size_t format_row(const ThawStats *stats, char row[ROW_MOST]) {
    static const ThawStats none;
    Cell cells[CELLS_MOST];
    int count = list_cells(stats == NULL ? &none : stats, cells);
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    locale_t before = uselocale(plain);
    size_t used = format_cells(cells, count, stats == NULL, row);
    uselocale(before);
    if (plain != (locale_t)0) freelocale(plain);
    return used;
}

// ---------------------------------------------------------------- open

// the number of a row's frame; −1 when it has none
static int row_frame(const char *row, size_t size) {
    long frame = 0;
    size_t k = 0;
    for (; k < size && row[k] >= '0' && row[k] <= '9' && k < 9; k++) {
        frame = frame * 10 + (row[k] - '0');
    }
    return k > 0 && k < size && row[k] == ',' ? (int)frame : -1;
}

// adds the header and the complete rows up to frame `last` of the old table
static ThawResult copy_rows(const char *old, size_t size, int last, ThawFile *file,
                            const char *path) {
    char header[ROW_MOST];
    size_t header_size = format_row(NULL, header);
    thaw_file_append(file, header, header_size);
    if (size == 0) return THAW_OK;
    if (size < header_size || memcmp(old, header, header_size) != 0) {
        return thaw_fail(THAW_BAD_INPUT, "\"%s\" has other columns than this thaw writes", path);
    }
    const char *end = old + size;
    for (const char *row = old + header_size; row < end;) {
        const char *newline = memchr(row, '\n', (size_t)(end - row));
        if (newline == NULL) break; // torn
        size_t row_size = (size_t)(newline - row) + 1;
        int frame = row_frame(row, row_size);
        if (frame >= 0 && frame <= last) thaw_file_append(file, row, row_size);
        row += row_size;
    }
    return THAW_OK;
}

static ThawResult rewrite(const char *path, int last) {
    uint8_t *old = NULL;
    size_t size = 0;
    ThawResult result = THAW_OK;
    if (last >= 0) result = thaw_file_load(path, &old, &size);
    if (result == THAW_NOT_FOUND) result = THAW_OK, size = 0;
    if (result != THAW_OK) return result;
    ThawFile *file;
    result = thaw_file_create(path, &file);
    if (result == THAW_OK) {
        result = copy_rows((const char *)old, size, last, file, path);
        if (result == THAW_OK) {
            result = thaw_file_commit(file);
        } else {
            thaw_file_abandon(file);
        }
    }
    free(old);
    return result;
}

ThawResult thaw_stats_open(const char *directory, int last, ThawStatsFile *file) {
    file->descriptor = -1;
    file->path = thaw_path_join(directory, "stats.csv");
    if (file->path == NULL) return thaw_fail_memory(strlen(directory));
    ThawResult result = rewrite(file->path, last);
    if (result != THAW_OK) return result;
    file->descriptor = open(file->path, O_WRONLY | O_APPEND | O_CLOEXEC);
    return file->descriptor >= 0 ? THAW_OK : thaw_file_fail("write", file->path, errno);
}

// ---------------------------------------------------------------- append

static int write_row(int descriptor, const char *row, size_t size) {
    while (size > 0) {
        ssize_t wrote = write(descriptor, row, size);
        if (wrote < 0 && errno == EINTR) continue;
        if (wrote < 0) return errno;
        row += wrote;
        size -= (size_t)wrote;
    }
    return 0;
}

ThawResult thaw_stats_append(ThawStatsFile *file, const ThawStats *stats) {
    char row[ROW_MOST];
    size_t size = format_row(stats, row);
    off_t before = lseek(file->descriptor, 0, SEEK_END);
    if (before < 0) return thaw_file_fail("write", file->path, errno);
    int code = write_row(file->descriptor, row, size);
    if (code == 0 && fsync(file->descriptor) != 0 && errno != EINVAL) code = errno;
    if (code == 0) return THAW_OK;
    // no torn row stays
    ThawResult result = thaw_file_fail("write", file->path, code);
    if (ftruncate(file->descriptor, before) != 0) return result;
    return result;
}

void thaw_stats_close(ThawStatsFile *file) {
    if (file->descriptor >= 0) close(file->descriptor);
    file->descriptor = -1;
    free(file->path);
    file->path = NULL;
}
