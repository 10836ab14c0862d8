// Meshes in scenes: bodies and colliders from files, fields that are kept, forms over time, rigid bodies, and what
// is said of meshes before a run.
//
// The program works in a folder of its own, where it writes its meshes.
#define _XOPEN_SOURCE 700 // mkdtemp, nftw

#include "scene_rig.h"

#include "scene/field_cache.h"

#include <ftw.h>
#include <glob.h>
#include <math.h>
#include <sys/stat.h>
#include <thaw/mesh_file.h>
#include <time.h>
#include <unistd.h>

#define PI 3.14159265358979323846
#define FOLDER "fields"
#define HEAD "thaw: 1\nspacing: 0.02\ngravity: [0, 0, 0]\nmaterials: {water: {}}\n"
#define POOL                                                                                       \
    "bodies:\n  - {name: pool, material: water,\n"                                                 \
    "     shape: {box: {center: [0, 0, 0], size: [0.3, 0.3, 0.3]}}}\n"

// ---------------------------------------------------------------- meshes

typedef struct Writer {
    FILE *file;
    int points;
} Writer;

static Writer open_mesh(const char *path) {
    Writer writer = {fopen(path, "w"), 0};
    assert_non_null(writer.file);
    return writer;
}

static void close_mesh(Writer *writer) {
    assert_int_equal(fclose(writer->file), 0);
}

static int put_point(Writer *writer, double x, double y, double z) {
    fprintf(writer->file, "v %.17g %.17g %.17g\n", x, y, z);
    return ++writer->points;
}

static void put_quad(Writer *writer, int a, int b, int c, int d) {
    fprintf(writer->file, "f %d %d %d %d\n", a, b, c, d);
}

// a box from one corner to the other; `lid` false leaves its top out
static void put_box(Writer *writer, ThawVec3 low, ThawVec3 high, bool lid) {
    int p[8];
    for (int k = 0; k < 8; k++) {
        p[k] = put_point(writer, k & 1 ? high.x : low.x, k & 2 ? high.y : low.y,
                         k & 4 ? high.z : low.z);
    }
    put_quad(writer, p[0], p[2], p[3], p[1]);
    if (lid) put_quad(writer, p[4], p[5], p[7], p[6]);
    put_quad(writer, p[0], p[1], p[5], p[4]);
    put_quad(writer, p[2], p[6], p[7], p[3]);
    put_quad(writer, p[0], p[4], p[6], p[2]);
    put_quad(writer, p[1], p[3], p[7], p[5]);
}

static void write_box(const char *path, ThawVec3 low, ThawVec3 high, bool lid) {
    Writer writer = open_mesh(path);
    put_box(&writer, low, high, lid);
    close_mesh(&writer);
}

// a ball of n rings between its two poles
static void write_ball(const char *path, double radius, int n) {
    Writer writer = open_mesh(path);
    int top = put_point(&writer, 0, 0, radius), bottom = put_point(&writer, 0, 0, -radius);
    for (int i = 1; i <= n; i++) {
        for (int j = 0; j < 2 * n; j++) {
            double t = PI * i / (n + 1), f = PI * j / n;
            put_point(&writer, radius * sin(t) * cos(f), radius * sin(t) * sin(f), radius * cos(t));
        }
    }
    for (int j = 0; j < 2 * n; j++) {
        int a = 3 + j, b = 3 + (j + 1) % (2 * n), last = 2 * n * (n - 1);
        fprintf(writer.file, "f %d %d %d\nf %d %d %d\n", top, a, b, bottom, b + last, a + last);
        for (int i = 0; i + 1 < n; i++) {
            int low = 2 * n * i, high = 2 * n * (i + 1);
            put_quad(&writer, a + low, a + high, b + high, b + low);
        }
    }
    close_mesh(&writer);
}

// a wall that goes 0.1 m along x from one pose to the next
static void write_piston(void) {
    for (int k = 0; k < 3; k++) {
        char path[32];
        snprintf(path, sizeof path, "wall_%d.obj", k + 1);
        double x = 0.1 * k;
        write_box(path, (ThawVec3){x - 0.1, -0.3, -0.3}, (ThawVec3){x, 0.3, 0.3}, true);
    }
}

static void copy_file(const char *from, const char *to) {
    FILE *in = fopen(from, "rb"), *out = fopen(to, "wb");
    assert_non_null(in);
    assert_non_null(out);
    for (int c; (c = fgetc(in)) != EOF;) fputc(c, out);
    fclose(in);
    assert_int_equal(fclose(out), 0);
}

// ---------------------------------------------------------------- scenes

static ThawScene *parse(const char *text) {
    static const ThawSceneOptions options = {.threads = 1};
    return parse_scene(text, &options);
}

static ThawScene *parse_keeping(const char *text) {
    static const ThawSceneOptions options = {.threads = 1, .field_folder = FOLDER};
    return parse_scene(text, &options);
}

static ThawWorld *build(const ThawScene *scene) {
    static const ThawHostDef host = {.threads = 1};
    ThawWorld *world = NULL;
    if (thaw_scene_build(scene, &host, &world) != THAW_OK) fail_msg("%s", thaw_error_text());
    return world;
}

static char *write_scene(const ThawScene *scene) {
    char *text = NULL;
    size_t size;
    assert_int_equal(thaw_scene_write(scene, &text, &size), THAW_OK);
    return text;
}

static int count_fields(void) {
    glob_t found;
    int count = glob(FOLDER "/*.field", 0, NULL, &found) == 0 ? (int)found.gl_pathc : 0;
    globfree(&found);
    return count;
}

static int remove_entry(const char *path, const struct stat *status, int kind, struct FTW *place) {
    (void)status, (void)kind, (void)place;
    return remove(path);
}

static void clear_fields(void) {
    nftw(FOLDER, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
}

// ---------------------------------------------------------------- bodies

// particles that a body of the mesh is made of, as forecast; the world must make as many
static double count_body(const char *text) {
    ThawScene *scene = parse(text);
    ThawPreflight preflight;
    ThawMessages *messages = NULL;
    assert_int_equal(thaw_scene_preflight(scene, &preflight, &messages), THAW_OK);
    show_messages(messages);
    assert_int_equal(thaw_messages_errors(messages), 0);
    ThawWorld *world = build(scene);
    assert_int_equal(thaw_world_count(world), preflight.particles);
    double count = preflight.particles;
    thaw_world_destroy(world);
    thaw_preflight_free(&preflight);
    thaw_messages_free(messages);
    thaw_scene_free(scene);
    return count;
}

static void bodies_from_meshes_hold_their_volume(void **state) {
    (void)state;
    write_ball("ball.obj", 0.25, 40);
    const double volume = 4.0 / 3 * PI * 0.25 * 0.25 * 0.25, spacing = 0.02;
    static const char *const states[] = {"liquid", "solid"};
    for (int k = 0; k < 2; k++) {
        char text[400];
        snprintf(text, sizeof text,
                 HEAD "bodies: [{name: ball, material: water, state: %s,\n"
                      "          shape: {mesh: {file: ball.obj, center: [3, 1, 2],\n"
                      "                         rotate: {axis: [1, 2, 3], angle: 1}}}}]\n",
                 states[k]);
        double filled = count_body(text) * pow(spacing, 3);
        if (fabs(filled / volume - 1) > 0.03) fail_msg("%g of %g m^3", filled, volume);
    }
}

// the volume of the shared cow, by the divergence theorem
static void a_shared_mesh_holds_its_volume(void **state) {
    (void)state;
    static const char path[] = SCENE_TREE "/../shared/assets/spot.obj";
    if (access(path, R_OK) != 0) {
        print_message("%s is not there: skipped\n", path);
        skip();
    }
    copy_file(path, "spot.obj");
    double count = count_body("thaw: 1\nspacing: 0.03\nmaterials: {water: {}}\ngravity: [0, 0, 0]\n"
                              "bodies: [{name: spot, material: water,\n"
                              "          shape: {mesh: {file: spot.obj, up: y}}}]\n");
    double filled = count * pow(0.03, 3);
    print_message("spot: %g of 0.718259 m^3\n", filled);
    assert_true(fabs(filled / 0.718259 - 1) < 0.03);
}

static void scale_and_up_are_applied(void **state) {
    (void)state;
    write_box("slab.obj", (ThawVec3){0, 0, 0}, (ThawVec3){1000, 2000, 300}, true);
    ThawScene *scene = parse(HEAD POOL "colliders: [{name: slab, shape: {mesh: {file: slab.obj, "
                                       "scale: 0.001, up: y, offset: 1 cm}}}]\n");
    ThawFieldReport report = thaw_field_report(scene->colliders[0].shape.field);
    // y becomes z, and z becomes −y
    const double low[3] = {report.lower.x, report.lower.y, report.lower.z};
    const double high[3] = {report.upper.x, report.upper.y, report.upper.z};
    const double wanted_low[3] = {-0.01, -0.31, -0.01}, wanted_high[3] = {1.01, 0.01, 2.01};
    for (int a = 0; a < 3; a++) {
        assert_true(fabs(low[a] - wanted_low[a]) < 1e-9);
        assert_true(fabs(high[a] - wanted_high[a]) < 1e-9);
    }
    assert_true(report.cell == 0.01 && report.band == 5);
    thaw_scene_free(scene);
}

// ---------------------------------------------------------------- fields

static void equal_meshes_share_one_field(void **state) {
    (void)state;
    write_ball("ball.obj", 0.25, 10);
    copy_file("ball.obj", "other.obj");
    ThawScene *scene =
        parse(HEAD POOL "colliders:\n"
                        "  - {name: a, shape: {mesh: {file: ball.obj, center: [1, 0, 0]}}}\n"
                        "  - {name: b, shape: {mesh: {file: other.obj, center: [2, 0, 0]}}}\n"
                        "  - {name: c, shape: {mesh: {file: ball.obj, cell: 3 cm}}}\n");
    const ThawSceneCollider *c = scene->colliders;
    assert_ptr_equal(c[0].shape.field, c[1].shape.field);
    assert_ptr_not_equal(c[0].shape.field, c[2].shape.field);
    thaw_scene_free(scene);
}

static const char one_ball[] =
    HEAD POOL "colliders: [{name: a, shape: {mesh: {file: ball.obj, center: [1, 0, 0]}}}]\n";

// whether reading the scene took its field from the folder
static bool reads_kept(const char *text) {
    ThawScene *scene = parse_keeping(text);
    bool kept = scene->colliders[0].mesh->cached;
    // kept or built, it is the same
    ThawScene *plain = parse(text);
    for (int k = 0; k < 100; k++) {
        ThawVec3 p = {1 + 0.004 * k, 0.002 * k, -0.001 * k};
        assert_true(thaw_shape_distance(&scene->colliders[0].shape, p) ==
                    thaw_shape_distance(&plain->colliders[0].shape, p));
    }
    thaw_scene_free(plain);
    thaw_scene_free(scene);
    return kept;
}

static void fields_are_kept_by_contents_and_settings(void **state) {
    (void)state;
    clear_fields();
    write_ball("ball.obj", 0.25, 10);
    assert_false(reads_kept(one_ball));
    assert_true(reads_kept(one_ball));
    assert_int_equal(count_fields(), 1);
    // another name, the same contents; another cell; another mesh of the same name
    copy_file("ball.obj", "other.obj");
    assert_true(reads_kept(
        HEAD POOL "colliders: [{name: a, shape: {mesh: {file: other.obj, center: [1, 0, 0]}}}]\n"));
    assert_false(reads_kept(
        HEAD POOL "colliders: [{name: a, shape: {mesh: {file: ball.obj, cell: 2 cm}}}]\n"));
    write_ball("ball.obj", 0.24, 10);
    assert_false(reads_kept(one_ball));
    assert_int_equal(count_fields(), 3);
}

static void damaged_fields_are_built_again(void **state) {
    (void)state;
    clear_fields();
    write_ball("ball.obj", 0.25, 10);
    assert_false(reads_kept(one_ball));
    glob_t found;
    assert_int_equal(glob(FOLDER "/*.field", 0, NULL, &found), 0);
    const char *path = found.gl_pathv[0];
    struct stat status;
    assert_int_equal(stat(path, &status), 0);
    // a byte here and there, and a file that ends too soon
    for (int k = 0; k < 8; k++) {
        FILE *file = fopen(path, "r+b");
        assert_non_null(file);
        assert_int_equal(fseek(file, (long)(status.st_size * k / 8), SEEK_SET), 0);
        int byte = fgetc(file);
        assert_int_equal(fseek(file, -1, SEEK_CUR), 0);
        fputc(byte ^ 1, file);
        fclose(file);
        assert_false(reads_kept(one_ball));
        assert_true(reads_kept(one_ball));
    }
    assert_int_equal(truncate(path, status.st_size / 2), 0);
    assert_false(reads_kept(one_ball));
    assert_int_equal(truncate(path, 0), 0);
    assert_false(reads_kept(one_ball));
    assert_true(reads_kept(one_ball));
    globfree(&found);
}

static void a_folder_that_cannot_be_made_is_no_error(void **state) {
    (void)state;
    write_ball("ball.obj", 0.25, 10);
    copy_file("ball.obj", "file");
    ThawSceneOptions options = {.threads = 1, .field_folder = "file/fields"};
    ThawScene *scene = parse_scene(one_ball, &options);
    assert_non_null(scene->colliders[0].shape.field);
    thaw_scene_free(scene);
}

static void the_oldest_fields_make_room(void **state) {
    (void)state;
    clear_fields();
    write_ball("ball.obj", 0.25, 10);
    ThawScene *scene = parse(one_ball);
    const ThawField *field = scene->colliders[0].shape.field;
    void *bytes;
    size_t size;
    assert_int_equal(thaw_field_pack(field, &bytes, &size), THAW_OK);
    thaw_field_free_bytes(bytes);
    SceneFieldKey key = {.version = 1};
    for (uint64_t k = 0; k < 6; k++) {
        key.contents = k;
        scene_field_keep(FOLDER, &key, field, 3 * size + size / 2);
        // times of files differ even where the clock is coarse
        nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
        key.contents = 0;
        thaw_field_release(scene_field_find(FOLDER, &key));
    }
    // room for three, of which the first was used again and again
    assert_int_equal(count_fields(), 3);
    static const bool there[6] = {true, false, false, false, true, true};
    for (uint64_t k = 0; k < 6; k++) {
        key.contents = k;
        ThawField *kept = scene_field_find(FOLDER, &key);
        assert_int_equal(kept != NULL, there[k]);
        thaw_field_release(kept);
    }
    thaw_scene_free(scene);
}

// ---------------------------------------------------------------- resolved scenes

static void a_changed_mesh_is_a_difference(void **state) {
    (void)state;
    write_ball("ball.obj", 0.25, 10);
    ThawScene *before = parse(one_ball);
    copy_file("ball.obj", "other.obj");
    ThawScene *moved = parse(
        HEAD POOL "colliders: [{name: a, shape: {mesh: {file: other.obj, center: [1, 0, 0]}}}]\n");
    write_ball("ball.obj", 0.24, 10);
    ThawScene *after = parse(one_ball);
    // where the file is does not matter, what it holds does
    assert_null(thaw_scene_difference(before, moved));
    assert_true(thaw_scene_hash(before) == thaw_scene_hash(moved));
    assert_true(thaw_scene_hash(before) != thaw_scene_hash(after));
    char *difference = thaw_scene_difference(before, after);
    assert_non_null(difference);
    assert_non_null(strstr(difference, "colliders.a.shape.mesh: the mesh's files hold something "
                                       "else"));
    free(difference);
    thaw_scene_free(before);
    thaw_scene_free(moved);
    thaw_scene_free(after);
}

static void resolved_scenes_find_their_meshes_again(void **state) {
    (void)state;
    clear_fields();
    write_ball("ball.obj", 0.25, 10);
    ThawScene *scene = parse_keeping(one_ball), *again = NULL;
    char *text = write_scene(scene);
    ThawMessages *messages = NULL;
    mkdir("elsewhere", 0777);
    // from another folder, without leave to go outside: the contents are known
    ThawSceneOptions options = {.threads = 1};
    ThawResult result =
        thaw_scene_parse(text, strlen(text), "elsewhere/scene.yaml", &options, &again, &messages);
    if (result != THAW_OK) show_messages(messages);
    assert_int_equal(result, THAW_OK);
    thaw_messages_free(messages);
    char *second = write_scene(again);
    assert_string_equal(text, second);
    thaw_scene_free(again);
    free(second);
    // changed: refused without the field, found with it
    write_ball("ball.obj", 0.24, 10);
    assert_int_equal(
        thaw_scene_parse(text, strlen(text), "scene.yaml", &options, &again, &messages),
        THAW_BAD_INPUT);
    assert_non_null(strstr(thaw_messages_get(messages, 0)->text, "has changed since"));
    thaw_messages_free(messages);
    assert_int_equal(remove("ball.obj"), 0);
    again = parse_keeping(text);
    assert_true(again->colliders[0].mesh->cached && again->colliders[0].shape.field != NULL);
    second = write_scene(again);
    assert_string_equal(text, second);
    thaw_scene_free(again);
    free(second);
    free(text);
    thaw_scene_free(scene);
}

static void scenes_can_be_read_without_their_meshes(void **state) {
    (void)state;
    write_ball("ball.obj", 0.25, 10);
    ThawScene *scene = parse(one_ball);
    char *text = write_scene(scene);
    assert_int_equal(remove("ball.obj"), 0);
    ThawSceneOptions options = {.no_meshes = true};
    ThawScene *words = parse_scene(text, &options);
    assert_null(words->colliders[0].shape.field);
    assert_null(thaw_scene_difference(scene, words));
    ThawWorld *world = NULL;
    ThawPreflight preflight;
    ThawMessages *messages = NULL;
    assert_int_equal(thaw_scene_build(words, NULL, &world), THAW_BAD_INPUT);
    assert_int_equal(thaw_scene_preflight(words, &preflight, &messages), THAW_BAD_INPUT);
    thaw_messages_free(messages);
    thaw_scene_free(words);
    thaw_scene_free(scene);
    free(text);
}

static void a_lost_mesh_leaves_the_others(void **state) {
    (void)state;
    write_ball("ball.obj", 0.25, 10);
    write_ball("other.obj", 0.2, 10);
    write_piston();
    ThawScene *scene = parse(
        HEAD POOL "colliders:\n"
                  "  - {name: a, shape: {mesh: {file: ball.obj, center: [1, 0, 0]}}}\n"
                  "  - {name: b, shape: {mesh: {file: other.obj, center: [2, 0, 0]}}}\n"
                  "  - {name: c, shape: {mesh: {sequence: {files: wall_#.obj, count: 2}}}}\n");
    char *text = write_scene(scene);
    write_ball("ball.obj", 0.24, 10);
    ThawSceneOptions options = {.threads = 1, .allow_lost = true};
    ThawScene *rest = parse_scene(text, &options);
    assert_null(rest->colliders[0].shape.field);
    assert_non_null(rest->colliders[1].shape.field);
    assert_non_null(rest->colliders[2].shape.field);
    assert_null(thaw_scene_difference(scene, rest));
    thaw_scene_free(rest);
    assert_int_equal(remove("wall_2.obj"), 0);
    rest = parse_scene(text, &options);
    assert_null(rest->colliders[2].shape.field);
    thaw_scene_free(rest);
    thaw_scene_free(scene);
    free(text);
}

static void an_override_names_files_beside_the_scene(void **state) {
    (void)state;
    write_ball("ball.obj", 0.25, 10);
    write_ball("other.obj", 0.2, 10);
    const char *sets[] = {"colliders.a.shape.mesh.file=other.obj"};
    ThawSceneOptions options = {.sets = sets, .set_count = 1, .threads = 1};
    ThawScene *scene = parse_scene(one_ball, &options);
    assert_non_null(strstr(scene->colliders[0].mesh->file, "/other.obj"));
    thaw_scene_free(scene);
}

// ---------------------------------------------------------------- forms over time

// poses every 0.25 s, frames every 0.1 s
static const char piston[] =
    HEAD "frames: {fps: 10}\n"
         "bodies:\n  - {name: pool, material: water,\n"
         "     shape: {box: {center: [0.15, 0, 0], size: [0.2, 0.16, 0.16]}}}\n"
         "colliders:\n"
         "  - {name: wall, shape: {mesh: {sequence: {files: wall_#.obj, fps: 4}, cell: 2 cm}}}\n";

// the particle furthest back
static double least_x(ThawWorld *world) {
    uint32_t count = thaw_world_count(world);
    double(*positions)[3] = calloc(count, sizeof *positions);
    assert_non_null(positions);
    thaw_world_positions(world, positions);
    double least = INFINITY;
    for (uint32_t k = 0; k < count; k++) least = fmin(least, positions[k][0]);
    free(positions);
    return least;
}

static uint32_t advance(const ThawScene *scene, ThawWorld *world, int frames) {
    ThawReport report = {0};
    for (int k = 0; k < frames; k++) {
        if (thaw_scene_advance(scene, world, 0.1, &report) != THAW_OK) {
            fail_msg("%s", thaw_error_text());
        }
    }
    return (uint32_t)report.step;
}

static void sequences_move_with_the_time(void **state) {
    (void)state;
    write_piston();
    ThawScene *scene = parse(piston);
    assert_int_equal(scene->colliders[0].mesh->sequence.count, 3);
    ThawWorld *world = build(scene);
    // poses at 0.25 and 0.5 s: the frame over 0.25 s is cut in two
    assert_int_equal(advance(scene, world, 2), 2);
    assert_int_equal(advance(scene, world, 1), 4);
    // the wall's face is at 0.12 m then; a particle keeps about half a spacing off it
    double least = least_x(world);
    if (!(least > 0.12 - 0.004 && least < 0.16)) fail_msg("%g m at 0.3 s", least);
    assert_int_equal(advance(scene, world, 3), 7);
    // it arrived at 0.2 m after 0.5 s and stands still
    least = least_x(world);
    if (!(least > 0.2 - 0.004 && least < 0.3)) fail_msg("%g m at 0.6 s", least);
    thaw_world_destroy(world);
    thaw_scene_free(scene);
}

static void a_resumed_sequence_goes_on_in_the_same_bits(void **state) {
    (void)state;
    write_piston();
    ThawScene *scene = parse(piston);
    // saved between two poses, and at one
    for (int stop = 2; stop <= 5; stop += 3) {
        ThawWorld *whole = build(scene), *again = NULL;
        advance(scene, whole, stop);
        void *bytes;
        size_t size;
        assert_int_equal(thaw_world_save(whole, &bytes, &size), THAW_OK);
        static const ThawHostDef host = {.threads = 1};
        if (thaw_world_load(bytes, size, &host, &again) != THAW_OK) {
            fail_msg("%s", thaw_error_text());
        }
        thaw_snapshot_free(bytes);
        advance(scene, whole, 2);
        advance(scene, again, 2);
        assert_true(thaw_world_hash(whole) == thaw_world_hash(again));
        thaw_world_destroy(whole);
        thaw_world_destroy(again);
    }
    thaw_scene_free(scene);
}

static void a_missing_pose_stops_with_its_name(void **state) {
    (void)state;
    write_piston();
    ThawScene *scene = parse(piston);
    ThawWorld *world = build(scene);
    assert_int_equal(remove("wall_3.obj"), 0);
    ThawResult result = THAW_OK;
    for (int k = 0; k < 5 && result == THAW_OK; k++) {
        result = thaw_scene_advance(scene, world, 0.1, NULL);
    }
    assert_int_not_equal(result, THAW_OK);
    assert_non_null(strstr(thaw_error_text(), "wall_3.obj"));
    thaw_world_destroy(world);
    thaw_scene_free(scene);
}

// ---------------------------------------------------------------- rigid bodies

static void dynamic_colliders_become_rigid_bodies(void **state) {
    (void)state;
    write_box("crate.obj", (ThawVec3){0, 0, 0}, (ThawVec3){0.4, 0.2, 0.2}, true);
    ThawScene *scene =
        parse(HEAD POOL "colliders:\n"
                        "  - {name: crate, shape: {mesh: {file: crate.obj, center: [2, 0, 0]}},\n"
                        "     dynamic: {density: 500, velocity: [0, 0, 3]}}\n"
                        "  - {name: ball, shape: {sphere: {center: [0, 4, 0], radius: 0.1}},\n"
                        "     dynamic: {mass: 7, spin: [0, 0, 2]}}\n");
    ThawWorld *world = build(scene);
    ThawColliderState crate, ball;
    assert_int_equal(thaw_world_collider_state(world, (ThawColliderId){1}, &crate), THAW_OK);
    assert_int_equal(thaw_world_collider_state(world, (ThawColliderId){2}, &ball), THAW_OK);
    assert_true(crate.dynamic && ball.dynamic);
    // what its field encloses, to a cell's share
    if (fabs(crate.mass / (500 * 0.4 * 0.2 * 0.2) - 1) > 0.02) fail_msg("%g kg", crate.mass);
    assert_true(fabs(crate.center.x - 2.2) < 1e-3 && crate.velocity.z == 3);
    assert_true(ball.mass == 7 && ball.spin.z == 2);
    thaw_world_destroy(world);
    thaw_scene_free(scene);
}

// ---------------------------------------------------------------- painted values

static void images_are_painted_on(void **state) {
    (void)state;
    ThawScene *scene = read_scene(SCENE_TREE "/test/scene/good/everything.yaml");
    const ThawScenePaint *paint = NULL;
    for (int k = 0; k < scene->collider_count; k++) {
        const ThawSceneCollider *collider = &scene->colliders[k];
        if (strcmp(collider->name, "q") != 0) continue;
        paint = &collider->mesh->paint[THAW_PAINT_FRICTION];
        ThawMesh mesh = thaw_field_mesh(collider->shape.field);
        const ThawPaint *there = &mesh.paint[THAW_PAINT_FRICTION];
        assert_true(there->image != NULL && there->width == 2 && there->height == 2);
        assert_true(fabsf(there->image[0] - 0.1f) < 1e-6f);
        assert_true(fabsf(there->image[3] - 0.9f) < 1e-6f);
    }
    assert_non_null(paint);
    thaw_scene_free(scene);
}

// ---------------------------------------------------------------- warnings

// the warnings of a scene must be one that holds the words, or none (NULL)
static void check_warning(const char *colliders, const char *words) {
    char text[1000];
    snprintf(text, sizeof text, HEAD POOL "colliders: [%s]\n", colliders);
    ThawScene *scene = parse(text);
    ThawPreflight preflight;
    ThawMessages *messages = NULL;
    assert_int_equal(thaw_scene_preflight(scene, &preflight, &messages), THAW_OK);
    bool good = words == NULL ? thaw_messages_count(messages) == 0
                              : thaw_messages_count(messages) == 1 &&
                                    strstr(thaw_messages_get(messages, 0)->text, words) != NULL;
    if (!good) {
        show_messages(messages);
        fail_msg("%s: not '%s'", colliders, words != NULL ? words : "");
    }
    assert_int_equal(preflight.mesh_count, 1);
    assert_true(preflight.memory_bytes > preflight.field_bytes && preflight.field_bytes > 0);
    thaw_preflight_free(&preflight);
    thaw_messages_free(messages);
    thaw_scene_free(scene);
}

static void doubtful_meshes_are_told(void **state) {
    (void)state;
    ThawVec3 low = {0, 0, 0}, high = {0.4, 0.3, 0.2};
    write_box("box.obj", low, high, true);
    check_warning("{name: a, shape: {mesh: {file: box.obj, center: [1, 0, 0]}}}", NULL);
    write_box("open.obj", low, high, false);
    check_warning("{name: a, shape: {mesh: {file: open.obj, center: [1, 0, 0]}}}",
                  "its mesh is open (4 edges");
    check_warning("{name: a, shape: {mesh: {file: open.obj, center: [1, 0, 0], mode: shell}}}",
                  NULL);
    check_warning("{name: a, shape: {mesh: {file: box.obj, center: [1, 0, 0], scale: 1000, "
                  "cell: 20}}}",
                  "is the file in other units");
    write_box("sheet.obj", low, (ThawVec3){0.4, 0.3, 0.015}, true);
    check_warning("{name: a, shape: {mesh: {file: sheet.obj, center: [1, 0, 0]}}}",
                  "its walls are as thin as 0.015 m, 1.5 cells");
    check_warning("{name: a, shape: {mesh: {file: sheet.obj, center: [1, 0, 0], cell: 7 mm}}}",
                  NULL);
}

// a grate: bars with slots between them
static void write_grate(const char *path, double slot) {
    Writer writer = open_mesh(path);
    for (int k = 0; k < 5; k++) {
        double x = k * (0.06 + slot);
        put_box(&writer, (ThawVec3){x, 0, 0}, (ThawVec3){x + 0.06, 0.5, 0.06}, true);
    }
    close_mesh(&writer);
}

static void slots_narrower_than_a_particle_are_told(void **state) {
    (void)state;
    write_grate("grate.obj", 0.025);
    check_warning("{name: a, shape: {mesh: {file: grate.obj, center: [1, 0, 0]}}}", NULL);
    write_grate("grate.obj", 0.015);
    check_warning("{name: a, shape: {mesh: {file: grate.obj, center: [1, 0, 0]}}}",
                  "gaps narrower than a particle (down to 0.015 m");
    // an offset of the surface narrows slots too
    write_grate("grate.obj", 0.025);
    check_warning("{name: a, shape: {mesh: {file: grate.obj, center: [1, 0, 0], offset: 4 mm}}}",
                  "gaps narrower than a particle (down to 0.017 m");
}

static void a_broken_pose_is_found_before_the_run(void **state) {
    (void)state;
    write_piston();
    FILE *file = fopen("wall_3.obj", "w");
    assert_non_null(file);
    fputs("v 1 2\n", file);
    fclose(file);
    ThawScene *scene = parse(piston);
    ThawPreflight preflight;
    ThawMessages *messages = NULL;
    assert_int_equal(thaw_scene_preflight(scene, &preflight, &messages), THAW_OK);
    assert_int_equal(thaw_messages_errors(messages), 1);
    assert_non_null(strstr(thaw_messages_get(messages, 0)->text, "wall_3.obj:1"));
    thaw_preflight_free(&preflight);
    thaw_messages_free(messages);
    thaw_scene_free(scene);
}

// ---------------------------------------------------------------- help

static void the_helps_example_of_meshes_is_a_scene(void **state) {
    (void)state;
    write_box("cup.obj", (ThawVec3){-0.5, -0.5, 0}, (ThawVec3){0.5, 0.5, 0.6}, false);
    write_box("buoy.stl", (ThawVec3){0, 0, 0}, (ThawVec3){50, 50, 50}, true);
    for (int k = 1; k <= 3; k++) {
        char path[40];
        snprintf(path, sizeof path, "creature_%04d.obj", k);
        write_box(path, (ThawVec3){2, 0, 0}, (ThawVec3){2.3, 0.3, 0.2 + 0.1 * k}, true);
    }
    char *help = thaw_scene_help();
    const char *begin = strstr(help, "\nMeshes");
    assert_non_null(begin);
    begin = strstr(begin, "    thaw: 1");
    const char *end = strstr(begin, "\nAll keys");
    assert_non_null(end);
    char text[4000];
    snprintf(text, sizeof text, "%.*s\n", (int)(end - begin), begin);
    ThawScene *scene = parse(text);
    assert_int_equal(scene->collider_count, 3);
    assert_true(scene->colliders[1].dynamic.on);
    assert_int_equal(scene->colliders[2].mesh->sequence.count, 3);
    thaw_scene_free(scene);
    free(help);
}

// ---------------------------------------------------------------- the folder

static char folder[] = "/tmp/thaw_scene_mesh_XXXXXX";

static int enter_folder(void **state) {
    (void)state;
    return mkdtemp(folder) != NULL && chdir(folder) == 0 ? 0 : -1;
}

static int leave_folder(void **state) {
    (void)state;
    if (chdir("/") != 0) return -1;
    nftw(folder, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bodies_from_meshes_hold_their_volume),
        cmocka_unit_test(a_shared_mesh_holds_its_volume),
        cmocka_unit_test(scale_and_up_are_applied),
        cmocka_unit_test(equal_meshes_share_one_field),
        cmocka_unit_test(fields_are_kept_by_contents_and_settings),
        cmocka_unit_test(damaged_fields_are_built_again),
        cmocka_unit_test(a_folder_that_cannot_be_made_is_no_error),
        cmocka_unit_test(the_oldest_fields_make_room),
        cmocka_unit_test(a_changed_mesh_is_a_difference),
        cmocka_unit_test(resolved_scenes_find_their_meshes_again),
        cmocka_unit_test(scenes_can_be_read_without_their_meshes),
        cmocka_unit_test(a_lost_mesh_leaves_the_others),
        cmocka_unit_test(an_override_names_files_beside_the_scene),
        cmocka_unit_test(sequences_move_with_the_time),
        cmocka_unit_test(a_resumed_sequence_goes_on_in_the_same_bits),
        cmocka_unit_test(a_missing_pose_stops_with_its_name),
        cmocka_unit_test(dynamic_colliders_become_rigid_bodies),
        cmocka_unit_test(images_are_painted_on),
        cmocka_unit_test(doubtful_meshes_are_told),
        cmocka_unit_test(slots_narrower_than_a_particle_are_told),
        cmocka_unit_test(a_broken_pose_is_found_before_the_run),
        cmocka_unit_test(the_helps_example_of_meshes_is_a_scene),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
