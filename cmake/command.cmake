# The command `thaw`: every source under cli/. The target has another name than the file because the
# library is called thaw too.
file(GLOB cli_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/cli/*.c)
if(cli_sources)
    add_executable(thaw_command ${cli_sources})
    target_include_directories(thaw_command PRIVATE ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/src)
    target_link_libraries(thaw_command PRIVATE thaw_flags thaw_io_static thaw_static)
    set_target_properties(thaw_command PROPERTIES
        OUTPUT_NAME thaw RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
    install(TARGETS thaw_command RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})

    # the man page and completions come from the command itself
    set(pages ${PROJECT_BINARY_DIR}/pages)
    file(MAKE_DIRECTORY ${pages})
    add_custom_command(TARGET thaw_command POST_BUILD
        COMMAND thaw_command man > ${pages}/thaw.1
        COMMAND thaw_command completion bash > ${pages}/thaw
        COMMAND thaw_command completion zsh > ${pages}/_thaw)
    install(FILES ${pages}/thaw.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
    install(FILES ${pages}/thaw DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
    install(FILES ${pages}/_thaw DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
endif()
