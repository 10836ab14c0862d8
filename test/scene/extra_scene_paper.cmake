target_compile_definitions(${target} PRIVATE SCENE_TESTS="${CMAKE_CURRENT_SOURCE_DIR}/scene"
                                             SCENE_TREE="${PROJECT_SOURCE_DIR}")
