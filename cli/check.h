// What a scene will take; also told by `thaw info SCENE`.
#ifndef THAW_CLI_CHECK_H
#define THAW_CLI_CHECK_H

#include "command.h"

// Reads, checks and tells; the command needs the option json. Returns the exit status.
int check_scene(const Arguments *arguments, const char *path);

#endif
