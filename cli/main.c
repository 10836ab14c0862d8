// The command: finds the sub-command and runs it.
#include "command.h"

#include "page.h"
#include "say.h"

#include <stdio.h>
#include <string.h>

const Command *const commands[] = {&command_run,
                                   &command_check,
                                   &command_info,
                                   &command_render,
                                   &command_movie,
                                   &command_plot,
                                   &command_export,
                                   &command_bench,
                                   &command_fields,
                                   &command_models,
                                   &command_mesh,
                                   &command_sdf,
                                   &command_help,
                                   &command_schema,
                                   &command_completion,
                                   &command_man,
                                   NULL};

const Command *command_find(const char *name) {
    for (const Command *const *command = commands; *command != NULL; command++) {
        if (strcmp((*command)->name, name) == 0) return *command;
    }
    return NULL;
}

static int refuse(const char *name) {
    const char *names[sizeof commands / sizeof commands[0]] = {NULL};
    for (int k = 0; commands[k] != NULL; k++) names[k] = commands[k]->name;
    return refuse_word("", "command", name, names);
}

// what stdout could not take (a full disk, a closed pipe) must not pass for success
static int close_output(const char *command, int status) {
    if (fflush(stdout) == 0 && ferror(stdout) == 0) return status;
    say_failure(command, "the output could not be written");
    return status == EXIT_DONE ? EXIT_FAILED : status;
}

// whether a program listens, known even before the arguments turn out to be good
static bool wants_json(const Command *command, int count, char **texts) {
    bool has = false, asked = false;
    for (const Option *option = command->options; option != NULL && option->name != NULL; option++)
        has = has || strcmp(option->name, "json") == 0;
    for (int k = 0; k < count && strcmp(texts[k], "--") != 0; k++)
        asked = asked || strcmp(texts[k], "--json") == 0;
    return has && asked;
}

static int run_command(const Command *command, int count, char **texts) {
    for (int k = 0; k < count && strcmp(texts[k], "--") != 0; k++) {
        if (strcmp(texts[k], "--help") != 0 && strcmp(texts[k], "-h") != 0) continue;
        page_print(command);
        return close_output(command->name, EXIT_DONE);
    }
    if (wants_json(command, count, texts)) say_keep_errors();
    Arguments arguments;
    int status = EXIT_USAGE;
    if (arguments_parse(command, count, texts, &arguments)) {
        status = command->run(&arguments);
        arguments_free(&arguments);
    }
    if (status != EXIT_DONE) json_errors(stdout);
    say_drop_errors();
    return close_output(command->name, status);
}

int main(int count, char **texts) {
    if (count < 2) {
        page_print_all();
        return EXIT_USAGE;
    }
    if (strcmp(texts[1], "--version") == 0) {
        printf("thaw %s\n", thaw_version());
        return close_output("", EXIT_DONE);
    }
    if (strcmp(texts[1], "--help") == 0 || strcmp(texts[1], "-h") == 0) {
        page_print_all();
        return close_output("", EXIT_DONE);
    }
    const Command *command = command_find(texts[1]);
    return command == NULL ? refuse(texts[1]) : run_command(command, count - 2, texts + 2);
}
