include(${CMAKE_CURRENT_LIST_DIR}/extra_command.cmake)
