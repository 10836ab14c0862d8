// Sub-commands of `thaw`: a row each in main.c, a file each.
//
// A command's row says everything about it that a user may read: from these rows come the parser,
// the help pages, the completion scripts, the man page and docs/commands.md.
#ifndef THAW_CLI_COMMAND_H
#define THAW_CLI_COMMAND_H

#include <stdbool.h>
#include <stddef.h>

enum { EXIT_DONE = 0, EXIT_FAILED = 1, EXIT_USAGE = 2, EXIT_INTERRUPTED = 130 };

// What completion offers besides words of its own.
#define COMPLETE_FILES "@files"
#define COMPLETE_FOLDERS "@folders"

typedef struct Option {
    const char *name;    // long form without its dashes
    char letter;         // short form, 0 = none
    const char *value;   // the value's name; NULL = a switch
    const char *initial; // the default in words; NULL = none worth telling
    const char *meaning; // one line
    const char
        *offer; // what completion offers: words with spaces between, or COMPLETE_...; may be NULL
} Option;

typedef struct Example {
    const char *line;    // what to type; NULL past the last
    const char *meaning; // what it does
} Example;

typedef struct Arguments Arguments;

typedef struct Command {
    const char *name;
    const char *summary;     // one line of `thaw help`
    const char *operands;    // as in the usage line: "SCENE", "DIR [COLUMN...]", ""
    int least, most;         // how many of them
    const char *offer;       // for operands, like Option.offer
    const char *about;       // paragraphs with an empty line between
    const Option *options;   // past the last a name of NULL; may be NULL
    const Example *examples; // at least one
    int (*run)(const Arguments *arguments);
} Command;

// All commands in the order of `thaw help`; NULL past the last.
extern const Command *const commands[];

extern const Command command_run, command_check, command_info, command_render, command_movie,
    command_plot, command_export, command_bench, command_fields, command_models, command_mesh,
    command_sdf, command_help, command_schema, command_completion, command_man;

// The command of this name, or NULL.
const Command *command_find(const char *name);

// ---------------------------------------------------------------- arguments

typedef struct Given {
    const Option *option;
    const char *value; // "" of a switch
} Given;

// What a user gave: options in their order, and operands.
struct Arguments {
    const Command *command;
    Given *given;
    int given_count;
    const char **operands; // NULL past the last
    int operand_count;
    int all_count; // as typed, without "thaw COMMAND"
    char **all;
};

// Sorts arguments by the command's row. Says what is wrong and returns false otherwise.
bool arguments_parse(const Command *command, int count, char **texts, Arguments *arguments);
void arguments_free(Arguments *arguments);

// Options by long name; asking for one that the command's row lacks is a bug. The number functions
// leave the number alone when the option was not given, and say what is wrong and return false when
// it is bad.
bool arguments_has(const Arguments *arguments, const char *name);
const char *arguments_text(const Arguments *arguments, const char *name); // NULL = not given
bool arguments_whole(const Arguments *arguments, const char *name, long least, long most,
                     long *number);
bool arguments_real(const Arguments *arguments, const char *name, double least, double most,
                    double *number);
// `count` numbers with `separator` between.
bool arguments_reals(const Arguments *arguments, const char *name, char separator, int count,
                     double *numbers);
// One of the words, NULL past the last; *index is its number.
bool arguments_choice(const Arguments *arguments, const char *name, const char *const *words,
                      int *index);
// Fills `values` (as large as given_count) with all values of an option; returns how many.
int arguments_all(const Arguments *arguments, const char *name, const char **values);

// A size as in "1280x720", each side from least to most; `like` is an example.
bool arguments_size(const Arguments *arguments, const char *like, int least, int most, int size[2]);

// Frames as in "A:B:STEP"; "A", "A:", ":B" and ":" leave the rest as it was.
typedef struct FrameRange {
    int first, last, step;
} FrameRange;
bool frames_parse(const char *text, bool steps, FrameRange *range);
bool arguments_frames(const Arguments *arguments, FrameRange *range);

// Says that an argument makes no sense, with a suggestion of the known words, and returns
// EXIT_USAGE.
int refuse_unknown(const char *command, const char *argument, const char *const *known);
// The same of another kind of word: "unknown column 'x'; did you mean 'y'?"
int refuse_word(const char *command, const char *kind, const char *word, const char *const *known);

#endif
