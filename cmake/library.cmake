# libthaw: every source under src/ but for the rooms of libthaw-io (cmake/io.cmake), once as objects, then as a static and a shared library.
#
# Files named *_wide.c hold inner loops written against simd/; they are compiled once for each
# instruction set, with a macro that tells which, and the one to run is chosen at run time.
file(GLOB_RECURSE thaw_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/*.c)
set(io_rooms meshio scene cache surface export render vdb)
list(JOIN io_rooms "|" io_pattern)
list(FILTER thaw_sources EXCLUDE REGEX "${PROJECT_SOURCE_DIR}/src/(${io_pattern})/")
set(wide_sources ${thaw_sources})
list(FILTER wide_sources INCLUDE REGEX "_wide\\.c$")
list(FILTER thaw_sources EXCLUDE REGEX "_wide\\.c$")
# inner loops do not read files, and clang takes minutes to instrument them for a fuzzer
if(THAW_SANITIZE MATCHES "fuzzer")
    set_source_files_properties(${wide_sources} PROPERTIES COMPILE_OPTIONS "-fno-sanitize=all")
endif()
find_package(Threads REQUIRED)

set(thaw_objects)
function(thaw_add_objects name)
    add_library(${name} OBJECT ${ARGN})
    target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/include
                                               ${PROJECT_SOURCE_DIR}/src)
    target_link_libraries(${name} PRIVATE thaw_flags Threads::Threads)
    set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)
    set(thaw_objects ${thaw_objects} $<TARGET_OBJECTS:${name}> PARENT_SCOPE)
endfunction()

set(thaw_only_baseline ON)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$" AND CMAKE_SIZEOF_VOID_P EQUAL 8
   AND NOT THAW_ONLY_BASELINE)
    set(thaw_only_baseline OFF)
endif()
if(thaw_only_baseline)
    target_compile_definitions(thaw_flags INTERFACE THAW_ONLY_BASELINE)
endif()

thaw_add_objects(thaw_core ${thaw_sources})
if(wide_sources)
    thaw_add_objects(thaw_wide_baseline ${wide_sources})
    target_compile_definitions(thaw_wide_baseline PRIVATE THAW_SIMD_BASELINE)
endif()
if(wide_sources AND NOT thaw_only_baseline)
    thaw_add_objects(thaw_wide_avx2 ${wide_sources})
    target_compile_definitions(thaw_wide_avx2 PRIVATE THAW_SIMD_AVX2)
    target_compile_options(thaw_wide_avx2 PRIVATE -mavx2 -mfma -mbmi2)
    thaw_add_objects(thaw_wide_avx512 ${wide_sources})
    target_compile_definitions(thaw_wide_avx512 PRIVATE THAW_SIMD_AVX512)
    target_compile_options(thaw_wide_avx512 PRIVATE
        -mavx512f -mavx512vl -mavx512dq -mavx512bw -mavx2 -mfma -mbmi2)
endif()

find_library(THAW_MATH_LIBRARY m)
mark_as_advanced(THAW_MATH_LIBRARY)
add_library(thaw_shared SHARED ${thaw_objects})
add_library(thaw_static STATIC ${thaw_objects})
foreach(library thaw_shared thaw_static)
    set_target_properties(${library} PROPERTIES
        OUTPUT_NAME thaw LINKER_LANGUAGE C ARCHIVE_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}
        LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
    target_include_directories(${library} INTERFACE
        $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
        $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
    target_link_libraries(${library} PRIVATE $<BUILD_INTERFACE:thaw_flags> Threads::Threads)
    if(THAW_MATH_LIBRARY)
        target_link_libraries(${library} PRIVATE m)
    endif()
endforeach()
set_target_properties(thaw_shared PROPERTIES
    VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR} EXPORT_NAME thaw)
if(NOT THAW_SANITIZE AND NOT APPLE)
    target_link_options(thaw_shared PRIVATE -Wl,--no-undefined)
endif()
add_library(thaw::thaw ALIAS thaw_shared)
add_library(thaw::thaw_static ALIAS thaw_static)
