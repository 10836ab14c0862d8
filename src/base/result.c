// The last failure's sentence is kept per thread, like errno, so that every call can stay short.
#include "base/result.h"

#include <stdarg.h>
#include <stdio.h>

static _Thread_local char last_error[512];

ThawResult thaw_fail(ThawResult code, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(last_error, sizeof last_error, format, arguments);
    va_end(arguments);
    return code;
}

ThawResult thaw_fail_memory(size_t bytes) {
    return thaw_fail(THAW_OUT_OF_MEMORY, "out of memory: %zu bytes could not be had", bytes);
}

const char *thaw_error_text(void) {
    return last_error;
}

const char *thaw_version(void) {
    return THAW_VERSION;
}
