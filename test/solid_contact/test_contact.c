// Contacts against a twin in double precision over all pairs, and what their list and their solve keep.
#include "grains.h"
#include "twin_face.h"
#include "twin_turn.h"

// ---------------------------------------------------------------- the twin

typedef struct Twin {
    uint32_t count;
    double start[TWINS][3], at[TWINS][3], shift[TWINS][3], move[TWINS][3];
    double push[TWINS][TWINS], slide[TWINS][TWINS][3];
    double touches[TWINS];
    double turn[TWINS][3]; // what the pairs of the last sweep turned, each side's share
    TwinFace faces[TWINS];
    bool deep[TWINS][TWINS], far[TWINS][TWINS];
} Twin;

static Twin twin;

// how far apart pairs are listed, in cells
static double list_radius(const Grain *a, const Grain *b) {
    return (are_two_objects(a, b) ? 0.69 : 0.6) * (a->distance + b->distance);
}

static void twin_load(const Rig *rig) {
    memset(&twin, 0, sizeof twin);
    assert_in_range(rig->count, 1, TWINS);
    twin.count = rig->count;
    for (uint32_t row = 0; row < rig->count; row++) {
        uint32_t n = grain_of(rig, row);
        const int32_t *place = &rig->work.place[row].x;
        for (uint32_t a = 0; a < 3; a++) {
            twin.at[n][a] = place[a] / ONE;
            twin.shift[n][a] = (double)rig->work.shift[3 * row + a];
            twin.start[n][a] = twin.at[n][a] - twin.shift[n][a];
        }
    }
    // what is further apart now waits for the next search
    for (uint32_t i = 0; i < rig->count; i++) {
        for (uint32_t j = 0; j < rig->count; j++) {
            double radius = list_radius(&rig->grains[i], &rig->grains[j]);
            twin.far[i][j] = separation(rig, i, j) > radius;
        }
    }
    double longest = 0;
    for (uint32_t i = 0; i < rig->count; i++) longest = fmax(longest, norm3(twin.shift[i]));
    twin_faces(rig, (const double(*)[3])twin.at, twin.far, longest, twin.faces);
}

// leaves of a pair's offsets what its faces see; returns the pair's weight, and what spheres overlap at the start
static double twin_see(const Rig *rig, uint32_t i, uint32_t j, double now[3], double start[3],
                       double *overlap) {
    const Grain *a = &rig->grains[i], *b = &rig->grains[j];
    double rest = 0.45 * (a->distance + b->distance);
    *overlap = rest;
    if (!are_two_objects(a, b)) return 1;
    TwinPlane plane = twin_plane(&twin.faces[i].normal, &twin.faces[j].normal, start, rest);
    plane.strength *= fmax(twin.faces[i].balance, twin.faces[j].balance);
    if (!(plane.strength > 0)) return 1;
    *overlap = fmax(rest - norm3(start), 0);
    twin_flatten(&plane, rest, now);
    twin_flatten(&plane, rest, start);
    return twin_weight(&plane);
}

// the rule of contact.c for pair (i, j): its normal and how far it must go apart; returns its weight, 0 when it has
// no part
static double twin_pair(const Rig *rig, uint32_t i, uint32_t j, double normal[3], double *gap) {
    const Grain *a = &rig->grains[i], *b = &rig->grains[j];
    bool pushed = twin.push[i][j] > 0, solids = a->group != 0 && b->group != 0;
    if (i == j || (a->group == 0 && b->group == 0) || are_bonded(a, b)) return 0;
    if (twin.far[i][j] || !(a->weight + b->weight > 0)) return 0;
    double rest = (solids ? 0.9 : 0.85) * (a->distance + b->distance) / 2;
    double now[3], slip[3], start[3], nearest[3];
    twin_offset(rig, twin.at[i], twin.at[j], now);
    for (int k = 0; k < 3; k++) start[k] = now[k] - (twin.shift[i][k] - twin.shift[j][k]);
    double overlap, weight = twin_see(rig, i, j, now, start, &overlap);
    for (int k = 0; k < 3; k++) slip[k] = now[k] - start[k];
    double way = dot3(slip, slip), t = way > 0 ? -dot3(start, slip) / way : 0;
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    for (int k = 0; k < 3; k++) nearest[k] = start[k] + t * slip[k];
    bool apart = norm3(now) >= rest;
    if (apart && dot3(now, start) >= 0 && !pushed) return 0;
    if (!pushed && norm3(nearest) < 0.85 * rest) twin.deep[i][j] = true;
    if (apart && !twin.deep[i][j] && !pushed) return 0;
    bool from_start = twin.deep[i][j] && (norm3(start) > 0.25 * rest || norm3(start) > norm3(now));
    const double *along = from_start ? start : now;
    // the twin is not given coincident particles
    assert_true(norm3(along) > 1e-3 * rest);
    for (int k = 0; k < 3; k++) normal[k] = along[k] / norm3(along);
    double begun = norm3(start), faces = fmax(rest - begun, 0), spheres = fmin(overlap, faces);
    double target = faces > 0 ? begun + 0.2 * (spheres + 0.1 * (faces - spheres)) : rest;
    *gap = target - dot3(now, normal);
    return *gap > 0 || pushed ? weight : 0;
}

static void twin_push(const Rig *rig, uint32_t i, uint32_t j) {
    const Grain *a = &rig->grains[i], *b = &rig->grains[j];
    double normal[3], gap, move[3], before[3], after[3];
    double weight = twin_pair(rig, i, j, normal, &gap);
    if (!(weight > 0)) return;
    double share = weight / fmax(twin.touches[i], twin.touches[j]);
    double push = fmax(gap * share, -twin.push[i][j]);
    twin.push[i][j] += push;
    double most = a->group != 0 && b->group != 0 ? sqrt(a->friction * b->friction) : 0;
    most *= twin.push[i][j];
    for (int k = 0; k < 3; k++) {
        double slip[3], *slide = twin.slide[i][j];
        for (int m = 0; m < 3; m++) slip[m] = twin.shift[i][m] - twin.shift[j][m];
        before[k] = slide[k] - dot3(slide, normal) * normal[k];
        after[k] = before[k] - share * (slip[k] - dot3(slip, normal) * normal[k]);
    }
    double scale = norm3(after) > most ? most / norm3(after) : 1.0;
    for (int k = 0; k < 3; k++) {
        twin.slide[i][j][k] = scale * after[k];
        move[k] = push * normal[k] + scale * after[k] - before[k];
        twin.move[i][k] += a->weight / (a->weight + b->weight) * move[k];
    }
    twin_note_turn(rig, (const double(*)[3])twin.start, i, j, move, twin.turn[i]);
}

static void twin_move(void) {
    for (uint32_t i = 0; i < twin.count; i++) {
        for (int k = 0; k < 3; k++) {
            twin.at[i][k] += twin.move[i][k];
            twin.shift[i][k] += twin.move[i][k];
        }
    }
    memset(twin.move, 0, sizeof twin.move);
}

static void twin_sweep(const Rig *rig) {
    twin_give_back(rig, (const double(*)[3])twin.start, (const double(*)[3])twin.turn, twin.move);
    twin_move();
    memset(twin.turn, 0, sizeof twin.turn);
    for (uint32_t i = 0; i < twin.count; i++) {
        twin.touches[i] = 0;
        for (uint32_t j = 0; j < twin.count; j++) {
            double normal[3], gap;
            twin.touches[i] += twin_pair(rig, i, j, normal, &gap);
        }
    }
    for (uint32_t i = 0; i < twin.count; i++) {
        for (uint32_t j = 0; j < twin.count; j++) twin_push(rig, i, j);
    }
    twin_move();
}

// pairs of solids, each once
static uint32_t twin_touching(const Rig *rig) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < twin.count; i++) {
        for (uint32_t j = 0; j < i; j++) {
            double normal[3], gap;
            bool solids = rig->grains[i].group != 0 && rig->grains[j].group != 0;
            count += solids && twin_pair(rig, i, j, normal, &gap) > 0;
        }
    }
    return count;
}

// Places are rounded to 2.4e-7 cells in each sweep, floats to 6e-8: over eight sweeps of up to
// twelve pairs that comes to about 1e-6 cells.
static void must_be_like_the_twin(const Rig *rig, const char *name) {
    double most = 0, moved = 0;
    for (uint32_t row = 0; row < rig->count; row++) {
        uint32_t n = grain_of(rig, row);
        for (uint32_t a = 0; a < 3; a++) {
            double shift = (double)rig->work.shift[3 * row + a];
            most = fmax(most, fabs(shift - twin.shift[n][a]));
            moved = fmax(moved, fabs(shift - (double)(float)rig->grains[n].shift[a]));
        }
    }
    if (most > 3e-6) fail_msg("%s: differs from the twin by %g cells", name, most);
    if (moved < 1e-3) fail_msg("%s: nothing moved", name);
}

// ---------------------------------------------------------------- scenes

typedef struct Scene {
    const char *name;
    Setup setup;
    uint32_t count;
} Scene;

// random grains in a box, some liquid, in groups; masses over three orders
static uint32_t make_cloud(uint32_t count, const double box[3], int dimensions, double slip) {
    for (uint32_t n = 0; n < count; n++) {
        Grain *grain = &grains[n];
        *grain = solid((int32_t)(draw(n, 5) * 4.0));
        grain->distance = unit_distance(dimensions) * (draw(n, 6) < 0.3 ? 0.8 : 1.0);
        grain->weight = pow(1000.0, draw(n, 7));
        grain->friction = grain->group == 0 ? 0 : draw(n, 8);
        for (uint64_t a = 0; a < 3; a++) {
            grain->at[a] = box[a] * draw(n, 10 + a);
            grain->shift[a] = slip * (draw(n, 20 + a) - 0.5);
            grain->home[a] = 100.0 * n;
        }
        if (dimensions == 2) grain->at[2] = grain->shift[2] = 0;
    }
    return count;
}

// a block with water thrown at it
static uint32_t make_splash(void) {
    Grain stone = solid(3), water = liquid();
    const uint32_t size[3] = {4, 4, 3};
    const double at[3] = {0, 0, 0};
    stone.friction = 0.5;
    stone.weight = 0.2;
    uint32_t count = add_block(grains, 0, size, at, stone);
    for (uint32_t n = 0; n < 60; n++) {
        Grain *grain = &grains[count++];
        *grain = water;
        for (uint64_t a = 0; a < 3; a++) {
            grain->at[a] = (a == 2 ? 0.9 * D3 * 3 : 0) + (a == 2 ? 0.5 : 2.0) * draw(n, 30 + a);
            grain->shift[a] = a == 2 ? -0.3 : 0;
        }
    }
    return count;
}

static uint32_t make_scene(uint32_t number, Scene *scene) {
    const double box[3] = {2.2, 2.2, 2.2}, flat[3] = {4.0, 4.0, 0}, turn[3] = {2.9, 3.1, 2.3};
    *scene = (Scene){.setup = {.dimensions = 3, .skin = 0.1}};
    switch (number) {
    case 0: scene->name = "cloud", scene->count = make_cloud(200, box, 3, 0.2); break;
    case 1:
        scene->name = "flat cloud", scene->setup.dimensions = 2;
        scene->count = make_cloud(90, flat, 2, 0.2);
        break;
    case 2:
        scene->name = "periodic cloud", scene->count = make_cloud(160, turn, 3, 0.2);
        memcpy(scene->setup.period, turn, sizeof turn);
        break;
    case 3: scene->name = "blocks", scene->count = make_blocks(3); break;
    case 4:
        scene->name = "flat blocks", scene->setup.dimensions = 2;
        scene->count = make_blocks(2);
        break;
    case 5: scene->name = "splash", scene->count = make_splash(); break;
    default: return 0;
    }
    return scene->count;
}

// ---------------------------------------------------------------- the list of pairs

// pairs of a rig by grains: 1 listed
static uint8_t listed[MOST][MOST];

static uint32_t mark_listed(const Rig *rig) {
    const ThawContactRow *rows = rig->contacts->rows;
    const ThawContactPair *pairs = rig->contacts->pairs;
    uint32_t total = 0;
    memset(listed, 0, sizeof listed);
    for (uint32_t n = 0; n < rig->contacts->row_count; n++) {
        for (uint32_t k = 0; k < rows[n].count; k++) {
            uint32_t a = grain_of(rig, rows[n].row);
            uint32_t b = grain_of(rig, pairs[rows[n].first + k].other);
            assert_int_equal(listed[a][b], 0);
            listed[a][b] = 1;
            total++;
        }
    }
    return total;
}

// every pair that may touch is listed by both, and nothing else; within 1e-6 of the radius either
// is fine
static void must_list_what_brute_force_finds(const Rig *rig, const char *name) {
    uint32_t total = mark_listed(rig);
    for (uint32_t i = 0; i < rig->count; i++) {
        for (uint32_t j = 0; j < rig->count; j++) {
            const Grain *a = &rig->grains[i], *b = &rig->grains[j];
            double radius = list_radius(a, b);
            bool may = i != j && (a->group != 0 || b->group != 0) && !are_bonded(a, b);
            double r = separation(rig, i, j);
            if (fabs(r - radius) < 1e-6) continue;
            if ((may && r < radius) != listed[i][j]) {
                fail_msg("%s: pair %u %u at %g D is %s", name, i, j, r / a->distance,
                         listed[i][j] ? "listed" : "missing");
            }
        }
    }
    if (total == 0) fail_msg("%s: no pairs", name);
}

static void pairs_are_those_of_brute_force(void **state) {
    (void)state;
    Scene scene;
    for (uint32_t k = 0; make_scene(k, &scene) > 0; k++) {
        for (int isa = THAW_ISA_AUTO; isa <= THAW_ISA_BASELINE; isa++) {
            scene.setup.isa = (ThawIsa)isa;
            Rig *rig = open_rig(grains, scene.count, scene.setup);
            must_list_what_brute_force_finds(rig, scene.name);
            close_rig(rig);
        }
    }
}

// more are within reach of a cluster than the search keeps
static void pairs_of_a_crowd_are_all_listed(void **state) {
    (void)state;
    const double box[3] = {0.7, 0.7, 0.7};
    uint32_t count = make_cloud(700, box, 3, 0);
    Rig *rig = open_rig(grains, count, (Setup){.dimensions = 3, .skin = 0.1});
    must_list_what_brute_force_finds(rig, "crowd");
    close_rig(rig);
}

// the insides of bodies are not asked, unless something has come in: then they are
static void pairs_inside_bodies_that_overlap_are_found(void **state) {
    (void)state;
    const uint32_t size[3] = {8, 8, 8};
    const double at[3] = {0, 0, 0}, over[3] = {1.3, 1.1, 1.2};
    uint32_t count = add_block(grains, 0, size, at, solid(1));
    count += add_block(grains, count, size, over, solid(2));
    // a drop inside the first
    grains[count] = liquid();
    for (int a = 0; a < 3; a++) grains[count].at[a] = 0.9 + 0.05 * a;
    Rig *rig = open_rig(grains, count + 1, (Setup){.dimensions = 3, .skin = 0.1});
    must_list_what_brute_force_finds(rig, "overlap");
    close_rig(rig);
    // the drop alone, in the middle of a block
    count = add_block(grains, 0, size, at, solid(1));
    grains[count] = liquid();
    for (int a = 0; a < 3; a++) grains[count].at[a] = 3.1 * D3;
    rig = open_rig(grains, count + 1, (Setup){.dimensions = 3, .skin = 0.1});
    must_list_what_brute_force_finds(rig, "drop");
    close_rig(rig);
}

static void whole_block_lists_nothing(void **state) {
    (void)state;
    const uint32_t size[3] = {12, 12, 12}, flat[3] = {30, 30, 1};
    const double at[3] = {0.3, 0.1, 0.2};
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        Grain like = solid(1);
        like.distance = unit_distance(dimensions);
        uint32_t count = add_block(grains, 0, dimensions == 3 ? size : flat, at, like);
        if (dimensions == 2) {
            for (uint32_t n = 0; n < count; n++) grains[n].at[2] = 0;
        }
        Rig *rig = open_rig(grains, count, (Setup){.dimensions = dimensions, .skin = 0.1});
        assert_int_equal(rig->contacts->row_count, 0);
        correct(rig, 2);
        assert_int_equal(thaw_contacts_touching(rig->contacts), 0);
        close_rig(rig);
    }
}

// lists serve until a pair may have come nearer by the skin: particles move by half of it each
static void list_covers_what_comes_to_touch_before_the_next_search(void **state) {
    (void)state;
    const double box[3] = {3, 3, 3}, skins[3] = {0.0, 0.1, 0.4};
    uint32_t touching = 0;
    for (int s = 0; s < 3; s++) {
        uint32_t count = make_cloud(400, box, 3, 0);
        static double moves[MOST][3];
        for (uint32_t n = 0; n < count; n++) {
            double way[3] = {draw(n, 40) - 0.5, draw(n, 41) - 0.5, draw(n, 42) - 0.5};
            // the least support is 0.8 cells
            for (int a = 0; a < 3; a++) moves[n][a] = way[a] / norm3(way) * 0.4 * skins[s];
        }
        Rig *rig = open_rig(grains, count, (Setup){.dimensions = 3, .skin = skins[s]});
        mark_listed(rig);
        go_on(rig, (const double(*)[3])moves);
        for (uint32_t i = 0; i < count; i++) {
            for (uint32_t j = 0; j < count; j++) {
                const Grain *a = &grains[i], *b = &grains[j];
                bool may = i != j && (a->group != 0 || b->group != 0) && !are_bonded(a, b);
                if (!may || separation(rig, i, j) > 0.45 * (a->distance + b->distance)) continue;
                touching++;
                assert_true(listed[i][j]);
            }
        }
        close_rig(rig);
    }
    assert_true(touching > 1000);
}

// ---------------------------------------------------------------- the solve

static void moves_are_those_of_the_twin(void **state) {
    (void)state;
    Scene scene;
    for (uint32_t k = 0; make_scene(k, &scene) > 0; k++) {
        Rig *rig = open_rig(grains, scene.count, scene.setup);
        twin_load(rig);
        for (uint32_t n = 0; n < 4; n++) {
            for (int s = 0; s < THAW_CONTACT_SWEEPS - 1; s++) twin_sweep(rig);
            uint32_t touching = twin_touching(rig);
            twin_sweep(rig);
            rig->step.iteration = n;
            must(thaw_contacts_correct(rig->contacts, &rig->step));
            must_be_like_the_twin(rig, scene.name);
            assert_int_equal(thaw_contacts_touching(rig->contacts), touching);
        }
        close_rig(rig);
    }
}

// shift and place say the same
static void places_follow_shifts(void **state) {
    (void)state;
    Scene scene;
    make_scene(0, &scene);
    Rig *rig = open_rig(grains, scene.count, scene.setup);
    static double before[MOST][3];
    for (uint32_t row = 0; row < rig->count; row++) {
        const int32_t *place = &rig->work.place[row].x;
        for (uint32_t a = 0; a < 3; a++)
            before[row][a] = place[a] / ONE - (double)rig->work.shift[3 * row + a];
    }
    correct(rig, 4);
    for (uint32_t row = 0; row < rig->count; row++) {
        const int32_t *place = &rig->work.place[row].x;
        for (uint32_t a = 0; a < 3; a++) {
            double now = place[a] / ONE - (double)rig->work.shift[3 * row + a];
            assert_true(fabs(now - before[row][a]) < 1e-6);
        }
    }
    close_rig(rig);
}

// Σ m Δx, and Σ m x × Δx, over the sum of what they are made of: shifts hold 24 bits
static void drift_of_momentum(const Rig *rig, const float *shift, double *linear, double *angular) {
    double sum[3] = {0}, turn[3] = {0}, size = 0;
    for (uint32_t row = 0; row < rig->count; row++) {
        const Grain *grain = &rig->grains[grain_of(rig, row)];
        double mass = 1.0 / grain->weight, d[3];
        for (uint32_t a = 0; a < 3; a++) {
            d[a] = (double)rig->work.shift[3 * row + a] - (double)shift[3 * row + a];
            sum[a] += mass * d[a];
            size += mass * (fabs(d[a]) + fabs((double)shift[3 * row + a]));
        }
        for (int a = 0; a < 3; a++) {
            int b = (a + 1) % 3, c = (a + 2) % 3;
            turn[a] += mass * (grain->at[b] * d[c] - grain->at[c] * d[b]);
        }
    }
    *linear = norm3(sum) / size;
    *angular = norm3(turn) / size;
    assert_true(size > 0);
}

// Each of eight sweeps rounds every shift by at most 6e-8 of itself.
static void momentum_is_kept_at_mass_ratios_of_a_thousand(void **state) {
    (void)state;
    Scene scene;
    static float before[3 * MOST];
    for (uint32_t k = 0; make_scene(k, &scene) > 0; k++) {
        Rig *rig = open_rig(grains, scene.count, scene.setup);
        double linear, angular;
        memcpy(before, rig->work.shift, 3 * (size_t)rig->count * sizeof(float));
        for (uint32_t n = 0; n < 4; n++) {
            rig->step.iteration = n;
            must(thaw_contacts_correct(rig->contacts, &rig->step));
            drift_of_momentum(rig, before, &linear, &angular);
            if (linear > 2e-7) fail_msg("%s: momentum drifts by %g", scene.name, linear);
        }
        close_rig(rig);
    }
}

// Pushes along the line between two particles turn nothing. No pair overlaps by so much that its
// start counts. The sum is about where they were at first: the second sweep's pushes, a fifth of
// the overlap at most, are off by what the first one moved them, below 0.005 cells.
static void angular_momentum_is_kept_without_friction(void **state) {
    (void)state;
    static float before[3 * MOST];
    uint32_t count = 216;
    for (uint32_t n = 0; n < count; n++) {
        grains[n] = solid((int32_t)n + 1);
        grains[n].weight = pow(1000.0, draw(n, 7));
        for (uint32_t a = 0; a < 3; a++) {
            uint32_t step = n / (a == 0 ? 1u : a == 1 ? 6u : 36u) % 6u;
            grains[n].at[a] = 0.9 * D3 * (0.95 * step + 0.04 * (draw(n, 10 + a) - 0.5));
        }
    }
    Rig *rig = open_rig(grains, count, (Setup){.dimensions = 3, .skin = 0.1});
    double linear, angular;
    memcpy(before, rig->work.shift, 3 * (size_t)count * sizeof(float));
    correct(rig, 1);
    drift_of_momentum(rig, before, &linear, &angular);
    assert_true(linear < 2e-7);
    if (angular > 5e-3) fail_msg("%g", angular);
    close_rig(rig);
}

static uint64_t hash_moves(const Rig *rig) {
    uint64_t hash = 14695981039346656037u;
    for (uint32_t n = 0; n < rig->count; n++) {
        uint32_t row = row_of(rig, n), bits[6];
        memcpy(bits, &rig->work.shift[3 * row], 12);
        memcpy(bits + 3, &rig->work.place[row], 12);
        for (int k = 0; k < 6; k++) hash = (hash ^ bits[k]) * 1099511628211u;
    }
    return hash;
}

static void bits_do_not_depend_on_threads_isa_or_order(void **state) {
    (void)state;
    Scene scene;
    for (uint32_t k = 0; make_scene(k, &scene) > 0; k++) {
        uint64_t wanted = 0;
        for (int n = 0; n < 6; n++) {
            scene.setup.threads = n % 3 + 1;
            scene.setup.isa = n < 3 ? THAW_ISA_BASELINE : THAW_ISA_AUTO;
            scene.setup.shuffle = (uint64_t)n;
            Rig *rig = open_rig(grains, scene.count, scene.setup);
            correct(rig, 3);
            uint64_t hash = hash_moves(rig);
            if (n == 0) wanted = hash;
            if (hash != wanted) fail_msg("%s: run %d differs", scene.name, n);
            close_rig(rig);
        }
    }
}

static void finding_and_correcting_again_allocates_nothing(void **state) {
    (void)state;
    Scene scene;
    make_scene(0, &scene);
    Rig *rig = open_rig(grains, scene.count, scene.setup);
    uint64_t before = thaw_alloc_count();
    for (int n = 0; n < 3; n++) {
        must(thaw_contacts_find(rig->contacts, &rig->step));
        correct(rig, 2);
    }
    assert_int_equal(thaw_alloc_count(), before);
    assert_true(thaw_contacts_bytes(rig->contacts) > 0);
    close_rig(rig);
}

// a strip of two rows in 2D that is folded onto itself: one object
static void folded_strip_touches_itself(void **state) {
    (void)state;
    uint32_t count = 0;
    for (uint32_t n = 0; n < 40; n++) {
        Grain *grain = &grains[count++];
        uint32_t x = n % 20, y = n / 20;
        *grain = solid(1);
        grain->distance = D2;
        grain->home[0] = D2 * (x + 0.5 * y);
        grain->home[1] = D2 * sqrt(0.75) * y;
        // the second half lies on the first, the bend itself is left out
        bool over = x >= 10;
        grain->at[0] = over ? D2 * (19 - x + 0.3 - 0.5 * y) : grain->home[0];
        grain->at[1] = over ? D2 * (2 * sqrt(0.75) + 0.95) - grain->home[1] : grain->home[1];
        grain->shift[1] = over ? -0.3 * D2 : 0;
    }
    Rig *rig = open_rig(grains, count, (Setup){.dimensions = 2, .skin = 0.1});
    must_list_what_brute_force_finds(rig, "strip");
    twin_load(rig);
    correct(rig, 8);
    assert_true(thaw_contacts_touching(rig->contacts) > 8);
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t j = 0; j < i; j++) {
            if (!are_bonded(&grains[i], &grains[j])) assert_true(separation(rig, i, j) > 0.88 * D2);
        }
    }
    close_rig(rig);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_are_those_of_brute_force),
        cmocka_unit_test(pairs_of_a_crowd_are_all_listed),
        cmocka_unit_test(pairs_inside_bodies_that_overlap_are_found),
        cmocka_unit_test(whole_block_lists_nothing),
        cmocka_unit_test(list_covers_what_comes_to_touch_before_the_next_search),
        cmocka_unit_test(moves_are_those_of_the_twin),
        cmocka_unit_test(places_follow_shifts),
        cmocka_unit_test(momentum_is_kept_at_mass_ratios_of_a_thousand),
        cmocka_unit_test(angular_momentum_is_kept_without_friction),
        cmocka_unit_test(bits_do_not_depend_on_threads_isa_or_order),
        cmocka_unit_test(finding_and_correcting_again_allocates_nothing),
        cmocka_unit_test(folded_strip_touches_itself),
    };
    return cmocka_run_group_tests_name("contact", tests, NULL, NULL);
}
