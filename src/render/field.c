// Colouring by a column. Ranges come from the data by percentiles, so that one stray particle does
// not take the contrast from all others.
#include "render/field.h"

#include "base/memory.h"
#include "base/result.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_SAMPLES 20000 // values that a range is measured from
#define PERCENTILE 0.005
#define ICE_POINT 273.15 // K

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

// a symmetric tensor xx yy zz xy yz zx as one number: von Mises' of a stress, else the norm
static double tensor_at(const ThawColorField *field, uint32_t row) {
    double t[6];
    for (uint32_t k = 0; k < 6; k++) t[k] = thaw_column_number(field->column, row, k);
    double shear = t[3] * t[3] + t[4] * t[4] + t[5] * t[5];
    if (field->tensor == THAW_TENSOR_NORM)
        return sqrt(t[0] * t[0] + t[1] * t[1] + t[2] * t[2] + 2 * shear);
    double a = t[0] - t[1], b = t[1] - t[2], c = t[2] - t[0];
    return sqrt(0.5 * (a * a + b * b + c * c) + 3 * shear);
}

static double value_at(const ThawColorField *field, uint32_t row) {
    const ThawColumn *column = field->column;
    if (field->tensor != THAW_TENSOR_NOT) return tensor_at(field, row);
    if (!field->magnitude) {
        return thaw_column_number(column, row, field->component) + field->offset;
    }
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
    {"velocity.x", "velocity x m/s"},
    {"velocity.y", "velocity y m/s"},
    {"velocity.z", "velocity z m/s"},
    {"position.x", "x m"},
    {"position.y", "y m"},
    {"position.z", "z m"},
    {"density_error", "density error"},
    {"temperature", "temperature K"},
    {"celsius", "temperature C"},
    {"molten", "molten share"},
    {"spacing", "spacing m"},
    {"position", "distance m"},
    {"pressure", "pressure Pa"},
    {"enthalpy", "enthalpy J/kg"},
    {"strain", "strain"},
    {"green_strain", "Green strain"},
    {"stress", "von Mises stress Pa"},
    {"von_mises", "von Mises stress Pa"},
    {"plastic_strain", "plastic strain"},
    {"bonds", "bonds of a particle"},
};

// "stress xx Pa" of "stress.xx"
static bool set_tensor_title(ThawColorField *field, const char *name) {
    static const char *const tensors[][2] = {
        {"strain.", "strain"}, {"green_strain.", "Green strain"}, {"stress.", "stress"}};
    for (size_t k = 0; k < sizeof tensors / sizeof *tensors; k++) {
        size_t length = strlen(tensors[k][0]);
        if (strncmp(name, tensors[k][0], length) != 0) continue;
        snprintf(field->title, sizeof field->title, "%s %.8s%s", tensors[k][1], name + length,
                 k == 2 ? " Pa" : "");
        return true;
    }
    return false;
}

static void set_title(ThawColorField *field, const char *name) {
    if (set_tensor_title(field, name)) return;
    snprintf(field->title, sizeof field->title, "%s", name);
    for (size_t k = 0; k < sizeof titles / sizeof *titles; k++) {
        if (strcmp(titles[k].name, name) != 0) continue;
        snprintf(field->title, sizeof field->title, "%s", titles[k].title);
    }
    for (char *c = field->title; *c != '\0'; c++) {
        if (*c == '_') *c = ' ';
    }
}

// in kelvins, or in degrees Celsius
static bool is_temperature(const char *name) {
    return strcmp(name, "temperature") == 0 || strcmp(name, "celsius") == 0;
}

static bool is_category(const char *name) {
    return strcmp(name, "material") == 0 || strcmp(name, "object") == 0 ||
           strcmp(name, "body") == 0 || strcmp(name, "state") == 0;
}

// "color: the frame has no column "x"; it has speed, position, velocity"
static ThawResult refuse_column(const ThawFrame *frame, const char *name) {
    char list[400] = "";
    size_t used = 0;
    if (thaw_frame_column(frame, "velocity") != NULL)
        used = (size_t)snprintf(list, sizeof list, "speed%s", frame->column_count > 0 ? ", " : "");
    for (int k = 0; k < frame->column_count && used < sizeof list; k++) {
        int wrote = snprintf(list + used, sizeof list - used, "%s%.31s", k > 0 ? ", " : "",
                             frame->columns[k].name);
        used += wrote > 0 ? (size_t)wrote : 0;
    }
    return thaw_fail(THAW_NOT_FOUND, "color: the frame has no column \"%.40s\"; it has %s", name,
                     list[0] != '\0' ? list : "none");
}

// a number of one or two digits up to 15, x, y, z, or xx .. zx; −1 for anything else
static int parse_component(const char *text) {
    static const char *const pairs[] = {"xx", "yy", "zz", "xy", "yz", "zx"};
    for (int k = 0; k < 6; k++) {
        if (strcmp(text, pairs[k]) == 0) return k;
    }
    if (text[0] >= 'x' && text[0] <= 'z' && text[1] == '\0') return text[0] - 'x';
    int value = 0, digits = 0;
    for (; text[digits] >= '0' && text[digits] <= '9' && digits < 2; digits++)
        value = 10 * value + (text[digits] - '0');
    return digits > 0 && text[digits] == '\0' && value < 16 ? value : -1;
}

// "velocity.x" of "vx"; any other name is left as it is
static const char *whole_name(const char *name) {
    static const char *const whole[] = {"velocity.x", "velocity.y", "velocity.z"};
    bool brief = name[0] == 'v' && name[1] >= 'x' && name[1] <= 'z' && name[2] == '\0';
    return brief ? whole[name[1] - 'x'] : name;
}

// the column that a name means; *component is −1 where it means all of it
static const ThawColumn *look_up(const ThawFrame *frame, const char *name, int *component) {
    *component = -1;
    const ThawColumn *column = thaw_frame_column(frame, name);
    if (column != NULL) return column;
    if (strcmp(name, "speed") == 0) return thaw_frame_column(frame, "velocity");
    if (strcmp(name, "celsius") == 0) return thaw_frame_column(frame, "temperature");
    if (strcmp(name, "von_mises") == 0) return thaw_frame_column(frame, "stress");
    name = whole_name(name);
    const char *dot = strrchr(name, '.');
    char before[sizeof column->name];
    if (dot == NULL || (size_t)(dot - name) >= sizeof before) return NULL;
    snprintf(before, sizeof before, "%.*s", (int)(dot - name), name);
    column = thaw_frame_column(frame, before);
    *component = parse_component(dot + 1);
    bool there = column != NULL && column->components > 1 && *component >= 0 &&
                 (uint32_t)*component < column->components;
    return there ? column : NULL;
}

// how six components of a column that is drawn as a whole are taken together
static ThawTensor tensor_of(const char *name) {
    if (strcmp(name, "stress") == 0) return THAW_TENSOR_VON_MISES;
    bool strain = strcmp(name, "strain") == 0 || strcmp(name, "green_strain") == 0;
    return strain ? THAW_TENSOR_NORM : THAW_TENSOR_NOT;
}

static ThawResult find_column(const ThawFrame *frame, const char *name, ThawColorField *field) {
    int component;
    const ThawColumn *column = look_up(frame, name, &component);
    if (column == NULL && frame->count > 0) return refuse_column(frame, name);
    field->kind = is_category(name) ? THAW_FIELD_CATEGORY : THAW_FIELD_SCALAR;
    set_title(field, column != NULL && component >= 0 ? whole_name(name) : name);
    if (frame->count == 0) return THAW_OK;
    if (column->data == NULL || column->components < 1) {
        return thaw_fail(THAW_BAD_INPUT, "color: the column \"%.40s\" has no data", name);
    }
    field->column = column;
    field->magnitude = column->components > 1 && component < 0;
    if (field->magnitude && column->components == 6) field->tensor = tensor_of(column->name);
    field->component = component < 0 ? 0 : (uint32_t)component;
    bool celsius = strcmp(name, "celsius") == 0 && strcmp(column->name, "temperature") == 0;
    field->offset = celsius ? -ICE_POINT : 0;
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

// what most values lie between; low > high when there are none
static ThawResult measure_values(const ThawFrame *frame, const ThawColorField *field, double *low,
                                 double *high) {
    *low = INFINITY;
    *high = -INFINITY;
    if (field->column == NULL) return THAW_OK;
    double *values = thaw_alloc(MAX_SAMPLES * sizeof *values);
    if (values == NULL) return thaw_fail_memory(MAX_SAMPLES * sizeof *values);
    uint32_t count = sample_values(field, frame->count, values);
    if (count > 0) {
        uint32_t skip = (uint32_t)(PERCENTILE * count);
        *low = values[skip];
        *high = values[count - 1 - skip];
    }
    thaw_free(values);
    return THAW_OK;
}

// whether the sign is what matters: pulled or pushed, dense or thin
static bool is_signed(const ThawColorField *field, const char *name) {
    if (strcmp(name, "density_error") == 0) return true;
    bool part = field->column != NULL && field->column->components == 6 && !field->magnitude;
    const char *column = part ? field->column->name : "";
    return strcmp(column, "stress") == 0 || strcmp(column, "strain") == 0 ||
           strcmp(column, "green_strain") == 0;
}

// evenly about zero where the sign is what matters, else from zero where that is near
static ThawResult set_range(const ThawFrame *frame, const ThawRenderDef *def, const char *name,
                            ThawColorField *field) {
    double low, high;
    ThawResult result = measure_values(frame, field, &low, &high);
    bool some = low <= high, reaches_zero = low > 0 && low < 0.4 * high;
    field->low = some ? low : 0;
    field->high = some ? high : 1;
    bool balance = def->map != NULL && strcmp(def->map, "balance") == 0;
    if (strcmp(name, "molten") == 0) {
        field->low = 0;
        field->high = 1;
    } else if (some && is_temperature(name)) {
        // the same everywhere: a kelvin about it, not the way from 0 K
        bool even = !(field->low < field->high);
        field->low -= even ? 0.5 : 0;
        field->high += even ? 0.5 : 0;
    } else if (some && (balance || is_signed(field, name))) {
        field->high = fmax(fabs(low), fabs(high));
        field->low = -field->high;
    } else if (some && (field->magnitude || reaches_zero)) {
        field->low = 0;
    }
    widen(&field->low, &field->high);
    return result;
}

// ---------------------------------------------------------------- categories

static void note_kind(ThawColorKinds *noted, int64_t kind) {
    int64_t *kinds = noted->kinds;
    int place = 0;
    while (place < noted->count && kinds[place] < kind) place++;
    if (place < noted->count && kinds[place] == kind) return;
    // the lowest stay
    if (noted->count == THAW_LEGEND_ROWS) {
        noted->more = true;
        if (place == noted->count) return;
        noted->count--;
    }
    memmove(kinds + place + 1, kinds + place, (size_t)(noted->count - place) * sizeof *kinds);
    kinds[place] = kind;
    noted->count++;
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

void thaw_color_field_name(const ThawColorField *field, int64_t kind, char *text, size_t size) {
    if (kind > 0 && kind <= field->name_count && field->names[kind - 1] != NULL)
        snprintf(text, size, "%s", field->names[kind - 1]);
    else if (strcmp(field->title, "state") == 0 && (kind == 0 || kind == 1))
        snprintf(text, size, "%s", kind == 0 ? "liquid" : "solid");
    else
        snprintf(text, size, "%s %" PRId64, field->title, kind);
}

static void note_kinds(const ThawFrame *frame, const ThawColorField *field, ThawColorKinds *kinds) {
    int64_t before = INT64_MIN;
    for (uint32_t row = 0; field->column != NULL && row < frame->count; row++) {
        int64_t kind = kind_at(field, row);
        if (kind != before) note_kind(kinds, kind);
        before = kind;
    }
}

// the kinds that occur, and what they are called
static void name_kinds(const ThawFrame *frame, const ThawRenderDef *def, const char *name,
                       ThawColorField *field) {
    // materials and objects count from 1
    field->given_from = strcmp(name, "state") == 0 ? 0 : 1;
    if (strcmp(name, "material") == 0) {
        field->given = def->material_colors;
        field->given_count = def->material_count;
    }
    if (strcmp(name, "state") != 0 && def->category_names != NULL) {
        field->names = def->category_names;
        field->name_count = def->category_count;
    }
    note_kinds(frame, field, &field->kinds);
    for (int k = 0; def->kinds != NULL && k < def->kinds->count; k++) {
        note_kind(&field->kinds, def->kinds->kinds[k]);
    }
    field->kinds.more |= def->kinds != NULL && def->kinds->more;
}

// ---------------------------------------------------------------- all of it

static ThawResult make_map(const ThawRenderDef *def, const char *name, ThawColorField *field) {
    const char *map = def->map;
    if (map == NULL) {
        map = is_signed(field, name) ? "balance" : is_temperature(name) ? "heat" : "ocean";
    }
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
    if ((result = check_range(def))) return result;
    field->kind = THAW_FIELD_PLAIN;
    if (strcmp(name, "none") == 0) return make_map(def, name, field);
    if ((result = find_column(frame, name, field))) return result;
    if ((result = make_map(def, name, field))) return result;
    if (field->kind == THAW_FIELD_CATEGORY) {
        name_kinds(frame, def, name, field);
        return THAW_OK;
    }
    field->low = def->low;
    field->high = def->high;
    return def->low < def->high ? THAW_OK : set_range(frame, def, name, field);
}

ThawResult thaw_color_range(const ThawFrame *frame, const char *color, double *low, double *high) {
    ThawColorField field = {.kind = THAW_FIELD_PLAIN};
    *low = INFINITY;
    *high = -INFINITY;
    if (strcmp(color, "none") == 0) return THAW_OK;
    ThawResult result = find_column(frame, color, &field);
    if (result != THAW_OK || field.kind != THAW_FIELD_SCALAR) return result;
    return measure_values(frame, &field, low, high);
}

ThawResult thaw_color_kinds(const ThawFrame *frame, const char *color, ThawColorKinds *kinds) {
    ThawColorField field = {.kind = THAW_FIELD_PLAIN};
    if (strcmp(color, "none") == 0) return THAW_OK;
    ThawResult result = find_column(frame, color, &field);
    if (result == THAW_OK && field.kind == THAW_FIELD_CATEGORY) note_kinds(frame, &field, kinds);
    return result;
}

ThawFloat3 thaw_color_field_at(const ThawColorField *field, uint32_t row) {
    if (field->kind == THAW_FIELD_PLAIN || field->column == NULL) return thaw_water_color();
    if (field->kind == THAW_FIELD_CATEGORY) {
        return thaw_color_field_category(field, kind_at(field, row));
    }
    double t = (value_at(field, row) - field->low) / (field->high - field->low);
    return thaw_color_map_at(&field->map, (float)t);
}
