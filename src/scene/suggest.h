// Suggestions: the known word that a misspelt one was meant to be.
#ifndef THAW_SCENE_SUGGEST_H
#define THAW_SCENE_SUGGEST_H

#include <stddef.h>

// The nearest of the `count` words in `known` (NULL entries are passed over), or NULL when none is
// near. Near is one slip (a letter lost, added, changed, or two swapped), from six letters on one
// for each three, four at most; case does not count. Failing that, the one word of which it is
// the beginning. Of equally near words the one with the longest common
// beginning is taken, then the first.
const char *scene_suggest(const char *word, const char *const *known, int count);

// How many slips lead from a to b; letters differing only in case are equal. Above `limit` it
// gives limit + 1 and stops early.
int scene_slips(const char *a, const char *b, int limit);

#endif
