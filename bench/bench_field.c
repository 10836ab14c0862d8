// Times distance fields: building, asking in the band and outside of it, eight points at a time, and what they occupy.
// Usage: bench_field [threads]. Times are the processor's own (all threads) beside those of the clock, since other
// work on the machine slows only the latter.
#include "base/clock.h"
#include "geometry/field.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define PI 3.14159265358979323846

enum { POINTS = 1 << 17, ROUNDS = 20 };

typedef struct Ball {
    double (*points)[3];
    uint32_t (*triangles)[3];
    uint32_t point_count, triangle_count;
} Ball;

static double processor_time(void) {
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void put_triangle(Ball *ball, uint32_t a, uint32_t b, uint32_t c) {
    uint32_t *t = ball->triangles[ball->triangle_count++];
    t[0] = a;
    t[1] = b;
    t[2] = c;
}

// Six faces of n × n squares blown up to a ball of radius 1 that waves by the share `bumps`: 12 n² triangles of about
// one size. Points on the faces' edges are there twice.
static Ball make_ball(uint32_t n, double bumps) {
    Ball ball = {0};
    size_t side = (size_t)n + 1;
    ball.points = malloc(sizeof *ball.points * 6 * side * side);
    ball.triangles = malloc(sizeof *ball.triangles * 12 * n * n);
    if (ball.points == NULL || ball.triangles == NULL) exit(1);
    for (uint32_t face = 0; face < 6; face++) {
        uint32_t base = ball.point_count, axis = face / 2;
        double sign = face % 2 ? 1 : -1;
        for (uint32_t k = 0; k < side * side; k++) {
            double u = tan(PI / 4 * (2.0 * (double)(k % side) / n - 1)), q[3];
            double v = tan(PI / 4 * (2.0 * (double)(k / side) / n - 1));
            q[axis] = sign;
            q[(axis + 1) % 3] = u;
            q[(axis + 2) % 3] = v;
            double length = sqrt(1 + u * u + v * v);
            double r = 1 + bumps * sin(9 * q[0] / length) * sin(8 * q[1] / length) *
                               sin(7 * q[2] / length);
            for (int a = 0; a < 3; a++) ball.points[ball.point_count][a] = r * q[a] / length;
            ball.point_count++;
        }
        for (uint32_t k = 0; k < n * n; k++) {
            uint32_t a = base + k / n * (n + 1) + k % n, b = a + 1, c = a + n + 1, d = c + 1;
            put_triangle(&ball, a, sign > 0 ? b : d, sign > 0 ? d : b);
            put_triangle(&ball, a, sign > 0 ? d : c, sign > 0 ? c : d);
        }
    }
    return ball;
}

static ThawField *build(const Ball *ball, int cells, ThawParallel *parallel) {
    ThawMesh mesh = {.points = (const double(*)[3])ball->points,
                     .point_count = ball->point_count,
                     .triangles = (const uint32_t(*)[3])ball->triangles,
                     .triangle_count = ball->triangle_count};
    ThawFieldDef def = thaw_field_default();
    ThawField *field;
    def.cell = 2.0 / cells;
    double wall = thaw_clock(), own = processor_time();
    if (thaw_field_build(&mesh, &def, parallel, false, &field) != THAW_OK) {
        fprintf(stderr, "%s\n", thaw_error_text());
        exit(1);
    }
    wall = thaw_clock() - wall;
    own = processor_time() - own;
    ThawFieldReport report = thaw_field_report(field);
    double dense = 4.0 * pow(cells, 3);
    printf(
        "build  %7u triangles %5d cells  %7.3f s  processor %7.3f s  %7.1f MiB  1/%.1f of dense\n",
        ball->triangle_count, cells, wall, own, (double)report.bytes / 1048576,
        dense / (double)report.bytes);
    return field;
}

// points as particles come: those of a brick one after another
typedef struct Point {
    uint64_t key;
    float at[3];
} Point;

static int by_key(const void *a, const void *b) {
    uint64_t x = ((const Point *)a)->key, y = ((const Point *)b)->key;
    return x < y ? -1 : x > y;
}

static uint64_t key_of(const float at[3], double edge) {
    uint64_t key = 0;
    for (int a = 0; a < 3; a++) key = key << 20 | (uint64_t)(((double)at[a] + 100) / edge);
    return key;
}

// random points at distances low .. high from the unit ball, in cells
static void ask(const ThawField *field, const char *name, double low, double high) {
    static float x[POINTS], y[POINTS], z[POINTS], out[POINTS], gx[POINTS], gy[POINTS], gz[POINTS];
    static Point sorted[POINTS];
    double cell = thaw_field_report(field).cell;
    uint64_t seed = 1;
    for (int k = 0; k < POINTS; k++) {
        double p[3], length = 0;
        for (int a = 0; a < 3; a++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            p[a] = (double)(seed >> 11) / 9007199254740992.0 - 0.5;
            length += p[a] * p[a];
        }
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        double part = (double)(seed >> 11) / 9007199254740992.0;
        double scale = (1 + (low + (high - low) * part) * cell) / sqrt(length);
        for (int a = 0; a < 3; a++) sorted[k].at[a] = (float)(p[a] * scale);
        sorted[k].key = key_of(sorted[k].at, 8 * cell);
    }
    qsort(sorted, POINTS, sizeof *sorted, by_key);
    for (int k = 0; k < POINTS; k++) {
        x[k] = sorted[k].at[0];
        y[k] = sorted[k].at[1];
        z[k] = sorted[k].at[2];
    }
    ThawFieldPoints points = {
        .x = x, .y = y, .z = z, .count = POINTS, .distance = out, .gradient = {gx, gy, gz}};
    ThawFieldSampleFn *sample = thaw_field_sample_many(THAW_ISA_AUTO);
    double best = INFINITY, spot = INFINITY;
    for (int k = 0; k < ROUNDS; k++) {
        double begin = processor_time();
        sample(field, &points);
        best = fmin(best, processor_time() - begin);
    }
    for (int k = 0; k < 3; k++) {
        double begin = processor_time();
        for (int n = 0; n < POINTS; n += 16) {
            thaw_field_spot(field, (ThawVec3){(double)x[n], (double)y[n], (double)z[n]});
        }
        spot = fmin(spot, processor_time() - begin);
    }
    printf("ask    %-24s %6.2f ns a point, closest place %6.0f ns\n", name, best / POINTS * 1e9,
           spot / (POINTS / 16.0) * 1e9);
}

int main(int argc, char **argv) {
    ThawParallel *parallel;
    if (thaw_parallel_create(argc > 1 ? atoi(argv[1]) : 2, NULL, &parallel) != THAW_OK) return 1;
    const struct {
        uint32_t n;
        int cells;
    } cases[] = {{41, 128}, {92, 256}, {92, 1024}};
    for (int k = 0; k < 3; k++) {
        Ball ball = make_ball(cases[k].n, 0);
        thaw_field_release(build(&ball, cases[k].cells, parallel)); // the first pays for memory
        ThawField *field = build(&ball, cases[k].cells, parallel);
        ask(field, "in the band", -3, 3);
        ask(field, "12 to 40 cells outside", 12, 40);
        ask(field, "far outside", 100, 1000);
        thaw_field_release(field);
        free(ball.points);
        free(ball.triangles);
    }
    thaw_parallel_destroy(parallel);
    return 0;
}
