// What the command says.
#include "say.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

bool say_colors(FILE *stream) {
    const char *none = getenv("NO_COLOR"), *term = getenv("TERM");
    if (none != NULL && none[0] != '\0') return false;
    if (term != NULL && strcmp(term, "dumb") == 0) return false;
    return isatty(fileno(stream)) == 1;
}

double say_clock(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

// ---------------------------------------------------------------- errors

static void print_kind(bool error) {
    const char *word = error ? "error" : "warning";
    if (say_colors(stderr))
        fprintf(stderr, "\033[1;%dm%s:\033[0m ", error ? 31 : 35, word);
    else
        fprintf(stderr, "%s: ", word);
}

// Errors that a program will be told, as the items of a JSON list.
static struct {
    bool on;
    FILE *stream; // into `text`; NULL before the first
    char *text;
    size_t size;
} kept;

void say_keep_errors(void) {
    kept.on = true;
}

static void json_error(FILE *stream, const char *file, int line, int column, const char *text) {
    fprintf(stream, "{\"file\": ");
    json_text(stream, file);
    fprintf(stream, ", \"line\": %d, \"column\": %d, \"text\": ", line, column);
    json_text(stream, text);
    fputc('}', stream);
}

static void keep_error(const char *file, int line, int column, const char *text) {
    if (!kept.on) return;
    if (kept.stream != NULL)
        fputs(", ", kept.stream);
    else
        kept.stream = open_memstream(&kept.text, &kept.size);
    if (kept.stream != NULL) json_error(kept.stream, file, line, column, text);
}

void say_drop_errors(void) {
    if (kept.stream != NULL) fclose(kept.stream);
    free(kept.text);
    kept.stream = NULL;
    kept.text = NULL;
}

void json_errors(FILE *stream) {
    if (kept.stream == NULL) return;
    fflush(kept.stream);
    if (kept.text != NULL) fprintf(stream, "{\"errors\": [%s]}\n", kept.text);
    say_drop_errors();
}

void json_messages(FILE *stream, const ThawMessages *messages, bool errors) {
    int count = 0;
    fputc('[', stream);
    for (int k = 0; k < thaw_messages_count(messages); k++) {
        const ThawMessage *message = thaw_messages_get(messages, k);
        if (message->error != errors) continue;
        if (count++ > 0) fputs(", ", stream);
        json_error(stream, message->file, message->line, message->column, message->text);
    }
    fputc(']', stream);
}

static void print_line(const char *command, bool error, const char *format, va_list list) {
    char text[2048];
    vsnprintf(text, sizeof text, format, list);
    fflush(stdout);
    fprintf(stderr, "thaw%s%s: ", command[0] == '\0' ? "" : " ", command);
    print_kind(error);
    fprintf(stderr, "%s\n", text);
    if (error) keep_error("", 0, 0, text);
}

int say_usage(const char *command, const char *format, ...) {
    va_list list;
    va_start(list, format);
    print_line(command, true, format, list);
    va_end(list);
    return EXIT_USAGE;
}

int say_failure(const char *command, const char *format, ...) {
    va_list list;
    va_start(list, format);
    print_line(command, true, format, list);
    va_end(list);
    return EXIT_FAILED;
}

void say_warning(const char *command, const char *format, ...) {
    va_list list;
    va_start(list, format);
    print_line(command, false, format, list);
    va_end(list);
}

int say_result(const char *command, ThawResult result) {
    say_failure(command, "%s", thaw_error_text());
    return result == THAW_BAD_INPUT || result == THAW_NOT_FOUND ? EXIT_USAGE : EXIT_FAILED;
}

// the excerpt, its caret line in green
static void print_excerpt(const char *excerpt) {
    const char *caret = strrchr(excerpt, '\n');
    if (caret == NULL || !say_colors(stderr)) {
        fprintf(stderr, "%s%s", excerpt, excerpt[0] == '\0' ? "" : "\n");
        return;
    }
    fprintf(stderr, "%.*s\n\033[1;32m%s\033[0m\n", (int)(caret - excerpt), excerpt, caret + 1);
}

static void print_message(const ThawMessage *message) {
    if (message->error) keep_error(message->file, message->line, message->column, message->text);
    bool colors = say_colors(stderr);
    fprintf(stderr, "%s%s", colors ? "\033[1m" : "", message->file);
    if (message->line > 0) fprintf(stderr, ":%d:%d", message->line, message->column);
    fprintf(stderr, ":%s ", colors ? "\033[0m" : "");
    print_kind(message->error);
    fprintf(stderr, "%s\n", message->text);
    if (message->excerpt != NULL) print_excerpt(message->excerpt);
}

void say_messages(const ThawMessages *messages) {
    fflush(stdout);
    for (int k = 0; messages != NULL && k < thaw_messages_count(messages); k++) {
        print_message(thaw_messages_get(messages, k));
    }
}

// ---------------------------------------------------------------- numbers

const char *text_bytes(Text *text, double bytes) {
    static const char *const units[] = {"bytes", "kB", "MB", "GB", "TB", "PB"};
    int unit = 0;
    while (bytes >= 999.5 && unit < 5) {
        bytes /= 1000;
        unit++;
    }
    snprintf(text->at, sizeof text->at, bytes < 9.95 && unit > 0 ? "%.1f %s" : "%.0f %s", bytes,
             units[unit]);
    return text->at;
}

const char *text_duration(Text *text, double seconds) {
    if (!(seconds < 3.6e8)) {
        snprintf(text->at, sizeof text->at, "very long");
        return text->at;
    }
    long whole = lround(seconds);
    if (seconds < 0.9995)
        snprintf(text->at, sizeof text->at, "%.0f ms", 1000 * seconds);
    else if (seconds < 9.95)
        snprintf(text->at, sizeof text->at, "%.1f s", seconds);
    else if (whole < 60)
        snprintf(text->at, sizeof text->at, "%ld s", whole);
    else if (whole < 3600)
        snprintf(text->at, sizeof text->at, "%ld min %02ld s", whole / 60, whole % 60);
    else
        snprintf(text->at, sizeof text->at, "%ld h %02ld min", whole / 3600, whole / 60 % 60);
    return text->at;
}

const char *text_count(Text *text, double count) {
    char digits[32];
    snprintf(digits, sizeof digits, "%.0f", count);
    size_t length = strlen(digits), to = 0;
    for (size_t k = 0; k < length && to + 2 < sizeof text->at; k++) {
        if (k > 0 && (length - k) % 3 == 0) text->at[to++] = ' ';
        text->at[to++] = digits[k];
    }
    text->at[to] = '\0';
    return text->at;
}

// ---------------------------------------------------------------- for programs

void json_text(FILE *stream, const char *text) {
    fputc('"', stream);
    for (; *text != '\0'; text++) {
        unsigned char letter = (unsigned char)*text;
        if (letter == '"' || letter == '\\')
            fprintf(stream, "\\%c", letter);
        else if (letter < 0x20)
            fprintf(stream, "\\u%04x", letter);
        else
            fputc(letter, stream);
    }
    fputc('"', stream);
}

void json_number(FILE *stream, double number) {
    if (isfinite(number))
        fprintf(stream, "%.9g", number);
    else
        fputs("null", stream);
}

void print_quoted(FILE *stream, const char *argument) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_-./=:,+@%";
    if (argument[0] != '\0' && strspn(argument, plain) == strlen(argument)) {
        fputs(argument, stream);
        return;
    }
    fputc('\'', stream);
    for (; *argument != '\0'; argument++) {
        if (*argument == '\'')
            fputs("'\\''", stream);
        else
            fputc(*argument, stream);
    }
    fputc('\'', stream);
}

void print_wrapped(FILE *stream, const char *text, int at, int indent, int width) {
    int column = at;
    bool begun = false;
    while (*text != '\0') {
        if (text[0] == '\n' && text[1] == '\n') {
            fprintf(stream, "\n\n%*s", indent, "");
            column = indent;
            begun = false;
            text += 2;
            continue;
        }
        size_t blank = strspn(text, " "), word = strcspn(text + blank, " \n");
        if (word == 0) {
            text += blank + (text[blank] == '\n' ? 1 : 0);
            continue;
        }
        if (begun && column + 1 + (int)word > width) {
            fprintf(stream, "\n%*s", indent, "");
            column = indent;
            begun = false;
        }
        fprintf(stream, "%s%.*s", begun ? " " : "", (int)word, text + blank);
        column += (int)word + (begun ? 1 : 0);
        begun = true;
        text += blank + word;
    }
}
