// Suggestions by edit distance. Slips of the keyboard are single: a letter lost, added, changed, or
// two neighbours swapped; so the distance is Damerau's, with three rows of the usual table.
#include "scene/suggest.h"

#include <string.h>

#define LONGEST 64 // letters; longer words are nobody's slip

static char lower(char letter) {
    return letter >= 'A' && letter <= 'Z' ? (char)(letter - 'A' + 'a') : letter;
}

static int least(int a, int b) {
    return a < b ? a : b;
}

// row i of the table from the two before it; gives the least entry of the row
static int fill_row(const char *a, const char *b, int i, int rows[3][LONGEST + 1]) {
    int *row = rows[i % 3], *above = rows[(i + 2) % 3], *above2 = rows[(i + 1) % 3];
    int width = (int)strlen(b), lowest = row[0] = i;
    for (int j = 1; j <= width; j++) {
        int changed = lower(a[i - 1]) != lower(b[j - 1]);
        int slips = least(least(above[j], row[j - 1]) + 1, above[j - 1] + changed);
        if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) &&
            lower(a[i - 2]) == lower(b[j - 1])) {
            slips = least(slips, above2[j - 2] + 1);
        }
        row[j] = slips;
        lowest = least(lowest, slips);
    }
    return lowest;
}

int scene_slips(const char *a, const char *b, int limit) {
    size_t height = strlen(a), width = strlen(b);
    if (height > LONGEST || width > LONGEST) return limit + 1;
    int rows[3][LONGEST + 1];
    for (int j = 0; j <= (int)width; j++) rows[0][j] = j;
    int before = 0; // a swap reaches two rows back, so one hopeless row is not the end
    for (int i = 1; i <= (int)height; i++) {
        int lowest = fill_row(a, b, i, rows);
        if (lowest > limit && before > limit) return limit + 1;
        before = lowest;
    }
    return least(rows[height % 3][width], limit + 1);
}

static int begins_with(const char *text, const char *start) {
    while (*start != '\0' && lower(*start) == lower(*text)) start++, text++;
    return *start == '\0';
}

// the one word that goes on where this one stops; of several none is meant more than the others
static const char *find_longer(const char *word, const char *const *known, int count) {
    const char *found = NULL;
    if (strlen(word) < 3) return NULL;
    for (int k = 0; k < count; k++) {
        if (known[k] == NULL || !begins_with(known[k], word)) continue;
        if (found != NULL) return NULL;
        found = known[k];
    }
    return found;
}

static int shared_beginning(const char *a, const char *b) {
    int count = 0;
    while (a[count] != '\0' && lower(a[count]) == lower(b[count])) count++;
    return count;
}

// of a word of one letter any other is one slip away, which says nothing
static int allowed_slips(size_t length) {
    if (length < 2) return 0;
    return length < 6 ? 1 : least((int)length / 3, 4);
}

const char *scene_suggest(const char *word, const char *const *known, int count) {
    const char *nearest = NULL;
    int limit = allowed_slips(strlen(word)), fewest = limit + 1, longest = -1;
    for (int k = 0; k < count; k++) {
        if (known[k] == NULL) continue;
        int slips = scene_slips(word, known[k], limit), shared = shared_beginning(word, known[k]);
        if (slips > limit || slips >= (int)strlen(known[k])) continue; // nothing of it is left
        if (slips < fewest || (slips == fewest && shared > longest)) {
            fewest = slips;
            longest = shared;
            nearest = known[k];
        }
    }
    return nearest != NULL ? nearest : find_longer(word, known, count);
}
