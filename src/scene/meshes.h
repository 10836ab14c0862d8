// Meshes of a scene: their files, poses over time, and fields.
#ifndef THAW_SCENE_MESHES_H
#define THAW_SCENE_MESHES_H

#include "scene/field_cache.h"
#include <thaw/mesh_file.h>
#include <thaw/scene.h>

// The path of file `number` of "a_###.obj", to be freed; NULL without memory.
char *scene_pose_path(const char *files, int number);
// Reads the mesh, or of a sequence pose k, as the scene says.
ThawResult scene_load_mesh(const ThawSceneMesh *mesh, int pose, ThawMeshData **data);
SceneFieldKey scene_field_key(const ThawSceneMesh *mesh);

// Gives the mesh a field that is there already: an equal one of the scene, or one of the reader's folder.
struct SceneReader;
bool scene_take_field(const struct SceneReader *reader, ThawSceneMesh *mesh);

// ---------------------------------------------------------------- forms over time (poses.c)

// When the next pose of any collider is reached after time t; infinite when all stand still from then on.
double scene_next_pose(const ThawScene *scene, double t);
// Tells the world the next form of every collider whose last one is reached now.
ThawResult scene_aim_poses(const ThawScene *scene, ThawWorld *world);

#endif
