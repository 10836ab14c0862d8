// The tree as the others see it: made, asked, destroyed. The searches are in files of their own.
#include "geometry/bvh.h"

#include "base/memory.h"
#include "base/result.h"
#include "geometry/bvh_internal.h"
#include "geometry/mesh_inspect.h"

ThawResult thaw_bvh_create(const ThawMesh *mesh, ThawParallel *parallel, ThawBvh **bvh) {
    ThawResult result = thaw_mesh_check(mesh);
    if (result != THAW_OK) return result;
    ThawBvh *tree = thaw_alloc(sizeof *tree);
    if (tree == NULL) return thaw_fail_memory(sizeof *tree);
    tree->mesh = *mesh;
    result = thaw_isa_resolve(THAW_ISA_AUTO, &tree->isa);
    if (result == THAW_OK) result = thaw_bvh_build(tree, parallel);
    if (result != THAW_OK) {
        thaw_bvh_destroy(tree);
        return result;
    }
    *bvh = tree;
    return THAW_OK;
}

void thaw_bvh_destroy(ThawBvh *bvh) {
    if (bvh == NULL) return;
    thaw_free(bvh->nodes);
    thaw_free(bvh->moments);
    thaw_free(bvh->packets);
    thaw_free(bvh);
}

size_t thaw_bvh_bytes(const ThawBvh *bvh) {
    return sizeof *bvh + (size_t)bvh->node_count * (sizeof(ThawBvhNode) + sizeof(ThawBvhMoments)) +
           (size_t)bvh->packet_count * sizeof(ThawBvhPacket);
}

bool thaw_bvh_closest(const ThawBvh *bvh, ThawVec3 point, double reach, ThawBvhHit *hit) {
    return THAW_WIDE_PICK(bvh->isa, thaw_bvh_find_closest)(bvh, point, reach, hit);
}

double thaw_bvh_winding(const ThawBvh *bvh, ThawVec3 point) {
    return THAW_WIDE_PICK(bvh->isa, thaw_bvh_find_winding)(bvh, point);
}
