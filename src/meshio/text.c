// Text of a mesh file. Most numbers of most files have less than 16 digits and small exponents: they are a whole
// number times or over a power of ten, both exact in a double, so that one rounding gives what strtod gives
// (Clinger 1990). The rest goes to strtod.
#include "meshio/text.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

ThawResult meshio_text_fail(const MeshText *text, const char *format, ...) {
    char sentence[320];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    return thaw_fail(THAW_BAD_INPUT, "%.160s:%llu: %s", text->name, (unsigned long long)text->line,
                     sentence);
}

// ---------------------------------------------------------------- words

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

static bool is_between(char c) {
    return is_blank(c) || c == '\n';
}

// the length of a backslash with the line's end behind it; 0 = there is none
static size_t joint_length(const MeshText *text) {
    const char *at = text->at;
    if (text->end - at >= 2 && at[0] == '\\' && at[1] == '\n') return 2;
    if (text->end - at >= 3 && at[0] == '\\' && at[1] == '\r' && at[2] == '\n') return 3;
    return 0;
}

bool meshio_next_word(MeshText *text) {
    while (text->at < text->end) {
        if (is_blank(*text->at)) {
            text->at++;
            continue;
        }
        size_t joint = *text->at == '\\' ? joint_length(text) : 0;
        if (joint == 0) return *text->at != '\n' && *text->at != '#';
        text->at += joint;
        text->line++;
    }
    return false;
}

bool meshio_next_word_anywhere(MeshText *text) {
    for (; text->at < text->end && is_between(*text->at); text->at++) {
        if (*text->at == '\n') text->line++;
    }
    return text->at < text->end;
}

// whether the line that ends here goes on: a backslash before the end, and a \r perhaps
static bool is_joined(const char *begin, const char *end) {
    if (end > begin && end[-1] == '\r') end--;
    return end > begin && end[-1] == '\\';
}

void meshio_skip_line(MeshText *text, bool joined) {
    for (;;) {
        const char *begin = text->at;
        const char *end = memchr(begin, '\n', (size_t)(text->end - begin));
        text->at = end == NULL ? text->end : end + 1;
        if (end == NULL) return;
        text->line++;
        if (!joined || !is_joined(begin, end)) return;
    }
}

int meshio_word_length(const MeshText *text) {
    const char *at = text->at;
    while (at < text->end && !is_between(*at) && at - text->at < 40) at++;
    return (int)(at - text->at);
}

bool meshio_take_word(MeshText *text, const char *word) {
    size_t length = strlen(word);
    if ((size_t)(text->end - text->at) < length) return false;
    for (size_t k = 0; k < length; k++) {
        if (tolower((unsigned char)text->at[k]) != word[k]) return false;
    }
    const char *behind = text->at + length;
    if (behind < text->end && !is_between(*behind)) return false;
    text->at = behind;
    return true;
}

// ---------------------------------------------------------------- numbers

// a number's parts: ± digits × 10^exponent; `dropped` when there were more digits than fit
typedef struct Decimal {
    uint64_t digits;
    int64_t exponent;
    bool negative, dropped, any;
} Decimal;

static const char *take_digits(const char *at, const char *end, bool fraction, Decimal *decimal) {
    for (; at < end && *at >= '0' && *at <= '9'; at++) {
        decimal->any = true;
        if (decimal->digits < 100000000000000000u) {
            decimal->digits = 10 * decimal->digits + (uint64_t)(*at - '0');
            decimal->exponent -= fraction;
        } else {
            decimal->dropped = decimal->dropped || *at != '0';
            decimal->exponent += !fraction;
        }
    }
    return at;
}

static const char *take_exponent(const char *at, const char *end, Decimal *decimal) {
    if (at >= end || (*at != 'e' && *at != 'E')) return at;
    const char *digit = at + 1;
    bool negative = digit < end && *digit == '-';
    if (digit < end && (*digit == '-' || *digit == '+')) digit++;
    if (digit >= end || *digit < '0' || *digit > '9') return at;
    int64_t exponent = 0;
    for (; digit < end && *digit >= '0' && *digit <= '9'; digit++) {
        if (exponent < 100000) exponent = 10 * exponent + (*digit - '0');
    }
    decimal->exponent += negative ? -exponent : exponent;
    return digit;
}

static const char *scan_decimal(const char *at, const char *end, Decimal *decimal) {
    *decimal = (Decimal){0};
    if (at < end && (*at == '-' || *at == '+')) decimal->negative = *at++ == '-';
    at = take_digits(at, end, false, decimal);
    if (at < end && *at == '.') at = take_digits(at + 1, end, true, decimal);
    return decimal->any ? take_exponent(at, end, decimal) : at;
}

static bool is_easy(const Decimal *decimal) {
    return !decimal->dropped && decimal->digits <= (uint64_t)1 << 53 && decimal->exponent >= -22 &&
           decimal->exponent <= 22;
}

static double easy_value(const Decimal *decimal) {
    static const double tens[23] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                    1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                    1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    double value = (double)decimal->digits;
    value =
        decimal->exponent < 0 ? value / tens[-decimal->exponent] : value * tens[decimal->exponent];
    return decimal->negative ? -value : value;
}

static bool hard_value(const char *begin, const char *end, double *value) {
    char word[800]; // the longest that can matter has 767 digits
    size_t length = (size_t)(end - begin);
    if (length >= sizeof word) return false;
    memcpy(word, begin, length);
    word[length] = '\0';
    *value = strtod(word, NULL);
    return isfinite(*value);
}

ThawResult meshio_take_number(MeshText *text, const char *what, double *number) {
    if (!meshio_next_word(text)) return meshio_text_fail(text, "%s is missing", what);
    Decimal decimal;
    const char *end = scan_decimal(text->at, text->end, &decimal);
    bool good = decimal.any && (end == text->end || is_between(*end) || *end == '#');
    if (good && is_easy(&decimal)) {
        *number = easy_value(&decimal);
    } else if (!good || !hard_value(text->at, end, number)) {
        return meshio_text_fail(text, "%s must be a finite number, not '%.*s'", what,
                                meshio_word_length(text), text->at);
    }
    text->at = end;
    return THAW_OK;
}

bool meshio_take_whole(MeshText *text, int64_t *number) {
    const char *at = text->at;
    bool negative = at < text->end && *at == '-';
    if (at < text->end && (*at == '-' || *at == '+')) at++;
    int64_t value = 0;
    const char *first = at;
    for (; at < text->end && *at >= '0' && *at <= '9'; at++) {
        if (value > INT64_MAX / 100) return false;
        value = 10 * value + (*at - '0');
    }
    if (at == first) return false;
    *number = negative ? -value : value;
    text->at = at;
    return true;
}
