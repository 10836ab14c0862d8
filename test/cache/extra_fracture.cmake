# files that are odd are made with libhdf5
target_include_directories(${target} SYSTEM PRIVATE ${HDF5_INCLUDE_DIRS})
target_link_libraries(${target} PRIVATE ${HDF5_C_LIBRARIES})
