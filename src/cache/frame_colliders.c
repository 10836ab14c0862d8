// Colliders in frames: where each was, for scenes in which some are moved by what they meet.
#include "cache/frame.h"

#include "base/result.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

ThawResult thaw_frame_add_colliders(ThawFrame *frame, uint32_t count) {
    assert(frame->colliders == NULL);
    frame->collider_count = 0;
    if (count == 0) return THAW_OK;
    frame->colliders = calloc(count, sizeof *frame->colliders);
    if (frame->colliders == NULL) return thaw_fail_memory(count * sizeof *frame->colliders);
    frame->collider_count = count;
    return THAW_OK;
}

ThawResult thaw_frame_set_colliders(ThawFrame *frame, const ThawFrameCollider *colliders,
                                    uint32_t count) {
    assert(frame != NULL && (colliders != NULL || count == 0));
    ThawFrameCollider *copy = count > 0 ? calloc(count, sizeof *copy) : NULL;
    if (count > 0 && copy == NULL) return thaw_fail_memory(count * sizeof *copy);
    if (count > 0) memcpy(copy, colliders, count * sizeof *copy);
    free(frame->colliders);
    frame->colliders = copy;
    frame->collider_count = count;
    return THAW_OK;
}

const ThawFrameCollider *thaw_frame_collider(const ThawFrame *frame, ThawColliderId collider) {
    for (uint32_t k = 0; frame->colliders != NULL && k < frame->collider_count; k++) {
        if (frame->colliders[k].collider.value == collider.value) return &frame->colliders[k];
    }
    return NULL;
}

// ---------------------------------------------------------------- checks

static bool is_finite(ThawVec3 v) {
    return isfinite(v.x) && isfinite(v.y) && isfinite(v.z);
}

static bool is_rotation(ThawQuat q) {
    double size = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
    return fabs(size - 1) < 1e-6;
}

ThawResult thaw_colliders_check(const ThawFrameCollider *colliders, uint32_t count,
                                const char *name) {
    for (uint32_t k = 0; k < count; k++) {
        const ThawFrameCollider *c = &colliders[k];
        uint32_t before = k > 0 ? colliders[k - 1].collider.value : 0;
        const char *wrong = NULL;
        if (c->collider.value <= before || c->collider.value > INT32_MAX) wrong = "number";
        if (!is_finite(c->pose.position)) wrong = "position";
        if (!is_rotation(c->pose.rotation)) wrong = "rotation";
        if (!is_finite(c->velocity)) wrong = "velocity";
        if (!is_finite(c->spin)) wrong = "spin";
        if (wrong == NULL) continue;
        return thaw_fail(THAW_BAD_INPUT, "%s: collider %lu has an impossible %s", name,
                         (unsigned long)k + 1, wrong);
    }
    return THAW_OK;
}
