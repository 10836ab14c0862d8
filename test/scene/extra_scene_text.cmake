target_compile_definitions(${target} PRIVATE SCENE_TESTS="${CMAKE_CURRENT_SOURCE_DIR}/scene"
                                             SCENE_TREE="${PROJECT_SOURCE_DIR}")
# longer than the quick tests may be
cmake_language(EVAL CODE "cmake_language(DEFER CALL thaw_set_test ${target} physics 600)")
