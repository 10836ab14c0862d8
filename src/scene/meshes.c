// Meshes as a scene names them: which files, whether they may be read, and what they hold.
//
// A mesh is known by a digest of its files, which resolved scenes write down: a file that has changed since
// is noticed. Who can say what a file holds may read it wherever it is, so resolved scenes find theirs.
#define _XOPEN_SOURCE 700 // realpath

#include "scene/meshes.h"

#include "scene/digest.h"
#include "scene/reader.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MOST_POSES 1000000
#define DIGEST_DIGITS 16

// a mesh being read
typedef struct Making {
    SceneReader *reader;
    const SceneNode *node;
    const SceneMeshForm *form;
    ThawSceneMesh *mesh;
    const char *file; // as messages say it
    bool known;       // its contents are given
    bool closed;      // its files are not opened
} Making;

static const SceneNode *value_of(const SceneNode *map, const char *key) {
    const SceneItem *item = scene_node_find(map, key);
    return item != NULL ? item->value : map;
}

static const char *keep(SceneReader *reader, const char *text) {
    const char *copy = text != NULL ? scene_copy(&reader->owner->arena, text, strlen(text)) : NULL;
    if (copy == NULL) scene_complain_memory(reader);
    return copy;
}

// ---------------------------------------------------------------- files

// the full path of a file that the node names, kept with the scene; NULL after a message
static const char *find(Making *making, const SceneNode *node, const char *name) {
    SceneReader *reader = making->reader;
    char *joined = scene_join_path(reader, node, name);
    if (joined == NULL) {
        scene_complain_memory(reader);
        return NULL;
    }
    // a file that is not opened need not be there
    bool closed = making->closed;
    char *real = closed ? NULL : scene_find_file(reader, node, joined, making->known);
    const char *kept = closed ? keep(reader, joined) : real != NULL ? keep(reader, real) : NULL;
    free(real);
    free(joined);
    return kept;
}

static bool find_images(Making *making) {
    static const char *const names[THAW_PAINTS] = {"friction", "adhesion", "temperature"};
    const SceneItem *paint = scene_node_find(making->node, "paint");
    if (paint == NULL) return true;
    bool good = true;
    for (int k = 0; k < THAW_PAINTS; k++) {
        const SceneItem *item = scene_node_find(paint->value, names[k]);
        if (item == NULL) continue;
        const SceneItem *image = scene_node_find(item->value, "image");
        if (image == NULL) {
            good = scene_complain(making->reader, item->value, "%s.paint.%s needs the key 'image'",
                                  making->reader->path, names[k]);
            continue;
        }
        const char *file = find(making, image->value, making->form->paint[k].image);
        making->mesh->paint[k].image = file;
        good &= file != NULL;
    }
    return good;
}

// ---------------------------------------------------------------- sequences

char *scene_pose_path(const char *files, int number) {
    const char *mark = strrchr(files, '#');
    size_t size = strlen(files) + 24;
    char *path = malloc(size);
    if (path == NULL || mark == NULL) return path;
    size_t end = (size_t)(mark - files) + 1, begin = end;
    while (begin > 0 && files[begin - 1] == '#') begin--;
    snprintf(path, size, "%.*s%0*d%s", (int)begin, files, (int)(end - begin), number, files + end);
    return path;
}

static bool check_pattern(SceneReader *reader, const SceneNode *node, const char *files) {
    const char *slash = strrchr(files, '/'), *name = slash != NULL ? slash + 1 : files;
    const char *mark = strchr(name, '#');
    size_t digits = mark != NULL ? strspn(mark, "#") : 0;
    bool again = mark != NULL && strchr(mark + digits, '#') != NULL;
    bool above = slash != NULL && memchr(files, '#', (size_t)(slash - files)) != NULL;
    if (digits > 0 && digits <= 10 && !again && !above) return true;
    return scene_complain(reader, node,
                          "%s.sequence.files needs one # for each digit of the number, like "
                          "creature_####.obj, not '%.100s'",
                          reader->path, files);
}

// how many files follow each other from the first on
static int count_poses(const char *files, int first) {
    int count = 0;
    while (count < MOST_POSES) {
        char *path = scene_pose_path(files, first + count);
        bool there = path != NULL && access(path, F_OK) == 0;
        free(path);
        if (!there) break;
        count++;
    }
    return count;
}

// every file must be there and may be read
static bool find_poses(Making *making, const SceneNode *node) {
    ThawSceneSequence *sequence = &making->mesh->sequence;
    for (int k = 0; k < sequence->count; k++) {
        char *path = scene_pose_path(sequence->files, sequence->first + k);
        char *real =
            path != NULL ? scene_find_file(making->reader, node, path, making->known) : NULL;
        bool good = real != NULL;
        free(real);
        free(path);
        if (!good) return false;
    }
    return true;
}

static bool find_sequence(Making *making, const SceneNode *map) {
    SceneReader *reader = making->reader;
    const SceneMeshForm *form = making->form;
    ThawSceneSequence *sequence = &making->mesh->sequence;
    const SceneNode *node = value_of(map, "files");
    if (!check_pattern(reader, node, form->files)) return false;
    char *joined = scene_join_path(reader, node, form->files);
    *sequence = (ThawSceneSequence){.files = keep(reader, joined),
                                    .first = form->first,
                                    .count = form->count,
                                    .fps = form->fps,
                                    .loop = form->loop};
    free(joined);
    if (sequence->files == NULL) return false;
    if (!(sequence->fps > 0)) sequence->fps = reader->owner->scene.frames.fps;
    if (sequence->count == 0) sequence->count = count_poses(sequence->files, sequence->first);
    if (sequence->count == 0) sequence->count = 1; // that there is none is said below
    char *first = scene_pose_path(sequence->files, sequence->first);
    making->file = making->mesh->file = keep(reader, first);
    free(first);
    return making->mesh->file != NULL && (making->closed || find_poses(making, node));
}

// the pattern with its folder's true path, so that it can be found from elsewhere
static bool make_absolute(Making *making) {
    ThawSceneSequence *sequence = &making->mesh->sequence;
    char *real = realpath(making->mesh->file, NULL);
    const char *name = strrchr(sequence->files, '/');
    name = name != NULL ? name + 1 : sequence->files;
    char *slash = real != NULL ? strrchr(real, '/') : NULL;
    if (slash == NULL) return true; // stays as it is
    size_t size = (size_t)(slash - real) + strlen(name) + 2;
    char *full = malloc(size);
    if (full != NULL) {
        snprintf(full, size, "%.*s/%s", (int)(slash - real), real, name);
        sequence->files = keep(making->reader, full);
        char *first = scene_pose_path(full, sequence->first);
        // a first file that is a link elsewhere leaves the pattern as it was given
        if (first != NULL && access(first, F_OK) == 0)
            making->mesh->file = keep(making->reader, first);
        free(first);
    }
    free(full);
    free(real);
    return sequence->files != NULL && making->mesh->file != NULL;
}

// ---------------------------------------------------------------- contents

static bool parse_digest(const char *text, uint64_t *digest) {
    *digest = 0;
    for (int k = 0; k < DIGEST_DIGITS; k++) {
        const char *digits = "0123456789abcdef";
        const char *digit = text[k] != '\0' ? strchr(digits, text[k]) : NULL;
        if (digit == NULL) return false;
        *digest = *digest << 4 | (uint64_t)(digit - digits);
    }
    return text[DIGEST_DIGITS] == '\0';
}

static bool add_file(const Making *making, uint64_t *digest, const char *path) {
    if (scene_digest_file(digest, path)) return true;
    if (making->closed) return false; // nobody asked for it
    return scene_complain(making->reader, making->node, "cannot read %.300s: %s", path,
                          strerror(errno));
}

// the digest of all files: poses in their order, then images
static bool digest_files(Making *making, uint64_t *digest) {
    const ThawSceneMesh *mesh = making->mesh;
    bool good = true;
    *digest = SCENE_DIGEST_START;
    for (int k = 0; good && k < mesh->sequence.count; k++) {
        char *path = scene_pose_path(mesh->sequence.files, mesh->sequence.first + k);
        good =
            path != NULL ? add_file(making, digest, path) : scene_complain_memory(making->reader);
        free(path);
    }
    if (mesh->sequence.count == 0) good = add_file(making, digest, mesh->file);
    for (int k = 0; good && k < THAW_PAINTS; k++) {
        if (mesh->paint[k].image == NULL) continue;
        *digest = scene_digest(*digest, &(unsigned char){(unsigned char)k}, 1);
        good = add_file(making, digest, mesh->paint[k].image);
    }
    return good;
}

static bool read_contents(Making *making, uint64_t given) {
    SceneReader *reader = making->reader;
    if (making->closed) {
        // files that still hold what was given may be opened after all
        uint64_t digest;
        bool wanted = reader->allow_lost && !reader->no_meshes && making->mesh->field == NULL;
        if (wanted && digest_files(making, &digest) && digest == given) making->closed = false;
        return true;
    }
    if (!digest_files(making, &making->mesh->contents)) return false;
    if (!making->known || making->mesh->contents == given) return true;
    return scene_complain(reader, value_of(making->node, "contents"),
                          "%s: %.300s has changed since this scene was written: its contents are "
                          "%016" PRIx64 " now; leave 'contents' out to take it as it is",
                          reader->path, making->file, making->mesh->contents);
}

// ---------------------------------------------------------------- how the field is made

static bool set_field(Making *making) {
    SceneReader *reader = making->reader;
    const SceneMeshForm *form = making->form;
    ThawFieldDef *def = &making->mesh->def;
    *def = thaw_field_default();
    def->mode = form->mode == 1 ? THAW_FIELD_SHELL : THAW_FIELD_SOLID;
    def->cell = form->cell > 0 ? form->cell : 0.5 * reader->owner->scene.world.spacing;
    def->band = form->band; // 0 = worked out when all particles are known
    def->offset = form->offset;
    if (form->thickness > 0) {
        if (def->mode != THAW_FIELD_SHELL) {
            return scene_complain(reader, value_of(making->node, "thickness"),
                                  "%s.thickness is for 'mode: shell'; take 'offset' to move the "
                                  "surface of a solid",
                                  reader->path);
        }
        def->offset = 0.5 * form->thickness;
    }
    bool thin = def->mode == THAW_FIELD_SHELL && def->offset != 0 &&
                def->offset < 0.5 * def->cell * (1 - 1e-9);
    if (!thin) return true;
    return scene_complain(reader, making->node,
                          "%s: a shell must be at least a cell thick: %g m is less than %g m; give "
                          "a thickness of that or a smaller cell",
                          reader->path, 2 * def->offset, def->cell);
}

// ---------------------------------------------------------------- the recipe

// remembers the mesh with the scene, and where it is written
static ThawSceneMesh *add_mesh(const Making *making) {
    SceneReader *reader = making->reader;
    SceneOwner *owner = reader->owner;
    ThawSceneMesh *mesh = scene_take(&owner->arena, sizeof *mesh);
    const char *path = scene_copy(&reader->tree.arena, reader->path, strlen(reader->path));
    void *list = scene_grow(&owner->arena, owner->meshes, owner->mesh_count, sizeof *owner->meshes);
    void *texts =
        scene_grow(&reader->tree.arena, reader->meshes, reader->mesh_count, sizeof *reader->meshes);
    if (mesh == NULL || path == NULL || list == NULL || texts == NULL) {
        scene_complain_memory(reader);
        return NULL;
    }
    owner->meshes = list;
    owner->meshes[owner->mesh_count++] = mesh;
    reader->meshes = texts;
    reader->meshes[reader->mesh_count++] =
        (SceneMeshText){mesh, making->node, path, making->file, making->closed};
    return mesh;
}

// values of images, which a field depends on
static void set_paint(Making *making) {
    for (int k = 0; k < THAW_PAINTS; k++) {
        if (making->form->paint[k].image == NULL) continue;
        making->mesh->paint[k].low = making->form->paint[k].low;
        making->mesh->paint[k].high = making->form->paint[k].high;
    }
}

// What a resolved scene says of its mesh is enough to find the field of an earlier reading: the file may be gone.
static bool find_known(Making *making, uint64_t given) {
    ThawSceneMesh *mesh = making->mesh;
    mesh->contents = given;
    if (making->reader->no_meshes) return true;
    bool settled = making->form->files == NULL && mesh->def.band > 0;
    bool taken = settled && scene_take_field(making->reader, mesh);
    return taken || making->reader->allow_lost;
}

static bool find_files(Making *making) {
    const SceneItem *sequence = scene_node_find(making->node, "sequence");
    if (sequence != NULL) {
        return find_sequence(making, sequence->value) && make_absolute(making);
    }
    const SceneNode *node = value_of(making->node, "file");
    making->mesh->file = find(making, node, making->form->file);
    char *joined = scene_join_path(making->reader, node, making->form->file);
    making->file = keep(making->reader, joined);
    free(joined);
    return making->mesh->file != NULL && making->file != NULL;
}

const ThawSceneMesh *scene_make_mesh(SceneReader *reader, const SceneNode *node,
                                     const SceneMeshForm *form) {
    ThawSceneMesh fresh = {.scale = form->scale, .up = form->up == 1 ? 'y' : 'z'};
    Making making = {.reader = reader, .node = node, .form = form, .mesh = &fresh};
    making.known = form->contents != NULL;
    uint64_t given = 0;
    if (making.known && !parse_digest(form->contents, &given)) {
        scene_complain(reader, value_of(node, "contents"),
                       "%s.contents must be 16 digits of 0-9 and a-f, as resolved scenes write it",
                       reader->path);
        return NULL;
    }
    bool good = set_field(&making);
    set_paint(&making);
    if (good && making.known) making.closed = find_known(&making, given);
    good &= find_files(&making);
    good &= find_images(&making);
    ThawSceneMesh *mesh = good && read_contents(&making, given) ? add_mesh(&making) : NULL;
    if (mesh != NULL) {
        *mesh = fresh;
    } else {
        thaw_field_release(fresh.field);
    }
    return mesh;
}
