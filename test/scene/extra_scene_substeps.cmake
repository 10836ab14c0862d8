target_compile_definitions(${target} PRIVATE SCENE_TESTS="${CMAKE_CURRENT_SOURCE_DIR}/scene")
