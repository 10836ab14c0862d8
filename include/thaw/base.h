// The small words every other header uses: results, vectors, poses.
//
// All lengths are metres, times seconds, masses kilograms, angles radians.
#ifndef THAW_BASE_H
#define THAW_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(_WIN32)
#define THAW_API
#else
#define THAW_API __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define THAW_VERSION "0.1.0"

// What a call came to. Anything but THAW_OK leaves the world as it was before the call, except
// THAW_TROUBLE, which a step returns when it had to stop (the world then holds the last good step).
typedef enum ThawResult {
    THAW_OK = 0,
    THAW_BAD_INPUT,     // a value that the function cannot accept; the sentence names the field
    THAW_OUT_OF_MEMORY, // nothing was changed
    THAW_NOT_FOUND,     // no such material, body, collider, channel, field or particle
    THAW_TROUBLE        // numerical trouble stopped the step
} ThawResult;

// One sentence about the last failed call on this thread; empty when none failed. It stays valid
// until the next failing call on the same thread.
THAW_API const char *thaw_error_text(void);

// The library's version, "major.minor.patch".
THAW_API const char *thaw_version(void);

typedef struct ThawVec3 {
    double x, y, z;
} ThawVec3;

// A unit quaternion; {0, 0, 0, 1} is no rotation.
typedef struct ThawQuat {
    double x, y, z, w;
} ThawQuat;

// Where something is and how it is turned: world = rotation * local + position.
typedef struct ThawPose {
    ThawVec3 position; // m
    ThawQuat rotation;
} ThawPose;

// Handles. Zero is never a valid handle. A handle whose thing was removed is refused, not reused.
typedef struct ThawMaterialId {
    uint32_t value;
} ThawMaterialId;
typedef struct ThawBodyId {
    uint32_t value;
} ThawBodyId;
typedef struct ThawColliderId {
    uint32_t value;
} ThawColliderId;
typedef struct ThawAttachmentId {
    uint32_t value;
} ThawAttachmentId;
typedef struct ThawEmitterId {
    uint32_t value;
} ThawEmitterId;
typedef struct ThawSinkId {
    uint32_t value;
} ThawSinkId;
typedef struct ThawHeatSourceId {
    uint32_t value;
} ThawHeatSourceId;
typedef struct ThawForceId {
    uint32_t value;
} ThawForceId;

// A particle's name for life: the source that made it in the upper 24 bits, the source's own count
// in the lower 40. Zero is never a particle. Ids are never reused within a world.
typedef uint64_t ThawParticleId;

#ifdef __cplusplus
}
#endif

#endif
