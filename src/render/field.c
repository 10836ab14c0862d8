// Colouring by a column. Ranges come from the data by percentiles, so that one stray particle does
// not take the contrast from all others.
#include "render/field.h"

#include "base/memory.h"
#include "base/result.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_SAMPLES 20000 // values that a range is measured from
#define PERCENTILE 0.005

double thaw_column_number(const ThawColumn *column, uint32_t row, uint32_t component) {
    size_t k = (size_t)row * column->components + component;
    switch (column->type) {
    case THAW_F32: return (double)((const float *)column->data)[k];
    case THAW_F64: return ((const double *)column->data)[k];
    case THAW_I32: return (double)((const int32_t *)column->data)[k];
    case THAW_I64: return (double)((const int64_t *)column->data)[k];
    case THAW_U8: return (double)((const uint8_t *)column->data)[k];
    case THAW_U16: return (double)((const uint16_t *)column->data)[k];
    case THAW_U64: return (double)((const uint64_t *)column->data)[k];
    }
    return 0.0;
}

ThawResult thaw_position_column(const ThawFrame *frame, const ThawColumn **column) {
    *column = thaw_frame_column(frame, "position");
    if (frame->count == 0) return THAW_OK;
    if (*column == NULL || (*column)->data == NULL) {
        return thaw_fail(THAW_BAD_INPUT, "the frame has no column \"position\"");
    }
    if ((*column)->components != 3 ||
        ((*column)->type != THAW_F32 && (*column)->type != THAW_F64)) {
        return thaw_fail(THAW_BAD_INPUT, "the frame's column \"position\" must be 3 real numbers");
    }
    return THAW_OK;
}

static double value_at(const ThawColorField *field, uint32_t row) {
    const ThawColumn *column = field->column;
    if (!field->magnitude) return thaw_column_number(column, row, 0);
    double sum = 0;
    for (uint32_t k = 0; k < column->components; k++) {
        double x = thaw_column_number(column, row, k);
        sum += x * x;
    }
    return sqrt(sum);
}

// ---------------------------------------------------------------- the column

static const struct {
    const char *name, *title;
} titles[] = {
    {"speed", "speed m/s"},
    {"velocity", "speed m/s"},
    {"density_error", "density error"},
    {"temperature", "temperature K"},
    {"spacing", "spacing m"},
    {"position", "distance m"},
    {"pressure", "pressure Pa"},
    {"enthalpy", "enthalpy J/kg"},
};

static void set_title(ThawColorField *field, const char *name) {
    snprintf(field->title, sizeof field->title, "%s", name);
    for (size_t k = 0; k < sizeof titles / sizeof *titles; k++) {
        if (strcmp(titles[k].name, name) != 0) continue;
        snprintf(field->title, sizeof field->title, "%s", titles[k].title);
    }
    for (char *c = field->title; *c != '\0'; c++) {
        if (*c == '_') *c = ' ';
    }
}

static bool is_category(const char *name) {
    return strcmp(name, "material") == 0 || strcmp(name, "object") == 0 ||
           strcmp(name, "body") == 0 || strcmp(name, "state") == 0;
}

// "color: the frame has no column "x"; it has position, velocity"
static ThawResult refuse_column(const ThawFrame *frame, const char *name) {
    char list[400] = "";
    size_t used = 0;
    for (int k = 0; k < frame->column_count && used < sizeof list; k++) {
        int wrote = snprintf(list + used, sizeof list - used, "%s%.31s", k > 0 ? ", " : "",
                             frame->columns[k].name);
        used += wrote > 0 ? (size_t)wrote : 0;
    }
    return thaw_fail(THAW_NOT_FOUND, "color: the frame has no column \"%.40s\"; it has %s", name,
                     list[0] != '\0' ? list : "none");
}

static ThawResult find_column(const ThawFrame *frame, const char *name, ThawColorField *field) {
    const ThawColumn *column = thaw_frame_column(frame, name);
    if (column == NULL && strcmp(name, "speed") == 0) column = thaw_frame_column(frame, "velocity");
    if (column == NULL && frame->count > 0) return refuse_column(frame, name);
    field->kind = is_category(name) ? THAW_FIELD_CATEGORY : THAW_FIELD_SCALAR;
    set_title(field, name);
    if (frame->count == 0) return THAW_OK;
    if (column->data == NULL || column->components < 1) {
        return thaw_fail(THAW_BAD_INPUT, "color: the column \"%.40s\" has no data", name);
    }
    field->column = column;
    field->magnitude = column->components > 1;
    return THAW_OK;
}

// ---------------------------------------------------------------- the range

static int by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// a spread of finite values, sorted; returns how many
static uint32_t sample_values(const ThawColorField *field, uint32_t rows, double *values) {
    uint32_t count = 0, step = rows / MAX_SAMPLES + 1;
    for (uint32_t row = 0; row < rows && count < MAX_SAMPLES; row += step) {
        double value = value_at(field, row);
        if (fabs(value) < 1e300) values[count++] = value;
    }
    qsort(values, count, sizeof *values, by_value);
    return count;
}

// a range that rises, also for a field that is the same everywhere
static void widen(double *low, double *high) {
    if (*low < *high) return;
    double value = *low;
    *low = fmin(value, 0.0);
    *high = fmax(value, 0.0);
    if (!(*low < *high)) *high = *low + 1.0;
}

static ThawResult measure_range(const ThawFrame *frame, const char *name, ThawColorField *field) {
    field->low = 0;
    field->high = 1;
    if (field->column == NULL) return THAW_OK;
    double *values = thaw_alloc(MAX_SAMPLES * sizeof *values);
    if (values == NULL) return thaw_fail_memory(MAX_SAMPLES * sizeof *values);
    uint32_t count = sample_values(field, frame->count, values);
    if (count > 0) {
        uint32_t skip = (uint32_t)(PERCENTILE * count);
        field->low = values[skip];
        field->high = values[count - 1 - skip];
        bool reaches_zero = field->low > 0 && field->low < 0.4 * field->high;
        if (strcmp(name, "density_error") == 0) {
            field->high = fmax(fabs(field->low), fabs(field->high));
            field->low = -field->high;
        } else if (field->magnitude || reaches_zero) {
            field->low = 0;
        }
    }
    thaw_free(values);
    widen(&field->low, &field->high);
    return THAW_OK;
}

// ---------------------------------------------------------------- categories

static void note_kind(ThawColorField *field, int64_t kind) {
    int place = 0;
    while (place < field->kind_count && field->kinds[place] < kind) place++;
    if (place < field->kind_count && field->kinds[place] == kind) return;
    if (field->kind_count == THAW_LEGEND_ROWS) return;
    memmove(field->kinds + place + 1, field->kinds + place,
            (size_t)(field->kind_count - place) * sizeof *field->kinds);
    field->kinds[place] = kind;
    field->kind_count++;
}

static int64_t kind_at(const ThawColorField *field, uint32_t row) {
    double value = thaw_column_number(field->column, row, 0);
    return value > -1e15 && value < 1e15 ? (int64_t)value : 0;
}

ThawFloat3 thaw_color_field_category(const ThawColorField *field, int64_t kind) {
    int64_t k = kind - field->given_from;
    if (field->given != NULL && k >= 0 && k < field->given_count) {
        return thaw_f3(thaw_clamp01((float)field->given[k][0]),
                       thaw_clamp01((float)field->given[k][1]),
                       thaw_clamp01((float)field->given[k][2]));
    }
    return thaw_category_color(k);
}

// ---------------------------------------------------------------- all of it

static ThawResult make_map(const ThawRenderDef *def, const char *name, ThawColorField *field) {
    const char *map = def->map;
    if (map == NULL) map = strcmp(name, "density_error") == 0 ? "balance" : "ocean";
    if (thaw_color_map_make(map, &field->map)) return THAW_OK;
    char list[160] = "";
    for (int k = 0; thaw_color_map_name(k) != NULL; k++) {
        size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s", k > 0 ? ", " : "",
                 thaw_color_map_name(k));
    }
    return thaw_fail(THAW_BAD_INPUT, "map: there is no colour map \"%.40s\"; there are %s", map,
                     list);
}

static ThawResult check_range(const ThawRenderDef *def) {
    if (!(fabs(def->low) < 1e300 && fabs(def->high) < 1e300)) {
        return thaw_fail(THAW_BAD_INPUT, "low and high must be finite");
    }
    if (def->low > def->high) {
        return thaw_fail(THAW_BAD_INPUT, "low must be below high, not %g above %g", def->low,
                         def->high);
    }
    return THAW_OK;
}

ThawResult thaw_color_field_make(const ThawFrame *frame, const ThawRenderDef *def,
                                 ThawColorField *field) {
    memset(field, 0, sizeof *field);
    const char *name = def->color != NULL ? def->color : "speed";
    ThawResult result;
    if ((result = check_range(def)) || (result = make_map(def, name, field))) return result;
    field->kind = THAW_FIELD_PLAIN;
    if (strcmp(name, "none") == 0) return THAW_OK;
    if ((result = find_column(frame, name, field))) return result;
    if (field->kind == THAW_FIELD_CATEGORY) {
        if (strcmp(name, "material") == 0) {
            field->given = def->material_colors;
            field->given_count = def->material_count;
            field->given_from = 1;
        }
        for (uint32_t row = 0; field->column != NULL && row < frame->count; row++) {
            note_kind(field, kind_at(field, row));
        }
        return THAW_OK;
    }
    field->low = def->low;
    field->high = def->high;
    return def->low < def->high ? THAW_OK : measure_range(frame, name, field);
}

ThawFloat3 thaw_color_field_at(const ThawColorField *field, uint32_t row) {
    if (field->kind == THAW_FIELD_PLAIN || field->column == NULL) return thaw_water_color();
    if (field->kind == THAW_FIELD_CATEGORY) {
        return thaw_color_field_category(field, kind_at(field, row));
    }
    double t = (value_at(field, row) - field->low) / (field->high - field->low);
    return thaw_color_map_at(&field->map, (float)t);
}
