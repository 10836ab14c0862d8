# How every target of ours is compiled. Linked privately, so users of the library inherit none of it.
set(CMAKE_C_STANDARD 17)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_CXX_STANDARD 17)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
if(top_level)
    set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
endif()

add_library(thaw_flags INTERFACE)
target_compile_definitions(thaw_flags INTERFACE _POSIX_C_SOURCE=200809L)
target_compile_options(thaw_flags INTERFACE
    -Wall -Wextra -Wpedantic -Wconversion -Wshadow
    # the same bits from every compiler and instruction set: fused operations are written out
    -ffp-contract=off -fno-math-errno -fno-trapping-math
    -fvisibility=hidden)
if(THAW_WERROR)
    target_compile_options(thaw_flags INTERFACE -Werror)
endif()
if(THAW_SANITIZE)
    set(sanitize -fsanitize=${THAW_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
    # following variables through instrumented inner loops takes gcc minutes a file
    target_compile_options(thaw_flags INTERFACE
        ${sanitize} $<$<C_COMPILER_ID:GNU>:-fno-var-tracking-assignments>)
    target_link_options(thaw_flags INTERFACE ${sanitize})
endif()
