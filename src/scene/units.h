// Quantities as text: a number that may carry a unit ("10 cm", "25 C", "1 g/cm^3"), read as SI.
//
// A unit is a product of powers of metre, kilogram, second, kelvin and radian with a factor; what
// is wanted is such a product too, so that any spelling of the right dimension is accepted and any
// other refused by name. A bare number is in SI units already.
#ifndef THAW_SCENE_UNITS_H
#define THAW_SCENE_UNITS_H

#include <stdbool.h>
#include <stddef.h>

// What a number measures. The SI unit of each is beside it.
typedef enum SceneDimension {
    SCENE_NUMBER,              // 1; "5 %" is 0.05
    SCENE_LENGTH,              // m
    SCENE_AREA,                // m^2
    SCENE_VOLUME,              // m^3
    SCENE_TIME,                // s
    SCENE_FREQUENCY,           // 1/s
    SCENE_MASS,                // kg
    SCENE_DENSITY,             // kg/m^3
    SCENE_VELOCITY,            // m/s
    SCENE_ACCELERATION,        // m/s^2
    SCENE_ANGLE,               // rad
    SCENE_ANGULAR_VELOCITY,    // rad/s
    SCENE_KINEMATIC_VISCOSITY, // m^2/s
    SCENE_DYNAMIC_VISCOSITY,   // Pa s
    SCENE_FORCE,               // N
    SCENE_PRESSURE,            // Pa
    SCENE_SURFACE_TENSION,     // N/m
    SCENE_ENERGY,              // J
    SCENE_POWER,               // W
    SCENE_TEMPERATURE,         // K; "25 C" and "77 F" are points on a scale
    SCENE_CONDUCTIVITY,        // W/(m K)
    SCENE_SPECIFIC_HEAT,       // J/(kg K)
    SCENE_LATENT_HEAT,         // J/kg
    SCENE_HEAT_TRANSFER,       // W/(m^2 K)
    SCENE_THERMAL_EXPANSION,   // 1/K
    SCENE_VOLUME_FLOW,         // m^3/s
    SCENE_MASS_FLOW,           // kg/s
    SCENE_RATE_GROWTH,         // 1/s^2
    SCENE_INERTIA,             // kg m^2
    SCENE_TRANSITION_RATE,     // 1/(K s)
    SCENE_DIMENSIONS
} SceneDimension;

#define SCENE_UNIT_ERROR 200 // bytes that any sentence about a quantity fits in

// Reads the whole of text[0..length) as a quantity of the dimension; blanks around it are fine. On
// false *si is untouched and `error` (may be NULL) holds one sentence without a full stop, such as
// "'3 kg' is a mass; a length is wanted, like 10 cm".
bool scene_parse_quantity(const char *text, size_t length, SceneDimension expected, double *si,
                          char error[SCENE_UNIT_ERROR]);

// Whether the text starts as a quantity: a number, then nothing or a unit. "2 * t" and "t" do not,
// so they are expressions; "10 parsec" does, so its reader can complain of the unit.
bool scene_is_quantity(const char *text, size_t length);

// Whether the text is a point on a scale of temperatures, such as 5 C, which is no difference.
bool scene_is_point(const char *text, size_t length);

const char *scene_dimension_name(SceneDimension dimension);    // "a length"
const char *scene_dimension_unit(SceneDimension dimension);    // "m"; "" for SCENE_NUMBER
const char *scene_dimension_example(SceneDimension dimension); // "10 cm"
// The dimension whose SI unit is written so ("m/s^2"), or SCENE_DIMENSIONS. "" is SCENE_NUMBER.
SceneDimension scene_dimension_of(const char *unit);

// Reads the decimal number at the start of text[0..length): digits, point, exponent, no sign. Gives
// how many bytes it takes, 0 when there is none. The locale does not matter.
size_t scene_scan_number(const char *text, size_t length, double *value);

#endif
