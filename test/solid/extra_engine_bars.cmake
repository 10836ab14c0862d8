target_sources(${target} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/solid/engine_bars.c
    ${CMAKE_CURRENT_SOURCE_DIR}/solid/polar.c)
# the test is longer than the quick ones may be; the validation is no test
if(NOT target MATCHES "^validate")
    cmake_language(EVAL CODE "cmake_language(DEFER CALL thaw_set_test ${target} physics 600)")
endif()
