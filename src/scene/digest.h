// Digests: 64 bits that tell whether two texts or files hold the same. Not for secrets.
#ifndef THAW_SCENE_DIGEST_H
#define THAW_SCENE_DIGEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SCENE_DIGEST_START 0x9e3779b97f4a7c15u

// The digest of what came before and these bytes; the same on every machine.
uint64_t scene_digest(uint64_t before, const void *bytes, size_t size);
// The same of a file's bytes; false when it cannot be read (errno says why).
bool scene_digest_file(uint64_t *digest, const char *path);

#endif
