target_compile_definitions(${target} PRIVATE THAW_SOURCE="${PROJECT_SOURCE_DIR}")
