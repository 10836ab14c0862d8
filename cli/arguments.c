// Arguments: what a user typed, sorted by the command's row.
#include "command.h"

#include "say.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------- suggestions

// letters that must change to get from one word to the other (Levenshtein)
static size_t word_distance(const char *a, const char *b) {
    size_t row[64], columns = strlen(b);
    if (columns >= 64) return 64;
    for (size_t j = 0; j <= columns; j++) row[j] = j;
    for (size_t i = 0; a[i] != '\0'; i++) {
        size_t diagonal = row[0];
        row[0] = i + 1;
        for (size_t j = 0; j < columns; j++) {
            size_t best = diagonal + (a[i] != b[j]);
            diagonal = row[j + 1];
            if (row[j] + 1 < best) best = row[j] + 1;
            if (row[j + 1] + 1 < best) best = row[j + 1] + 1;
            row[j + 1] = best;
        }
    }
    return row[columns];
}

static const char *nearest_word(const char *word, const char *const *known) {
    const char *nearest = NULL;
    size_t least = 4, length = strlen(word);
    for (; *known != NULL; known++) {
        size_t distance = word_distance(word, *known);
        // a short word is near to everything
        if (distance < least && distance < length) {
            least = distance;
            nearest = *known;
        }
    }
    return nearest;
}

int refuse_word(const char *command, const char *kind, const char *word, const char *const *known) {
    const char *space = command[0] == '\0' ? "" : " ", *nearest = nearest_word(word, known);
    if (nearest != NULL)
        return say_usage(command, "unknown %s '%s'; did you mean '%s'?", kind, word, nearest);
    return say_usage(command, "unknown %s '%s'; see 'thaw%s%s --help'", kind, word, space, command);
}

int refuse_unknown(const char *command, const char *argument, const char *const *known) {
    return refuse_word(command, "argument", argument, known);
}

static bool refuse_option(const Command *command, const char *argument) {
    enum { MOST = 64 };
    char names[MOST][40];
    const char *known[MOST + 1] = {NULL};
    int count = 0;
    for (const Option *option = command->options; option != NULL && option->name != NULL;
         option++) {
        assert(count < MOST - 1);
        snprintf(names[count], sizeof names[0], "--%s", option->name);
        known[count] = names[count];
        count++;
    }
    known[count] = "--help";
    // the name alone, of "--name=value"
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(argument, "="), argument);
    refuse_unknown(command->name, name, known);
    return false;
}

// ---------------------------------------------------------------- sorting

// the option that an argument names, and in *value the text behind it, if any
static const Option *match_option(const Command *command, const char *argument,
                                  const char **value) {
    *value = NULL;
    for (const Option *option = command->options; option != NULL && option->name != NULL;
         option++) {
        if (strncmp(argument, "--", 2) == 0) {
            size_t length = strlen(option->name);
            if (strncmp(argument + 2, option->name, length) != 0) continue;
            const char *rest = argument + 2 + length;
            if (*rest != '\0' && *rest != '=') continue;
            if (*rest == '=') *value = rest + 1;
            return option;
        }
        if (option->letter != 0 && argument[1] == option->letter) {
            if (argument[2] != '\0') *value = argument + 2;
            return option;
        }
    }
    return NULL;
}

// takes one option and its value; *at moves on
static bool take_option(Arguments *arguments, int *at) {
    const Command *command = arguments->command;
    const char *argument = arguments->all[*at], *value;
    const Option *option = match_option(command, argument, &value);
    if (option == NULL) return refuse_option(command, argument);
    if (option->value == NULL && value != NULL) {
        say_usage(command->name, "--%s takes no value, but got '%s'", option->name, value);
        return false;
    }
    if (option->value != NULL && value == NULL) {
        if (*at + 1 >= arguments->all_count) {
            say_usage(command->name, "--%s needs a value: %s", option->name, option->value);
            return false;
        }
        value = arguments->all[++*at];
    }
    arguments->given[arguments->given_count++] = (Given){option, value != NULL ? value : ""};
    return true;
}

static bool check_operands(const Arguments *arguments) {
    const Command *command = arguments->command;
    if (arguments->operand_count < command->least) {
        say_usage(command->name, "%s is missing; usage: thaw %s %s, see 'thaw %s --help'",
                  arguments->operand_count == 0 ? command->operands : "an argument", command->name,
                  command->operands, command->name);
        return false;
    }
    if (arguments->operand_count > command->most) {
        const char *none[] = {NULL};
        refuse_unknown(command->name, arguments->operands[command->most], none);
        return false;
    }
    return true;
}

bool arguments_parse(const Command *command, int count, char **texts, Arguments *arguments) {
    *arguments = (Arguments){.command = command, .all_count = count, .all = texts};
    arguments->given = calloc((size_t)count + 1, sizeof *arguments->given);
    arguments->operands = calloc((size_t)count + 1, sizeof *arguments->operands);
    if (arguments->given == NULL || arguments->operands == NULL) {
        say_failure(command->name, "out of memory");
        arguments_free(arguments);
        return false;
    }
    bool ok = true, only_operands = false;
    for (int k = 0; k < count && ok; k++) {
        if (!only_operands && strcmp(texts[k], "--") == 0)
            only_operands = true;
        else if (!only_operands && texts[k][0] == '-' && texts[k][1] != '\0')
            ok = take_option(arguments, &k);
        else
            arguments->operands[arguments->operand_count++] = texts[k];
    }
    ok = ok && check_operands(arguments);
    if (!ok) arguments_free(arguments);
    return ok;
}

void arguments_free(Arguments *arguments) {
    free(arguments->given);
    free(arguments->operands);
    arguments->given = NULL;
    arguments->operands = NULL;
}

// ---------------------------------------------------------------- values

static bool row_has(const Command *command, const char *name) {
    for (const Option *option = command->options; option != NULL && option->name != NULL;
         option++) {
        if (strcmp(option->name, name) == 0) return true;
    }
    return false;
}

const char *arguments_text(const Arguments *arguments, const char *name) {
    assert(row_has(arguments->command, name));
    (void)row_has;
    const char *text = NULL;
    for (int k = 0; k < arguments->given_count; k++) {
        if (strcmp(arguments->given[k].option->name, name) == 0) text = arguments->given[k].value;
    }
    return text;
}

bool arguments_has(const Arguments *arguments, const char *name) {
    return arguments_text(arguments, name) != NULL;
}

int arguments_all(const Arguments *arguments, const char *name, const char **values) {
    int count = 0;
    for (int k = 0; k < arguments->given_count; k++) {
        if (strcmp(arguments->given[k].option->name, name) == 0)
            values[count++] = arguments->given[k].value;
    }
    return count;
}

bool arguments_whole(const Arguments *arguments, const char *name, long least, long most,
                     long *number) {
    const char *text = arguments_text(arguments, name);
    if (text == NULL) return true;
    char *end;
    errno = 0;
    long value = strtol(text, &end, 10);
    if (end == text || *end != '\0' || errno != 0 || value < least || value > most) {
        say_usage(arguments->command->name, "--%s must be a whole number from %ld to %ld, not '%s'",
                  name, least, most, text);
        return false;
    }
    *number = value;
    return true;
}

bool arguments_real(const Arguments *arguments, const char *name, double least, double most,
                    double *number) {
    const char *text = arguments_text(arguments, name);
    if (text == NULL) return true;
    char *end;
    double value = strtod(text, &end);
    if (end == text || *end != '\0' || !(value >= least && value <= most)) {
        say_usage(arguments->command->name, "--%s must be a number from %g to %g, not '%s'", name,
                  least, most, text);
        return false;
    }
    *number = value;
    return true;
}

bool arguments_reals(const Arguments *arguments, const char *name, char separator, int count,
                     double *numbers) {
    const char *text = arguments_text(arguments, name), *at = text;
    if (text == NULL) return true;
    for (int k = 0; k < count; k++) {
        char *end;
        double value = strtod(at, &end);
        if (end == at || !isfinite(value) || *end != (k + 1 < count ? separator : '\0')) {
            say_usage(arguments->command->name,
                      "--%s must be %d numbers with '%c' between, not '%s'", name, count, separator,
                      text);
            return false;
        }
        numbers[k] = value;
        at = end + 1;
    }
    return true;
}

// one side; a number that C would read as hexadecimal is none
static bool take_side(const char **at, int least, int most, int *side) {
    long value = 0;
    const char *begin = *at;
    for (; **at >= '0' && **at <= '9' && value <= most; ++*at) value = 10 * value + (**at - '0');
    *side = (int)value;
    return *at > begin && value >= least && value <= most;
}

bool arguments_size(const Arguments *arguments, const char *like, int least, int most,
                    int size[2]) {
    const char *text = arguments_text(arguments, "size"), *at = text;
    if (text == NULL) return true;
    int sides[2];
    bool ok = take_side(&at, least, most, &sides[0]) && *at++ == 'x' &&
              take_side(&at, least, most, &sides[1]) && *at == '\0';
    if (!ok) {
        say_usage(arguments->command->name, "--size must be like %s, each from %d to %d, not '%s'",
                  like, least, most, text);
        return false;
    }
    memcpy(size, sides, sizeof sides);
    return true;
}

bool arguments_choice(const Arguments *arguments, const char *name, const char *const *words,
                      int *index) {
    const char *text = arguments_text(arguments, name);
    if (text == NULL) return true;
    char list[256] = "";
    for (int k = 0; words[k] != NULL; k++) {
        if (strcmp(text, words[k]) == 0) {
            *index = k;
            return true;
        }
        const char *between = k == 0 ? "" : words[k + 1] == NULL ? " or " : ", ";
        size_t length = strlen(list);
        snprintf(list + length, sizeof list - length, "%s%s", between, words[k]);
    }
    const char *near = nearest_word(text, words);
    say_usage(arguments->command->name, "--%s must be %s, not '%s'%s%s%s", name, list, text,
              near != NULL ? "; did you mean '" : "", near != NULL ? near : "",
              near != NULL ? "'?" : "");
    return false;
}

// one frame number of a range, up to a colon or the end; an empty one leaves it alone
static bool take_frame(const char **at, int *number) {
    if (**at == ':' || **at == '\0') return true;
    char *end;
    errno = 0;
    long value = strtol(*at, &end, 10);
    if (end == *at || errno != 0 || value < -999999 || value > 999999999) return false;
    *number = (int)value;
    *at = end;
    return *end == ':' || *end == '\0';
}

bool frames_parse(const char *text, bool steps, FrameRange *range) {
    const char *at = text;
    range->step = 1;
    bool ok = *text != '\0' && take_frame(&at, &range->first);
    if (ok && *at == '\0') range->last = range->first;
    if (ok && *at == ':') {
        at++;
        ok = take_frame(&at, &range->last);
    }
    if (ok && steps && *at == ':') {
        at++;
        ok = take_frame(&at, &range->step);
    }
    return ok && *at == '\0' && range->step > 0 && range->last >= range->first;
}

bool arguments_frames(const Arguments *arguments, FrameRange *range) {
    const char *text = arguments_text(arguments, "frames");
    if (text == NULL || frames_parse(text, false, range)) return true;
    say_usage(arguments->command->name,
              "--frames must be like A:B with A no larger than B, not '%s'", text);
    return false;
}
