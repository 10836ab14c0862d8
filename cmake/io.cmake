# libthaw-io: scenes, caches, exports and pictures, with the libraries that they need. Apart from libthaw,
# which a host can embed without any of them.
find_package(PkgConfig REQUIRED)
function(thaw_need target package)
    pkg_check_modules(${target} QUIET IMPORTED_TARGET ${package})
    if(NOT TARGET PkgConfig::${target})
        message(FATAL_ERROR "the command needs ${package}: run `make setup`, or give "
                            "-DTHAW_BUILD_COMMAND=OFF for the library alone")
    endif()
endfunction()
thaw_need(fyaml libfyaml)
thaw_need(png libpng)
find_package(HDF5 REQUIRED COMPONENTS C)
find_package(embree 3 REQUIRED)

set(io_sources)
foreach(room ${io_rooms})
    file(GLOB room_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${room}/*.c)
    list(APPEND io_sources ${room_sources})
endforeach()
add_library(thaw_io_static STATIC ${io_sources})
set_target_properties(thaw_io_static PROPERTIES
    OUTPUT_NAME thaw-io ARCHIVE_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
target_include_directories(thaw_io_static PRIVATE ${PROJECT_SOURCE_DIR}/src)
target_include_directories(thaw_io_static SYSTEM PRIVATE ${HDF5_INCLUDE_DIRS})
target_compile_definitions(thaw_io_static PRIVATE ${HDF5_DEFINITIONS})
target_link_libraries(thaw_io_static PRIVATE $<BUILD_INTERFACE:thaw_flags> Threads::Threads
    PUBLIC thaw_static PRIVATE PkgConfig::fyaml PkgConfig::png embree ${HDF5_C_LIBRARIES})
if(THAW_MATH_LIBRARY)
    target_link_libraries(thaw_io_static PRIVATE m)
endif()
include(cmake/vdb.cmake)
