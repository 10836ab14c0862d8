# longer than the quick tests may be
cmake_language(EVAL CODE "cmake_language(DEFER CALL thaw_set_test ${target} physics 600)")
