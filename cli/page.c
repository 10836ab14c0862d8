// Help pages for a terminal, and the same as Markdown.
#include "page.h"

#include "say.h"

#include <stdio.h>
#include <string.h>

enum { PAGE_WIDTH = 88 };

void page_print_all(void) {
    printf("thaw %s: particles that flow, melt, freeze and break\n\n", thaw_version());
    printf("usage: thaw COMMAND [ARGUMENTS]\n\n");
    for (int k = 0; commands[k] != NULL; k++) {
        printf("  %-11s %s\n", commands[k]->name, commands[k]->summary);
    }
    printf("\nA first run:\n"
           "  thaw check dam.yaml      look before you leap: particles, memory, warnings\n"
           "  thaw run dam.yaml        simulate; frames go to out/dam\n"
           "  thaw movie out/dam       draw the frames and make a movie\n"
           "\n'thaw COMMAND --help' tells all about a command, 'thaw help scene' how to write a "
           "scene.\n");
}

// ---------------------------------------------------------------- one command

// "-o, --output DIR" into a buffer
static void name_option(const Option *option, char *text, size_t size) {
    char letter[8] = "";
    if (option->letter != 0) snprintf(letter, sizeof letter, "-%c, ", option->letter);
    snprintf(text, size, "%s--%s%s%s", letter, option->name, option->value != NULL ? " " : "",
             option->value != NULL ? option->value : "");
}

static void tell_option(const Option *option, char *text, size_t size) {
    if (option->initial != NULL)
        snprintf(text, size, "%s (default: %s)", option->meaning, option->initial);
    else
        snprintf(text, size, "%s", option->meaning);
}

static int widest_option(const Command *command) {
    int widest = (int)strlen("--help");
    char name[80];
    for (const Option *option = command->options; option != NULL && option->name != NULL;
         option++) {
        name_option(option, name, sizeof name);
        if ((int)strlen(name) > widest) widest = (int)strlen(name);
    }
    return widest;
}

static void print_options(const Command *command) {
    int widest = widest_option(command);
    char name[80], meaning[512];
    for (const Option *option = command->options; option != NULL && option->name != NULL;
         option++) {
        name_option(option, name, sizeof name);
        tell_option(option, meaning, sizeof meaning);
        printf("  %-*s  ", widest, name);
        print_wrapped(stdout, meaning, widest + 4, widest + 4, PAGE_WIDTH);
        printf("\n");
    }
    printf("  %-*s  this page\n", widest, "--help");
}

static void print_examples(const Command *command) {
    printf("\nExamples:\n");
    for (const Example *example = command->examples; example->line != NULL; example++) {
        printf("  %s\n      ", example->line);
        print_wrapped(stdout, example->meaning, 6, 6, PAGE_WIDTH);
        printf("\n");
    }
}

void page_print(const Command *command) {
    printf("usage: thaw %s%s%s%s\n\n", command->name, command->operands[0] != '\0' ? " " : "",
           command->operands, command->options != NULL ? " [OPTIONS]" : "");
    print_wrapped(stdout, command->about, 0, 0, PAGE_WIDTH);
    printf("\n\n");
    print_options(command);
    print_examples(command);
}

// ---------------------------------------------------------------- Markdown

// a table's cell: bars must not end it
static void print_cell(const char *text) {
    for (; *text != '\0'; text++) {
        if (*text == '|') putchar('\\');
        putchar(*text);
    }
}

static void print_markdown_command(const Command *command) {
    printf("\n## thaw %s\n\n`thaw %s%s%s%s`\n\n", command->name, command->name,
           command->operands[0] != '\0' ? " " : "", command->operands,
           command->options != NULL ? " [OPTIONS]" : "");
    print_wrapped(stdout, command->about, 0, 0, 110);
    printf("\n");
    if (command->options != NULL) printf("\n| option | default | meaning |\n|---|---|---|\n");
    for (const Option *option = command->options; option != NULL && option->name != NULL;
         option++) {
        char name[80];
        name_option(option, name, sizeof name);
        printf("| `");
        print_cell(name);
        printf("` | ");
        print_cell(option->initial != NULL ? option->initial : "");
        printf(" | ");
        print_cell(option->meaning);
        printf(" |\n");
    }
    printf("\n```sh\n");
    for (const Example *example = command->examples; example->line != NULL; example++) {
        printf("%s    # %s\n", example->line, example->meaning);
    }
    printf("```\n");
}

void page_print_markdown(void) {
    printf("# Commands\n\n"
           "Written by `thaw help --markdown` from the table that the command itself uses.\n\n"
           "Exit status: 0 done, 1 failed while running, 2 bad usage or input, 130 interrupted\n"
           "after saving. Errors and warnings go to stderr as `file:line:column: error: text`.\n\n"
           "| command | what it does |\n|---|---|\n");
    for (int k = 0; commands[k] != NULL; k++) {
        printf("| [`%s`](#thaw-%s) | %s |\n", commands[k]->name, commands[k]->name,
               commands[k]->summary);
    }
    for (int k = 0; commands[k] != NULL; k++) print_markdown_command(commands[k]);
}
