// The liquid's open cases at full size and at half resolution, as a page of Markdown.
//
// Cases and tolerances are PBF-1, PBF-2 and V-5 of the validation cases. The program fails when a
// figure that the page calls a limit is not kept.
#include "support/liquid_cases.h"

#include <math.h>
#include <stdio.h>

static int broken;

static const char *judge(bool kept) {
    broken += !kept;
    return kept ? "yes" : "**no**";
}

static void print_cost(const char *name, const CaseCost *cost) {
    printf("| %s | %u | %llu | %llu | %d | %.1f |\n", name, cost->particles,
           (unsigned long long)cost->steps, (unsigned long long)cost->substeps, cost->threads,
           cost->seconds);
}

static void print_cost_head(void) {
    puts("\n| run | particles | steps | substeps | threads | wall time, s |");
    puts("|---|--:|--:|--:|--:|--:|");
}

static void print_limit(const char *what, double value, const char *limit, bool kept) {
    printf("| %s | %.3f | %s | %s |\n", what, value, limit, judge(kept));
}

static void print_limit_head(const char *title) {
    printf("\n%s\n\n| figure | measured | limit | kept |\n|---|--:|---|---|\n", title);
}

// ---------------------------------------------------------------- dam break

#define DAMS 6

static const struct {
    const char *name;
    DamDef def;
} dams[DAMS] = {
    {"a/d 20", {20, 0.4f, 5, 2, false}},         {"a/d 40", {40, 0.4f, 5, 2, false}},
    {"a/d 80", {80, 0.4f, 5, 2, false}},         {"a/d 20, free slip", {20, 0, 5, 2, false}},
    {"a/d 40, free slip", {40, 0, 5, 2, false}}, {"a/d 80, free slip", {80, 0, 5, 2, false}},
};

static void print_fronts(const DamFigures runs[DAMS]) {
    printf("| T | experiment Z |");
    for (int r = 0; r < DAMS; r++) printf(" %s |", dams[r].name);
    puts("\n|--:|--:|--:|--:|--:|--:|--:|--:|");
    for (int k = 0; k < DAM_POINTS; k++) {
        printf("| %.2f | %.2f |", dam_times[k], dam_fronts[k]);
        for (int r = 0; r < DAMS; r++) {
            double z = runs[r].front[k];
            printf(" %.3f (%+.1f %%) |", z, 100 * (z / dam_fronts[k] - 1));
        }
        puts("");
    }
}

// mean acceleration of the front up to the first point that counts, in g: Z − 1 = (x''/4g) T²
static double toe_acceleration(double front) {
    return 4 * (front - 1) / (dam_times[DAM_FIRST] * dam_times[DAM_FIRST]);
}

static void print_dam_summary(const DamFigures runs[DAMS]) {
    puts("\n| run | front rms, % | front max, % | toe, g | interior error, % | peak error, % | "
         "energy "
         "max | energy end |");
    puts("|---|--:|--:|--:|--:|--:|--:|--:|");
    for (int r = 0; r < DAMS; r++) {
        const DamFigures *f = &runs[r];
        printf("| %s | %.1f | %.1f | %.2f | %.2f | %.2f | %.4f | %.3f |\n", dams[r].name,
               100 * f->rms, 100 * f->max, toe_acceleration(f->front[DAM_FIRST]),
               100 * f->interior_mean, 100 * f->peak, f->energy_max, f->energy_end);
    }
    printf(
        "\nThe toe is the front's mean acceleration up to T = %.2f; the experiment's is %.2f g.\n",
        dam_times[DAM_FIRST], toe_acceleration(dam_fronts[DAM_FIRST]));
}

static void judge_dam(const DamFigures *f) {
    print_limit_head("Limits, at a/d = 40 with friction 0.4:");
    print_limit("front rms error, %", 100 * f->rms, "at most 10", f->rms <= 0.10);
    print_limit("front largest error, %", 100 * f->max, "at most 15", f->max <= 0.15);
    print_limit("interior mean error, %", 100 * f->interior_mean, "at most 2",
                f->interior_mean <= 0.02);
    print_limit("peak compression, %", 100 * f->peak, "at most 10", f->peak <= 0.10);
    print_limit("largest energy / start", f->energy_max, "at most 1.01", f->energy_max <= 1.01);
    print_limit("final energy / start", f->energy_end, "0.80 to 0.95",
                f->energy_end >= 0.80 && f->energy_end <= 0.95);
}

// The case also asks that the error does not grow on refinement. A miss is printed and does not
// fail the program, so that the page can show it.
static void print_refinement(const DamFigures runs[DAMS]) {
    bool grows = runs[1].rms > runs[0].rms || runs[2].rms > runs[1].rms;
    printf("\nOn refinement (a/d = 20, 40, 80) the front's rms error is %.1f, %.1f, %.1f %% with "
           "friction "
           "0.4 and %.1f, %.1f, %.1f %% with free slip. The case asks that it does not grow: %s.\n",
           100 * runs[0].rms, 100 * runs[1].rms, 100 * runs[2].rms, 100 * runs[3].rms,
           100 * runs[4].rms, 100 * runs[5].rms, grows ? "**not kept**" : "kept");
    int within = 0;
    for (int r = 3; r < DAMS; r++) within += runs[r].rms <= 0.10 && runs[r].max <= 0.15;
    printf(
        "With free slip, which is what an inviscid case means, %d of 3 resolutions are within the "
        "front's limits.\n",
        within);
    if (!grows) return;
    puts("\nTwo things bear on it. Potential theory has no finite toe acceleration at the start to "
         "converge to: with the column's pressure in closed form it is (2g/π) Σ tanh((n + ½)π/2) / "
         "(n + ½), "
         "which diverges as the logarithm of the resolution. And wall friction takes less energy "
         "the "
         "finer the run, as the final energies show, so the figures with friction are not "
         "converged ones. "
         "How much of the growth either explains, and how much of the lead over the experiment is "
         "due to "
         "its gate and small size (5.7 cm), has not been separated.");
}

static void report_dam(void) {
    DamFigures runs[DAMS];
    for (int r = 0; r < DAMS; r++) runs[r] = dam_run(&dams[r].def);
    puts("## Dam break (PBF-1)\n");
    puts("A column a = 1 m wide and 2 m high in the corner of a dry channel, 2D, 5 iterations, dt "
         "= 4 ms, "
         "XSPH 0.01, automatic substeps, wall friction 0.4 or none. The front x = Z a at T = t "
         "√(2g/a) "
         "against Martin and Moyce 1952, table 2. Errors count from T = 0.8.\n");
    print_fronts(runs);
    print_dam_summary(runs);
    judge_dam(&runs[1]);
    print_refinement(runs);
    print_cost_head();
    for (int r = 0; r < DAMS; r++) print_cost(dams[r].name, &runs[r].cost);
}

// ---------------------------------------------------------------- settling pool

#define POOLS 9

static const PoolDef pools[POOLS] = {
    {2, 1.0 / 30, 5, 2, 3, 5, false},  {2, 1.0 / 15, 5, 2, 3, 5, false},
    {2, 1.0 / 30, 10, 2, 3, 0, false}, {2, 1.0 / 30, 20, 2, 3, 0, false},
    {3, 1.0 / 30, 5, 2, 3, 5, false},  {3, 1.0 / 15, 5, 2, 3, 5, false},
    {3, 1.0 / 15, 10, 2, 3, 0, false}, {3, 1.0 / 15, 20, 2, 3, 0, false},
    {2, 1.0 / 60, 5, 2, 3, 0, false},
};

static void name_pool(char name[64], const PoolDef *def) {
    snprintf(name, 64, "%dD, d = 1/%.0f, %d iterations", def->dimensions, 1 / def->spacing,
             def->iterations);
}

static void print_pool(const PoolDef *def, const PoolFigures *f) {
    char name[64], drift[32] = "–";
    name_pool(name, def);
    if (def->drift_seconds > 0) snprintf(drift, sizeof drift, "%+.3f", 100 * f->drift);
    printf("| %s | %.4f | %.4f | %+.2f | %+.2f | %.2f | %.2f | %.2f | %s |\n", name, f->height,
           f->ideal, 100 * (f->height / f->ideal - 1), 100 * (f->height / 0.5 - 1),
           100 * f->rms_speed / sqrt(9.81), 100 * f->interior.mean, 100 * f->interior.max, drift);
}

static void judge_pool(const PoolDef *def, const PoolFigures *f) {
    char title[96], name[64];
    name_pool(name, def);
    snprintf(title, sizeof title, "Limits, %s:", name);
    print_limit_head(title);
    double own = 100 * (f->height / f->ideal - 1), full = 100 * (f->height / 0.5 - 1);
    double speed = 100 * f->rms_speed / sqrt(9.81);
    print_limit("height against N d^n / (2 area), %", own, "within 2", fabs(own) <= 2);
    print_limit("height against 0.5 m, %", full, "within 2", fabs(full) <= 2);
    print_limit("rms speed, % of √(gH)", speed, "below 1", speed < 1);
    print_limit("interior mean error, %", 100 * f->interior.mean, "below 1",
                f->interior.mean < 0.01);
    print_limit("interior largest error, %", 100 * f->interior.max, "below 8",
                f->interior.max < 0.08);
    print_limit("drift of the height in 5 s, %", 100 * f->drift, "within 0.5",
                fabs(f->drift) < 0.005);
}

static void judge_iterations(const PoolFigures *few, const PoolFigures *more, const PoolDef *def) {
    char name[64];
    name_pool(name, def);
    double change = (more->height - few->height) / def->spacing;
    print_limit(name, change, "within 0.5", fabs(change) < 0.5);
}

static void report_pool(void) {
    PoolFigures runs[POOLS];
    for (int r = 0; r < POOLS; r++) runs[r] = pool_run(&pools[r]);
    puts("\n## Settling pool (PBF-2)\n");
    puts("A box 1 m wide filled to 1 m, dt = 4 ms, 3 s, default liquid and friction, automatic "
         "substeps; then "
         "watched for 5 s more where a drift is given. Height is the mean of all particles; the "
         "interior is "
         "all more than 3 spacings below the surface, walls included; speeds are over the last 0.2 "
         "s.\n");
    puts("| run | height, m | N d^n / (2 area), m | off that, % | off 0.5 m, % | rms speed, % of "
         "√(gH) | "
         "interior error, % | largest, % | drift, % |");
    puts("|---|--:|--:|--:|--:|--:|--:|--:|--:|");
    for (int r = 0; r < POOLS; r++) print_pool(&pools[r], &runs[r]);
    judge_pool(&pools[0], &runs[0]);
    judge_pool(&pools[4], &runs[4]);
    print_limit_head("Change of the height with iterations, in spacings, from 5 iterations:");
    judge_iterations(&runs[0], &runs[2], &pools[2]);
    judge_iterations(&runs[0], &runs[3], &pools[3]);
    judge_iterations(&runs[5], &runs[6], &pools[6]);
    judge_iterations(&runs[5], &runs[7], &pools[7]);
    print_cost_head();
    for (int r = 0; r < POOLS; r++) {
        char name[64];
        name_pool(name, &pools[r]);
        print_cost(name, &runs[r].cost);
    }
}

// ---------------------------------------------------------------- falling block

static void print_drops(double spacing, DropFigures drops[4]) {
    static const int counts[4] = {2, 5, 10, 20};
    for (int k = 0; k < 4; k++) {
        drops[k] = drop_run(&(DropDef){spacing, counts[k], 2, 2});
        const DropFigures *f = &drops[k];
        printf("| 1/%.0f | %d | %.2f | %.2f | %.2f | %.4f | %u | %llu | %.1f |\n", 1 / spacing,
               counts[k], 100 * f->peak, 100 * f->peak_mean, 100 * f->interior_mean, f->energy_max,
               f->cost.particles, (unsigned long long)f->cost.steps, f->cost.seconds);
    }
}

static void report_drop(void) {
    DropFigures half[4], full[4];
    puts("\n## Falling block (V-5)\n");
    puts("A block of 1 m × 1 m falls 1 m into a dry tank 2 m wide, 2D, dt = 4 ms in two substeps "
         "for every "
         "count of iterations, 1.5 s, two threads.\n");
    puts("| d, m | iterations | peak error, % | peak of the mean, % | interior error, % | energy "
         "max | "
         "particles | steps | wall time, s |");
    puts("|--:|--:|--:|--:|--:|--:|--:|--:|--:|");
    print_drops(1.0 / 15, half);
    print_drops(1.0 / 30, full);
    print_limit_head("Limits, at d = 1/30:");
    bool falls = true;
    for (int k = 1; k < 4; k++) falls = falls && full[k].peak < full[k - 1].peak;
    print_limit("peak error at 20 iterations, %", 100 * full[3].peak, "falls with iterations",
                falls);
    print_limit("interior error at 5 iterations, %", 100 * full[1].interior_mean, "below 2",
                full[1].interior_mean < 0.02);
}

int main(void) {
    report_dam();
    report_pool();
    report_drop();
    if (broken > 0) fprintf(stderr, "validate_liquid: %d limits are not kept\n", broken);
    return broken > 0;
}
