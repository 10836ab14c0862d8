// The lattice solid's long cases on the shipped engine, as a page of Markdown: what must stand or rest for a
// full minute. The program fails when a figure that the page calls a limit is not kept.
#include "solid/dice.h"

#include <time.h>

static int broken;

static void print_limit(const char *what, double value, const char *limit, bool kept) {
    broken += !kept;
    printf("| %s | %.4g | %s | %s |\n", what, value, limit, kept ? "yes" : "**no**");
}

static void print_head(const char *title, const char *text) {
    printf("\n## %s\n\n%s\n\n| figure | measured | limit | kept |\n|---|--:|---|---|\n", title,
           text);
}

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void report_slope(void) {
    print_head("Lattice solid, engine: block on a slope",
               "A block of 6 × 6 × 6 half-layers, 2 cm spacing, lies on a slope of 20° with a "
               "friction of 0.5 and is watched for a minute; with 0.2 it slides. The slope is a "
               "wall, or a held bed of the same matter, whose lattice matches the block's or is "
               "turned by 0.3 or 0.8 rad.");
    double start = seconds();
    const double twists[3] = {0, 0.3, 0.8};
    double wall = creep_on_slope(false, 0, 2, 60), slide = slide_on_slope(false, 0);
    print_limit("creep on a wall, spacings a minute", wall, "below 0.1", fabs(wall) < 0.1);
    for (int k = 0; k < 3; k++) {
        char what[64];
        double bed = creep_on_slope(true, twists[k], 2, 60);
        snprintf(what, sizeof what, "creep on a solid turned by %.1f rad", twists[k]);
        print_limit(what, bed, "below 0.1", fabs(bed) < 0.1);
    }
    print_limit("acceleration over g (sin − 0.2 cos), wall", slide, "1 ± 0.05",
                fabs(slide - 1) < 0.05);
    for (int k = 0; k < 3; k++) {
        char what[64];
        double bed = slide_on_slope(true, twists[k]);
        snprintf(what, sizeof what, "the same on a solid turned by %.1f rad", twists[k]);
        print_limit(what, bed, "1 ± 0.05", fabs(bed - 1) < 0.05);
    }
    printf("\n%.1f s on one thread.\n", seconds() - start);
}

typedef struct Matter {
    float young, damping;
} Matter;

static SlopeDef matter_on_slope(Matter matter, double degrees, double friction, bool flat) {
    SlopeDef slope = slope_default();
    slope.angle = degrees * PI / 180;
    slope.friction = (float)friction;
    slope.young = matter.young;
    slope.damping = matter.damping;
    if (flat) memcpy(slope.planes, (int[3]){8, 8, 4}, sizeof slope.planes);
    return slope;
}

// the worst creep of two blocks over slopes that hold them, spacings a minute
static double worst_creep(Matter matter, double settle, double watch) {
    const double slopes[7][2] = {{10, 0.2}, {15, 0.4}, {20, 0.5}, {24, 0.5},
                                 {30, 0.7}, {32, 0.7}, {45, 1.5}};
    double worst = 0;
    for (int k = 0; k < 14; k++) {
        const double *at = slopes[k / 2];
        SlopeDef slope = matter_on_slope(matter, at[0], at[1], k % 2 == 0);
        // cubes roll on steeper ones
        if (k % 2 == 1 && at[0] >= (matter.young < 1e5f ? 30 : 45)) continue;
        worst = fmax(worst, fabs(slope_creep(&slope, settle, watch)));
    }
    return worst;
}

// how far off Coulomb's law they slide
static double worst_slide(Matter matter) {
    const double slopes[3][2] = {{10, 0.1}, {20, 0.2}, {30, 0.3}};
    double worst = 0;
    for (int k = 0; k < 6; k++) {
        SlopeDef slope = matter_on_slope(matter, slopes[k / 2][0], slopes[k / 2][1], k % 2 == 0);
        worst = fmax(worst, fabs(slope_slide(&slope) - 1));
    }
    return worst;
}

static void report_walls(void) {
    print_head("Lattice solid, engine: elastic blocks on walls",
               "Blocks of 8 × 8 × 4 and 6 × 6 × 6 half-layers, 2 cm spacing, fall 2 mm onto walls "
               "of 10 to 45° with tan ≤ 0.9 μ (cubes to 32°, soft ones to 24°: they roll on "
               "steeper ones) and are watched from 1 s to 3 s; undamped ones, which ring, from "
               "4 s to 10 s. With μ of 0.52 to 0.57 of the tangent they slide. Worst of each.");
    double start = seconds();
    const float young[3] = {2e4f, 2e5f, 1e6f}, damping = slope_default().damping;
    for (int e = 0; e < 3; e++) {
        char what[80];
        Matter damped = {young[e], damping}, undamped = {young[e], 0};
        double creep = worst_creep(damped, 1, 2), ringing = worst_creep(undamped, 4, 6);
        double off = worst_slide(damped), off_undamped = worst_slide(undamped);
        snprintf(what, sizeof what, "%.0e Pa: creep, spacings a minute", (double)young[e]);
        print_limit(what, creep, "below 0.1", creep < 0.1);
        print_limit("the same, undamped", ringing, "below 0.2", ringing < 0.2);
        print_limit("off g (sin − μ cos)", off, "below 0.05", off < 0.05);
        print_limit("the same, undamped", off_undamped, "below 0.06", off_undamped < 0.06);
    }
    printf("\n%.1f s on one thread.\n", seconds() - start);
}

static void report_tower(void) {
    print_head("Lattice solid, engine: tower of twenty blocks",
               "Twenty blocks of 11 × 11 × 3 half-layers, 5 cm spacing, 2.6 m high in all, "
               "E = 4 MPa, 700 kg/m³, friction 0.5, stand on each other for a minute. Figures are "
               "of the topmost one, in spacings.");
    double start = seconds();
    Tower t = watch_tower(20, 10, 50);
    print_limit("aside", t.aside, "below 0.5", t.aside < 0.5);
    print_limit("moved in the last 50 s", t.moved, "below 0.5", t.moved < 0.5);
    print_limit("sank", t.sank, "below 20 (one for each joint)", t.sank < 20);
    printf("| fastest particle at the end, m/s | %.4g | – | – |\n", t.fastest);
    printf("\n%u particles, %.1f s on one thread.\n", t.particles, seconds() - start);
}

static void report_dice(void) {
    print_head(
        "Lattice solid, engine: nine dice at rest (scenes/dice.yaml)",
        "The scene's nine dice of 256 particles, 1 m wide and asked for 1e8 Pa, are thrown at "
        "each other in its tray of 8 × 8 × 8 m with a friction of 0.5. Figures are of the "
        "end, after 11 s.");
    double start = seconds(), nearest = INFINITY;
    Dices d = throw_dice_into_tray();
    for (int frame = 0; frame < 264; frame++) {
        rig_step(&d.rig);
        look_at_dice(&d);
        nearest = fmin(nearest, nearest_pair(&d));
    }
    double fastest = d.rig.report.max_speed, edge = worst_edge(&d), end = nearest_pair(&d);
    print_limit("fastest particle, m/s", fastest, "below 0.05", fastest < 0.05);
    print_limit("edge that is furthest off its length, %", 100 * edge, "below 2", edge < 0.02);
    print_limit("nearest particles of two dice, D", end, "above 0.8", end > 0.8);
    printf("| the same at any frame, D | %.4g | – | – |\n", nearest);
    printf("\n%u particles, %.1f s on one thread.\n", d.rig.report.particles, seconds() - start);
    free_dice(&d);
}

int main(void) {
    report_slope();
    report_walls();
    report_tower();
    report_dice();
    return broken > 0;
}
