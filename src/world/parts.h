// Parts of a snapshot that more than one of its readers uses. Each describes its bytes for both ways.
#ifndef THAW_WORLD_PARTS_H
#define THAW_WORLD_PARTS_H

#include "collision/collider.h"
#include "world/codec.h"
#include <thaw/world.h>

#define THAW_SNAPSHOT_HEADER 32u // bytes before the content
#define THAW_KEY_LEAST 64u       // bytes of a key of a motion

void thaw_part_vec(ThawCodec *codec, ThawVec3 *v);
void thaw_part_quat(ThawCodec *codec, ThawQuat *q);
// All but a blend's balls and smoothing, and a mesh.
void thaw_part_shape(ThawCodec *codec, ThawShape *shape);
void thaw_part_key(ThawCodec *codec, ThawKeyframe *key);

// Reads the keys of a motion into a new block for thaw_free; NULL when there are none.
ThawResult thaw_part_load_motion(ThawCodec *codec, ThawKeyframe **motion, uint32_t *count);

// The mesh of a collider's shape, if it has one, and how it deforms. Loading gives a reference to the field.
void thaw_form_save(ThawCodec *codec, const ThawCollider *collider);
ThawResult thaw_form_load(ThawCodec *codec, ThawParallel *parallel, ThawShape *shape,
                          ThawFieldDef *settings, ThawField **field);
ThawResult thaw_deform_load(ThawCodec *codec, ThawParallel *parallel, const ThawFieldDef *settings,
                            ThawDeform **deform);

// A shape with all that it points to. Loading uses the caller's room for balls; *field must be released.
void thaw_whole_shape_save(ThawCodec *codec, ThawShape *shape);
ThawResult thaw_whole_shape_load(ThawCodec *codec, ThawParallel *parallel,
                                 ThawBall balls[THAW_BALLS], ThawShape *shape, ThawField **field);

// Says what is damaged and where.
ThawResult thaw_fail_damaged(const ThawCodec *codec, const char *part);

// All attachments of a world; loading comes after bodies and colliders.
void thaw_attachments_save(ThawCodec *codec, ThawWorld *world);
ThawResult thaw_attachments_load(ThawCodec *codec, ThawWorld *world);

#endif
