# Headers, both libraries, thaw.pc for pkg-config, and thawConfig.cmake for find_package(thaw CONFIG).
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/thaw)

install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/thaw DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
        FILES_MATCHING PATTERN "*.h")
install(TARGETS thaw_shared thaw_static EXPORT thawTargets
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
        RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(EXPORT thawTargets NAMESPACE thaw:: DESTINATION ${package_dir})

# thaw.pc finds its prefix from where it lies, so that an installed tree may be moved
if(IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}" OR IS_ABSOLUTE "${CMAKE_INSTALL_INCLUDEDIR}")
    set(pc_prefix ${CMAKE_INSTALL_PREFIX})
    set(pc_libdir ${CMAKE_INSTALL_FULL_LIBDIR})
    set(pc_includedir ${CMAKE_INSTALL_FULL_INCLUDEDIR})
else()
    file(RELATIVE_PATH up /x/${CMAKE_INSTALL_LIBDIR}/pkgconfig /x)
    string(REGEX REPLACE "/$" "" up "${up}")
    set(pc_prefix "\${pcfiledir}/${up}")
    set(pc_libdir "\${prefix}/${CMAKE_INSTALL_LIBDIR}")
    set(pc_includedir "\${prefix}/${CMAKE_INSTALL_INCLUDEDIR}")
endif()
configure_file(${PROJECT_SOURCE_DIR}/cmake/thaw.pc.in ${PROJECT_BINARY_DIR}/thaw.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/thaw.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

# libthaw-io is static: its own needs are in thaw-io.pc
if(TARGET thaw_io_static)
    # the rest of what find_package names are HDF5's own needs, which its shared library knows
    set(pc_hdf5 ${HDF5_C_LIBRARIES})
    list(FILTER pc_hdf5 INCLUDE REGEX "hdf5")
    list(JOIN pc_hdf5 " " pc_hdf5)
    configure_file(${PROJECT_SOURCE_DIR}/cmake/thaw-io.pc.in ${PROJECT_BINARY_DIR}/thaw-io.pc @ONLY)
    install(FILES ${PROJECT_BINARY_DIR}/thaw-io.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
    install(FILES $<TARGET_FILE:thaw_io_static> DESTINATION ${CMAKE_INSTALL_LIBDIR})
endif()

configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/thawConfig.cmake.in
    ${PROJECT_BINARY_DIR}/thawConfig.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/thawConfigVersion.cmake
    COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/thawConfig.cmake ${PROJECT_BINARY_DIR}/thawConfigVersion.cmake
        DESTINATION ${package_dir})
