# the solid's slow twin, for the program ${target}
target_sources(${target} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/solid/twin.c
    ${CMAKE_CURRENT_SOURCE_DIR}/solid/measure.c ${CMAKE_CURRENT_SOURCE_DIR}/solid/polar.c
    ${CMAKE_CURRENT_SOURCE_DIR}/solid/bars.c
    ${CMAKE_CURRENT_SOURCE_DIR}/solid/neighbours.c)
