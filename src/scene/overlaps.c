// Overlaps: bodies that begin inside each other.
//
// A sweep along x finds the pairs. Pairs of copies of the same two bodies are told as one.
#include "scene/preflight.h"

#include "base/result.h"
#include "math/vec.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_TOLD 10    // kinds of pairs that are told one by one
#define MOST_PAIRS 5000 // that are looked for: beyond that nobody counts

typedef struct Sweep {
    double lower;
    int body;
} Sweep;

// pairs of copies of the same two bodies
typedef struct Kind {
    int i, j;          // the first such pair
    double of_i, of_j; // shares inside the other
    int count;
} Kind;

typedef struct Search {
    SceneFlight *flight;
    Kind kinds[MOST_TOLD];
    int kind_count;
    int pairs; // all
    int other; // of kinds that are not kept
} Search;

static int compare_sweeps(const void *a, const void *b) {
    const Sweep *x = a, *y = b;
    if (x->lower != y->lower) return x->lower < y->lower ? -1 : 1;
    return x->body - y->body;
}

static bool boxes_meet(const SceneProbe *a, const SceneProbe *b) {
    return a->lower.y <= b->upper.y && b->lower.y <= a->upper.y && a->lower.z <= b->upper.z &&
           b->lower.z <= a->upper.z;
}

static bool is_deep_within(const ThawShape *shape, ThawVec3 point, double spacing) {
    return thaw_shape_distance(shape, point) < -0.3 * spacing;
}

static Kind *find_kind(Search *search, int i, int j) {
    const ThawSceneBody *bodies = search->flight->scene->bodies;
    for (int k = 0; k < search->kind_count; k++) {
        const Kind *kind = &search->kinds[k];
        bool first = i == kind->i || scene_are_copies(&bodies[i], &bodies[kind->i]);
        bool second = j == kind->j || scene_are_copies(&bodies[j], &bodies[kind->j]);
        if (first && second) return &search->kinds[k];
    }
    if (search->kind_count == MOST_TOLD) return NULL;
    Kind *fresh = &search->kinds[search->kind_count++];
    *fresh = (Kind){.i = i, .j = j};
    return fresh;
}

static void take_pair(Search *search, int i, int j) {
    const SceneFlight *flight = search->flight;
    const ThawScene *scene = flight->scene;
    double of_i = scene_share(&flight->probes[i], &scene->bodies[j].shape, is_deep_within);
    double of_j = scene_share(&flight->probes[j], &scene->bodies[i].shape, is_deep_within);
    if (of_i <= 0 && of_j <= 0) return;
    search->pairs++;
    Kind *kind = find_kind(search, i, j);
    if (kind == NULL) {
        search->other++;
        return;
    }
    kind->count++;
    kind->of_i = fmax(kind->of_i, of_i);
    kind->of_j = fmax(kind->of_j, of_j);
}

static void tell_kind(SceneFlight *flight, const Kind *kind, bool more) {
    const ThawSceneBody *a = &flight->scene->bodies[kind->i], *b = &flight->scene->bodies[kind->j];
    char text[400], one[64], other[64];
    scene_base_name(a, one);
    scene_base_name(b, other);
    double of_a = ceil(100 * kind->of_i), of_b = ceil(100 * kind->of_j);
    if (kind->count == 1) {
        snprintf(
            text, sizeof text,
            "bodies '%s' and '%s' overlap (%.0f %% and %.0f %% of them): they will burst apart",
            a->name, b->name, of_a, of_b);
    } else if (strcmp(one, other) == 0) {
        snprintf(text, sizeof text,
                 "%s%d pairs of copies of '%s' overlap (up to %.0f %% of a copy): they will burst "
                 "apart",
                 more ? "more than " : "", kind->count, one, fmax(of_a, of_b));
    } else {
        snprintf(
            text, sizeof text,
            "'%s' and '%s' overlap in %s%d pairs (up to %.0f %% and %.0f %% of them): they will "
            "burst apart",
            one, other, more ? "more than " : "", kind->count, of_a, of_b);
    }
    scene_messages_add_line(flight->messages, false, b->file, b->line, text);
}

static void tell(const Search *search) {
    SceneFlight *flight = search->flight;
    bool more = search->pairs >= MOST_PAIRS;
    for (int k = 0; k < search->kind_count; k++) tell_kind(flight, &search->kinds[k], more);
    if (search->other == 0) return;
    char text[160];
    snprintf(text, sizeof text, "%s%d more pair%s of bodies overlap%s", more ? "more than " : "",
             search->other, search->other == 1 ? "" : "s", search->other == 1 ? "s" : "");
    scene_messages_add_line(flight->messages, false, flight->scene->path, 0, text);
}

ThawResult scene_warn_overlaps(SceneFlight *flight) {
    int count = flight->scene->body_count;
    Search search = {.flight = flight};
    Sweep *order = calloc((size_t)count + 1, sizeof *order);
    if (order == NULL) return thaw_fail_memory((size_t)count * sizeof *order);
    for (int k = 0; k < count; k++) order[k] = (Sweep){flight->probes[k].lower.x, k};
    qsort(order, (size_t)count, sizeof *order, compare_sweeps);
    // only bodies whose extents meet are compared
    for (int k = 0; k < count && search.pairs < MOST_PAIRS; k++) {
        const SceneProbe *own = &flight->probes[order[k].body];
        for (int n = k + 1; n < count && search.pairs < MOST_PAIRS; n++) {
            const SceneProbe *other = &flight->probes[order[n].body];
            if (other->lower.x > own->upper.x) break;
            if (!boxes_meet(own, other)) continue;
            bool ordered = order[k].body < order[n].body;
            take_pair(&search, order[ordered ? k : n].body, order[ordered ? n : k].body);
        }
    }
    free(order);
    tell(&search);
    return THAW_OK;
}
