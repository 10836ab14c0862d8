#include "solid/twin.h"

#include "solid/polar.h"

#include <stdlib.h>
#include <string.h>

#define REGULAR 1e-3     // weight of R in A where Q is singular
#define LEAST_VOLUME 0.2 // det A outside of these: A is reset to R
#define MOST_VOLUME 10.0
#define ALIKE 1e-9 // of two loads

// ---------------------------------------------------------------- the lattice

static const int points_3d[SOLID_SITES][3] = {{1, 1, 0}, {-1, -1, 0}, {1, -1, 0}, {-1, 1, 0},
                                              {1, 0, 1}, {-1, 0, -1}, {1, 0, -1}, {-1, 0, 1},
                                              {0, 1, 1}, {0, -1, -1}, {0, 1, -1}, {0, -1, 1}};

static const int points_2d[6][3] = {{1, 0, -1}, {-1, 0, 1}, {0, 1, -1},
                                    {0, -1, 1}, {1, -1, 0}, {-1, 1, 0}};

static const int *site_point(const SolidTwin *twin, int site) {
    return twin->dimensions == 2 ? points_2d[site] : points_3d[site];
}

ThawVec3 solid_point(const SolidTwin *twin, const int point[3]) {
    if (twin->dimensions == 2) {
        return (ThawVec3){point[0] + 0.5 * point[1], 0.5 * sqrt(3) * point[1], 0};
    }
    return v_scale(sqrt(0.5), (ThawVec3){point[0], point[1], point[2]});
}

int solid_site_of(const SolidTwin *twin, const int point[3]) {
    for (int k = 0; k < 3; k++) {
        if (point[k] < -1 || point[k] > 1) return -1;
    }
    for (int s = 0; s < twin->sites; s++) {
        const int *p = site_point(twin, s);
        if (p[0] == point[0] && p[1] == point[1] && p[2] == point[2]) return s;
    }
    return -1;
}

// index of the coordinate that rounding changed most
static int worst(const double u[3], const int point[3]) {
    int w = 0;
    for (int k = 1; k < 3; k++) {
        if (fabs(u[k] - point[k]) > fabs(u[w] - point[w])) w = k;
    }
    return w;
}

// to the nearest integer; no call, as floor is one
static void round_all(const double u[3], int point[3]) {
    for (int k = 0; k < 3; k++) point[k] = (int)(u[k] < 0 ? u[k] - 0.5 : u[k] + 0.5);
}

void solid_nearest(const SolidTwin *twin, ThawVec3 place, int point[3]) {
    if (twin->dimensions == 2) {
        double b = place.y * 2 / sqrt(3), a = place.x - 0.5 * b;
        double u[3] = {a, b, -a - b};
        round_all(u, point);
        int w = worst(u, point);
        point[w] = -point[(w + 1) % 3] - point[(w + 2) % 3];
        return;
    }
    double u[3] = {place.x * sqrt(2), place.y * sqrt(2), place.z * sqrt(2)};
    round_all(u, point);
    if (((point[0] + point[1] + point[2]) & 1) == 0) return;
    int w = worst(u, point);
    point[w] += u[w] > point[w] ? 1 : -1;
}

// ---------------------------------------------------------------- making

SolidTwin solid_make(int dimensions) {
    SolidTwin twin = {.dimensions = dimensions,
                      .sites = dimensions == 2 ? 6 : 12,
                      .moment = dimensions == 2 ? 3 : 4,
                      .distance = 1,
                      .stiffness = 1,
                      .support = 1.9,
                      .tolerance = 0.35,
                      .contact_stiffness = 1,
                      .docking_most = 1e9,
                      .every = 1};
    for (int s = 0; s < twin.sites; s++) twin.site[s] = solid_point(&twin, site_point(&twin, s));
    return twin;
}

void solid_forget(SolidTwin *twin) {
    for (int i = 0; i < twin->count; i++) {
        SolidParticle *p = &twin->particles[i];
        p->f = (ThawVec3){0, 0, 0};
        for (int s = 0; s < SOLID_SITES; s++) p->slot[s] = p->back[s] = -1;
    }
    free(twin->first);
    free(twin->list);
    free(twin->listed_at);
    twin->first = twin->list = NULL;
    twin->listed_at = NULL;
    twin->listed = twin->ready = false;
}

void solid_free(SolidTwin *twin) {
    solid_forget(twin);
    free(twin->particles);
    memset(twin, 0, sizeof *twin);
}

static void *grown(void *memory, size_t bytes) {
    void *grown_memory = realloc(memory, bytes > 0 ? bytes : 1);
    if (grown_memory == NULL) abort();
    return grown_memory;
}

int solid_add(SolidTwin *twin, ThawVec3 place, Mat turn, int object) {
    if (twin->count == twin->capacity) {
        twin->capacity = 2 * twin->capacity + 64;
        twin->particles = grown(twin->particles, (size_t)twin->capacity * sizeof *twin->particles);
    }
    SolidParticle *p = &twin->particles[twin->count];
    *p = (SolidParticle){.x = place, .mass = 1, .object = object, .turn = turn, .map = turn};
    p->id = (uint64_t)twin->count + 1;
    for (int s = 0; s < SOLID_SITES; s++) p->slot[s] = p->back[s] = -1;
    twin->listed = twin->ready = false;
    return twin->count++;
}

void solid_add_block(SolidTwin *twin, const Block *block, Mat turn, ThawVec3 at, int object) {
    ThawVec3 center = {0, 0, 0}, place;
    int count = block_count(block), step[3] = {-1, 0, 0};
    while (block_next(block, step, &place)) center = v_along(center, 1.0 / count, place);
    int again[3] = {-1, 0, 0};
    while (block_next(block, again, &place)) {
        solid_add(twin, v_add(m_apply(turn, v_sub(place, center)), at), turn, object);
    }
}

double solid_volume(const SolidTwin *twin) {
    double d = twin->distance;
    return twin->dimensions == 2 ? 0.5 * sqrt(3) * d * d : d * d * d / sqrt(2);
}

double solid_young(const SolidTwin *twin) {
    double d = twin->distance;
    return twin->stiffness * twin->moment * d * d / (2 * solid_volume(twin));
}

double solid_density(const SolidTwin *twin) {
    return twin->particles[0].mass / solid_volume(twin);
}

// ---------------------------------------------------------------- who sits where

// A, or R where A is no map to track with
static Mat tracking_map(const SolidParticle *p) {
    double volume = m_det(p->map);
    return volume > LEAST_VOLUME && volume < MOST_VOLUME ? p->map : p->turn;
}

// fills i's slots by itself: the closest particle of those nearest to each site
static void claim_sites(SolidTwin *twin, int i) {
    SolidParticle *p = &twin->particles[i];
    Mat inverse = m_scale(1 / twin->distance, m_inverse(tracking_map(p)));
    double best[SOLID_SITES], reach = twin->support * twin->distance;
    for (int s = 0; s < SOLID_SITES; s++) {
        p->slot[s] = -1;
        best[s] = INFINITY;
    }
    for (int n = twin->first[i]; n < twin->first[i + 1]; n++) {
        int j = twin->list[n], point[3];
        if (twin->particles[j].object != p->object) continue;
        ThawVec3 r = solid_offset(twin, i, j);
        if (v_dot(r, r) > reach * reach) continue;
        ThawVec3 place = m_apply(inverse, r);
        solid_nearest(twin, place, point);
        int s = solid_site_of(twin, point);
        if (s < 0 || p->state[s] == SITE_CLOSED) continue;
        double misfit = v_norm(v_sub(place, twin->site[s]));
        if (p->state[s] == SITE_VACANT && !(misfit < twin->tolerance)) continue;
        bool closer = misfit < best[s] ||
                      (misfit == best[s] && twin->particles[j].id < twin->particles[p->slot[s]].id);
        if (!closer) continue;
        best[s] = misfit;
        p->slot[s] = j;
    }
}

static int find_slot(const SolidTwin *twin, int i, int wanted) {
    for (int s = 0; s < twin->sites; s++) {
        if (twin->particles[i].slot[s] == wanted) return s;
    }
    return -1;
}

// uniform in [0, 1), the same for both sides of a pair
static double pair_chance(const SolidTwin *twin, uint64_t a, uint64_t b) {
    uint64_t low = a < b ? a : b, high = a < b ? b : a;
    Dice dice = {dice_mix(dice_mix(low) + high) + twin->steps * 0x9e3779b97f4a7c15u};
    return dice_unit(&dice);
}

// whether a bond of i through site s, j's site t, may be: those that were keep; new ones dock
static bool bond_holds(const SolidTwin *twin, int i, int s, int t, double dt) {
    const SolidParticle *p = &twin->particles[i], *q = &twin->particles[p->slot[s]];
    if (p->state[s] == SITE_OCCUPIED && q->state[t] == SITE_OCCUPIED) return true;
    if (!twin->docking) return true;
    double rate = fmin(p->rate[s], q->rate[t]);
    return pair_chance(twin, p->id, q->id) < 1 - exp(-rate * dt);
}

static void settle_site(const SolidTwin *twin, SolidParticle *p, int s, double dt) {
    if (p->back[s] < 0) p->slot[s] = -1;
    if (p->state[s] == SITE_CLOSED) return;
    p->state[s] = p->slot[s] >= 0 ? SITE_OCCUPIED : SITE_VACANT;
    double change = (p->slot[s] >= 0 ? 1 : -1) * twin->docking_growth * dt;
    p->rate[s] = fmin(fmax(p->rate[s] + change, 0), twin->docking_most);
}

void solid_assign(SolidTwin *twin, double dt) {
    solid_list(twin);
    for (int i = 0; i < twin->count; i++) claim_sites(twin, i);
    // only mutual bonds count; all are judged before any is dropped
    for (int i = 0; i < twin->count; i++) {
        SolidParticle *p = &twin->particles[i];
        for (int s = 0; s < twin->sites; s++) {
            int t = p->slot[s] < 0 ? -1 : find_slot(twin, p->slot[s], i);
            p->back[s] = t >= 0 && bond_holds(twin, i, s, t, dt) ? t : -1;
        }
    }
    for (int i = 0; i < twin->count; i++) {
        for (int s = 0; s < twin->sites; s++) settle_site(twin, &twin->particles[i], s, dt);
    }
}

// ---------------------------------------------------------------- matching

void solid_matching(const SolidTwin *twin, int i, Mat *m, Mat *q) {
    const SolidParticle *p = &twin->particles[i];
    *m = *q = (Mat){0};
    for (int s = 0; s < twin->sites; s++) {
        if (p->slot[s] < 0) continue;
        ThawVec3 r = v_scale(1 / twin->distance, solid_offset(twin, i, p->slot[s]));
        *m = m_along(*m, 1, m_outer(r, twin->site[s]));
        *q = m_along(*q, 1, m_outer(twin->site[s], twin->site[s]));
    }
    if (twin->dimensions == 2) m->m[2][2] = q->m[2][2] = twin->moment;
}

// whether the neighbours span space
static bool spans(const SolidTwin *twin, Mat q) {
    double full = twin->moment * twin->moment * twin->moment;
    return m_det(q) > 1e-6 * full;
}

static Mat nearest_turn(const SolidTwin *twin, Mat m, Mat last) {
    if (twin->dimensions == 3) return polar(m, last);
    double c = m.m[0][0] + m.m[1][1], s = m.m[1][0] - m.m[0][1];
    double length = hypot(c, s);
    if (length < 1e-7 * m_norm(m)) return last;
    return (Mat){{{c / length, -s / length, 0}, {s / length, c / length, 0}, {0, 0, 1}}};
}

void solid_match(SolidTwin *twin) {
    for (int i = 0; i < twin->count; i++) {
        SolidParticle *p = &twin->particles[i];
        Mat m, q;
        solid_matching(twin, i, &m, &q);
        p->turn = nearest_turn(twin, m, p->turn);
        if (!spans(twin, q)) {
            double weight = REGULAR * twin->moment;
            m = m_along(m, weight, p->turn);
            q = m_along(q, weight, m_one());
        }
        p->map = m_mul(m, m_inverse(q));
        if (twin->turn_from_map) p->turn = nearest_turn(twin, p->map, p->turn);
        double volume = m_det(p->map);
        if (!(volume > LEAST_VOLUME && volume < MOST_VOLUME)) p->map = p->turn;
    }
}

Mat solid_strain(const SolidTwin *twin, int i) {
    const SolidParticle *p = &twin->particles[i];
    Mat turn = nearest_turn(twin, p->map, p->turn);
    return m_along(m_symmetric(m_mul(p->map, m_transpose(turn))), -1, m_one());
}

Mat solid_stress(const SolidTwin *twin, int i) {
    Mat stress = m_scale(solid_young(twin), solid_strain(twin, i));
    return m_along(stress, twin->lambda * (m_det(twin->particles[i].map) - 1), m_one());
}

// ---------------------------------------------------------------- fracture

typedef struct Judged {
    Mat tensor;
    double limit;
} Judged;

static Judged judge_particle(const SolidTwin *twin, int i) {
    Dice dice = {dice_mix(twin->particles[i].id)};
    double factor = 1 + twin->fracture_spread * dice_signed(&dice);
    if (twin->fracture_stress > 0) {
        return (Judged){solid_stress(twin, i), factor * twin->fracture_stress};
    }
    return (Judged){solid_strain(twin, i), factor * twin->fracture_strain};
}

// The largest principal value of the pair's mean over the limit, where that is above 1 and the bond lies within
// 60° of its direction, else 0.
static double bond_load(const SolidTwin *twin, const Judged *judged, int i, int s) {
    int j = twin->particles[i].slot[s];
    if (j < 0 || (twin->particles[i].held && twin->particles[j].held)) return 0;
    const Judged *a = &judged[i < j ? i : j], *b = &judged[i < j ? j : i];
    Mat mean = m_scale(0.5, m_along(m_scale(1 / a->limit, a->tensor), 1 / b->limit, b->tensor));
    Mat directions;
    double value[3];
    if (m_norm(mean) < 1) return 0;
    principal(mean, value, &directions);
    ThawVec3 d = {directions.m[0][0], directions.m[1][0], directions.m[2][0]};
    ThawVec3 r = solid_offset(twin, i, j);
    return value[0] > 1 && fabs(v_dot(d, r)) > 0.5 * v_norm(r) ? value[0] : 0;
}

static void break_bond(SolidTwin *twin, int i, int s) {
    SolidParticle *p = &twin->particles[i];
    if (twin->broken++ == 0) twin->break_time = twin->time;
    if (twin->time <= twin->break_time) {
        ThawVec3 place = v_along(p->x, 0.5, solid_offset(twin, i, p->slot[s]));
        double weight = 1.0 / ++twin->break_count;
        twin->break_place = v_along(twin->break_place, weight, v_sub(place, twin->break_place));
    }
    SolidParticle *q = &twin->particles[p->slot[s]];
    int t = p->back[s];
    p->state[s] = q->state[t] = SITE_CLOSED;
    p->slot[s] = q->slot[t] = p->back[s] = q->back[t] = -1;
}

// Of the bonds of a particle only the most loaded one breaks at a time. Both ends of a bond find the same load but for
// its last bits, and loads that are alike by symmetry are alike.
void solid_fracture(SolidTwin *twin) {
    if (!(twin->fracture_strain > 0 || twin->fracture_stress > 0)) return;
    int before = twin->broken;
    Judged *judged = grown(NULL, (size_t)twin->count * sizeof *judged);
    double *most = grown(NULL, (size_t)twin->count * sizeof *most);
    for (int i = 0; i < twin->count; i++) judged[i] = judge_particle(twin, i);
    for (int i = 0; i < twin->count; i++) {
        most[i] = 0;
        for (int s = 0; s < twin->sites; s++) {
            most[i] = fmax(most[i], bond_load(twin, judged, i, s));
        }
    }
    for (int i = 0; i < twin->count; i++) {
        for (int s = 0; s < twin->sites && most[i] > 0; s++) {
            int j = twin->particles[i].slot[s];
            double load = j > i ? bond_load(twin, judged, i, s) : 0;
            if (load > 0 && load > (1 - ALIKE) * fmax(most[i], most[j])) break_bond(twin, i, s);
        }
    }
    free(judged);
    free(most);
    if (twin->broken > before) solid_match(twin);
}

// ---------------------------------------------------------------- forces

static void push_pair(SolidTwin *twin, int i, int j, ThawVec3 on_j) {
    twin->particles[j].f = v_add(twin->particles[j].f, on_j);
    twin->particles[i].f = v_sub(twin->particles[i].f, on_j);
}

// eq. 8: half of k (R l − r) on j, the opposite on i
static void pull_to_lattice(SolidTwin *twin, int i) {
    const SolidParticle *p = &twin->particles[i];
    for (int s = 0; s < twin->sites; s++) {
        if (p->slot[s] < 0) continue;
        ThawVec3 goal = v_scale(twin->distance, m_apply(p->turn, twin->site[s]));
        ThawVec3 miss = v_sub(goal, solid_offset(twin, i, p->slot[s]));
        push_pair(twin, i, p->slot[s], v_scale(0.5 * twin->stiffness, miss));
    }
}

// gradient of ½ λ V₀ (det A − 1)²; neighbourhoods that do not span space have no volume
static void keep_volume(SolidTwin *twin, int i) {
    const SolidParticle *p = &twin->particles[i];
    Mat m, q;
    solid_matching(twin, i, &m, &q);
    if (!spans(twin, q)) return;
    double pressure = twin->lambda * solid_volume(twin) * (m_det(p->map) - 1) / twin->distance;
    Mat gradient = m_scale(-pressure, m_mul(m_cofactor(p->map), m_inverse(q)));
    for (int s = 0; s < twin->sites; s++) {
        if (p->slot[s] < 0) continue;
        push_pair(twin, i, p->slot[s], m_apply(gradient, twin->site[s]));
    }
}

// whether i and j of the list may push each other apart
static bool may_touch(const SolidTwin *twin, int i, int j) {
    if (twin->contact == CONTACT_NONE || j <= i) return false;
    if (twin->particles[i].object != twin->particles[j].object) return true;
    return twin->contact == CONTACT_ALL && find_slot(twin, i, j) < 0;
}

void solid_touch(SolidTwin *twin) {
    if (twin->contact == CONTACT_NONE) return;
    solid_list(twin);
    for (int i = 0; i < twin->count; i++) {
        for (int n = twin->first[i]; n < twin->first[i + 1]; n++) {
            int j = twin->list[n];
            if (!may_touch(twin, i, j)) continue;
            ThawVec3 r = solid_offset(twin, i, j);
            double length = v_norm(r), depth = twin->distance - length;
            if (depth <= 0 || length == 0) continue;
            push_pair(twin, i, j, v_scale(twin->contact_stiffness * depth / length, r));
        }
    }
}

double solid_touching(const SolidTwin *twin) {
    double energy = 0;
    for (int i = 0; twin->listed && i < twin->count; i++) {
        for (int n = twin->first[i]; n < twin->first[i + 1]; n++) {
            if (!may_touch(twin, i, twin->list[n])) continue;
            double depth = twin->distance - v_norm(solid_offset(twin, i, twin->list[n]));
            if (depth > 0) energy += 0.5 * twin->contact_stiffness * depth * depth;
        }
    }
    return energy;
}

// a neighbourhood's members: itself and its bonds, as offsets from itself
typedef struct Crowd {
    int count, member[SOLID_SITES + 1];
    ThawVec3 at[SOLID_SITES + 1];
    ThawVec3 center, velocity, spin;
} Crowd;

// eqs. 10 and 11, normalised, with the inverse inertia about the crowd's own center
static void find_rigid_motion(const SolidTwin *twin, Crowd *c) {
    ThawVec3 turning = {0, 0, 0};
    Mat inertia = {0};
    c->center = c->velocity = turning;
    for (int n = 0; n < c->count; n++) {
        c->center = v_along(c->center, 1.0 / c->count, c->at[n]);
        c->velocity = v_along(c->velocity, 1.0 / c->count, twin->particles[c->member[n]].v);
    }
    for (int n = 0; n < c->count; n++) {
        ThawVec3 d = v_sub(c->at[n], c->center);
        turning = v_add(turning, v_cross(d, v_sub(twin->particles[c->member[n]].v, c->velocity)));
        inertia = m_along(inertia, v_dot(d, d), m_one());
        inertia = m_along(inertia, -1, m_outer(d, d));
    }
    // a line of particles cannot turn about itself
    double size = m_trace(inertia);
    if (m_det(inertia) < 1e-9 * size * size * size) {
        inertia = m_along(inertia, 1e-13 * size, m_one());
    }
    c->spin = size > 0 ? m_apply(m_inverse(inertia), turning) : (ThawVec3){0, 0, 0};
}

void solid_damp(SolidTwin *twin) {
    for (int i = 0; twin->damping > 0 && i < twin->count; i++) {
        const SolidParticle *p = &twin->particles[i];
        Crowd c = {.count = 1, .member = {i}};
        for (int s = 0; s < twin->sites; s++) {
            if (p->slot[s] < 0) continue;
            c.at[c.count] = solid_offset(twin, i, p->slot[s]);
            c.member[c.count++] = p->slot[s];
        }
        find_rigid_motion(twin, &c);
        for (int n = 0; n < c.count; n++) {
            SolidParticle *j = &twin->particles[c.member[n]];
            ThawVec3 rigid = v_add(c.velocity, v_cross(c.spin, v_sub(c.at[n], c.center)));
            j->f = v_along(j->f, -twin->damping, v_sub(j->v, rigid));
        }
    }
}

void solid_force(SolidTwin *twin) {
    for (int i = 0; i < twin->count; i++) twin->particles[i].f = (ThawVec3){0, 0, 0};
    for (int i = 0; i < twin->count; i++) pull_to_lattice(twin, i);
    for (int i = 0; twin->lambda != 0 && i < twin->count; i++) keep_volume(twin, i);
    solid_touch(twin);
    solid_damp(twin);
}

void solid_update(SolidTwin *twin, double dt) {
    solid_assign(twin, dt);
    solid_match(twin);
    solid_fracture(twin);
    solid_force(twin);
    twin->ready = true;
}

// ---------------------------------------------------------------- steps

// Velocities by forces, gravity and drag. What the hand that holds particles does is counted.
static void kick(SolidTwin *twin, double dt) {
    for (int i = 0; i < twin->count; i++) {
        SolidParticle *p = &twin->particles[i];
        if (p->held) {
            twin->grip_work -= dt * v_dot(p->f, p->v);
            twin->impulse = v_along(twin->impulse, -dt, p->f);
            continue;
        }
        ThawVec3 outer = v_scale(p->mass, v_along(twin->gravity, -twin->drag, p->v));
        twin->impulse = v_along(twin->impulse, dt, outer);
        p->v = v_along(p->v, dt / p->mass, v_add(p->f, outer));
    }
}

static void drift(SolidTwin *twin, double dt) {
    for (int i = 0; i < twin->count; i++) {
        SolidParticle *p = &twin->particles[i];
        p->x = v_along(p->x, dt, p->v);
    }
    twin->time += dt;
    twin->steps++;
}

static void update_when_due(SolidTwin *twin, double dt) {
    if (twin->steps % (uint64_t)twin->every == 0) solid_assign(twin, dt * twin->every);
    solid_match(twin);
    solid_fracture(twin);
    solid_force(twin);
}

void solid_leap(SolidTwin *twin, double dt) {
    if (!twin->ready) solid_update(twin, 0);
    kick(twin, 0.5 * dt);
    drift(twin, dt);
    update_when_due(twin, dt);
    kick(twin, 0.5 * dt);
}

void solid_step(SolidTwin *twin, double dt) {
    if (!twin->ready) solid_update(twin, 0);
    update_when_due(twin, dt);
    kick(twin, dt);
    drift(twin, dt);
}
