// Tables of numbers as CSV, read strictly: a header of names, then rows of as many numbers.
#include "cache/files.h"

#include "base/memory.h"
#include "base/result.h"

#include <assert.h>
#include <limits.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

#define COLUMNS_MOST 256

typedef struct Reader {
    const char *path;
    const char *at;
    const char *end; // a '\0' stands there
    int line;
    ThawTable *table;
} Reader;

// ---------------------------------------------------------------- pieces

// the line at the reader, without its end; moves on. False when there is none left.
static bool next_line(Reader *reader, const char **begin, const char **end, bool *whole) {
    if (reader->at >= reader->end) return false;
    *begin = reader->at;
    const char *newline = memchr(reader->at, '\n', (size_t)(reader->end - reader->at));
    *whole = newline != NULL;
    *end = *whole ? newline : reader->end;
    reader->at = *whole ? newline + 1 : reader->end;
    reader->line++;
    if (*end > *begin && (*end)[-1] == '\r') (*end)--;
    return true;
}

static int count_cells(const char *begin, const char *end) {
    int count = 1;
    for (; begin < end; begin++) count += *begin == ',' && count < INT_MAX;
    return count;
}

static const char *cell_end(const char *begin, const char *end) {
    const char *comma = memchr(begin, ',', (size_t)(end - begin));
    return comma == NULL ? end : comma;
}

static ThawResult read_names(Reader *reader, const char *at, const char *end) {
    ThawTable *table = reader->table;
    for (int k = 0; k < table->columns; k++) {
        const char *stop = cell_end(at, end);
        size_t length = (size_t)(stop - at);
        bool fits = length >= 1 && length < sizeof table->names[k];
        for (size_t c = 0; c < length && fits; c++) fits = at[c] > ' ' && at[c] < 127;
        if (!fits) {
            return thaw_fail(THAW_BAD_INPUT, "%s:1: column %d has no name of 1 to 31 characters",
                             reader->path, k + 1);
        }
        memcpy(table->names[k], at, length);
        at = stop + 1;
    }
    return THAW_OK;
}

// plain decimal numbers, nan and inf; nothing else that strtod would take
static bool read_number(const char *at, const char *stop, double *value) {
    if (at == stop || stop - at > 60) return false;
    for (const char *c = at; c < stop; c++) {
        if (strchr("0123456789+-.eEnaif", *c) == NULL) return false;
    }
    char *end;
    *value = strtod(at, &end);
    return end == stop;
}

static ThawResult read_row(Reader *reader, const char *at, const char *end) {
    ThawTable *table = reader->table;
    double *row = table->values + (size_t)table->rows * (size_t)table->columns;
    for (int k = 0; k < table->columns; k++) {
        const char *stop = cell_end(at, end);
        if (!read_number(at, stop, &row[k])) {
            return thaw_fail(THAW_BAD_INPUT, "%s:%d: column \"%s\" is not a number: \"%.*s\"",
                             reader->path, reader->line, table->names[k],
                             (int)(stop - at < 40 ? stop - at : 40), at);
        }
        at = stop + 1;
    }
    table->rows++;
    return THAW_OK;
}

// ---------------------------------------------------------------- the table

void thaw_table_free(ThawTable *table) {
    if (table == NULL) return;
    free(table->names);
    thaw_free(table->values);
    free(table);
}

static ThawResult read_header(Reader *reader) {
    const char *begin, *end;
    bool whole;
    if (!next_line(reader, &begin, &end, &whole) || begin == end) {
        return thaw_fail(THAW_BAD_INPUT, "%s:1: there is no line of column names", reader->path);
    }
    ThawTable *table = reader->table;
    table->columns = count_cells(begin, end);
    if (table->columns > COLUMNS_MOST) {
        return thaw_fail(THAW_BAD_INPUT, "%s:1: %d columns are more than %d", reader->path,
                         table->columns, COLUMNS_MOST);
    }
    table->names = calloc((size_t)table->columns, sizeof *table->names);
    if (table->names == NULL) return thaw_fail_memory(COLUMNS_MOST * sizeof *table->names);
    return read_names(reader, begin, end);
}

// every row takes at least two bytes a column
static ThawResult reserve_rows(Reader *reader) {
    size_t lines = 1;
    for (const char *c = reader->at; c < reader->end; c++) lines += *c == '\n';
    size_t most = (size_t)(reader->end - reader->at) / ((size_t)reader->table->columns * 2) + 1;
    if (lines > most) lines = most;
    if (lines > INT_MAX) return thaw_fail(THAW_BAD_INPUT, "%s: too many rows", reader->path);
    size_t bytes = lines * (size_t)reader->table->columns * sizeof(double);
    reader->table->values = thaw_alloc(bytes);
    return reader->table->values != NULL ? THAW_OK : thaw_fail_memory(bytes);
}

static ThawResult read_rows(Reader *reader) {
    const char *begin, *end;
    bool whole;
    int columns = reader->table->columns;
    while (next_line(reader, &begin, &end, &whole)) {
        int cells = count_cells(begin, end);
        // a run that was cut off while it wrote this row
        if (!whole && cells < columns) break;
        if (cells != columns || begin == end) {
            return thaw_fail(THAW_BAD_INPUT, "%s:%d: there are %d values for %d columns",
                             reader->path, reader->line, begin == end ? 0 : cells, columns);
        }
        ThawResult result = read_row(reader, begin, end);
        if (result != THAW_OK) return result;
    }
    return THAW_OK;
}

static ThawResult read_table(Reader *reader) {
    ThawResult result = read_header(reader);
    if (result == THAW_OK) result = reserve_rows(reader);
    if (result != THAW_OK) return result;
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    locale_t before = uselocale(plain);
    result = read_rows(reader);
    uselocale(before);
    if (plain != (locale_t)0) freelocale(plain);
    return result;
}

// the bytes with a '\0' behind them, where the last number ends
static ThawResult load_text(const char *path, char **text, size_t *size) {
    uint8_t *bytes;
    ThawResult result = thaw_file_load(path, &bytes, size);
    if (result != THAW_OK) return result;
    *text = realloc(bytes, *size + 1);
    if (*text == NULL) {
        free(bytes);
        return thaw_fail_memory(*size + 1);
    }
    (*text)[*size] = '\0';
    return THAW_OK;
}

ThawResult thaw_table_read(const char *path, ThawTable **table) {
    assert(path != NULL && table != NULL);
    *table = NULL;
    char *text;
    size_t size;
    ThawResult result = load_text(path, &text, &size);
    if (result != THAW_OK) return result;
    Reader reader = {.path = path, .at = text, .end = text + size};
    reader.table = calloc(1, sizeof *reader.table);
    result = reader.table == NULL ? thaw_fail_memory(sizeof *reader.table) : read_table(&reader);
    free(text);
    if (result == THAW_OK) {
        *table = reader.table;
    } else {
        thaw_table_free(reader.table);
    }
    return result;
}
