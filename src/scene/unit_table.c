// The tables of units, and the page for a terminal that is printed from them.
#include "scene/unit_table.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <thaw/scene.h>

#include "base/result.h"
#include "scene/units.h"

#define PI 3.14159265358979323846
#define COUNT(array) ((int)(sizeof(array) / sizeof(array)[0]))
#define PAGE 8192 // bytes; the page takes about half

// powers of                                                          m  kg  s  K rad
const SceneDimensionRow scene_dimension_rows[] = {
    [SCENE_NUMBER] = {"a plain number", "", "0.5 or 50 %", {0, 0, 0, 0, 0}},
    [SCENE_LENGTH] = {"a length", "m", "10 cm", {1, 0, 0, 0, 0}},
    [SCENE_AREA] = {"an area", "m^2", "5 cm^2", {2, 0, 0, 0, 0}},
    [SCENE_VOLUME] = {"a volume", "m^3", "0.5 L", {3, 0, 0, 0, 0}},
    [SCENE_TIME] = {"a time", "s", "20 ms", {0, 0, 1, 0, 0}},
    [SCENE_FREQUENCY] = {"a frequency", "1/s", "24 fps", {0, 0, -1, 0, 0}},
    [SCENE_MASS] = {"a mass", "kg", "250 g", {0, 1, 0, 0, 0}},
    [SCENE_DENSITY] = {"a density", "kg/m^3", "1 g/cm^3", {-3, 1, 0, 0, 0}},
    [SCENE_VELOCITY] = {"a velocity", "m/s", "3 mm/s", {1, 0, -1, 0, 0}},
    [SCENE_ACCELERATION] = {"an acceleration", "m/s^2", "9.81 m/s^2", {1, 0, -2, 0, 0}},
    [SCENE_ANGLE] = {"an angle", "rad", "20 deg", {0, 0, 0, 0, 1}},
    [SCENE_ANGULAR_VELOCITY] = {"an angular velocity", "rad/s", "30 rpm", {0, 0, -1, 0, 1}},
    [SCENE_KINEMATIC_VISCOSITY] = {"a kinematic viscosity", "m^2/s", "1 cSt", {2, 0, -1, 0, 0}},
    [SCENE_DYNAMIC_VISCOSITY] = {"a dynamic viscosity", "Pa s", "1 mPa s", {-1, 1, -1, 0, 0}},
    [SCENE_FORCE] = {"a force", "N", "3 N", {1, 1, -2, 0, 0}},
    [SCENE_PRESSURE] = {"a pressure", "Pa", "2 kPa", {-1, 1, -2, 0, 0}},
    [SCENE_SURFACE_TENSION] = {"a surface tension", "N/m", "72 mN/m", {0, 1, -2, 0, 0}},
    [SCENE_ENERGY] = {"an energy", "J", "5 kJ", {2, 1, -2, 0, 0}},
    [SCENE_POWER] = {"a power", "W", "100 W", {2, 1, -3, 0, 0}},
    [SCENE_TEMPERATURE] = {"a temperature", "K", "25 C", {0, 0, 0, 1, 0}},
    [SCENE_CONDUCTIVITY] = {"a conductivity", "W/(m K)", "0.6 W/(m K)", {1, 1, -3, -1, 0}},
    [SCENE_SPECIFIC_HEAT] = {"a specific heat", "J/(kg K)", "4.2 kJ/(kg K)", {2, 0, -2, -1, 0}},
    [SCENE_LATENT_HEAT] = {"a latent heat", "J/kg", "334 kJ/kg", {2, 0, -2, 0, 0}},
    [SCENE_HEAT_TRANSFER] = {"a heat-transfer coefficient",
                             "W/(m^2 K)",
                             "20 W/(m^2 K)",
                             {0, 1, -3, -1, 0}},
    [SCENE_THERMAL_EXPANSION] = {"a thermal expansion", "1/K", "2e-4 1/K", {0, 0, 0, -1, 0}},
    [SCENE_VOLUME_FLOW] = {"a volume flow", "m^3/s", "2 L/min", {3, 0, -1, 0, 0}},
    [SCENE_MASS_FLOW] = {"a mass flow", "kg/s", "10 g/s", {0, 1, -1, 0, 0}},
    [SCENE_RATE_GROWTH] = {"a growth of a rate", "1/s^2", "2 1/s^2", {0, 0, -2, 0, 0}},
    [SCENE_INERTIA] = {"a moment of inertia", "kg m^2", "3 kg m^2", {2, 1, 0, 0, 0}},
    [SCENE_TRANSITION_RATE] = {"a rate per kelvin", "1/(K s)", "2 1/(K s)", {0, 0, -1, -1, 0}},
};

// powers of                       m  kg  s  K rad
const SceneUnitRow scene_unit_rows[] = {
    {"m", 1, 0, {1, 0, 0, 0, 0}, true, "metre"},
    {"metre", 1, 0, {1, 0, 0, 0, 0}, false, NULL},
    {"metres", 1, 0, {1, 0, 0, 0, 0}, false, NULL},
    {"meter", 1, 0, {1, 0, 0, 0, 0}, false, NULL},
    {"meters", 1, 0, {1, 0, 0, 0, 0}, false, NULL},
    {"in", 254, -4, {1, 0, 0, 0, 0}, false, "inch"},
    {"inch", 254, -4, {1, 0, 0, 0, 0}, false, NULL},
    {"inches", 254, -4, {1, 0, 0, 0, 0}, false, NULL},
    {"ft", 3048, -4, {1, 0, 0, 0, 0}, false, "foot"},
    {"feet", 3048, -4, {1, 0, 0, 0, 0}, false, NULL},
    {"L", 1, -3, {3, 0, 0, 0, 0}, true, "litre"},
    {"l", 1, -3, {3, 0, 0, 0, 0}, true, NULL},
    {"s", 1, 0, {0, 0, 1, 0, 0}, true, "second"},
    {"sec", 1, 0, {0, 0, 1, 0, 0}, false, NULL},
    {"second", 1, 0, {0, 0, 1, 0, 0}, false, NULL},
    {"seconds", 1, 0, {0, 0, 1, 0, 0}, false, NULL},
    {"min", 60, 0, {0, 0, 1, 0, 0}, false, "minute"},
    {"minute", 60, 0, {0, 0, 1, 0, 0}, false, NULL},
    {"minutes", 60, 0, {0, 0, 1, 0, 0}, false, NULL},
    {"h", 3600, 0, {0, 0, 1, 0, 0}, false, "hour"},
    {"hour", 3600, 0, {0, 0, 1, 0, 0}, false, NULL},
    {"hours", 3600, 0, {0, 0, 1, 0, 0}, false, NULL},
    {"Hz", 1, 0, {0, 0, -1, 0, 0}, true, "hertz"},
    {"fps", 1, 0, {0, 0, -1, 0, 0}, false, "frames a second"},
    {"g", 1, -3, {0, 1, 0, 0, 0}, true, "gram"},
    {"t", 1, 3, {0, 1, 0, 0, 0}, false, "tonne"},
    {"lb", 45359237, -8, {0, 1, 0, 0, 0}, false, "pound"},
    {"rad", 1, 0, {0, 0, 0, 0, 1}, true, "radian"},
    {"deg", PI / 180, 0, {0, 0, 0, 0, 1}, false, "degree; also °"},
    {"degree", PI / 180, 0, {0, 0, 0, 0, 1}, false, NULL},
    {"degrees", PI / 180, 0, {0, 0, 0, 0, 1}, false, NULL},
    {"turn", 2 * PI, 0, {0, 0, 0, 0, 1}, false, "full turn"},
    {"turns", 2 * PI, 0, {0, 0, 0, 0, 1}, false, NULL},
    {"rev", 2 * PI, 0, {0, 0, 0, 0, 1}, false, NULL},
    {"rpm", PI / 30, 0, {0, 0, -1, 0, 1}, false, "turns a minute"},
    {"K", 1, 0, {0, 0, 0, 1, 0}, true, "kelvin"},
    {"kelvin", 1, 0, {0, 0, 0, 1, 0}, false, NULL},
    {"N", 1, 0, {1, 1, -2, 0, 0}, true, "newton"},
    {"Pa", 1, 0, {-1, 1, -2, 0, 0}, true, "pascal"},
    {"bar", 1, 5, {-1, 1, -2, 0, 0}, true, "bar"},
    {"atm", 101325, 0, {-1, 1, -2, 0, 0}, false, "standard atmosphere"},
    {"psi", 6894.757293168361, 0, {-1, 1, -2, 0, 0}, false, "pound a square inch"},
    {"J", 1, 0, {2, 1, -2, 0, 0}, true, "joule"},
    {"cal", 4184, -3, {2, 1, -2, 0, 0}, true, "calorie"},
    {"W", 1, 0, {2, 1, -3, 0, 0}, true, "watt"},
    {"St", 1, -4, {2, 0, -1, 0, 0}, true, "stokes"},
    {"P", 1, -1, {-1, 1, -1, 0, 0}, true, "poise"},
    {"%", 1, -2, {0, 0, 0, 0, 0}, false, "per cent"},
    {"percent", 1, -2, {0, 0, 0, 0, 0}, false, NULL},
};
const int scene_unit_count = COUNT(scene_unit_rows);

const ScenePrefixRow scene_prefix_rows[] = {
    {'n', -9, "nano"},  {'u', -6, "micro; also µ"}, {'m', -3, "milli"},
    {'c', -2, "centi"}, {'d', -1, "deci"},          {'h', 2, "hecto"},
    {'k', 3, "kilo"},   {'M', 6, "mega"},           {'G', 9, "giga"},
};
const int scene_prefix_count = COUNT(scene_prefix_rows);

// ---------------------------------------------------------------- bases as text

typedef struct Text {
    char *at;
    size_t left;
} Text;

// adds what fits
static void add(Text *text, const char *format, ...) THAW_PRINTF(2, 3);
static void add(Text *text, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text->at, text->left, format, arguments);
    va_end(arguments);
    size_t taken = length < 0 ? 0 : (size_t)length;
    if (taken >= text->left) taken = text->left == 0 ? 0 : text->left - 1;
    text->at += taken;
    text->left -= taken;
}

// the bases with powers of one sign
static void add_bases(Text *text, const int powers[SCENE_BASES], int sign) {
    static const char *const names[SCENE_BASES] = {"m", "kg", "s", "K", "rad"};
    static const int order[SCENE_BASES] = {SCENE_KILOGRAM, SCENE_METRE, SCENE_RADIAN, SCENE_SECOND,
                                           SCENE_KELVIN};
    const char *gap = "";
    for (int k = 0; k < SCENE_BASES; k++) {
        int power = powers[order[k]] * sign;
        if (power <= 0) continue;
        add(text, "%s%s", gap, names[order[k]]);
        if (power > 1) add(text, "^%d", power);
        gap = " ";
    }
}

void scene_write_bases(const int powers[SCENE_BASES], char *target, size_t size) {
    Text text = {target, size};
    int above = 0, below = 0;
    for (int k = 0; k < SCENE_BASES; k++) {
        above += powers[k] > 0;
        below += powers[k] < 0;
    }
    if (above == 0) add(&text, "1");
    add_bases(&text, powers, 1);
    if (below == 0) return;
    add(&text, below > 1 ? "/(" : "/");
    add_bases(&text, powers, -1);
    if (below > 1) add(&text, ")");
}

// ---------------------------------------------------------------- the page

static const char page_head[] =
    "Units\n\n"
    "  Every number of a scene may be text with a unit: \"10 cm\", \"25 C\", \"20 deg\", \"1 "
    "g/cm^3\".\n"
    "  A number without a unit is in SI units. A unit of another kind is an error:\n"
    "  '3 kg' where a length is wanted is refused.\n\n"
    "  Units are multiplied with a blank or *, divided with /, raised with ^: \"9.81 m/s^2\",\n"
    "  \"0.6 W/(m K)\". Work goes from left to right, so write W/(m K) or W/m/K, not W/m K.\n"
    "  m², m³ and s⁻¹ are read too.\n\n"
    "  C and F (also °C, degC) are points on a scale and stand alone: \"25 C\" is 298.15 K. A\n"
    "  difference of temperatures is in K.\n\n";

static const char *without_article(const char *name) {
    while (*name != ' ') name++;
    return name + 1;
}

static void add_dimensions(Text *text) {
    add(text, "  %-28s %-10s %s\n", "what", "SI unit", "for example");
    for (int k = 0; k < SCENE_DIMENSIONS; k++) {
        const SceneDimensionRow *row = &scene_dimension_rows[k];
        add(text, "  %-28s %-10s %s\n", without_article(row->name), row->unit, row->example);
    }
}

static void add_units(Text *text) {
    add(text, "\n  unit (* takes prefixes)         is\n");
    for (int k = 0; k < scene_unit_count; k++) {
        const SceneUnitRow *row = &scene_unit_rows[k];
        char names[64], bases[64], value[96];
        Text list = {names, sizeof names};
        int powers[SCENE_BASES];
        for (int b = 0; b < SCENE_BASES; b++) powers[b] = row->powers[b];
        scene_write_bases(powers, bases, sizeof bases);
        add(&list, "%s%s", row->name, row->prefixes ? "*" : "");
        while (k + 1 < scene_unit_count && scene_unit_rows[k + 1].meaning == NULL) {
            k++;
            add(&list, " %s%s", scene_unit_rows[k].name, scene_unit_rows[k].prefixes ? "*" : "");
        }
        snprintf(value, sizeof value, "%.9g %s", row->factor * pow(10, row->tens), bases);
        add(text, "  %-31s %-23s %s\n", names, value, row->meaning);
    }
    add(text,
        "  C degC celsius                  K - 273.15              degree Celsius; also °C\n"
        "  F degF fahrenheit               K * 9/5 - 459.67        degree Fahrenheit; also °F\n");
}

static void add_prefixes(Text *text) {
    add(text, "\n  prefixes\n");
    for (int k = 0; k < scene_prefix_count; k++) {
        const ScenePrefixRow *row = &scene_prefix_rows[k];
        add(text, "  %c  1e%-3d %s\n", row->letter, row->tens, row->meaning);
    }
}

char *thaw_unit_help(void) {
    char *page = malloc(PAGE);
    if (page == NULL) return NULL;
    Text text = {page, PAGE};
    add(&text, "%s", page_head);
    add_dimensions(&text);
    add_units(&text);
    add_prefixes(&text);
    return page;
}
