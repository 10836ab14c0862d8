// Exports that are files of their own.
#ifndef THAW_CLI_EXPORT_H
#define THAW_CLI_EXPORT_H

#include "store.h"

// Writes the meshes of colliders as PLY files, one a frame: folder/NAME_000012.ply.
int export_colliders(const Store *store, FrameRange frames, const char *folder);

#endif
