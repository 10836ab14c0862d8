// thaw fields: what a particle carries.
#include "command.h"

#include <stdio.h>
#include <thaw/thaw.h>

static const char *type_name(ThawType type) {
    static const char *const names[] = {"f32", "f64", "i32", "i64", "u8", "u16", "u64"};
    return names[type];
}

static int run(int count, char **arguments) {
    Options options = {"fields", count, arguments, 0};
    const char *known[] = {"--help", NULL};
    const char *argument = options_next(&options);
    if (argument != NULL) return options_unknown(&options, argument, known);
    printf("%-14s %-4s %1s  %-13s %-8s %s\n", "field", "type", "n", "unit", "saved", "meaning");
    for (uint32_t k = 0; thaw_field_info(k) != NULL; k++) {
        const ThawFieldInfo *field = thaw_field_info(k);
        printf("%-14s %-4s %u  %-13s %-8s %s\n", field->name, type_name(field->type),
               field->components, field->unit[0] ? field->unit : "-",
               field->saved ? "yes" : "derived", field->meaning);
    }
    return EXIT_DONE;
}

const Command command_fields = {"fields", "list what each particle carries",
                                "usage: thaw fields\n\nLists the fields of a particle: name, type, "
                                "components, unit, meaning.\n",
                                run};
