// Mixed sizes and several liquids at full size: V-4, and the interface of two resolutions at rest for 10 s, in
// both orders and side by side, 2D and 3D, 1:2 and 1:4; then liquids of different density. Prints a table; ends
// with failure when something that is asked for does not hold.
#include "support/two.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static int failures;

static void expect(bool holds, const char *what) {
    if (holds) return;
    printf("  NOT KEPT: %s\n", what);
    failures++;
}

static double cpu_seconds(void) {
    return (double)clock() / CLOCKS_PER_SEC;
}

static TwoFigures rest(const TwoDef *def, double seconds, const char *name) {
    double begin = cpu_seconds();
    Two two = two_open(def);
    two_run(&two, seconds);
    TwoFigures f = two_look(&two);
    two_print(&two, &f, name);
    printf("  %.0f s of processor time\n", cpu_seconds() - begin);
    expect(two.energy_max <= 1.01, "energy at most 1.01 of the start");
    two_close(&two);
    return f;
}

// what is asked of an interface at rest; `spacings`: how far particles may cross. Every start is to keep all of it but
// the gap, which is the mean's: single starts differ by as much as is allowed
static void check_rest(TwoDef def, double seconds, double spacings, uint64_t starts,
                       const char *name) {
    double gap = 0;
    for (def.seed = 1; def.seed <= starts; def.seed++) {
        TwoFigures f = rest(&def, seconds, name);
        gap += f.gap / (double)starts;
        for (int k = 0; k < 2; k++) {
            expect(f.phase[k].cross_inside > -1e6, "particles away from walls, to tell it by");
            expect(f.phase[k].error_max < 0.05, "density error below 5 % at the interface");
            expect(f.phase[k].cross_inside < spacings, "no crossing away from walls");
            expect(f.phase[k].cross < spacings, "no crossing at walls and at the surface");
            expect(f.phase[k].face_speed < 0.05, "no spray at the interface");
        }
    }
    if (starts > 1) printf("  mean gap of %d starts %+.3f\n", (int)starts, gap);
    expect(fabs(gap) < 0.05, "a gap below 5 % of the larger spacing");
}

static TwoDef column(int dimensions, double below, double above, int across, int layers) {
    TwoDef def = two_def(dimensions, below, above);
    def.across = across;
    def.phase[0].layers = def.phase[1].layers = layers;
    def.jitter = 0.1;
    return def;
}

static void run_order(int turn) {
    double small = 0.01, large = 0.02;
    double below = turn == 0 ? small : large, above = turn == 0 ? large : small;
    const char *order = turn == 0 ? "large above small" : "small above large";
    char name[80];
    TwoDef flat = column(2, below, above, 30, 10);
    snprintf(name, sizeof name, "2D column, 1:2, %s", order);
    check_rest(flat, 10, 1, 1, name);
    flat.walls = true;
    for (int across = 30; across >= 13; across -= 17) {
        flat.across = across;
        snprintf(name, sizeof name, "2D tank, 1:2, %s, %d across", order, across);
        check_rest(flat, 10, 1, 1, name);
    }
    TwoDef solid = column(3, below, above, 6, 6);
    snprintf(name, sizeof name, "3D column, 1:2, %s", order);
    check_rest(solid, 10, 1, 1, name);
    solid.walls = true;
    snprintf(name, sizeof name, "3D tank, 1:2, %s", order);
    check_rest(solid, 10, 1, 1, name);
    TwoDef four = column(2, below == large ? 0.04 : small, above == large ? 0.04 : small, 14, 6);
    snprintf(name, sizeof name, "2D column, 1:4, %s", order);
    check_rest(four, 10, 2, 1, name);
    four.walls = true;
    snprintf(name, sizeof name, "2D tank, 1:4, %s (reported)", order);
    rest(&four, 10, name);
}

static void run_beside(void) {
    TwoDef beside = column(2, 0.01, 0.02, 30, 12);
    beside.place = TWO_BESIDE;
    beside.walls = true;
    check_rest(beside, 10, 1, 4, "2D tank, 1:2, side by side");
    beside = column(3, 0.01, 0.02, 8, 14);
    beside.place = TWO_BESIDE;
    beside.walls = true;
    check_rest(beside, 10, 1, 1, "3D tank, 1:2, side by side");
}

// mean heights as time goes on of a light block that starts at the bottom
static void run_rise(int dimensions, float light, double seconds) {
    TwoDef def = two_def(dimensions, 0.01, 0.01);
    def.place = TWO_INSIDE;
    def.walls = true;
    def.phase[0].density = light;
    def.across = dimensions == 2 ? 60 : 12;
    def.phase[0].layers = def.phase[1].layers = dimensions == 2 ? 20 : 9;
    def.jitter = 0.2;
    Two two = two_open(&def);
    double area = dimensions == 2 ? two.width : two.width * two.width;
    double top = (two.volume[1] + 0.5 * two.volume[0]) / area;
    printf("%dD, a block of %g in 1000 kg/m³; flat on top it would be at %.4f m\n", dimensions,
           (double)light, top);
    TwoFigures f = {.gap = 0};
    for (int k = 0; k < 6; k++) {
        two_run(&two, seconds / 6);
        f = two_look(&two);
        printf("  %.2f s: light at %.4f, heavy at %.4f m, energy %.4f, |C| at most %.3f\n",
               thaw_world_time(two.tank.world), f.phase[0].height, f.phase[1].height, f.energy,
               fmax(f.phase[0].error_max, f.phase[1].error_max));
    }
    expect(two.energy_max <= 1.01, "energy at most 1.01 of the start");
    // nine to ten may come to rest on the way: see the limits of the method
    if (light <= 800) expect(f.phase[0].height > f.phase[1].height, "the light one above");
    two_close(&two);
}

static void run_liquids(void) {
    puts("## Several liquids");
    static const float lights[] = {900, 800, 500, 200, 100};
    for (int k = 0; k < 5; k++) run_rise(2, lights[k], 6);
    run_rise(3, 800, 4);
    run_rise(3, 100, 3);
    for (int k = 1; k < 5; k += 3) {
        TwoDef def = two_def(3, 0.01, 0.01);
        def.walls = true;
        def.across = 8;
        def.phase[0].layers = def.phase[1].layers = 8;
        def.phase[1].density = lights[k];
        def.jitter = 0.1;
        check_rest(def, 10, 1, 1, k == 1 ? "3D tank, 800 on 1000" : "3D tank, 100 on 1000");
    }
}

int main(void) {
    puts("## Two sizes at rest");
    for (int turn = 0; turn < 2; turn++) run_order(turn);
    run_beside();
    run_liquids();
    printf("%d of the things asked for are not kept\n", failures);
    return failures > 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
