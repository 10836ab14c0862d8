target_compile_definitions(${target} PRIVATE SCENE_TREE="${PROJECT_SOURCE_DIR}")
