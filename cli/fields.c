// thaw fields: what a particle carries.
#include "command.h"

#include "say.h"

#include <stdio.h>
#include <thaw/thaw.h>

static const char *type_name(ThawType type) {
    static const char *const names[] = {"f32", "f64", "i32", "i64", "u8", "u16", "u64"};
    return names[type];
}

static void print_json(const ThawFieldInfo *field) {
    printf("{\"name\": ");
    json_text(stdout, field->name);
    printf(", \"type\": \"%s\", \"components\": %u, \"unit\": ", type_name(field->type),
           field->components);
    json_text(stdout, field->unit);
    printf(", \"saved\": %s, \"meaning\": ", field->saved ? "true" : "false");
    json_text(stdout, field->meaning);
    printf("}\n");
}

static int run(const Arguments *arguments) {
    bool json = arguments_has(arguments, "json");
    if (!json)
        printf("%-14s %-4s %1s  %-13s %-8s %s\n", "field", "type", "n", "unit", "saved", "meaning");
    for (uint32_t k = 0; thaw_field_info(k) != NULL; k++) {
        const ThawFieldInfo *field = thaw_field_info(k);
        if (json) {
            print_json(field);
            continue;
        }
        printf("%-14s %-4s %u  %-13s %-8s %s\n", field->name, type_name(field->type),
               field->components, field->unit[0] ? field->unit : "-",
               field->saved ? "yes" : "derived", field->meaning);
    }
    if (!json)
        printf("\nColours (--color, camera.color) may also be speed, the length of velocity; one "
               "component of a\nvector: velocity.x, velocity.y, velocity.z (or vx, vy, vz), "
               "NAME.0 to NAME.15 of a channel,\nstress.xx, .yy, .zz, .xy, .yz, .zx of a tensor, "
               "which as a whole shows von Mises' stress or the\nstrain's norm; celsius, the "
               "temperature in "
               "other degrees; or none.\n");
    return EXIT_DONE;
}

static const Option options[] = {
    {"json", 0, NULL, NULL, "one JSON object a line, for programs", NULL}, {0}};
static const Example examples[] = {
    {"thaw fields", "names that output.channels, --color and exports understand"}, {NULL, NULL}};
const Command command_fields = {
    .name = "fields",
    .summary = "list what each particle carries",
    .operands = "",
    .about = "Lists the fields of a particle: name, type, number of components, unit, whether it "
             "is saved or derived, and its meaning.",
    .options = options,
    .examples = examples,
    .run = run};
