// The paper's scenes of figures 6 and 7 as they are shipped, and what is asked of them. A test runs them with
// large particles, the validation as they are.
#ifndef TEST_SCENE_PAPER_SCENES_H
#define TEST_SCENE_PAPER_SCENES_H

#include "scene_rig.h"

#include "math/lattice.h"

#include <math.h>

typedef struct PaperScene {
    ThawScene *scene;
    ThawWorld *world;
    ThawReport report;
    double spacing; // m

    // as last looked at
    uint32_t count, capacity;
    double (*at)[3]; // m
    const uint64_t *id;
    const uint8_t *state;
    const float *temperature;
    const float *turn; // x y z w
} PaperScene;

// `also`: another value set from outside, NULL = none
static inline PaperScene open_paper(const char *path, double spacing, const char *also,
                                    int threads) {
    char set[64];
    snprintf(set, sizeof set, "spacing=%g", spacing);
    const char *const sets[] = {set, also};
    ThawSceneOptions options = {.sets = sets, .set_count = also == NULL ? 1 : 2};
    PaperScene paper = {.spacing = spacing};
    ThawMessages *messages = NULL;
    ThawResult result = thaw_scene_read(path, &options, &paper.scene, &messages);
    if (result != THAW_OK) show_messages(messages);
    assert_int_equal(result, THAW_OK);
    thaw_messages_free(messages);
    ThawHostDef host = {.threads = threads};
    assert_int_equal(thaw_scene_build(paper.scene, &host, &paper.world), THAW_OK);
    return paper;
}

static inline const void *view_of(const PaperScene *paper, const char *field) {
    ThawView view;
    assert_int_equal(thaw_world_view(paper->world, field, &view), THAW_OK);
    return view.data;
}

static inline void look(PaperScene *paper) {
    paper->count = thaw_world_count(paper->world);
    if (paper->count > paper->capacity) {
        free(paper->at);
        paper->capacity = 2 * paper->count;
        paper->at = calloc(paper->capacity, sizeof *paper->at);
        assert_non_null(paper->at);
    }
    thaw_world_positions(paper->world, paper->at);
    paper->id = view_of(paper, "id");
    paper->state = view_of(paper, "state");
    paper->temperature = view_of(paper, "temperature");
    paper->turn = view_of(paper, "lattice_turn");
}

static inline void next_frame(PaperScene *paper) {
    double dt = 1 / paper->scene->frames.fps;
    assert_int_equal(thaw_scene_advance(paper->scene, paper->world, dt, &paper->report), THAW_OK);
}

static inline void close_paper(PaperScene *paper) {
    free(paper->at);
    thaw_world_destroy(paper->world);
    thaw_scene_free(paper->scene);
}

// ---------------------------------------------------------------- goo on a cooled rod

#define GOO_LAYERS 3
#define GOO_IDS 100000
#define ID_COUNT 0xffffffffffu // of an id: its number among those of its source
#define GOO_AXIS 0.4           // m: the rod's height
#define GOO_RADIUS 0.0297      // m
#define GOO_COLD 220.0         // K
#define GOO_STEEL 2000.0       // kg/m³
#define GOO_DENSITY 1100.0

typedef struct GooFigures {
    uint32_t rod, poured, frozen; // particles
    bool cold;                    // the rod was at its temperature in every frame
    bool grows;                   // nothing melted
    bool kept;                    // nobody was lost, mass is what was there and what was born
    double when[GOO_LAYERS];      // s: the mean time at which a layer froze
    uint32_t in[GOO_LAYERS];      // particles of it
    double first;     // share of what froze in the first fifth of a second: in the first layer
    double median[2]; // D off the rod's sites: the first layer's, all of it
    double near[2];   // share that is less than 0.1 D off
} GooFigures;

typedef struct Goo {
    PaperScene paper;
    double *when;          // s, by id: when it froze; 0 = not
    uint64_t born, source; // source: of the rod's ids
    GooFigures figures;
} Goo;

static inline bool is_rod(const Goo *goo, uint32_t row) {
    return goo->paper.id[row] >> 40 == goo->source;
}

static inline double *when_of(const Goo *goo, uint32_t row) {
    return &goo->when[goo->paper.id[row] & ID_COUNT];
}

// from 0 at the rod's own surface
static inline int layer_of(const PaperScene *paper, uint32_t row) {
    double layer = thaw_lattice_distance(3, paper->spacing) * sqrt(2.0 / 3);
    double out = hypot(paper->at[row][0], paper->at[row][2] - GOO_AXIS) - GOO_RADIUS;
    return (int)floor(out / layer + 0.25);
}

// notes who froze in this frame, and what must hold in each
static inline void note_frame(Goo *goo) {
    PaperScene *paper = &goo->paper;
    const ThawReport *report = &paper->report;
    look(paper);
    goo->figures.grows = goo->figures.grows && report->melted == 0;
    goo->born += report->born;
    uint32_t rod = 0;
    for (uint32_t row = 0; row < paper->count; row++) {
        if (is_rod(goo, row)) {
            rod++;
            double off = fabs((double)paper->temperature[row] - GOO_COLD);
            goo->figures.cold = goo->figures.cold && off < 1e-4;
            continue;
        }
        assert_true((paper->id[row] & ID_COUNT) < GOO_IDS);
        double *when = when_of(goo, row);
        if (paper->state[row] == THAW_STATE_SOLID && *when == 0) *when = report->time;
    }
    double particle = pow(paper->spacing, 3);
    double due = (GOO_STEEL * goo->figures.rod + GOO_DENSITY * (double)goo->born) * particle;
    goo->figures.kept = goo->figures.kept && rod == goo->figures.rod && report->died == 0 &&
                        report->particles == rod + goo->born && fabs(report->mass / due - 1) < 1e-6;
}

// D: how far a row is off the nearest site of another one's lattice (eq. 2 in closed form)
static inline double off_lattice(const PaperScene *paper, uint32_t from, uint32_t row) {
    const float *q = &paper->turn[4 * (size_t)from];
    double unit = thaw_lattice_distance(3, paper->spacing) / sqrt(2), r[3], l[3], off = 0;
    for (int a = 0; a < 3; a++) r[a] = (paper->at[row][a] - paper->at[from][a]) / unit;
    double x = -(double)q[0], y = -(double)q[1], z = -(double)q[2], w = (double)q[3];
    double t[3] = {2 * (y * r[2] - z * r[1]), 2 * (z * r[0] - x * r[2]), 2 * (x * r[1] - y * r[0])};
    l[0] = r[0] + w * t[0] + y * t[2] - z * t[1];
    l[1] = r[1] + w * t[1] + z * t[0] - x * t[2];
    l[2] = r[2] + w * t[2] + x * t[1] - y * t[0];
    double site[3], sum = 0, worst = -1;
    int odd = 0;
    for (int a = 0; a < 3; a++) {
        site[a] = nearbyint(l[a]);
        sum += site[a];
        if (fabs(l[a] - site[a]) > worst) worst = fabs(l[a] - site[a]), odd = a;
    }
    if (fmod(fabs(sum), 2) > 0.5) site[odd] += l[odd] > site[odd] ? 1 : -1;
    for (int a = 0; a < 3; a++) off += (l[a] - site[a]) * (l[a] - site[a]);
    return sqrt(off / 2);
}

static inline uint32_t nearest_rod(const Goo *goo, uint32_t row) {
    const PaperScene *paper = &goo->paper;
    uint32_t nearest = 0;
    double least = INFINITY;
    for (uint32_t other = 0; other < paper->count; other++) {
        if (!is_rod(goo, other)) continue;
        double r2 = 0;
        for (int a = 0; a < 3; a++) {
            double x = paper->at[row][a] - paper->at[other][a];
            r2 += x * x;
        }
        if (r2 < least) least = r2, nearest = other;
    }
    return nearest;
}

static inline int compare_doubles(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// how far the coat is off the sites of the rod's lattice: the first layer, or all of it
static inline void measure_sites(Goo *goo, int which) {
    PaperScene *paper = &goo->paper;
    double *off = calloc(paper->count, sizeof *off);
    uint32_t count = 0, near = 0;
    assert_non_null(off);
    for (uint32_t row = 0; row < paper->count; row++) {
        bool coat = !is_rod(goo, row) && paper->state[row] == THAW_STATE_SOLID &&
                    (which == 1 || layer_of(paper, row) <= 0);
        if (!coat) continue;
        off[count] = off_lattice(paper, nearest_rod(goo, row), row);
        near += off[count++] < 0.1;
    }
    assert_true(count > 10);
    qsort(off, count, sizeof *off, compare_doubles);
    goo->figures.median[which] = off[count / 2];
    goo->figures.near[which] = (double)near / count;
    free(off);
}

static inline void measure_layers(Goo *goo) {
    const PaperScene *paper = &goo->paper;
    GooFigures *f = &goo->figures;
    double early = INFINITY;
    uint32_t first = 0, all = 0;
    for (uint32_t id = 0; id < GOO_IDS; id++) {
        if (goo->when[id] > 0) early = fmin(early, goo->when[id]);
    }
    for (uint32_t row = 0; row < paper->count; row++) {
        double when = is_rod(goo, row) ? 0 : *when_of(goo, row);
        if (when == 0) continue;
        int layer = layer_of(paper, row);
        f->frozen++;
        layer = layer < 0 ? 0 : layer;
        if (when < early + 0.2) all++, first += layer == 0;
        if (layer >= GOO_LAYERS) continue;
        f->in[layer]++;
        f->when[layer] += when;
    }
    f->first = (double)first / all;
    for (int k = 0; k < GOO_LAYERS; k++) f->when[k] /= f->in[k];
}

static inline GooFigures goo_run(double spacing, int frames, int threads) {
    Goo goo = {.paper = open_paper(SCENE_TREE "/scenes/goo_on_rod.yaml", spacing, NULL, threads)};
    goo.figures = (GooFigures){
        .rod = thaw_world_count(goo.paper.world), .cold = true, .grows = true, .kept = true};
    look(&goo.paper);
    goo.source = goo.paper.id[0] >> 40;
    goo.when = calloc(GOO_IDS, sizeof *goo.when);
    assert_non_null(goo.when);
    for (int k = 0; k < frames; k++) {
        next_frame(&goo.paper);
        note_frame(&goo);
    }
    goo.figures.poured = goo.paper.count - goo.figures.rod;
    measure_layers(&goo);
    for (int which = 0; which < 2; which++) measure_sites(&goo, which);
    free(goo.when);
    close_paper(&goo.paper);
    return goo.figures;
}

// ---------------------------------------------------------------- an elastic body that melts

#define TRAY 0.36 // m, side of a tray put round the bear, so that its melt is a pool and not a film

typedef struct BearFigures {
    uint32_t particles, left; // solids at the end
    double bounce;            // m/s: of its centre, up, after its first fall
    double soles;             // share that had melted by then
    double gone;              // s: when nothing was solid any more
    double volume;            // of the pool at the end, over N V0
    double budget;            // change of heat less what was taken, of that
    bool kept;
} BearFigures;

static inline void add_tray(PaperScene *paper) {
    ThawColliderDef tray = thaw_collider_default();
    tray.name = "tray";
    tray.container = true;
    tray.friction = 0;
    tray.shape = thaw_shape_box((ThawVec3){0.1, 0, 0.5}, (ThawVec3){TRAY, TRAY, 1});
    ThawColliderId id;
    assert_int_equal(thaw_world_add_collider(paper->world, &tray, &id), THAW_OK);
}

static inline double mean_height(PaperScene *paper) {
    double sum = 0;
    look(paper);
    for (uint32_t row = 0; row < paper->count; row++) sum += paper->at[row][2];
    return sum / paper->count;
}

static inline BearFigures bear_run(double spacing, const char *also, int frames, int threads) {
    PaperScene paper = open_paper(SCENE_TREE "/scenes/melting_bear.yaml", spacing, also, threads);
    add_tray(&paper);
    BearFigures f = {.particles = thaw_world_count(paper.world), .kept = true};
    assert_int_equal(thaw_world_step(paper.world, 1e-5, &paper.report), THAW_OK);
    double before = paper.report.heat, taken = 0, mass = paper.report.mass;
    bool fallen = false, risen = false;
    for (int k = 0; k < frames; k++) {
        next_frame(&paper);
        double up = paper.report.momentum.z / mass;
        taken += paper.report.heat_taken;
        fallen = fallen || up < -1;
        risen = risen || (f.bounce > 0 && up < 0);
        if (fallen && !risen && up > f.bounce) {
            f.bounce = up;
            f.soles = 1 - (double)paper.report.solid / f.particles;
        }
        if (f.gone == 0 && paper.report.solid == 0) f.gone = paper.report.time;
        f.kept = f.kept && paper.report.particles == f.particles && paper.report.mass == mass;
    }
    f.left = paper.report.solid;
    f.budget = fabs(paper.report.heat - before - taken) / fabs(taken);
    f.volume = 2 * mean_height(&paper) * TRAY * TRAY / (f.particles * pow(spacing, 3));
    close_paper(&paper);
    return f;
}

// The bear without a tray, until its legs have gone: who is thrown.
typedef struct BearSpeeds {
    double fall; // m/s: of what falls by a spacing
    double fastest,
        mean; // m/s: the fastest particle of all frames since it melts, and the mean of each frame's
    uint32_t melted;
} BearSpeeds;

#define BEAR_RESTS                                                                                 \
    1.9 // s: before it is hot; soles that melt while it bounces fly as fast as it does

static inline BearSpeeds bear_speeds(double spacing, int frames, int threads) {
    PaperScene paper = open_paper(SCENE_TREE "/scenes/melting_bear.yaml", spacing, NULL, threads);
    uint32_t count = thaw_world_count(paper.world), seen = 0;
    BearSpeeds s = {.fall = sqrt(2 * 9.81 * spacing)};
    for (int k = 0; k < frames; k++) {
        next_frame(&paper);
        if (paper.report.time < BEAR_RESTS || paper.report.solid == count) continue;
        s.fastest = fmax(s.fastest, paper.report.max_speed);
        s.mean += paper.report.max_speed;
        seen++;
    }
    s.melted = count - paper.report.solid;
    s.mean /= seen;
    close_paper(&paper);
    return s;
}

// ---------------------------------------------------------------- what is asked of both

static inline void check_goo(const GooFigures *f) {
    assert_true(f->cold && f->grows && f->kept);
    // layers are told by distance, and a rod of sites is rough by half of one
    assert_true(f->first > 0.8);
    for (int k = 1; k < GOO_LAYERS; k++) assert_true(f->when[k] > f->when[k - 1] + 0.1);
    // a few sit in pockets that are no sites; and in a thick coat what layers are off adds up
    for (int which = 0; which < 2; which++) assert_true(f->median[which] < 0.1);
    assert_true(f->near[0] > 0.9);
    assert_true(f->near[1] > 0.7);
}

// It meets the plate at 1.6 m/s; soles that touch it melt while they do.
static inline void check_bear(const BearFigures *f) {
    assert_true(f->kept && f->left == 0);
    // at a friction of 0.5 splayed legs rub most of its bounce away: without friction it comes up at 1 m/s
    assert_true(f->bounce > 0.1 && f->soles < 0.05);
    assert_true(fabs(f->volume - 1) < 0.05);
    assert_true(f->budget < 1e-10);
}

// What melts under it is let out, not thrown. Elastic stress that ends beside it may give a neighbour a metre a second
// for a substep.
static inline void check_speeds(const BearSpeeds *s) {
    assert_true(s->melted > 100);
    assert_true(s->fastest < 3 * s->fall);
    assert_true(s->mean < 1.2 * s->fall);
}

#endif
