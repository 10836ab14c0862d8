// A block of liquid dropped into a tank, written as one binary PLY point file a frame.
//
// usage: drop_in_tank [DIR [FRAMES [SPACING]]]      defaults: out/demo 24 0.0128
//
// The files hold x y z, velocity, id and density error for each particle. Each is written aside and
// renamed, so that a file under its real name is always whole.
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <thaw/thaw.h>
#include <time.h>

#define FRAMES_A_SECOND 24.0

typedef struct Options {
    char directory[1024];
    int frames;
    double spacing; // m
} Options;

static bool say_thaw(const char *what) {
    fprintf(stderr, "drop_in_tank: %s: %s\n", what, thaw_error_text());
    return false;
}

static bool say_system(const char *path) {
    fprintf(stderr, "drop_in_tank: %s: %s\n", path, strerror(errno));
    return false;
}

static double seconds_now(void) {
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// ---------------------------------------------------------------- the scene

static bool fill_world(ThawWorld *world) {
    ThawMaterialDef water_def = thaw_material_default();
    ThawMaterialId water;
    if (thaw_world_add_material(world, &water_def, &water) != THAW_OK) return say_thaw("water");

    ThawColliderDef tank_def = thaw_collider_default();
    tank_def.name = "tank";
    tank_def.shape = thaw_shape_box((ThawVec3){0, 0, 0.6}, (ThawVec3){1.2, 0.6, 1.2});
    tank_def.container = true;
    tank_def.friction = 0.05f; // smooth glass: water slips along it
    ThawColliderId tank;
    if (thaw_world_add_collider(world, &tank_def, &tank) != THAW_OK) return say_thaw("tank");

    ThawBodyDef block_def = thaw_body_default();
    block_def.name = "block";
    block_def.material = water;
    block_def.shape = thaw_shape_box((ThawVec3){-0.2, 0, 0.4}, (ThawVec3){0.5, 0.5, 0.5});
    ThawBodyId block;
    if (thaw_world_add_body(world, &block_def, &block) != THAW_OK) return say_thaw("block");
    return true;
}

static ThawWorld *make_scene(double spacing) {
    ThawWorldDef def = thaw_world_default();
    def.spacing = spacing;
    ThawWorld *world;
    if (thaw_world_create(&def, &world) != THAW_OK) {
        say_thaw("world");
        return NULL;
    }
    if (!fill_world(world)) {
        thaw_world_destroy(world);
        return NULL;
    }
    return world;
}

// ---------------------------------------------------------------- files

// makes every folder of a path that is not there yet
static bool make_folders(const char *path) {
    char part[1024];
    size_t length = strlen(path);
    for (size_t k = 1; k <= length; k++) {
        if (path[k] != '/' && path[k] != '\0') continue;
        memcpy(part, path, k);
        part[k] = '\0';
        if (mkdir(part, 0777) != 0 && errno != EEXIST) return say_system(part);
    }
    return true;
}

static void write_header(FILE *file, uint32_t count) {
    const uint16_t one = 1;
    const char *order = *(const uint8_t *)&one == 1 ? "little" : "big";
    fprintf(file, "ply\nformat binary_%s_endian 1.0\ncomment thaw %s\nelement vertex %u\n", order,
            thaw_version(), count);
    const char *floats[] = {"x", "y", "z", "vx", "vy", "vz"};
    for (size_t k = 0; k < 6; k++) fprintf(file, "property float %s\n", floats[k]);
    // PLY has no 64-bit integers; a double holds these ids exactly for the first 8191 sources
    fprintf(file, "property double id\nproperty float density_error\nend_header\n");
}

static void write_rows(FILE *file, const ThawView views[4]) {
    const float *position = views[0].data;
    const float *velocity = views[1].data;
    const uint64_t *id = views[2].data;
    const float *error = views[3].data;
    for (uint32_t k = 0; k < views[0].count; k++) {
        char row[36];
        double name = (double)id[k];
        memcpy(row, position + 3 * (size_t)k, 12);
        memcpy(row + 12, velocity + 3 * (size_t)k, 12);
        memcpy(row + 24, &name, 8);
        memcpy(row + 32, &error[k], 4);
        fwrite(row, sizeof row, 1, file);
    }
}

static bool write_points(ThawWorld *world, const char *directory, int frame) {
    const char *fields[4] = {"position", "velocity", "id", "density_error"};
    ThawView views[4];
    for (int k = 0; k < 4; k++) {
        if (thaw_world_view(world, fields[k], &views[k]) != THAW_OK) return say_thaw(fields[k]);
    }
    char path[1100], aside[1100];
    snprintf(path, sizeof path, "%s/drop_%04d.ply", directory, frame);
    snprintf(aside, sizeof aside, "%s/drop_%04d.ply.tmp", directory, frame);
    FILE *file = fopen(aside, "wb");
    if (file == NULL) return say_system(aside);
    write_header(file, views[0].count);
    write_rows(file, views);
    bool good = ferror(file) == 0;
    good = fclose(file) == 0 && good;
    if (good && rename(aside, path) == 0) return true;
    say_system(path);
    remove(aside);
    return false;
}

// ---------------------------------------------------------------- the run

static void print_title(const ThawWorld *world) {
    static const char *const names[] = {"auto", "baseline", "AVX2", "AVX-512"};
    printf("thaw %s: %u particles of %g mm, %d threads, %s\n\n", thaw_version(),
           thaw_world_count(world), 1e3 * thaw_world_spacing(world), thaw_world_threads(world),
           names[thaw_world_isa(world)]);
    puts("frame    time particles substeps   kinetic potential   density error    speed      ms");
    puts("            s                              J         J    mean     max      m/s");
}

static void print_row(int frame, const ThawReport *report, double seconds) {
    printf("%5d %7.3f %9u %8u %9.2f %9.2f %7.4f %7.4f %8.3f %7.0f\n", frame, report->time,
           report->particles, report->substeps, report->kinetic, report->potential,
           report->mean_density_error, report->max_density_error, report->max_speed, 1e3 * seconds);
    fflush(stdout);
}

static bool run(ThawWorld *world, const Options *options) {
    uint64_t substeps = 0;
    double stepping = 0.0, start = seconds_now();
    print_title(world);
    if (!write_points(world, options->directory, 0)) return false;
    for (int frame = 1; frame <= options->frames; frame++) {
        ThawReport report;
        double before = seconds_now();
        if (thaw_world_step(world, 1.0 / FRAMES_A_SECOND, &report) != THAW_OK) {
            return say_thaw("step");
        }
        double taken = seconds_now() - before;
        stepping += taken;
        substeps += report.substeps;
        print_row(frame, &report, taken);
        if (!write_points(world, options->directory, frame)) return false;
    }
    printf("\n%d frames, %llu substeps in %.1f s, %.1f s of them stepping.\n", options->frames,
           (unsigned long long)substeps, seconds_now() - start, stepping);
    printf("Points are in %s/drop_0000.ply to drop_%04d.ply;\n"
           "Blender, Houdini, MeshLab, CloudCompare, ParaView and Open3D open them.\n",
           options->directory, options->frames);
    return true;
}

static bool read_options(int count, char **words, Options *options) {
    const char *directory = count > 1 ? words[1] : "out/demo";
    char *end = "";
    long frames = count > 2 ? strtol(words[2], &end, 10) : 24;
    if (*end != '\0' || frames < 1 || frames > 9999) {
        fprintf(stderr, "drop_in_tank: frames must be 1 to 9999, not %s\n", words[2]);
        return false;
    }
    double spacing = count > 3 ? strtod(words[3], &end) : 0.0128;
    if (*end != '\0' || !(spacing >= 0.002 && spacing <= 0.1)) {
        fprintf(stderr, "drop_in_tank: spacing must be 0.002 to 0.1 m, not %s\n", words[3]);
        return false;
    }
    if (count > 4 || strlen(directory) >= sizeof options->directory || directory[0] == '\0') {
        fprintf(stderr, "usage: drop_in_tank [DIR [FRAMES [SPACING]]]\n");
        return false;
    }
    strcpy(options->directory, directory);
    options->frames = (int)frames;
    options->spacing = spacing;
    return true;
}

int main(int count, char **words) {
    Options options;
    if (!read_options(count, words, &options)) return 2;
    if (!make_folders(options.directory)) return 1;
    ThawWorld *world = make_scene(options.spacing);
    if (world == NULL) return 1;
    bool good = run(world, &options);
    thaw_world_destroy(world);
    return good ? 0 : 1;
}
