// Completion scripts for bash and zsh.
#include "page.h"

#include "say.h"

#include <stdio.h>
#include <string.h>

// ---------------------------------------------------------------- bash

// the command that fills COMPREPLY
static void print_bash_offer(const char *offer) {
    if (offer == NULL)
        printf("COMPREPLY=()");
    else if (strcmp(offer, COMPLETE_FILES) == 0)
        printf("COMPREPLY=($(compgen -f -- \"$word\"))");
    else if (strcmp(offer, COMPLETE_FOLDERS) == 0)
        printf("COMPREPLY=($(compgen -d -- \"$word\"))");
    else
        printf("COMPREPLY=($(compgen -W '%s' -- \"$word\"))", offer);
}

static void print_bash_values(const Command *command) {
    printf("        case $before in\n");
    for (const Option *option = command->options; option != NULL && option->name != NULL;
         option++) {
        if (option->value == NULL) continue;
        printf("        --%s", option->name);
        if (option->letter != 0) printf("|-%c", option->letter);
        printf(") ");
        print_bash_offer(option->offer);
        printf("; return ;;\n");
    }
    printf("        esac\n");
}

static void print_bash_command(const Command *command) {
    printf("    %s)\n", command->name);
    if (command->options != NULL) print_bash_values(command);
    printf("        if [[ $word == -* ]]; then\n            COMPREPLY=($(compgen -W '");
    for (const Option *option = command->options; option != NULL && option->name != NULL;
         option++) {
        printf("--%s ", option->name);
    }
    printf("--help' -- \"$word\"))\n        else\n            ");
    print_bash_offer(command->offer);
    printf("\n        fi ;;\n");
}

void page_print_bash(void) {
    printf("# bash completion for thaw; use it with: source <(thaw completion bash)\n"
           "_thaw() {\n"
           "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}\n"
           "    if [ \"$COMP_CWORD\" = 1 ]; then\n"
           "        COMPREPLY=($(compgen -W '");
    for (int k = 0; commands[k] != NULL; k++) printf("%s ", commands[k]->name);
    printf("--help --version' -- \"$word\"))\n        return\n    fi\n"
           "    case ${COMP_WORDS[1]} in\n");
    for (int k = 0; commands[k] != NULL; k++) print_bash_command(commands[k]);
    printf("    esac\n}\ncomplete -o filenames -o bashdefault -F _thaw thaw\n");
}

// ---------------------------------------------------------------- zsh

// a text inside '...' of an _arguments spec: no brackets, colons or quotes of its own
static void print_zsh_text(const char *text) {
    for (; *text != '\0'; text++) {
        if (*text == '\'')
            printf("'\\''");
        else if (strchr("[]:\\", *text) != NULL)
            printf("\\%c", *text);
        else
            putchar(*text);
    }
}

static void print_zsh_offer(const char *offer) {
    if (offer == NULL)
        printf(" ");
    else if (strcmp(offer, COMPLETE_FILES) == 0)
        printf("_files");
    else if (strcmp(offer, COMPLETE_FOLDERS) == 0)
        printf("_files -/");
    else
        printf("(%s)", offer);
}

static void print_zsh_option(const Option *option, const char *dashes, const char *name) {
    printf(" \\\n            '%s%s%s[", strcmp(option->name, "set") == 0 ? "*" : "", dashes, name);
    print_zsh_text(option->meaning);
    printf("]");
    if (option->value != NULL) {
        printf(":");
        print_zsh_text(option->value);
        printf(":");
        print_zsh_offer(option->offer);
    }
    printf("'");
}

static void print_zsh_command(const Command *command) {
    printf("    %s)\n        _arguments '--help[this page]'", command->name);
    for (const Option *option = command->options; option != NULL && option->name != NULL;
         option++) {
        print_zsh_option(option, "--", option->name);
        char letter[2] = {option->letter, '\0'};
        if (option->letter != 0) print_zsh_option(option, "-", letter);
    }
    if (command->most > 0) {
        printf(" \\\n            '*:");
        print_zsh_text(command->operands);
        printf(":");
        print_zsh_offer(command->offer);
        printf("'");
    }
    printf(" ;;\n");
}

void page_print_zsh(void) {
    printf("#compdef thaw\n"
           "# zsh completion for thaw; put it as _thaw into a folder of $fpath\n"
           "_thaw() {\n"
           "    local -a names\n    names=(\n");
    for (int k = 0; commands[k] != NULL; k++) {
        printf("        '%s:", commands[k]->name);
        print_zsh_text(commands[k]->summary);
        printf("'\n");
    }
    printf("    )\n"
           "    if (( CURRENT == 2 )); then\n"
           "        _describe command names\n        return\n    fi\n"
           "    local name=$words[2]\n    shift words\n    (( CURRENT-- ))\n"
           "    case $name in\n");
    for (int k = 0; commands[k] != NULL; k++) print_zsh_command(commands[k]);
    printf("    esac\n}\n_thaw \"$@\"\n");
}
