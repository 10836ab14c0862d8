#include "command.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *options_next(Options *options) {
    return options->at < options->count ? options->arguments[options->at++] : NULL;
}

bool options_value(Options *options, const char *argument, const char *name, const char **value,
                   bool *ok) {
    size_t length = strlen(name);
    if (strncmp(argument, name, length) != 0) return false;
    if (argument[length] == '=') {
        *value = argument + length + 1;
        return true;
    }
    if (argument[length] != '\0') return false;
    *value = options_next(options);
    if (*value == NULL) {
        fprintf(stderr, "thaw %s: error: %s needs a value\n", options->command, name);
        *ok = false;
        *value = "";
    }
    return true;
}

bool options_number(const Options *options, const char *name, const char *text, long least,
                    long most, long *number) {
    char *end;
    errno = 0;
    long value = strtol(text, &end, 10);
    if (end == text || *end != '\0' || errno != 0 || value < least || value > most) {
        fprintf(stderr, "thaw %s: error: %s must be a whole number from %ld to %ld, not '%s'\n",
                options->command, name, least, most, text);
        return false;
    }
    *number = value;
    return true;
}

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

int options_unknown(const Options *options, const char *argument, const char *const *known) {
    const char *nearest = NULL;
    size_t least = 4;
    for (; *known != NULL; known++) {
        size_t distance = word_distance(argument, *known);
        if (distance < least) {
            least = distance;
            nearest = *known;
        }
    }
    const char *space = options->command[0] == '\0' ? "" : " ";
    fprintf(stderr, "thaw%s%s: error: unknown argument '%s'", space, options->command, argument);
    if (nearest != NULL)
        fprintf(stderr, "; did you mean '%s'?\n", nearest);
    else
        fprintf(stderr, "; see 'thaw%s%s --help'\n", space, options->command);
    return EXIT_USAGE;
}
