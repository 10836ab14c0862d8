// The cache directory: what a run leaves, going on with it, and what happens when the disk says no.
#include "cache/room.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

static const char scene[] = "thaw: 1\n";

static ThawCacheDef def_of(const char *directory) {
    return (ThawCacheDef){.directory = directory,
                          .scene_text = scene,
                          .scene_size = sizeof scene - 1,
                          .scene_hash = 77,
                          .fps = 24,
                          .dimensions = 3,
                          .compression = 1};
}

static ThawCacheDef resume_of(const char *directory, int frame) {
    ThawCacheDef def = def_of(directory);
    def.resume = true;
    def.resume_frame = frame;
    return def;
}

static ThawResult put(ThawCache *cache, ThawWorld *world, int frame) {
    ThawStats stats = {.frame = frame, .ms = 0.1 + frame, .peak_rss_bytes = 1000};
    stats.report.time = frame / 24.0;
    stats.report.particles = thaw_world_count(world);
    return thaw_cache_put(cache, take_frame(world, frame), &stats);
}

static ThawResult put_checkpoint(ThawCache *cache, ThawWorld *world, int frame) {
    void *bytes;
    size_t size;
    assert_ok(thaw_world_save(world, &bytes, &size));
    return thaw_cache_checkpoint(cache, frame, bytes, size);
}

// frames first..last of a small world and a checkpoint of the last
static void fill(const ThawCacheDef *def, int first, int last) {
    ThawWorld *world = boxes(1, 0.03);
    ThawCache *cache;
    assert_ok(thaw_cache_create(def, &cache));
    for (int frame = first; frame <= last; frame++) assert_ok(put(cache, world, frame));
    assert_ok(put_checkpoint(cache, world, last));
    assert_ok(thaw_cache_close(cache));
    thaw_world_destroy(world);
}

static const char *frame_of(const char *directory, int frame) {
    static char path[1024];
    assert_ok(thaw_cache_frame_path(directory, frame, path, sizeof path));
    return path;
}

static int count_text(const char *path, const char *word) {
    Bytes bytes = load(path);
    int count = 0;
    for (const char *at = (const char *)bytes.data; (at = strstr(at, word)) != NULL; at++) count++;
    free(bytes.data);
    return count;
}

static void assert_frames_readable(const char *directory, int first, int last) {
    for (int frame = first; frame <= last; frame++) {
        ThawFrame *read;
        assert_ok(thaw_frame_read(frame_of(directory, frame), &read));
        assert_int_equal(read->info.frame, frame);
        thaw_frame_free(read);
    }
}

// ---------------------------------------------------------------- a run

static void a_run_leaves_all_that_is_promised(void **state) {
    (void)state;
    char *folder = make_folder();
    char directory[256];
    snprintf(directory, sizeof directory, "%s/%s", folder, "some/where/new");
    ThawCacheDef def = def_of(directory);
    fill(&def, 0, 4);
    assert_frames_readable(directory, 0, 4);
    Bytes text = load(in_folder(directory, "scene.yaml"));
    assert_string_equal((const char *)text.data, scene);
    free(text.data);
    assert_int_equal(count_text(in_folder(directory, "frames.xdmf"), "<Time Value"), 5);
    assert_int_equal(count_text(in_folder(directory, "frames.xdmf"), ">frames/frame_000004.h5:/id"),
                     1);
    ThawTable *table;
    assert_ok(thaw_table_read(in_folder(directory, "stats.csv"), &table));
    assert_int_equal(table->rows, 5);
    assert_string_equal(table->names[0], "frame");
    assert_string_equal(table->names[24], "ms");
    assert_string_equal(table->names[25], "peak_rss_bytes");
    assert_true(table->values[3 * table->columns + 24] == 3.1);
    thaw_table_free(table);
    ThawCacheInfo info;
    assert_ok(thaw_cache_info(directory, &info));
    assert_int_equal(info.first_frame, 0);
    assert_int_equal(info.last_frame, 4);
    assert_true(info.has_checkpoint);
    assert_int_equal(info.checkpoint_frame, 4);
    assert_int_equal(info.checkpoint_scene_hash, 77);
    assert_int_equal(count_ending(directory, ".tmp"), 0);
    drop_folder(folder);
}

static void stats_have_the_promised_columns_in_order(void **state) {
    (void)state;
    char *folder = make_folder();
    ThawCacheDef def = def_of(folder);
    fill(&def, 0, 0);
    Bytes text = load(in_folder(folder, "stats.csv"));
    static const char promised[] =
        "frame,time,particles,solid,liquid,mass,px,py,pz,lx,ly,lz,kinetic,potential,elastic,heat,"
        "mean_density_error,max_density_error,max_speed,substeps,iterations,melted,frozen,"
        "bonds_broken,ms,peak_rss_bytes";
    assert_memory_equal(text.data, promised, sizeof promised - 1);
    free(text.data);
    drop_folder(folder);
}

static void costs_tell_the_size_of_a_frame(void **state) {
    (void)state;
    char *folder = make_folder();
    ThawCacheDef def = def_of(folder);
    ThawWorld *world = boxes(1, 0.03);
    ThawCache *cache;
    assert_ok(thaw_cache_create(&def, &cache));
    assert_ok(put(cache, world, 0));
    assert_ok(thaw_cache_flush(cache));
    double bytes, seconds;
    thaw_cache_costs(cache, &bytes, &seconds);
    struct stat status;
    assert_int_equal(stat(frame_of(folder, 0), &status), 0);
    assert_true(bytes == (double)status.st_size);
    assert_true(seconds > 0);
    assert_ok(thaw_cache_close(cache));
    thaw_world_destroy(world);
    drop_folder(folder);
}

static void frames_come_one_after_the_other(void **state) {
    (void)state;
    char *folder = make_folder();
    ThawCacheDef def = def_of(folder);
    def.first_frame = 5;
    ThawWorld *world = boxes(1, 0.03);
    ThawCache *cache;
    assert_ok(thaw_cache_create(&def, &cache));
    assert_refused(put(cache, world, 0), "the next frame is 5");
    assert_ok(put(cache, world, 5));
    assert_refused(put(cache, world, 7), "the next frame is 6");
    assert_refused(put_checkpoint(cache, world, 6), "frame 5");
    assert_ok(put(cache, world, 6));
    assert_ok(thaw_cache_close(cache));
    ThawCacheInfo info;
    assert_ok(thaw_cache_info(folder, &info));
    assert_int_equal(info.first_frame, 5);
    assert_int_equal(info.last_frame, 6);
    assert_false(info.has_checkpoint);
    thaw_world_destroy(world);
    drop_folder(folder);
}

// ---------------------------------------------------------------- refusals

static void a_directory_with_frames_is_not_written_over(void **state) {
    (void)state;
    char *folder = make_folder();
    ThawCacheDef def = def_of(folder);
    fill(&def, 0, 2);
    Bytes before = load(in_folder(folder, "stats.csv"));
    ThawCache *cache;
    def.scene_text = "other";
    def.scene_size = 5;
    assert_refused(thaw_cache_create(&def, &cache), "holds 3 frames already");
    assert_null(cache);
    Bytes after = load(in_folder(folder, "stats.csv"));
    assert_int_equal(before.size, after.size);
    assert_int_equal(count_text(in_folder(folder, "scene.yaml"), "thaw: 1"), 1);
    assert_true(exists(in_folder(folder, "checkpoint.h5")));
    free(before.data);
    free(after.data);
    drop_folder(folder);
}

static void two_writers_are_refused(void **state) {
    (void)state;
    char *folder = make_folder();
    ThawCacheDef def = def_of(folder);
    ThawCache *first, *second;
    assert_ok(thaw_cache_create(&def, &first));
    char process[64];
    snprintf(process, sizeof process, "process %ld", (long)getpid());
    assert_refused(thaw_cache_create(&def, &second), process);
    assert_null(second);
    // resuming it is no way round the lock
    ThawCacheDef again = resume_of(folder, 0);
    assert_refused(thaw_cache_create(&again, &second), "another run");
    assert_ok(thaw_cache_close(first));
    assert_ok(thaw_cache_create(&def, &second));
    assert_ok(thaw_cache_close(second));
    drop_folder(folder);
}

static void impossible_defs_are_refused(void **state) {
    (void)state;
    char *folder = make_folder();
    ThawCache *cache;
    ThawCacheDef def = def_of(folder);
    def.compression = 10;
    assert_refused(thaw_cache_create(&def, &cache), "compression");
    def = def_of(folder), def.fps = NAN;
    assert_refused(thaw_cache_create(&def, &cache), "fps");
    def = def_of(folder), def.first_frame = -1;
    assert_refused(thaw_cache_create(&def, &cache), "first frame");
    store(in_folder(folder, "file"), "x", 1);
    def = def_of(in_folder(folder, "file"));
    assert_refused(thaw_cache_create(&def, &cache), "file");
    ThawCacheInfo info;
    assert_missing(thaw_cache_info(in_folder(folder, "none"), &info), "none");
    assert_refused(thaw_cache_info(in_folder(folder, "file"), &info), "no directory");
    char path[16];
    assert_refused(thaw_cache_frame_path("a long directory", 1, path, sizeof path), "too long");
    drop_folder(folder);
}

// ---------------------------------------------------------------- going on

static void resuming_drops_what_came_later(void **state) {
    (void)state;
    char *straight = make_folder(), *folder = make_folder();
    ThawCacheDef def = def_of(straight);
    fill(&def, 0, 6);
    def = def_of(folder);
    fill(&def, 0, 3); // checkpoint of 3
    // two frames more, and a kill in the middle of things
    ThawCacheDef more = resume_of(folder, 3);
    ThawWorld *world = boxes(1, 0.03);
    ThawCache *cache;
    assert_ok(thaw_cache_create(&more, &cache));
    assert_ok(put(cache, world, 4));
    assert_ok(put(cache, world, 5));
    assert_ok(thaw_cache_close(cache));
    store(in_folder(folder, "frames/frame_000006.h5.tmp"), "half", 4);
    store(in_folder(folder, "checkpoint.h5.tmp"), "half", 4);
    FILE *torn = fopen(in_folder(folder, "stats.csv"), "a");
    fputs("6,0.25,3", torn);
    fclose(torn);

    assert_ok(thaw_cache_create(&more, &cache));
    assert_true(exists(frame_of(folder, 3)));
    assert_false(exists(frame_of(folder, 4)));
    assert_false(exists(frame_of(folder, 5)));
    assert_false(exists(in_folder(folder, "frames/frame_000006.h5.tmp")));
    assert_false(exists(in_folder(folder, "checkpoint.h5.tmp")));
    assert_true(exists(in_folder(folder, "checkpoint.h5")));
    assert_int_equal(count_text(in_folder(folder, "frames.xdmf"), "<Time"), 4);
    for (int frame = 4; frame <= 6; frame++) assert_ok(put(cache, world, frame));
    assert_ok(put_checkpoint(cache, world, 6));
    assert_ok(thaw_cache_close(cache));
    static const char *const same[3] = {"stats.csv", "frames.xdmf", "checkpoint.h5"};
    for (int k = 0; k < 3; k++) {
        assert_same_file(in_folder(folder, same[k]), in_folder(straight, same[k]));
    }
    for (int frame = 0; frame <= 6; frame++) {
        char *path = strdup(frame_of(folder, frame));
        assert_same_file(path, frame_of(straight, frame));
        free(path);
    }
    thaw_world_destroy(world);
    drop_folder(straight);
    drop_folder(folder);
}

static void resuming_before_the_first_frame_begins_anew(void **state) {
    (void)state;
    char *folder = make_folder();
    ThawCacheDef def = def_of(folder);
    fill(&def, 0, 3);
    def = resume_of(folder, -1);
    ThawCache *cache;
    assert_ok(thaw_cache_create(&def, &cache));
    assert_ok(thaw_cache_close(cache));
    ThawCacheInfo info;
    assert_ok(thaw_cache_info(folder, &info));
    assert_true(info.last_frame < info.first_frame);
    assert_false(info.has_checkpoint);
    ThawTable *table;
    assert_ok(thaw_table_read(in_folder(folder, "stats.csv"), &table));
    assert_int_equal(table->rows, 0);
    thaw_table_free(table);
    drop_folder(folder);
}

static void a_gap_stops_a_resume_before_anything_is_removed(void **state) {
    (void)state;
    char *folder = make_folder();
    ThawCacheDef def = def_of(folder);
    fill(&def, 0, 5);
    unlink(frame_of(folder, 2));
    ThawCacheInfo info;
    assert_ok(thaw_cache_info(folder, &info));
    assert_int_equal(info.last_frame, 1);
    ThawCache *cache;
    def = resume_of(folder, 4);
    assert_refused(thaw_cache_create(&def, &cache), "frame 2 is missing");
    assert_true(exists(frame_of(folder, 5)));
    def = resume_of(folder, 9);
    assert_refused(thaw_cache_create(&def, &cache), "is missing");
    // frames moved away from the beginning are the user's business
    unlink(frame_of(folder, 0));
    unlink(frame_of(folder, 1));
    def = resume_of(folder, 5);
    assert_ok(thaw_cache_create(&def, &cache));
    assert_ok(thaw_cache_close(cache));
    drop_folder(folder);
}

static void a_damaged_checkpoint_is_told(void **state) {
    (void)state;
    char *folder = make_folder();
    ThawCacheDef def = def_of(folder);
    fill(&def, 0, 1);
    store(in_folder(folder, "checkpoint.h5"), "rubbish", 7);
    ThawCacheInfo info;
    assert_ok(thaw_cache_info(folder, &info));
    assert_true(info.has_checkpoint);
    assert_int_equal(info.checkpoint_frame, -1);
    void *bytes;
    size_t size;
    int frame;
    uint64_t hash;
    assert_refused(
        thaw_checkpoint_read(in_folder(folder, "checkpoint.h5"), &frame, &hash, &bytes, &size),
        "not a checkpoint");
    drop_folder(folder);
}

static void other_files_among_the_frames_are_left_alone(void **state) {
    (void)state;
    char *folder = make_folder();
    ThawCacheDef def = def_of(folder);
    fill(&def, 0, 1);
    store(in_folder(folder, "frames/frame_7.h5"), "x", 1);
    store(in_folder(folder, "frames/frame_000002.h5.bak"), "x", 1);
    store(in_folder(folder, "frames/frame_99999999999999999999.h5"), "x", 1);
    ThawCacheInfo info;
    assert_ok(thaw_cache_info(folder, &info));
    assert_int_equal(info.last_frame, 1);
    ThawCache *cache;
    def = resume_of(folder, 0);
    assert_ok(thaw_cache_create(&def, &cache));
    assert_ok(thaw_cache_close(cache));
    assert_true(exists(in_folder(folder, "frames/frame_7.h5")));
    assert_true(exists(in_folder(folder, "frames/frame_000002.h5.bak")));
    drop_folder(folder);
}

// ---------------------------------------------------------------- trouble

// no file may grow beyond a few kB: what a full disk looks like to one who writes
static void a_full_disk_stops_the_run_and_keeps_what_is_there(void **state) {
    (void)state;
    char *folder = make_folder();
    ThawCacheDef def = def_of(folder);
    ThawWorld *world = boxes(1, 0.03), *large = boxes(1, 0.25);
    ThawCache *cache;
    assert_ok(thaw_cache_create(&def, &cache));
    for (int frame = 0; frame < 3; frame++) assert_ok(put(cache, world, frame));
    assert_ok(thaw_cache_flush(cache));
    struct rlimit before, tight = {65536, 65536};
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    tight.rlim_max = before.rlim_max;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &tight), 0);
    assert_ok(put(cache, large, 3)); // goes wrong in the background
    ThawResult flushed = thaw_cache_flush(cache);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_int_equal(flushed, THAW_BAD_INPUT);
    assert_non_null(strstr(thaw_error_text(), "frame_000003.h5\": File too large"));
    // sticky, although there would be room now
    assert_refused(put(cache, world, 4), "frame_000003.h5");
    assert_refused(put_checkpoint(cache, world, 3), "frame_000003.h5");
    assert_refused(thaw_cache_close(cache), "frame_000003.h5");
    assert_frames_readable(folder, 0, 2);
    assert_false(exists(frame_of(folder, 3)));
    assert_int_equal(count_ending(in_folder(folder, "frames"), ".tmp"), 0);
    // and one can go on
    ThawCacheDef again = resume_of(folder, 2);
    assert_ok(thaw_cache_create(&again, &cache));
    assert_ok(put(cache, large, 3));
    assert_ok(thaw_cache_close(cache));
    assert_frames_readable(folder, 0, 3);
    thaw_world_destroy(large);
    thaw_world_destroy(world);
    drop_folder(folder);
}

// the real thing, where the test may mount one
static void a_full_tmpfs_is_called_a_full_disk(void **state) {
    (void)state;
    char *folder = make_folder();
    if (mount("none", folder, "tmpfs", 0, "size=192k") != 0) {
        drop_folder(folder);
        skip();
    }
    ThawCacheDef def = def_of(folder);
    ThawWorld *world = boxes(1, 0.05);
    ThawCache *cache;
    assert_ok(thaw_cache_create(&def, &cache));
    int frame = 0;
    while (frame < 100 && put(cache, world, frame) == THAW_OK) frame++;
    assert_true(frame > 2 && frame < 100);
    assert_refused(thaw_cache_close(cache), "the disk is full (No space left on device)");
    ThawCacheInfo info;
    assert_ok(thaw_cache_info(folder, &info));
    assert_frames_readable(folder, 0, info.last_frame);
    assert_true(info.last_frame >= 1);
    // space is made: it goes on
    assert_int_equal(mount("none", folder, "tmpfs", MS_REMOUNT, "size=4m"), 0);
    def = resume_of(folder, info.last_frame - 1);
    assert_ok(thaw_cache_create(&def, &cache));
    assert_ok(put(cache, world, info.last_frame));
    assert_ok(put(cache, world, info.last_frame + 1));
    assert_ok(thaw_cache_close(cache));
    assert_frames_readable(folder, 0, info.last_frame + 1);
    thaw_world_destroy(world);
    assert_int_equal(umount(folder), 0);
    drop_folder(folder);
}

// writes frames and checkpoints until it is killed
static void write_until_killed(const char *directory, int from) {
    ThawCacheDef def = from < 0 ? def_of(directory) : resume_of(directory, from);
    ThawWorld *world = boxes(1, 0.03);
    ThawCache *cache;
    if (thaw_cache_create(&def, &cache) != THAW_OK) _exit(1);
    for (int frame = from + 1; frame < 100000; frame++) {
        if (put(cache, world, frame) != THAW_OK) _exit(1);
        if (frame % 3 == 0 && put_checkpoint(cache, world, frame) != THAW_OK) _exit(1);
    }
    _exit(1);
}

static void a_killed_run_leaves_only_whole_files(void **state) {
    (void)state;
    char *folder = make_folder();
    int from = -1;
    for (int turn = 0; turn < 6; turn++) {
        pid_t child = fork();
        if (child == 0) write_until_killed(folder, from);
        assert_true(child > 0);
        // a slow disk gets more time until it has a checkpoint
        long ms = (long)(30 + draw(90)) << (from < 0 ? turn : 0);
        struct timespec pause = {ms / 1000, ms % 1000 * 1000000};
        nanosleep(&pause, NULL);
        assert_int_equal(kill(child, SIGKILL), 0);
        int status;
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(WIFSIGNALED(status)); // it did not stop by itself
        ThawCacheInfo info;
        assert_ok(thaw_cache_info(folder, &info));
        if (info.last_frame < info.first_frame) continue;
        assert_int_equal(info.first_frame, 0);
        assert_int_equal(count_ending(in_folder(folder, "frames"), ".h5"), info.last_frame + 1);
        assert_frames_readable(folder, 0, info.last_frame);
        if (!info.has_checkpoint) {
            // killed before the first checkpoint: only beginning anew is left
            ThawCacheDef anew = resume_of(folder, -1);
            ThawCache *empty;
            assert_ok(thaw_cache_create(&anew, &empty));
            assert_ok(thaw_cache_close(empty));
            continue;
        }
        assert_true(info.checkpoint_frame >= 0 && info.checkpoint_frame <= info.last_frame);
        from = info.checkpoint_frame;
    }
    assert_true(from >= 0);
    // the rows up to the checkpoint are there, once each
    ThawCacheDef def = resume_of(folder, from);
    ThawCache *cache;
    assert_ok(thaw_cache_create(&def, &cache));
    assert_ok(thaw_cache_close(cache));
    ThawTable *table;
    assert_ok(thaw_table_read(in_folder(folder, "stats.csv"), &table));
    assert_int_equal(table->rows, from + 1);
    for (int row = 0; row <= from; row++) {
        assert_true(table->values[row * table->columns] == row);
    }
    thaw_table_free(table);
    drop_folder(folder);
}

static void a_vanished_directory_is_told(void **state) {
    (void)state;
    char *folder = make_folder();
    char directory[256];
    snprintf(directory, sizeof directory, "%s/%s", folder, "run");
    ThawCacheDef def = def_of(directory);
    ThawWorld *world = boxes(1, 0.03);
    ThawCache *cache;
    assert_ok(thaw_cache_create(&def, &cache));
    assert_ok(put(cache, world, 0));
    assert_ok(thaw_cache_flush(cache));
    remove_tree(in_folder(folder, "run"));
    assert_ok(put(cache, world, 1));
    assert_missing(thaw_cache_flush(cache), "frame_000001.h5\": No such file");
    assert_missing(thaw_cache_close(cache), "frame_000001.h5");
    assert_false(exists(in_folder(folder, "run"))); // not made again behind the user's back
    thaw_world_destroy(world);
    drop_folder(folder);
}

static void a_read_only_directory_is_told(void **state) {
    (void)state;
    if (geteuid() == 0) skip(); // to whom nothing is read-only
    char *folder = make_folder();
    assert_int_equal(chmod(folder, 0555), 0);
    ThawCacheDef def = def_of(in_folder(folder, "run"));
    ThawCache *cache;
    assert_refused(thaw_cache_create(&def, &cache), "Permission denied");
    assert_int_equal(chmod(folder, 0777), 0);
    drop_folder(folder);
}

// a long series is not written anew for each frame, and complete at the end
static void the_series_is_complete_after_the_close(void **state) {
    (void)state;
    char *folder = make_folder();
    ThawCacheDef def = def_of(folder);
    ThawWorld *world = small_world(3);
    ThawCache *cache;
    assert_ok(thaw_cache_create(&def, &cache));
    for (int frame = 0; frame < 70; frame++) assert_ok(put(cache, world, frame));
    assert_ok(thaw_cache_flush(cache));
    int listed = count_text(in_folder(folder, "frames.xdmf"), "<Time");
    assert_true(listed >= 66 && listed < 70);
    assert_ok(thaw_cache_close(cache));
    assert_int_equal(count_text(in_folder(folder, "frames.xdmf"), "<Time"), 70);
    thaw_world_destroy(world);
    drop_folder(folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_leaves_all_that_is_promised),
        cmocka_unit_test(stats_have_the_promised_columns_in_order),
        cmocka_unit_test(costs_tell_the_size_of_a_frame),
        cmocka_unit_test(frames_come_one_after_the_other),
        cmocka_unit_test(a_directory_with_frames_is_not_written_over),
        cmocka_unit_test(two_writers_are_refused),
        cmocka_unit_test(impossible_defs_are_refused),
        cmocka_unit_test(resuming_drops_what_came_later),
        cmocka_unit_test(resuming_before_the_first_frame_begins_anew),
        cmocka_unit_test(a_gap_stops_a_resume_before_anything_is_removed),
        cmocka_unit_test(a_damaged_checkpoint_is_told),
        cmocka_unit_test(other_files_among_the_frames_are_left_alone),
        cmocka_unit_test(a_full_disk_stops_the_run_and_keeps_what_is_there),
        cmocka_unit_test(a_full_tmpfs_is_called_a_full_disk),
        cmocka_unit_test(a_killed_run_leaves_only_whole_files),
        cmocka_unit_test(a_vanished_directory_is_told),
        cmocka_unit_test(a_read_only_directory_is_told),
        cmocka_unit_test(the_series_is_complete_after_the_close),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
