# the command under test
if(TARGET thaw_command)
    target_compile_definitions(${target} PRIVATE THAW_COMMAND="$<TARGET_FILE:thaw_command>")
    add_dependencies(${target} thaw_command)
endif()
