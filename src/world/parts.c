// Vectors, shapes and motions as bytes.
#include "world/parts.h"

#include "base/memory.h"
#include "base/result.h"

void thaw_part_vec(ThawCodec *codec, ThawVec3 *v) {
    thaw_code_f64(codec, &v->x);
    thaw_code_f64(codec, &v->y);
    thaw_code_f64(codec, &v->z);
}

void thaw_part_quat(ThawCodec *codec, ThawQuat *q) {
    thaw_code_f64(codec, &q->x);
    thaw_code_f64(codec, &q->y);
    thaw_code_f64(codec, &q->z);
    thaw_code_f64(codec, &q->w);
}

void thaw_part_shape(ThawCodec *codec, ThawShape *shape) {
    int kind = (int)shape->kind;
    thaw_code_i32(codec, &kind);
    shape->kind = (ThawShapeKind)kind;
    thaw_part_vec(codec, &shape->pose.position);
    thaw_part_quat(codec, &shape->pose.rotation);
    thaw_part_vec(codec, &shape->size);
    thaw_code_f64(codec, &shape->radius);
    thaw_code_f64(codec, &shape->height);
    thaw_code_f64(codec, &shape->tube);
}

void thaw_part_key(ThawCodec *codec, ThawKeyframe *key) {
    thaw_code_f64(codec, &key->time);
    thaw_part_vec(codec, &key->move);
    thaw_part_quat(codec, &key->rotation);
}

ThawResult thaw_part_load_motion(ThawCodec *codec, ThawKeyframe **motion, uint32_t *count) {
    *motion = NULL;
    thaw_code_count(codec, count, THAW_KEY_LEAST);
    if (codec->failed || *count > INT32_MAX) return thaw_fail_damaged(codec, "a motion");
    if (*count == 0) return THAW_OK;
    *motion = thaw_alloc(*count * sizeof **motion);
    if (*motion == NULL) return thaw_fail_memory(*count * sizeof **motion);
    for (uint32_t k = 0; k < *count; k++) thaw_part_key(codec, &(*motion)[k]);
    return THAW_OK;
}

ThawResult thaw_fail_damaged(const ThawCodec *codec, const char *part) {
    return thaw_fail(THAW_BAD_INPUT, "snapshot is damaged: %s near byte %zu", part,
                     THAW_SNAPSHOT_HEADER + codec->at);
}
