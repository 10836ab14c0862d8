// Colliders for other programs: their meshes as they were in each frame, in the world's place.
#include "export.h"

#include "picture.h"
#include "say.h"

#include <stdlib.h>
#include <string.h>
#include <thaw/mesh_file.h>

static ThawVec3 turn(ThawQuat q, ThawVec3 v) {
    ThawVec3 u = {q.x, q.y, q.z};
    ThawVec3 t = {2 * (u.y * v.z - u.z * v.y), 2 * (u.z * v.x - u.x * v.z),
                  2 * (u.x * v.y - u.y * v.x)};
    return (ThawVec3){v.x + q.w * t.x + u.y * t.z - u.z * t.y,
                      v.y + q.w * t.y + u.z * t.x - u.x * t.z,
                      v.z + q.w * t.z + u.x * t.y - u.y * t.x};
}

// the points of a mesh in the world, in new memory
static double (*place_points(const ThawMesh *mesh, const ThawShape *shape))[3] {
    double(*points)[3] = malloc((mesh->point_count + (size_t)1) * sizeof *points);
    ThawVec3 at = shape->pose.position;
    for (uint32_t k = 0; points != NULL && k < mesh->point_count; k++) {
        const double *p = mesh->points[k];
        ThawVec3 local = {p[0] * shape->scale, p[1] * shape->scale, p[2] * shape->scale};
        ThawVec3 turned = turn(shape->pose.rotation, local);
        points[k][0] = at.x + turned.x;
        points[k][1] = at.y + turned.y;
        points[k][2] = at.z + turned.z;
    }
    return points;
}

// a name that any file system takes: what is odd becomes _
static void clean_name(const ThawSceneCollider *collider, int k, char *name, size_t size) {
    snprintf(name, size, "%s", collider->name);
    for (char *c = name; *c != '\0'; c++) {
        bool plain = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') ||
                     (*c >= '0' && *c <= '9') || *c == '-' || *c == '_';
        if (!plain) *c = '_';
    }
    if (name[0] == '\0') snprintf(name, size, "collider_%d", k + 1);
}

static ThawResult write_one(FormStore *forms, const ThawScene *scene, int k, const ThawFrame *frame,
                            const char *folder) {
    ThawShape shape = place_collider(scene, k, frame);
    ThawMesh mesh = thaw_field_mesh(shape.field);
    ThawResult result = THAW_OK;
    if (forms_change(scene, k)) result = forms_at(forms, k, frame->info.time, &mesh);
    if (result != THAW_OK) return result;
    char name[64], path[4096];
    clean_name(&scene->colliders[k], k, name, sizeof name);
    snprintf(path, sizeof path, "%s/%s_%06d.ply", folder, name, frame->info.frame);
    double(*points)[3] = place_points(&mesh, &shape);
    if (points == NULL) return THAW_OUT_OF_MEMORY;
    mesh.points = (const double(*)[3])points;
    result = thaw_mesh_save(path, &mesh);
    free(points);
    return result;
}

static int count_meshes(const ThawScene *scene) {
    int count = 0;
    for (int k = 0; k < scene->collider_count; k++)
        count += scene->colliders[k].shape.kind == THAW_SHAPE_MESH;
    return count;
}

int export_colliders(const Store *store, FrameRange frames, const char *folder) {
    const ThawScene *scene = store->scene;
    if (scene == NULL)
        return say_failure("export", "the scene of '%s' cannot be read", store->directory);
    int meshes = count_meshes(scene);
    if (meshes == 0) return say_failure("export", "no collider of this scene is made of a mesh");
    if (!path_make("export", folder)) return EXIT_FAILED;
    FormStore *forms = forms_open(scene);
    if (forms == NULL) return say_failure("export", "out of memory");
    ThawResult result = THAW_OK;
    for (int number = frames.first; number <= frames.last && result == THAW_OK; number++) {
        ThawFrame *frame = NULL;
        result = store_read(store, number, &frame);
        for (int k = 0; k < scene->collider_count && result == THAW_OK; k++) {
            if (scene->colliders[k].shape.kind != THAW_SHAPE_MESH) continue;
            result = write_one(forms, scene, k, frame, folder);
        }
        thaw_frame_free(frame);
    }
    forms_close(forms);
    if (result != THAW_OK) return say_failure("export", "%s", thaw_error_text());
    int files = meshes * (frames.last - frames.first + 1);
    printf("%d file%s in %s\n", files, files == 1 ? "" : "s", folder);
    return EXIT_DONE;
}
