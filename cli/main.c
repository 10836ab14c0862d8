// The command: finds the sub-command and runs it.
#include "command.h"

#include <stdio.h>
#include <string.h>
#include <thaw/thaw.h>

static const Command *const commands[] = {&command_bench, &command_fields, NULL};

static void print_help(void) {
    printf("thaw %s: particles that flow, melt, freeze and break\n\n", thaw_version());
    printf("usage: thaw COMMAND [ARGUMENTS]\n\n");
    for (const Command *const *command = commands; *command != NULL; command++) {
        printf("  %-8s %s\n", (*command)->name, (*command)->summary);
    }
    printf("  %-8s %s\n\n", "help", "this list, or more about one command: thaw help COMMAND");
    printf("'thaw COMMAND --help' tells all about a command.\n");
}

static const Command *find(const char *name) {
    for (const Command *const *command = commands; *command != NULL; command++) {
        if (strcmp((*command)->name, name) == 0) return *command;
    }
    return NULL;
}

static int refuse(const char *name) {
    Options options = {.command = ""};
    const char *names[sizeof commands / sizeof commands[0] + 2] = {NULL};
    int count = 0;
    for (const Command *const *command = commands; *command != NULL; command++) {
        names[count++] = (*command)->name;
    }
    names[count] = "help";
    return options_unknown(&options, name, names);
}

static bool asks_for_help(const char *argument) {
    return strcmp(argument, "help") == 0 || strcmp(argument, "--help") == 0 ||
           strcmp(argument, "-h") == 0;
}

int main(int count, char **arguments) {
    if (count < 2 || (asks_for_help(arguments[1]) && count == 2)) {
        print_help();
        return count < 2 ? EXIT_USAGE : EXIT_DONE;
    }
    if (strcmp(arguments[1], "--version") == 0) {
        printf("thaw %s\n", thaw_version());
        return EXIT_DONE;
    }
    bool help = asks_for_help(arguments[1]);
    const char *name = help ? arguments[2] : arguments[1];
    const Command *command = find(name);
    if (command == NULL) return refuse(name);
    for (int k = 2; k < count; k++) help = help || strcmp(arguments[k], "--help") == 0;
    if (help) {
        fputs(command->help, stdout);
        return EXIT_DONE;
    }
    return command->run(count - 2, arguments + 2);
}
