// Colliders that change their form: the mesh of a sequence at any time, from its files.
//
// The two forms about the last time asked are kept, so that drawing frame after frame reads each file once.
#include "picture.h"

#include "say.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <thaw/mesh_file.h>

// The forms of one collider.
typedef struct Forms {
    int numbers[2]; // of the two that are kept; −1 = none
    ThawMeshData *kept[2];
    double (*points)[3]; // between them
    uint32_t capacity;
} Forms;

struct FormStore {
    const ThawScene *scene;
    Forms *forms; // one a collider
};

FormStore *forms_open(const ThawScene *scene) {
    FormStore *store = calloc(1, sizeof *store);
    if (store == NULL) return NULL;
    store->scene = scene;
    store->forms = calloc((size_t)scene->collider_count + 1, sizeof *store->forms);
    for (int k = 0; store->forms != NULL && k < scene->collider_count; k++)
        store->forms[k].numbers[0] = store->forms[k].numbers[1] = -1;
    if (store->forms != NULL) return store;
    free(store);
    return NULL;
}

void forms_close(FormStore *store) {
    if (store == NULL) return;
    for (int k = 0; k < store->scene->collider_count; k++) {
        for (int side = 0; side < 2; side++) thaw_mesh_free(store->forms[k].kept[side]);
        free(store->forms[k].points);
    }
    free(store->forms);
    free(store);
}

bool forms_change(const ThawScene *scene, int collider) {
    const ThawSceneMesh *mesh = scene->colliders[collider].mesh;
    return mesh != NULL && mesh->sequence.count > 1;
}

// ---------------------------------------------------------------- files

// the pattern with the number in place of its last #
static char *file_of(const ThawSceneSequence *sequence, int number) {
    const char *files = sequence->files, *end = strrchr(files, '#');
    if (end == NULL) return path_join("", files);
    const char *begin = end;
    while (begin > files && begin[-1] == '#') begin--;
    size_t size = strlen(files) + 16;
    char *path = malloc(size);
    if (path != NULL)
        snprintf(path, size, "%.*s%0*d%s", (int)(begin - files), files, (int)(end - begin) + 1,
                 number, end + 1);
    return path;
}

static ThawResult load_form(const ThawSceneMesh *mesh, int pose, ThawMeshData **data) {
    ThawMeshLoadDef def = thaw_mesh_load_default();
    def.scale = mesh->scale;
    def.up = mesh->up;
    char *path = file_of(&mesh->sequence, mesh->sequence.first + pose);
    if (path == NULL) return THAW_OUT_OF_MEMORY;
    ThawResult result = thaw_mesh_load(path, &def, data);
    free(path);
    return result;
}

// both poses, moved within what is kept where they are there already
static ThawResult keep_forms(Forms *forms, const ThawSceneMesh *mesh, const int poses[2]) {
    ThawMeshData *found[2] = {NULL, NULL};
    for (int side = 0; side < 2; side++) {
        for (int old = 0; old < 2; old++) {
            if (found[side] != NULL || forms->numbers[old] != poses[side]) continue;
            found[side] = forms->kept[old];
            forms->kept[old] = NULL;
            forms->numbers[old] = -1;
        }
    }
    ThawResult result = THAW_OK;
    for (int side = 0; side < 2; side++) {
        thaw_mesh_free(forms->kept[side]);
        if (found[side] == NULL && result == THAW_OK)
            result = load_form(mesh, poses[side], &found[side]);
        forms->kept[side] = found[side];
        forms->numbers[side] = found[side] != NULL ? poses[side] : -1;
    }
    return result;
}

// ---------------------------------------------------------------- times

// the poses before and after a time, and how far it is between them
static double place_time(const ThawSceneSequence *sequence, double time, int poses[2]) {
    double at = fmax(time * sequence->fps, 0), last = sequence->count - 1;
    if (!sequence->loop) at = fmin(at, last);
    double before = floor(at);
    poses[0] = (int)fmod(before, sequence->count);
    poses[1] = sequence->loop ? (poses[0] + 1) % sequence->count : (int)fmin(poses[0] + 1, last);
    return at - before;
}

static bool same_triangles(const ThawMesh *a, const ThawMesh *b) {
    return a->point_count == b->point_count && a->triangle_count == b->triangle_count &&
           memcmp(a->triangles, b->triangles, a->triangle_count * sizeof *a->triangles) == 0;
}

static ThawResult mix_points(Forms *forms, const ThawMesh *a, const ThawMesh *b, double share) {
    if (forms->capacity < a->point_count) {
        free(forms->points);
        forms->points = malloc(a->point_count * sizeof *forms->points);
        forms->capacity = forms->points != NULL ? a->point_count : 0;
        if (forms->points == NULL) return THAW_OUT_OF_MEMORY;
    }
    for (uint32_t k = 0; k < a->point_count; k++) {
        for (int axis = 0; axis < 3; axis++)
            forms->points[k][axis] = (1 - share) * a->points[k][axis] + share * b->points[k][axis];
    }
    return THAW_OK;
}

ThawResult forms_at(FormStore *store, int collider, double time, ThawMesh *mesh) {
    const ThawSceneMesh *source = store->scene->colliders[collider].mesh;
    Forms *forms = &store->forms[collider];
    int poses[2];
    double share = place_time(&source->sequence, time, poses);
    ThawResult result = keep_forms(forms, source, poses);
    if (result != THAW_OK) return result;
    ThawMesh a = thaw_mesh_view(forms->kept[0]), b = thaw_mesh_view(forms->kept[1]);
    *mesh = share < 0.5 ? a : b;
    if (share == 0 || !same_triangles(&a, &b)) return THAW_OK;
    result = mix_points(forms, &a, &b, share);
    mesh->points = (const double(*)[3])forms->points;
    return result;
}
