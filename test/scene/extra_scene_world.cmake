target_compile_definitions(${target} PRIVATE SCENE_TESTS="${CMAKE_CURRENT_SOURCE_DIR}/scene"
                                             SCENE_TREE="${PROJECT_SOURCE_DIR}")
# the demo scenes with meshes are read too, so the meshes are made first
set(meshes_made ${PROJECT_BINARY_DIR}/scene_meshes.made)
add_custom_command(OUTPUT ${meshes_made}
    COMMAND ${PROJECT_SOURCE_DIR}/tools/meshes.sh $<TARGET_FILE:thaw_command> ${PROJECT_SOURCE_DIR}/scenes/meshes > ${meshes_made}
    DEPENDS thaw_command ${PROJECT_SOURCE_DIR}/tools/meshes.sh
    COMMENT "Making the meshes of the demo scenes")
add_custom_target(scene_meshes DEPENDS ${meshes_made})
add_dependencies(${target} scene_meshes)
# longer than the quick tests may be
cmake_language(EVAL CODE "cmake_language(DEFER CALL thaw_set_test ${target} physics 600)")
