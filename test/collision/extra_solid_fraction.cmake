# a look at every shape from many places takes too long for the quick set
cmake_language(EVAL CODE "cmake_language(DEFER CALL thaw_set_test ${target} physics 600)")
