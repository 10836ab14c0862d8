// Results with a sentence: the one way in which the library says that a call failed.
#ifndef THAW_BASE_RESULT_H
#define THAW_BASE_RESULT_H

#include <thaw/base.h>

#if defined(__GNUC__)
#define THAW_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define THAW_PRINTF(text, first)
#endif

// Records the sentence for thaw_error_text and returns the code, so that one can write
// `return thaw_fail(THAW_BAD_INPUT, "spacing must be above 0, not %g", spacing);`
ThawResult thaw_fail(ThawResult code, const char *format, ...) THAW_PRINTF(2, 3);

// Out of memory, said in one way.
ThawResult thaw_fail_memory(size_t bytes);

#endif
