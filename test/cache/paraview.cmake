# ParaView opens a series that the cache wrote; skipped where it is absent
add_executable(cache_series ${CMAKE_CURRENT_LIST_DIR}/series.c)
target_link_libraries(cache_series PRIVATE thaw_test_base)
add_test(NAME paraview_opens_the_series
         COMMAND ${CMAKE_CURRENT_LIST_DIR}/paraview.sh $<TARGET_FILE:cache_series>
                 ${CMAKE_CURRENT_LIST_DIR}/open_series.py)
set_tests_properties(paraview_opens_the_series PROPERTIES
    LABELS quick TIMEOUT 300 SKIP_RETURN_CODE 77)
