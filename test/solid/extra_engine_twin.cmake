include(${CMAKE_CURRENT_SOURCE_DIR}/solid/twin.cmake)
