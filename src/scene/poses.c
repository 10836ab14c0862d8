// Colliders that change their form over time: pose k of a sequence is reached at time k / fps.
//
// The world takes a collider straight from one form to the next; all that is told here is the next one, when the
// last is reached. Which one that is depends on the time alone, so a world from a checkpoint goes on alike.
#include "scene/meshes.h"

#include "base/result.h"

#include <math.h>
#include <stdlib.h>

#define SAME 1e-6 // of the time between two poses, within which a time is a pose's

// the last pose reached at time t, counted on over the loops
static double pose_at(const ThawSceneSequence *sequence, double t) {
    return floor(t * sequence->fps + SAME);
}

// whether there is another form to go to after pose k
static bool goes_on(const ThawSceneSequence *sequence, double k) {
    return sequence->count > 1 && (sequence->loop || k + 1 < sequence->count);
}

double scene_next_pose(const ThawScene *scene, double t) {
    double next = INFINITY;
    for (int c = 0; c < scene->collider_count; c++) {
        const ThawSceneMesh *mesh = scene->colliders[c].mesh;
        if (mesh == NULL || mesh->sequence.count == 0) continue;
        double k = pose_at(&mesh->sequence, t);
        if (goes_on(&mesh->sequence, k)) next = fmin(next, (k + 1) / mesh->sequence.fps);
    }
    return next;
}

static ThawResult aim(const ThawSceneCollider *collider, ThawWorld *world, ThawColliderId id,
                      double k) {
    const ThawSceneSequence *sequence = &collider->mesh->sequence;
    ThawMeshData *data = NULL;
    int pose = (int)fmod(k + 1, sequence->count);
    ThawResult result = scene_load_mesh(collider->mesh, pose, &data);
    if (result != THAW_OK) return result;
    ThawMesh mesh = thaw_mesh_view(data);
    result = thaw_world_deform_collider(world, id, &mesh, (k + 1) / sequence->fps);
    thaw_mesh_free(data);
    return result;
}

ThawResult scene_aim_poses(const ThawScene *scene, ThawWorld *world) {
    double t = thaw_world_time(world);
    ThawResult result = THAW_OK;
    for (int c = 0; c < scene->collider_count && result == THAW_OK; c++) {
        const ThawSceneCollider *collider = &scene->colliders[c];
        if (collider->mesh == NULL || collider->mesh->sequence.count == 0) continue;
        const ThawSceneSequence *sequence = &collider->mesh->sequence;
        double k = pose_at(sequence, t);
        bool reached = fabs(t * sequence->fps - k) <= SAME;
        if (!reached || !goes_on(sequence, k)) continue;
        result = aim(collider, world, (ThawColliderId){(uint32_t)c + 1}, k);
    }
    return result;
}
