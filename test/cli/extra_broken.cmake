include(${CMAKE_CURRENT_LIST_DIR}/extra_command.cmake)
target_compile_definitions(${target} PRIVATE THAW_SOURCE="${PROJECT_SOURCE_DIR}")
