# the second model, and a table with its row instead of the library's
target_sources(${target} PRIVATE ${folder}/spring.c ${folder}/models_with_spring.c)
