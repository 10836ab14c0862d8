// Pages made from the table of commands.
#ifndef THAW_CLI_PAGE_H
#define THAW_CLI_PAGE_H

#include "command.h"

void page_print_all(void);               // `thaw --help`
void page_print(const Command *command); // `thaw COMMAND --help`
void page_print_markdown(void);          // docs/commands.md
void page_print_man(void);               // troff, thaw(1)
void page_print_bash(void);              // a completion script
void page_print_zsh(void);

#endif
