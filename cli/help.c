// thaw help, schema, completion and man: pages about the command and its scenes.
#include "page.h"
#include "say.h"

#include <stdlib.h>
#include <string.h>
#include <thaw/expression.h>

// prints a text that the library made, and frees it
static int print_made(const char *command, char *text) {
    if (text == NULL) return say_failure(command, "out of memory");
    fputs(text, stdout);
    free(text);
    return EXIT_DONE;
}

// ---------------------------------------------------------------- topics

static int help_scene(bool markdown) {
    return print_made("help", markdown ? thaw_scene_reference() : thaw_scene_help());
}

static int help_units(bool markdown) {
    (void)markdown;
    return print_made("help", thaw_unit_help());
}

static int help_fields(bool markdown) {
    (void)markdown;
    Arguments none;
    if (!arguments_parse(&command_fields, 0, NULL, &none)) return EXIT_FAILED;
    int status = command_fields.run(&none);
    arguments_free(&none);
    return status;
}

static int help_expressions(bool markdown) {
    (void)markdown;
    printf(
        "Expressions: small formulas in a scene, in place of a number.\n\n"
        "  t          time in seconds, wherever a number may change over time\n"
        "  x y z      position in metres, wherever a field is meant (a body's velocity, channels)\n"
        "  in melts_when and freezes_when also vx vy vz speed temperature molten spacing object\n"
        "  pi e       constants\n\n"
        "  + - * / %% ^  ( )     < <= > >= == !=     and or not     condition ? a : b\n\n");
    const char *meaning;
    for (int k = 0; thaw_expression_function(k, &meaning) != NULL; k++) {
        printf("  %-22s %s\n", thaw_expression_function(k, &meaning), meaning);
    }
    printf(
        "\nExample:\n  gravity: [0, 0, \"-9.81 * (t < 1 ? t : 1)\"]    # fades in over a second\n");
    return EXIT_DONE;
}

static int help_heat(bool markdown) {
    (void)markdown;
    return print_made("help", thaw_heat_help());
}

static const struct {
    const char *name;
    int (*print)(bool markdown);
} topics[] = {{"scene", help_scene},
              {"fields", help_fields},
              {"units", help_units},
              {"expressions", help_expressions},
              {"heat", help_heat}};
enum { TOPICS = sizeof topics / sizeof topics[0] };

static int refuse_topic(const char *name) {
    const char *known[64] = {NULL};
    int count = 0;
    for (; count < TOPICS; count++) known[count] = topics[count].name;
    for (int k = 0; commands[k] != NULL; k++) known[count++] = commands[k]->name;
    return refuse_unknown("help", name, known);
}

static int run_help(const Arguments *arguments) {
    bool markdown = arguments_has(arguments, "markdown");
    if (arguments->operand_count == 0) {
        if (markdown)
            page_print_markdown();
        else
            page_print_all();
        return EXIT_DONE;
    }
    const char *name = arguments->operands[0];
    for (int k = 0; k < TOPICS; k++) {
        if (strcmp(topics[k].name, name) == 0) return topics[k].print(markdown);
    }
    const Command *command = command_find(name);
    if (command == NULL) return refuse_topic(name);
    page_print(command);
    return EXIT_DONE;
}

static const Option help_options[] = {
    {"markdown", 0, NULL, NULL,
     "as a Markdown page: of all commands, or of the scene format with 'scene'", NULL},
    {0}};
static const Example help_examples[] = {
    {"thaw help scene", "every key of a scene with its unit, range, default and meaning"},
    {"thaw help run", "the same as thaw run --help"},
    {NULL, NULL}};
const Command command_help = {
    .name = "help",
    .summary = "this list, a command, or a topic: scene, fields, units, expressions, heat",
    .operands = "[COMMAND|scene|fields|units|expressions|heat]",
    .most = 1,
    .offer = "scene fields units expressions heat run check info render movie plot export bench "
             "mesh schema "
             "completion man",
    .about = "Tells about a command or a topic. 'scene' lists every key of a scene file, 'fields' "
             "what a particle carries, 'units' what numbers may be followed by, 'expressions' the "
             "formulas that may stand for a number, 'heat' how matter melts and freezes.",
    .options = help_options,
    .examples = help_examples,
    .run = run_help};

// ---------------------------------------------------------------- schema

static int run_schema(const Arguments *arguments) {
    (void)arguments;
    return print_made("schema", thaw_scene_schema());
}

static const Example schema_examples[] = {
    {"thaw schema > thaw.schema.json", "a file that editors check and complete scenes with"},
    {NULL, NULL}};
const Command command_schema = {
    .name = "schema",
    .summary = "print the JSON Schema of scenes, for editors",
    .operands = "",
    .about = "Prints the JSON Schema of the scene format, made from the table that checks scenes. "
             "Editors with a YAML language server use it through a first line like "
             "'# yaml-language-server: $schema=thaw.schema.json'.",
    .examples = schema_examples,
    .run = run_schema};

// ---------------------------------------------------------------- completion and man

static int run_completion(const Arguments *arguments) {
    if (strcmp(arguments->operands[0], "bash") == 0)
        page_print_bash();
    else if (strcmp(arguments->operands[0], "zsh") == 0)
        page_print_zsh();
    else
        return refuse_unknown("completion", arguments->operands[0],
                              (const char *const[]){"bash", "zsh", NULL});
    return EXIT_DONE;
}

static const Example completion_examples[] = {
    {"source <(thaw completion bash)", "in this shell; put the line into ~/.bashrc to keep it"},
    {"thaw completion zsh > ~/.zfunc/_thaw", "for zsh, with ~/.zfunc in $fpath"},
    {NULL, NULL}};
const Command command_completion = {
    .name = "completion",
    .summary = "print a completion script for a shell",
    .operands = "bash|zsh",
    .least = 1,
    .most = 1,
    .offer = "bash zsh",
    .about = "Prints a script that completes commands, options and their values.",
    .examples = completion_examples,
    .run = run_completion};

static int run_man(const Arguments *arguments) {
    (void)arguments;
    page_print_man();
    return EXIT_DONE;
}

static const Example man_examples[] = {{"thaw man | man -l -", "read it here"},
                                       {"thaw man > thaw.1", "a file to install"},
                                       {NULL, NULL}};
const Command command_man = {.name = "man",
                             .summary = "print the man page",
                             .operands = "",
                             .about = "Prints the man page thaw(1) in troff.",
                             .examples = man_examples,
                             .run = run_man};
