// What a frame takes of a world's colliders.
#include "cache/frame.h"

#include "base/result.h"

#include <assert.h>
#include <stdlib.h>

ThawResult thaw_frame_take_colliders(ThawFrame *frame, const ThawWorld *world, uint32_t count) {
    assert(frame != NULL && world != NULL);
    ThawFrameCollider *list = calloc((size_t)count + 1, sizeof *list);
    if (list == NULL) return thaw_fail_memory(count * sizeof *list);
    uint32_t taken = 0;
    bool dynamic = false;
    ThawResult result = THAW_OK;
    for (uint32_t k = 0; k < count && result == THAW_OK; k++) {
        ThawColliderId id = {k + 1};
        ThawColliderState state;
        result = thaw_world_collider_state(world, id, &state);
        if (result == THAW_NOT_FOUND) { // removed since
            result = THAW_OK;
            continue;
        }
        if (result != THAW_OK) break;
        list[taken++] = (ThawFrameCollider){id, state.pose, state.velocity, state.spin};
        dynamic = dynamic || state.dynamic;
    }
    // where none is dynamic the scene knows where all are, and frames stay as they were
    if (result == THAW_OK) result = thaw_frame_set_colliders(frame, list, dynamic ? taken : 0);
    free(list);
    return result;
}
