// Times distance fields: building them, asking in the band and beyond it, and what they occupy. The mesh is a ball, so
// that every answer can be checked. Processor time stands beside the clock's: other work slows only the latter.
#include "bench.h"
#include "command.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <thaw/mesh.h>
#include <time.h>

#define PI 3.14159265358979323846

enum { POINTS = 1 << 17, ROUNDS = 20, CASES = 3 };

static double time_of(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

typedef struct Ball {
    double (*points)[3];
    uint32_t (*triangles)[3];
    uint32_t point_count, triangle_count;
} Ball;

static void put_triangle(Ball *ball, uint32_t a, uint32_t b, uint32_t c) {
    uint32_t *t = ball->triangles[ball->triangle_count++];
    t[0] = a;
    t[1] = b;
    t[2] = c;
}

// Six faces of n × n squares blown up to a ball of radius 1: 12 n² triangles of about one size. Points on the faces'
// edges are there twice.
static Ball make_ball(uint32_t n) {
    Ball ball = {0};
    size_t side = (size_t)n + 1;
    ball.points = malloc(sizeof *ball.points * 6 * side * side);
    ball.triangles = malloc(sizeof *ball.triangles * 12 * n * n);
    if (ball.points == NULL || ball.triangles == NULL) return ball;
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
            for (int a = 0; a < 3; a++) ball.points[ball.point_count][a] = q[a] / length;
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

typedef struct Figures {
    uint32_t triangles;
    int cells;
    double wall, processor; // s, of building
    double bytes, dense;    // dense: of a full grid of floats
    double band, outside;   // ns a point
    double worst;           // cells: of the distances in the band against the ball's own
} Figures;

static ThawResult build(const Ball *ball, int threads, Figures *figures, ThawField **field) {
    ThawMesh mesh = {.points = (const double(*)[3])ball->points,
                     .point_count = ball->point_count,
                     .triangles = (const uint32_t(*)[3])ball->triangles,
                     .triangle_count = ball->triangle_count};
    ThawFieldDef def = thaw_field_default();
    def.cell = 2.0 / figures->cells;
    def.threads = threads;
    double wall = time_of(CLOCK_MONOTONIC), own = time_of(CLOCK_PROCESS_CPUTIME_ID);
    ThawResult result = thaw_field_create(&mesh, &def, field);
    if (result != THAW_OK) return result;
    figures->wall = time_of(CLOCK_MONOTONIC) - wall;
    figures->processor = time_of(CLOCK_PROCESS_CPUTIME_ID) - own;
    figures->triangles = ball->triangle_count;
    figures->bytes = (double)thaw_field_report(*field).bytes;
    figures->dense = 4.0 * pow(figures->cells, 3);
    return THAW_OK;
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

typedef struct Cloud {
    Point sorted[POINTS];
    float x[POINTS], y[POINTS], z[POINTS];
    float distance[POINTS], slope[3][POINTS];
} Cloud;

static double chance(uint64_t *seed) {
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) / 9007199254740992.0;
}

// random points at distances low .. high from the unit ball, in cells
static void scatter(Cloud *cloud, double cell, double low, double high) {
    uint64_t seed = 1;
    for (int k = 0; k < POINTS; k++) {
        double p[3], length = 0;
        for (int a = 0; a < 3; a++) {
            p[a] = chance(&seed) - 0.5;
            length += p[a] * p[a];
        }
        double scale = (1 + (low + (high - low) * chance(&seed)) * cell) / sqrt(length);
        for (int a = 0; a < 3; a++) cloud->sorted[k].at[a] = (float)(p[a] * scale);
        cloud->sorted[k].key = key_of(cloud->sorted[k].at, 8 * cell);
    }
    qsort(cloud->sorted, POINTS, sizeof *cloud->sorted, by_key);
    for (int k = 0; k < POINTS; k++) {
        cloud->x[k] = cloud->sorted[k].at[0];
        cloud->y[k] = cloud->sorted[k].at[1];
        cloud->z[k] = cloud->sorted[k].at[2];
    }
}

// ns a point, the best of some rounds
static double ask(const ThawField *field, Cloud *cloud, double low, double high) {
    scatter(cloud, thaw_field_report(field).cell, low, high);
    ThawFieldPoints points = {.x = cloud->x, .y = cloud->y, .z = cloud->z, .count = POINTS};
    points.distance = cloud->distance;
    for (int a = 0; a < 3; a++) points.gradient[a] = cloud->slope[a];
    double best = INFINITY;
    for (int k = 0; k < ROUNDS; k++) {
        double begin = time_of(CLOCK_PROCESS_CPUTIME_ID);
        thaw_field_ask(field, &points);
        best = fmin(best, time_of(CLOCK_PROCESS_CPUTIME_ID) - begin);
    }
    return best / POINTS * 1e9;
}

// the largest difference from the ball's own distance, in cells
static double worst_of(const Cloud *cloud, double cell) {
    double worst = 0;
    for (int k = 0; k < POINTS; k++) {
        double x = (double)cloud->x[k], y = (double)cloud->y[k], z = (double)cloud->z[k];
        double true_distance = sqrt(x * x + y * y + z * z) - 1;
        worst = fmax(worst, fabs((double)cloud->distance[k] - true_distance) / cell);
    }
    return worst;
}

static void print_json(const Figures *f) {
    printf("{\"bench\": \"field\", \"triangles\": %u, \"cells\": %d, \"wall_s\": %.3f, "
           "\"processor_s\": %.3f, \"bytes\": %.0f, \"dense_over_bytes\": %.1f, "
           "\"ns_in_band\": %.2f, \"ns_outside\": %.2f, \"worst_cells\": %.3f}\n",
           f->triangles, f->cells, f->wall, f->processor, f->bytes, f->dense / f->bytes, f->band,
           f->outside, f->worst);
}

static void print_table(const Figures *f) {
    printf("field: %u triangles, %d cells\n", f->triangles, f->cells);
    printf("  built        %.3f s, %.3f s of all processors\n", f->wall, f->processor);
    printf("  memory       %.1f MB, 1/%.1f of a dense grid\n", f->bytes / 1e6, f->dense / f->bytes);
    printf("  asked        %.1f ns a point in the band, %.1f ns outside, on one core\n", f->band,
           f->outside);
    printf("  worst        %.3f cells from the ball's own distance\n", f->worst);
}

static ThawResult measure(uint32_t n, int cells, int threads, Cloud *cloud, Figures *figures) {
    Ball ball = make_ball(n);
    ThawField *field = NULL;
    *figures = (Figures){.cells = cells};
    ThawResult result = ball.triangles == NULL ? THAW_OUT_OF_MEMORY : THAW_OK;
    // the first building pays for memory
    for (int round = 0; round < 2 && result == THAW_OK; round++) {
        thaw_field_release(field);
        field = NULL;
        result = build(&ball, threads, figures, &field);
    }
    if (result == THAW_OK) {
        figures->outside = ask(field, cloud, 12, 40);
        figures->band = ask(field, cloud, -2.5, 2.5);
        figures->worst = worst_of(cloud, thaw_field_report(field).cell);
    }
    thaw_field_release(field);
    free(ball.points);
    free(ball.triangles);
    return result;
}

int bench_field(int threads, bool json) {
    static const struct {
        uint32_t n;
        int cells;
    } cases[CASES] = {{41, 128}, {92, 256}, {92, 1024}};
    Cloud *cloud = malloc(sizeof *cloud);
    ThawResult result = cloud == NULL ? THAW_OUT_OF_MEMORY : THAW_OK;
    for (int k = 0; k < CASES && result == THAW_OK; k++) {
        Figures figures;
        result = measure(cases[k].n, cases[k].cells, threads, cloud, &figures);
        if (result != THAW_OK) break;
        if (json)
            print_json(&figures);
        else
            print_table(&figures);
        fflush(stdout);
    }
    free(cloud);
    if (result == THAW_OK) return EXIT_DONE;
    fprintf(stderr, "thaw bench: error: field: %s\n", thaw_error_text());
    return EXIT_FAILED;
}
