// Quantities as text. The text is first brought to plain letters (µ, °, ², − and their like), then
// a small recursive reader multiplies units from left to right into one: a factor, a power of ten
// and the powers of the five bases.
#include "scene/units.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/result.h"
#include "scene/suggest.h"
#include "scene/unit_table.h"

#define LONGEST 256     // bytes of a quantity
#define DEEPEST 8       // brackets in brackets
#define LARGEST_POWER 9 // of a unit, and of a base in all
#define QUOTED 48       // bytes of a text in a sentence
#define DIGITS 300      // of a number that are looked at; a double is decided long before
#define EXPONENT 99999  // beyond what any double can hold, whatever the digits

// ---------------------------------------------------------------- numbers

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_beyond_ascii(char c) {
    return ((unsigned char)c & 0x80) != 0;
}

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

// a number taken to pieces: digits with at most one point, and the power of ten behind them
typedef struct Decimal {
    char digits[DIGITS + 1];
    size_t count;
    long exponent;
} Decimal;

static void keep_digit(Decimal *decimal, char c, bool fraction) {
    if (decimal->count < DIGITS) {
        decimal->digits[decimal->count++] = c;
        if (fraction) decimal->exponent--;
    } else if (!fraction) {
        decimal->exponent++;
    }
}

// the "e-3" at the start of the text; nothing is taken unless a digit follows
static size_t scan_exponent(const char *text, size_t length, long *exponent) {
    size_t at = 1;
    if (length < 2 || (text[0] != 'e' && text[0] != 'E')) return 0;
    bool minus = text[1] == '-';
    if (minus || text[1] == '+') at++;
    if (at >= length || !is_digit(text[at])) return 0;
    long value = 0;
    for (; at < length && is_digit(text[at]); at++) {
        if (value < EXPONENT) value = value * 10 + (text[at] - '0');
    }
    *exponent += minus ? -value : value;
    return at;
}

static size_t scan_decimal(const char *text, size_t length, Decimal *decimal) {
    size_t at = 0, digits = 0;
    bool fraction = false;
    *decimal = (Decimal){.count = 0};
    for (; at < length && (is_digit(text[at]) || (text[at] == '.' && !fraction)); at++) {
        if (text[at] == '.') {
            fraction = true;
            continue;
        }
        digits++;
        // zeros in front say nothing but where the point is
        if (text[at] == '0' && decimal->count == 0) {
            if (fraction) decimal->exponent--;
        } else {
            keep_digit(decimal, text[at], fraction);
        }
    }
    if (digits == 0) return 0;
    return at + scan_exponent(text + at, length - at, &decimal->exponent);
}

// without a point in it, the text means the same to strtod in every locale
static double value_of(const Decimal *decimal, int tens) {
    char text[DIGITS + 32];
    if (decimal->count == 0) return 0.0;
    snprintf(text, sizeof text, "%.*se%ld", (int)decimal->count, decimal->digits,
             decimal->exponent + tens);
    return strtod(text, NULL);
}

size_t scene_scan_number(const char *text, size_t length, double *value) {
    Decimal decimal;
    size_t taken = scan_decimal(text, length, &decimal);
    if (taken > 0) *value = value_of(&decimal, 0);
    return taken;
}

// ---------------------------------------------------------------- plain letters

static const char *const plain_spelling[][2] = {
    {"⁻¹", "^-1"}, {"⁻²", "^-2"}, {"⁻³", "^-3"},   {"²", "^2"},     {"³", "^3"},
    {"µ", "u"},    {"μ", "u"},    {"°", "deg"},    {"·", "*"},      {"⋅", "*"},
    {"×", "*"},    {"−", "-"},    {"\u00a0", " "}, {"\u202f", " "}, {"\u2009", " "},
};

// how many bytes of the text the row spells, and in `plain` what they become
static size_t match_spelling(const char *text, size_t length, const char **plain) {
    for (size_t k = 0; k < sizeof plain_spelling / sizeof plain_spelling[0]; k++) {
        size_t size = strlen(plain_spelling[k][0]);
        if (size <= length && memcmp(text, plain_spelling[k][0], size) == 0) {
            *plain = plain_spelling[k][1];
            return size;
        }
    }
    return 0;
}

// copies the text without blanks at its ends; false when it does not fit whole
static bool make_plain(const char *text, size_t length, char plain[LONGEST]) {
    size_t count = 0, at = 0;
    while (at < length && is_blank(text[at])) at++;
    while (length > at && is_blank(text[length - 1])) length--;
    while (at < length && count + 4 < LONGEST) {
        const char *spelling = NULL;
        size_t taken = match_spelling(text + at, length - at, &spelling);
        if (taken == 0) {
            plain[count++] = text[at] == '\0' ? '?' : text[at];
            at++;
            continue;
        }
        memcpy(plain + count, spelling, strlen(spelling));
        count += strlen(spelling);
        at += taken;
    }
    plain[count] = '\0';
    return at == length;
}

// the text as given in a sentence: short, without control characters, not cut within a letter
static void quote(const char *plain, char quoted[QUOTED]) {
    size_t count = 0;
    for (; plain[count] != '\0' && count < QUOTED - 8; count++) {
        unsigned char c = (unsigned char)plain[count];
        quoted[count] = c < 32 || c == 127 ? '?' : plain[count];
    }
    bool cut = plain[count] != '\0';
    while (cut && count > 0 && ((unsigned char)plain[count] & 0xc0) == 0x80) count--;
    strcpy(quoted + count, cut ? "..." : "");
}

// ---------------------------------------------------------------- units

typedef struct Unit {
    double above, below; // factor
    int tens;
    int powers[SCENE_BASES];
} Unit;

typedef struct Reader {
    const char *at;
    int depth;
    char *error; // SCENE_UNIT_ERROR bytes
    const SceneDimensionRow *wanted;
} Reader;

static const Unit one = {.above = 1, .below = 1};

static bool complain(Reader *reader, const char *format, ...) THAW_PRINTF(2, 3);
static bool complain(Reader *reader, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reader->error, SCENE_UNIT_ERROR, format, arguments);
    va_end(arguments);
    return false;
}

static void skip_blanks(Reader *reader) {
    while (is_blank(*reader->at)) reader->at++;
}

static bool has_powers(const signed char row[SCENE_BASES], const int powers[SCENE_BASES]) {
    for (int k = 0; k < SCENE_BASES; k++) {
        if (row[k] != powers[k]) return false;
    }
    return true;
}

// multiplies the unit by other^power; false when the powers grow out of all reason
static bool multiply(Unit *unit, const Unit *other, int power) {
    for (int k = 0; k < abs(power); k++) {
        unit->above *= power > 0 ? other->above : other->below;
        unit->below *= power > 0 ? other->below : other->above;
    }
    unit->tens += power * other->tens;
    bool fine = abs(unit->tens) <= 999;
    for (int k = 0; k < SCENE_BASES; k++) {
        unit->powers[k] += power * other->powers[k];
        if (abs(unit->powers[k]) > LARGEST_POWER) fine = false;
    }
    return fine;
}

static const SceneUnitRow *find_unit(const char *name) {
    for (int k = 0; k < scene_unit_count; k++) {
        if (strcmp(scene_unit_rows[k].name, name) == 0) return &scene_unit_rows[k];
    }
    return NULL;
}

static void set_unit(Unit *unit, const SceneUnitRow *row, int tens) {
    *unit = (Unit){.above = row->factor, .below = 1, .tens = row->tens + tens};
    for (int k = 0; k < SCENE_BASES; k++) unit->powers[k] = row->powers[k];
}

// a name as it stands, else a prefix and a name: "min" is a minute, never a milli-inch
static bool look_up(const char *name, Unit *unit) {
    const SceneUnitRow *row = find_unit(name);
    if (row != NULL) {
        set_unit(unit, row, 0);
        return true;
    }
    for (int k = 0; k < scene_prefix_count; k++) {
        if (scene_prefix_rows[k].letter != name[0]) continue;
        row = find_unit(name + 1);
        if (row == NULL || !row->prefixes) return false;
        set_unit(unit, row, scene_prefix_rows[k].tens);
        return true;
    }
    return false;
}

// the scale that the name stands for: 'C', 'F', or 0
static char scale_of(const char *name) {
    static const char *const celsius[] = {"C", "degC", "celsius", "Celsius"};
    static const char *const fahrenheit[] = {"F", "degF", "fahrenheit", "Fahrenheit"};
    for (int k = 0; k < 4; k++) {
        if (strcmp(name, celsius[k]) == 0) return 'C';
        if (strcmp(name, fahrenheit[k]) == 0) return 'F';
    }
    return 0;
}

static const char *suggest_unit(const char *name) {
    static const char *const common[] = {"mm",  "cm",  "km",  "um",  "kg", "mg", "ms",  "us", "mL",
                                         "cSt", "kPa", "MPa", "GPa", "kJ", "kW", "kHz", "mN", "C"};
    enum { COMMON = sizeof common / sizeof common[0] };
    const char *known[128];
    int count = 0;
    for (; count < COMMON; count++) known[count] = common[count];
    for (int k = 0; k < scene_unit_count && count < 128; k++) {
        known[count++] = scene_unit_rows[k].name;
    }
    return scene_suggest(name, known, count);
}

static bool refuse_name(Reader *reader, const char *name) {
    char quoted[QUOTED];
    quote(name, quoted);
    if (scale_of(name) != 0) {
        return complain(reader, "%s is a point on a scale and stands alone; write K in a unit",
                        quoted);
    }
    const char *near = suggest_unit(name);
    if (near != NULL) {
        return complain(reader, "unknown unit '%s'; did you mean '%s'?", quoted, near);
    }
    return complain(reader, "unknown unit '%s'; %s is wanted, like %s", quoted,
                    reader->wanted->name, reader->wanted->example);
}

static bool read_name(Reader *reader, Unit *unit) {
    char name[LONGEST];
    size_t count = 0;
    for (; is_letter(reader->at[count]) || is_beyond_ascii(reader->at[count]); count++) {
        name[count] = reader->at[count];
    }
    if (count == 0 && *reader->at == '%') name[count++] = '%';
    if (count == 0) {
        if (*reader->at == '\0') return complain(reader, "the unit is not complete");
        char quoted[QUOTED];
        quote(reader->at, quoted);
        return complain(reader, "a unit is wanted before '%s'", quoted);
    }
    name[count] = '\0';
    if (!look_up(name, unit)) return refuse_name(reader, name);
    reader->at += count;
    return true;
}

// the "^-2" behind a unit
static bool read_power(Reader *reader, int *power) {
    *power = 1;
    if (*reader->at != '^') return true;
    reader->at++;
    bool minus = *reader->at == '-';
    if (minus || *reader->at == '+') reader->at++;
    if (!is_digit(reader->at[0]) || is_digit(reader->at[1]) || reader->at[1] == '.') {
        return complain(reader, "the power of a unit is a whole number from -9 to 9");
    }
    *power = (*reader->at - '0') * (minus ? -1 : 1);
    reader->at++;
    return true;
}

static bool read_product(Reader *reader, Unit *unit);

static bool read_bracket(Reader *reader, Unit *unit) {
    if (++reader->depth > DEEPEST) return complain(reader, "too many brackets in a unit");
    reader->at++;
    if (!read_product(reader, unit)) return false;
    if (*reader->at != ')') return complain(reader, "a ')' is missing in the unit");
    reader->at++;
    reader->depth--;
    return true;
}

static bool read_factor(Reader *reader, Unit *unit) {
    int power;
    Unit base = one;
    skip_blanks(reader);
    if (reader->at[0] == '1' && reader->at[1] == '/') {
        reader->at++; // of "1/s"
    } else if (*reader->at == '(') {
        if (!read_bracket(reader, &base)) return false;
    } else if (!read_name(reader, &base)) {
        return false;
    }
    if (!read_power(reader, &power)) return false;
    *unit = one;
    return multiply(unit, &base, power) || complain(reader, "the powers of the unit are too large");
}

static bool read_product(Reader *reader, Unit *unit) {
    *unit = one;
    int sign = 1;
    for (;;) {
        Unit factor;
        if (!read_factor(reader, &factor)) return false;
        if (!multiply(unit, &factor, sign)) {
            return complain(reader, "the powers of the unit are too large");
        }
        skip_blanks(reader);
        if (*reader->at == '\0' || *reader->at == ')') return true;
        sign = *reader->at == '/' ? -1 : 1;
        if (*reader->at == '/' || *reader->at == '*') reader->at++;
    }
}

static bool read_unit(Reader *reader, Unit *unit) {
    if (!read_product(reader, unit)) return false;
    if (*reader->at == '\0') return true;
    return complain(reader, "the unit has a ')' too many");
}

// ---------------------------------------------------------------- quantities

static bool refuse_dimension(Reader *reader, const char *plain, const int powers[SCENE_BASES]) {
    char quoted[QUOTED], bases[64];
    const SceneDimensionRow *wanted = reader->wanted;
    quote(plain, quoted);
    for (int k = 0; k < SCENE_DIMENSIONS; k++) {
        const SceneDimensionRow *row = &scene_dimension_rows[k];
        if (!has_powers(row->powers, powers)) continue;
        return complain(reader, "'%s' is %s; %s is wanted, like %s", quoted, row->name,
                        wanted->name, wanted->example);
    }
    scene_write_bases(powers, bases, sizeof bases);
    return complain(reader, "'%s' is in %s; %s is wanted, like %s", quoted, bases, wanted->name,
                    wanted->example);
}

static bool refuse_number(Reader *reader, const char *plain) {
    char quoted[QUOTED];
    const SceneDimensionRow *wanted = reader->wanted;
    if (plain[0] == '\0') {
        return complain(reader, "the text is empty; %s is wanted, like %s", wanted->name,
                        wanted->example);
    }
    quote(plain, quoted);
    return complain(reader, "'%s' is not a number; %s is wanted, like %s", quoted, wanted->name,
                    wanted->example);
}

static double on_scale(char scale, double value) {
    return scale == 'C' ? value + 273.15 : (value - 32.0) * 5.0 / 9.0 + 273.15;
}

// powers of ten go to the digits; with another factor they join it, so that only its quotient
// rounds
static double value_in(const Decimal *decimal, const Unit *unit) {
    if (unit->above == 1.0 && unit->below == 1.0) return value_of(decimal, unit->tens);
    double above = unit->above, below = unit->below, tens = pow(10.0, abs(unit->tens));
    if (unit->tens > 0) above *= tens;
    if (unit->tens < 0) below *= tens;
    return value_of(decimal, 0) * above / below;
}

// the value behind the sign
static bool read_value(Reader *reader, const char *plain, double sign, double *si) {
    Decimal decimal;
    Unit unit = one;
    size_t taken = scan_decimal(reader->at, strlen(reader->at), &decimal);
    if (taken == 0) return refuse_number(reader, plain);
    reader->at += taken;
    skip_blanks(reader);
    char scale = scale_of(reader->at);
    if (scale != 0) {
        unit.powers[SCENE_KELVIN] = 1;
    } else if (*reader->at == '\0') {
        *si = sign * value_of(&decimal, 0);
        return true;
    } else if (!read_unit(reader, &unit)) {
        return false;
    }
    if (!has_powers(reader->wanted->powers, unit.powers)) {
        return refuse_dimension(reader, plain, unit.powers);
    }
    double value = value_in(&decimal, &unit);
    *si = scale != 0 ? on_scale(scale, sign * value) : sign * value;
    return true;
}

// the sign in front, if there is one
static double read_sign(Reader *reader) {
    if (*reader->at != '-' && *reader->at != '+') return 1.0;
    double sign = *reader->at == '-' ? -1.0 : 1.0;
    reader->at++;
    skip_blanks(reader);
    return sign;
}

bool scene_parse_quantity(const char *text, size_t length, SceneDimension expected, double *si,
                          char error[SCENE_UNIT_ERROR]) {
    char plain[LONGEST], unheard[SCENE_UNIT_ERROR];
    Reader reader = {.at = plain,
                     .error = error != NULL ? error : unheard,
                     .wanted = &scene_dimension_rows[expected]};
    double value = 0.0;
    if (!make_plain(text, length, plain)) return complain(&reader, "the number is too long");
    double sign = read_sign(&reader);
    if (!read_value(&reader, plain, sign, &value)) return false;
    if (!isfinite(value)) {
        char quoted[QUOTED];
        quote(plain, quoted);
        return complain(&reader, "'%s' is too large", quoted);
    }
    *si = value;
    return true;
}

bool scene_is_quantity(const char *text, size_t length) {
    char plain[LONGEST];
    Reader reader = {.at = plain};
    Decimal decimal;
    make_plain(text, length, plain); // the beginning is enough
    read_sign(&reader);
    size_t taken = scan_decimal(reader.at, strlen(reader.at), &decimal);
    if (taken == 0) return false;
    reader.at += taken;
    skip_blanks(&reader);
    const char *at = reader.at;
    if (at[0] == '%') return at[1] == '\0';
    if (at[0] == '1') return at[1] == '/';
    // "1 or t" is logic
    if (strncmp(at, "and", 3) == 0 && !is_letter(at[3])) return false;
    if (strncmp(at, "or", 2) == 0 && !is_letter(at[2])) return false;
    return at[0] == '\0' || is_letter(at[0]) || is_beyond_ascii(at[0]);
}

bool scene_is_point(const char *text, size_t length) {
    char plain[LONGEST];
    Reader reader = {.at = plain};
    Decimal decimal;
    if (!make_plain(text, length, plain)) return false;
    read_sign(&reader);
    reader.at += scan_decimal(reader.at, strlen(reader.at), &decimal);
    skip_blanks(&reader);
    return scale_of(reader.at) != 0;
}

// ---------------------------------------------------------------- dimensions

const char *scene_dimension_name(SceneDimension dimension) {
    return scene_dimension_rows[dimension].name;
}

const char *scene_dimension_unit(SceneDimension dimension) {
    return scene_dimension_rows[dimension].unit;
}

const char *scene_dimension_example(SceneDimension dimension) {
    return scene_dimension_rows[dimension].example;
}

SceneDimension scene_dimension_of(const char *unit) {
    int k = 0;
    while (k < SCENE_DIMENSIONS && strcmp(scene_dimension_rows[k].unit, unit) != 0) k++;
    return (SceneDimension)k;
}
