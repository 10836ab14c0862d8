# the models are beside the tree, and need not be there; pictures are made with libpng
target_compile_definitions(${target} PRIVATE THAW_ASSETS="${PROJECT_SOURCE_DIR}/../shared/assets")
target_link_libraries(${target} PRIVATE PkgConfig::png)
