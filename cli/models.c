// thaw models: what particles can be.
#include "command.h"

#include <stdio.h>
#include <thaw/thaw.h>

static int run(const Arguments *arguments) {
    bool json = arguments_has(arguments, "json");
    const char *name, *summary;
    for (uint32_t k = 0; (name = thaw_model_name(k, &summary)) != NULL; k++) {
        if (json)
            printf("{\"name\": \"%s\", \"summary\": \"%s\"}\n", name, summary);
        else
            printf("%-10s %s\n", name, summary);
    }
    return EXIT_DONE;
}

static const Option options[] = {
    {"json", 0, NULL, NULL, "one JSON object a line, for programs", NULL}, {0}};
static const Example examples[] = {{"thaw models", "the models, in the order in which they act"},
                                   {NULL, NULL}};
const Command command_models = {.name = "models",
                                .summary = "list the models of matter",
                                .operands = "",
                                .about = "Lists the models that act on particles, in their order.",
                                .options = options,
                                .examples = examples,
                                .run = run};
