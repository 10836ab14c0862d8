# models whose stages are watched, instead of the library's table
target_sources(${target} PRIVATE ${folder}/spring.c ${folder}/watch.c)
