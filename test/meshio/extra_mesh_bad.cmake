target_compile_definitions(${target} PRIVATE MESH_TESTS="${CMAKE_CURRENT_SOURCE_DIR}/meshio")
