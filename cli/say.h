// What the command says: errors and warnings on stderr, in one form; numbers as people read them.
#ifndef THAW_CLI_SAY_H
#define THAW_CLI_SAY_H

#include "command.h"

#include <stdio.h>
#include <thaw/scene.h>

#if defined(__GNUC__)
#define SAY_FORMAT(at) __attribute__((format(printf, at, at + 1)))
#else
#define SAY_FORMAT(at)
#endif

// "thaw COMMAND: error: ..." and the exit status to leave with.
int say_usage(const char *command, const char *format, ...) SAY_FORMAT(2);
int say_failure(const char *command, const char *format, ...) SAY_FORMAT(2);
void say_warning(const char *command, const char *format, ...) SAY_FORMAT(2);
// The library's own sentence about a result that is not THAW_OK; 2 for bad input, else 1.
int say_result(const char *command, ThawResult result);

// "file:line:column: error: text" and the excerpt of each message.
void say_messages(const ThawMessages *messages);

// For programs: from now on errors are also kept, and json_errors prints them as one object,
// {"errors": [{"file", "line", "column", "text"}]}, when there are any that nobody took.
void say_keep_errors(void);
void json_errors(FILE *stream);
// The errors, or the warnings, among messages as a JSON list; messages listed so are not kept again.
void json_messages(FILE *stream, const ThawMessages *messages, bool errors);
void say_drop_errors(void);

// Whether a stream may be coloured: a terminal, and NO_COLOR is not set.
bool say_colors(FILE *stream);
double say_clock(void); // s, only differences mean something

// Numbers for people, into a buffer that is returned.
typedef struct Text {
    char at[48];
} Text;
const char *text_bytes(Text *text, double bytes);      // "1.5 GB"
const char *text_duration(Text *text, double seconds); // "1 h 05 min"
const char *text_count(Text *text, double count);      // "1 234 567"

// Text as a JSON string, with its quotes; a number, or null when it is not finite.
void json_text(FILE *stream, const char *text);
void json_number(FILE *stream, double number);

// An argument as one can type it in a shell.
void print_quoted(FILE *stream, const char *argument);

// Text broken into lines of at most `width` columns, each behind `indent` spaces; the first line
// starts at column `at`. Ends without a newline.
void print_wrapped(FILE *stream, const char *text, int at, int indent, int width);

#endif
