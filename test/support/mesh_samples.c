#include "support/mesh_samples.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846

void sample_free(Sample *sample) {
    free(sample->points);
    free(sample->triangles);
    *sample = (Sample){0};
}

ThawMesh sample_mesh(const Sample *sample) {
    return (ThawMesh){.points = (const double(*)[3])sample->points,
                      .point_count = sample->point_count,
                      .triangles = (const uint32_t(*)[3])sample->triangles,
                      .triangle_count = sample->triangle_count};
}

// a test that gets no memory is no finding
static void *grow(void *array, uint32_t count, uint32_t *room, size_t bytes) {
    if (count < *room) return array;
    *room = *room < 64 ? 64 : *room * 2;
    array = realloc(array, *room * bytes);
    if (array == NULL) abort();
    return array;
}

uint32_t sample_point(Sample *sample, double x, double y, double z) {
    sample->points =
        grow(sample->points, sample->point_count, &sample->point_room, sizeof *sample->points);
    memcpy(sample->points[sample->point_count], (double[3]){x, y, z}, sizeof *sample->points);
    return sample->point_count++;
}

void sample_triangle(Sample *sample, uint32_t a, uint32_t b, uint32_t c) {
    sample->triangles = grow(sample->triangles, sample->triangle_count, &sample->triangle_room,
                             sizeof *sample->triangles);
    memcpy(sample->triangles[sample->triangle_count++], (uint32_t[3]){a, b, c},
           sizeof *sample->triangles);
}

void sample_box(Sample *sample, ThawVec3 lower, ThawVec3 upper) {
    static const uint32_t faces[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6},
                                          {0, 1, 4}, {1, 5, 4}, {2, 6, 3}, {3, 6, 7},
                                          {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
    uint32_t base = sample->point_count;
    for (int k = 0; k < 8; k++) {
        sample_point(sample, k & 1 ? upper.x : lower.x, k & 2 ? upper.y : lower.y,
                     k & 4 ? upper.z : lower.z);
    }
    for (int f = 0; f < 12; f++) {
        sample_triangle(sample, base + faces[f][0], base + faces[f][1], base + faces[f][2]);
    }
}

// a band of quads between rows `a` and `b` of n points each, closed around
static void add_band(Sample *sample, uint32_t a, uint32_t b, uint32_t n) {
    for (uint32_t i = 0; i < n; i++) {
        uint32_t j = (i + 1) % n;
        sample_triangle(sample, a + i, b + i, a + j);
        sample_triangle(sample, a + j, b + i, b + j);
    }
}

void sample_ball(Sample *sample, ThawVec3 center, double radius, int n, double bumps) {
    uint32_t base = sample->point_count, around = (uint32_t)n;
    for (int i = 1; i < n; i++) {
        for (int j = 0; j < n; j++) {
            double t = PI * i / n, p = 2 * PI * j / n;
            double r = radius * (1 + bumps * sin(5 * t) * sin(t) * cos(4 * p));
            sample_point(sample, center.x + r * sin(t) * cos(p), center.y + r * sin(t) * sin(p),
                         center.z + r * cos(t));
        }
    }
    uint32_t last = base + (around - 2) * around;
    uint32_t top = sample_point(sample, center.x, center.y, center.z + radius);
    uint32_t bottom = sample_point(sample, center.x, center.y, center.z - radius);
    for (uint32_t i = 0; i + 2 < around; i++) {
        add_band(sample, base + i * around, base + (i + 1) * around, around);
    }
    for (uint32_t j = 0; j < around; j++) {
        uint32_t k = (j + 1) % around;
        sample_triangle(sample, top, base + j, base + k);
        sample_triangle(sample, bottom, last + k, last + j);
    }
}

void sample_torus(Sample *sample, double ring, double tube, int n) {
    uint32_t base = sample->point_count, around = (uint32_t)n;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            double t = 2 * PI * i / n, p = 2 * PI * j / n, rho = ring + tube * cos(t);
            sample_point(sample, rho * cos(p), rho * sin(p), -tube * sin(t));
        }
    }
    for (uint32_t i = 0; i < around; i++) {
        add_band(sample, base + i * around, base + (i + 1) % around * around, around);
    }
}

double sample_uniform(uint64_t *seed, double low, double high) {
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * (double)(*seed >> 11) / 9007199254740992.0;
}

void sample_soup(Sample *sample, uint32_t count, double size, uint64_t seed) {
    for (uint32_t t = 0; t < count; t++) {
        double at[3];
        for (int k = 0; k < 3; k++) at[k] = sample_uniform(&seed, 0, 1);
        uint32_t corner[3];
        for (int c = 0; c < 3; c++) {
            double x = at[0] + sample_uniform(&seed, -size, size);
            double y = at[1] + sample_uniform(&seed, -size, size);
            double z = at[2] + sample_uniform(&seed, -size, size);
            corner[c] = sample_point(sample, x, y, z);
        }
        sample_triangle(sample, corner[0], corner[1], corner[2]);
    }
}

// the corners of a face, "f 1/2/3 4//5 -1": numbers from 1, or back from the last point
static void read_face(Sample *sample, char *text) {
    uint32_t corner[64], count = 0;
    for (char *word = strtok(text, " \t\r\n"); word != NULL && count < 64;
         word = strtok(NULL, " \t\r\n")) {
        long number = strtol(word, NULL, 10);
        corner[count++] =
            number > 0 ? (uint32_t)(number - 1) : (uint32_t)((long)sample->point_count + number);
    }
    for (uint32_t k = 2; k < count; k++) {
        sample_triangle(sample, corner[0], corner[k - 1], corner[k]);
    }
}

bool sample_obj(Sample *sample, const char *path) {
    char line[1024];
    FILE *file = fopen(path, "r");
    if (file == NULL) return false;
    while (fgets(line, sizeof line, file) != NULL) {
        double x, y, z;
        if (sscanf(line, "v %lf %lf %lf", &x, &y, &z) == 3) sample_point(sample, x, y, z);
        if (line[0] == 'f' && line[1] == ' ') read_face(sample, line + 2);
    }
    fclose(file);
    return true;
}
