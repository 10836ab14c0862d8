// Sub-commands of `thaw`: a row each in main.c, a file each.
#ifndef THAW_CLI_COMMAND_H
#define THAW_CLI_COMMAND_H

#include <stdbool.h>
#include <stdint.h>

enum { EXIT_DONE = 0, EXIT_FAILED = 1, EXIT_USAGE = 2 };

typedef struct Command {
    const char *name;
    const char *summary;                     // one line of `thaw help`
    const char *help;                        // all of `thaw NAME --help`
    int (*run)(int count, char **arguments); // without "thaw NAME"
} Command;

extern const Command command_bench;
extern const Command command_fields;

// Walks through arguments: options take their value from the next argument or after '='.
typedef struct Options {
    const char *command;
    int count;
    char **arguments;
    int at;
} Options;

// The next argument, or NULL at the end.
const char *options_next(Options *options);
// Whether `argument` is the option `name`; its value is then in *value. Exits the command by returning
// false in *ok when the value is missing.
bool options_value(Options *options, const char *argument, const char *name, const char **value,
                   bool *ok);
// A whole number within [least, most]; says what is wrong and returns false otherwise.
bool options_number(const Options *options, const char *name, const char *text, long least,
                    long most, long *number);
// Says that an argument makes no sense, with a suggestion, and returns EXIT_USAGE.
int options_unknown(const Options *options, const char *argument, const char *const *known);

#endif
