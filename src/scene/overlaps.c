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

// ---------------------------------------------------------------- pairs

typedef struct Sweep {
    double lower;
    int body;
} Sweep;

static int compare_sweeps(const void *a, const void *b) {
    const Sweep *x = a, *y = b;
    if (x->lower != y->lower) return x->lower < y->lower ? -1 : 1;
    return x->body - y->body;
}

static bool boxes_meet(const SceneProbe *a, const SceneProbe *b, double margin) {
    return a->lower.y <= b->upper.y + margin && b->lower.y <= a->upper.y + margin &&
           a->lower.z <= b->upper.z + margin && b->lower.z <= a->upper.z + margin;
}

ThawResult scene_visit_pairs(SceneFlight *flight, double margin, SceneVisit *visit, void *context) {
    int count = flight->scene->body_count;
    Sweep *order = calloc((size_t)count + 1, sizeof *order);
    if (order == NULL) return thaw_fail_memory((size_t)count * sizeof *order);
    for (int k = 0; k < count; k++) order[k] = (Sweep){flight->probes[k].lower.x, k};
    qsort(order, (size_t)count, sizeof *order, compare_sweeps);
    bool more = true;
    for (int k = 0; k < count && more; k++) {
        const SceneProbe *own = &flight->probes[order[k].body];
        for (int n = k + 1; n < count && more; n++) {
            const SceneProbe *other = &flight->probes[order[n].body];
            if (other->lower.x > own->upper.x + margin) break;
            if (!boxes_meet(own, other, margin)) continue;
            bool ordered = order[k].body < order[n].body;
            more = visit(context, order[ordered ? k : n].body, order[ordered ? n : k].body);
        }
    }
    free(order);
    return THAW_OK;
}

bool scene_are_pairs_alike(const ThawScene *scene, int i, int j, int like_i, int like_j) {
    const ThawSceneBody *bodies = scene->bodies;
    bool first = i == like_i || scene_are_copies(&bodies[i], &bodies[like_i]);
    return first && (j == like_j || scene_are_copies(&bodies[j], &bodies[like_j]));
}

// ---------------------------------------------------------------- shares

static bool is_deep_within(const ThawShape *shape, ThawVec3 point, double spacing) {
    return thaw_shape_distance(shape, point) < -0.3 * spacing;
}

static void find_shares(const SceneFlight *flight, int i, int j, double *of_i, double *of_j) {
    const ThawSceneBody *bodies = flight->scene->bodies;
    *of_i = scene_share(&flight->probes[i], &bodies[j].shape, is_deep_within);
    *of_j = scene_share(&flight->probes[j], &bodies[i].shape, is_deep_within);
}

bool scene_do_overlap(const SceneFlight *flight, int i, int j) {
    const SceneProbe *a = &flight->probes[i], *b = &flight->probes[j];
    double of_i, of_j;
    if (a->lower.x > b->upper.x || b->lower.x > a->upper.x || !boxes_meet(a, b, 0)) return false;
    find_shares(flight, i, j, &of_i, &of_j);
    return of_i > 0 || of_j > 0;
}

static Kind *find_kind(Search *search, int i, int j) {
    for (int k = 0; k < search->kind_count; k++) {
        Kind *kind = &search->kinds[k];
        if (scene_are_pairs_alike(search->flight->scene, i, j, kind->i, kind->j)) return kind;
    }
    if (search->kind_count == MOST_TOLD) return NULL;
    Kind *fresh = &search->kinds[search->kind_count++];
    *fresh = (Kind){.i = i, .j = j};
    return fresh;
}

static bool take_pair(void *context, int i, int j) {
    Search *search = context;
    double of_i, of_j;
    find_shares(search->flight, i, j, &of_i, &of_j);
    if (of_i <= 0 && of_j <= 0) return true;
    search->pairs++;
    Kind *kind = find_kind(search, i, j);
    if (kind == NULL) {
        search->other++;
    } else {
        kind->count++;
        kind->of_i = fmax(kind->of_i, of_i);
        kind->of_j = fmax(kind->of_j, of_j);
    }
    return search->pairs < MOST_PAIRS;
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
    Search search = {.flight = flight};
    // only bodies whose extents meet are compared
    ThawResult result = scene_visit_pairs(flight, 0, take_pair, &search);
    if (result == THAW_OK) tell(&search);
    return result;
}
