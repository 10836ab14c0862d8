// What a scene will take; also told by `thaw info SCENE`.
#ifndef THAW_CLI_CHECK_H
#define THAW_CLI_CHECK_H

#include "command.h"

#include <thaw/scene.h>

// How many bodies from k on are copies of one ("drop[0,0,0]", "drop[1,0,0]" ..., of one material);
// from MANY_COPIES on they are told in one line.
enum { MANY_COPIES = 4 };
int count_copies(const ThawScene *scene, int k);

long machine_threads(void);
// s of wall time on this machine's threads, good to a factor of two or so.
double guess_seconds(const ThawScene *scene, const ThawPreflight *flight);

// Reads, checks and tells; the command needs the option json. Returns the exit status.
int check_scene(const Arguments *arguments, const char *path);

#endif
