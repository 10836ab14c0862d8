// Momentum between viscous liquid and walls, in every pass of the smoothing and every step of its
// solve.
//
// Artists' smoothing up to ½ a reference time is a coherence of motion that walls are not to feel;
// what is more, and all of a physical viscosity, clings. What a wall gives a particle it loses
// itself: a dynamic collider's motion is iterated beside the particles' velocities, and momentum is
// kept to rounding.
#include "models/liquid/clinging.h"

#include "models/liquid/viscosity.h"

#include "base/memory.h"
#include "base/result.h"

#include <string.h>

#define CLING_CHUNK 1024u
#define SLIPPERY 0.5  // of c a reference time that walls do not feel
#define NOTHING 1e-4f // a coefficient that is not worth the loop
#define MIRRORED 2.0f // the wall's matter moves against the particle's as its mirror image would

// A dynamic collider as an unknown of the solve: velocity in m/s, spin in rad/s.
struct ThawClingBody {
    ThawRigid *rigid;
    double motion[6], next[6], last[6], aim[6];
    double inverse_mass, inverse[9]; // the inverse of its inertia
    double rate;                     // bound of how fast what clings changes it
    double impulse[3];               // received so far, N s; of every collider
};

void thaw_clinging_release(ThawClinging *clinging) {
    thaw_free(clinging->clings);
    thaw_free(clinging->bodies);
    *clinging = (ThawClinging){0};
}

// ---------------------------------------------------------------- begin

// c of a substep that walls feel
static float clinging_c(const ThawStep *step, const ThawLiquidDef *liquid, double spacing,
                        float factor) {
    ThawLiquidDef felt = *liquid;
    felt.viscosity *= factor;
    felt.xsph *= factor;
    felt.xsph = felt.xsph > (float)SLIPPERY ? felt.xsph - (float)SLIPPERY : 0.0f;
    return (float)thaw_viscosity_asked(step->domain->dimensions, &felt, spacing, step->dt);
}

static bool any_clings(const ThawStep *step) {
    for (uint32_t k = 0; k < step->material_count; k++) {
        const ThawLiquidDef *liquid = &step->materials[k].liquid;
        if (clinging_c(step, liquid, (double)step->least_spacing, 1) > NOTHING) return true;
    }
    return false;
}

// columns of the inverse of its inertia
static void invert_inertia(ThawClingBody *body, int dimensions) {
    double inertia[9];
    thaw_rigid_inertia(body->rigid, body->rigid->turn, inertia);
    for (int a = 0; a < 3; a++) {
        ThawVec3 unit = {a == 0, a == 1, a == 2};
        ThawVec3 spin = thaw_rigid_spin(inertia, unit, dimensions);
        body->inverse[a] = spin.x;
        body->inverse[3 + a] = spin.y;
        body->inverse[6 + a] = spin.z;
    }
}

static void begin_bodies(ThawClinging *clinging, const ThawStep *step) {
    for (uint32_t k = 0; k < clinging->body_count; k++) {
        ThawClingBody *body = &clinging->bodies[k];
        *body = (ThawClingBody){.rigid = step->wall_step->colliders[k].rigid};
        if (body->rigid == NULL) continue;
        ThawVec3 v = body->rigid->velocity, w = body->rigid->spin;
        const double motion[6] = {v.x, v.y, v.z, w.x, w.y, w.z};
        memcpy(body->motion, motion, sizeof motion);
        body->inverse_mass = 1.0 / body->rigid->mass;
        invert_inertia(body, step->domain->dimensions);
    }
}

// keeps those that cling, in order
static void choose(ThawClinging *clinging, const ThawStep *step, uint32_t near,
                   const ThawClingingDef *def) {
    float all = (float)def->all;
    clinging->count = 0;
    for (uint32_t k = 0; k < near; k++) {
        ThawCling cling = clinging->clings[k];
        if (!(cling.share > 0)) continue;
        const ThawMaterial *material = &step->materials[step->store->material[cling.row]];
        double spacing = (double)step->store->spacing[cling.row];
        float factor = def->thinness != NULL ? 1.0f / def->thinness[cling.row] : 1.0f;
        cling.share *= MIRRORED / all * clinging_c(step, &material->liquid, spacing, factor);
        if (cling.share > NOTHING) clinging->clings[clinging->count++] = cling;
    }
}

static double squared(const float v[3]) {
    double x = (double)v[0], y = (double)v[1], z = (double)v[2];
    return x * x + y * y + z * z;
}

// No body may be changed faster than a particle: Σ m 2cγ (1/M + r² tr I⁻¹) bounds how fast it is.
static void limit_bodies(ThawClinging *clinging, double most) {
    for (uint32_t k = 0; k < clinging->count; k++) {
        const ThawCling *cling = &clinging->clings[k];
        ThawClingBody *body = &clinging->bodies[cling->collider];
        if (body->rigid == NULL) continue;
        double turn = body->inverse[0] + body->inverse[4] + body->inverse[8];
        double weight = (double)cling->mass * (double)cling->share;
        body->rate += weight * (body->inverse_mass + squared(cling->arm) * turn);
    }
    for (uint32_t k = 0; k < clinging->count; k++) {
        ThawCling *cling = &clinging->clings[k];
        double rate = clinging->bodies[cling->collider].rate;
        if (rate > most) cling->share *= (float)(most / rate);
    }
}

ThawResult thaw_clinging_begin(ThawClinging *clinging, ThawStep *step, const ThawClingingDef *def) {
    uint32_t near = thaw_walls_near(step->walls);
    clinging->count = 0;
    if (near == 0 || !(def->thinness != NULL || any_clings(step))) return THAW_OK;
    size_t bytes = (size_t)near * sizeof *clinging->clings;
    if (!thaw_scratch((void **)&clinging->clings, &clinging->clings_bytes, bytes)) {
        return thaw_fail_memory(bytes);
    }
    clinging->body_count = step->wall_step->collider_count;
    bytes = clinging->body_count * sizeof *clinging->bodies;
    if (!thaw_scratch((void **)&clinging->bodies, &clinging->bodies_bytes, bytes)) {
        return thaw_fail_memory(bytes);
    }
    thaw_walls_cling(step->walls, step->wall_step, clinging->clings);
    choose(clinging, step, near, def);
    begin_bodies(clinging, step);
    limit_bodies(clinging, def->most);
    return THAW_OK;
}

// ---------------------------------------------------------------- a pass

// how the wall moves where a particle clings to it
static void wall_velocity(const ThawClinging *clinging, const ThawCling *cling, double v[3]) {
    const ThawClingBody *body = &clinging->bodies[cling->collider];
    for (int a = 0; a < 3; a++) v[a] = (double)cling->velocity[a];
    if (body->rigid == NULL) return;
    for (int a = 0; a < 3; a++) {
        int b = (a + 1) % 3, c = (a + 2) % 3;
        v[a] = body->motion[a] + body->motion[3 + b] * (double)cling->arm[c] -
               body->motion[3 + c] * (double)cling->arm[b];
    }
}

typedef struct Pull {
    const ThawClinging *clinging;
    const ThawSmoothing *smoothing;
} Pull;

static void pull_chunk(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    const Pull *pull = context;
    const ThawSmoothing *smoothing = pull->smoothing;
    double factor = (double)smoothing->share;
    if (smoothing->aim != NULL) factor *= (double)smoothing->step;
    ThawRange range = thaw_chunk_range(chunk, pull->clinging->count, CLING_CHUNK);
    for (uint32_t k = range.begin; k < range.end; k++) {
        const ThawCling *cling = &pull->clinging->clings[k];
        const float *v = &smoothing->velocity[3 * (size_t)cling->row];
        float *next = &smoothing->next[3 * (size_t)cling->row];
        double wall[3];
        wall_velocity(pull->clinging, cling, wall);
        for (int a = 0; a < 3; a++) {
            next[a] += (float)(factor * (double)cling->share * (wall[a] - (double)v[a]));
        }
    }
}

// Adds what the particles' velocities give to walls by a coefficient of `share`: to the impulses of
// colliders that nothing moves, and to `next` of bodies, as an impulse and its moment.
static void push_back(ThawClinging *clinging, double share, const float *velocity, bool fixed,
                      bool moved) {
    for (uint32_t k = 0; k < clinging->count; k++) {
        const ThawCling *cling = &clinging->clings[k];
        ThawClingBody *body = &clinging->bodies[cling->collider];
        bool dynamic = body->rigid != NULL;
        if (!(dynamic ? moved : fixed)) continue;
        const float *v = &velocity[3 * (size_t)cling->row];
        double wall[3], push[3], weight = share * (double)cling->share * (double)cling->mass;
        wall_velocity(clinging, cling, wall);
        for (int a = 0; a < 3; a++) push[a] = weight * ((double)v[a] - wall[a]);
        for (int a = 0; a < 3; a++) {
            int b = (a + 1) % 3, c = (a + 2) % 3;
            if (!dynamic) body->impulse[a] += push[a];
            if (!dynamic) continue;
            body->next[a] += push[a];
            body->next[3 + a] += (double)cling->arm[b] * push[c] - (double)cling->arm[c] * push[b];
        }
    }
}

static bool any_bodies(const ThawClinging *clinging) {
    for (uint32_t k = 0; k < clinging->body_count; k++) {
        if (clinging->bodies[k].rigid != NULL) return true;
    }
    return false;
}

// what an impulse and its moment change
static void change_of(const ThawClingBody *body, const double given[6], double change[6]) {
    for (int a = 0; a < 3; a++) {
        change[a] = body->inverse_mass * given[a];
        change[3 + a] = 0;
        for (int b = 0; b < 3; b++) change[3 + a] += body->inverse[3 * a + b] * given[3 + b];
    }
}

// the same step that particles take
static void advance_body(ThawClingBody *body, const ThawSmoothing *smoothing) {
    double change[6];
    change_of(body, body->next, change);
    for (int a = 0; a < 6; a++) {
        double now = body->motion[a];
        if (smoothing->aim == NULL) {
            body->motion[a] = now + change[a];
            continue;
        }
        double residual = body->aim[a] - now + change[a];
        body->motion[a] = now + (double)smoothing->momentum * (now - body->last[a]) +
                          (double)smoothing->step * residual;
        body->last[a] = now;
    }
}

void thaw_clinging_pass(ThawClinging *clinging, ThawStep *step, const ThawSmoothing *smoothing) {
    if (clinging->count == 0) return;
    Pull pull = {clinging, smoothing};
    thaw_parallel_run(step->parallel, pull_chunk, &pull,
                      thaw_chunk_count(clinging->count, CLING_CHUNK));
    bool passing = smoothing->aim == NULL, bodies = any_bodies(clinging);
    if (!passing && !bodies) return;
    for (uint32_t k = 0; k < clinging->body_count; k++) {
        memset(clinging->bodies[k].next, 0, sizeof clinging->bodies[k].next);
    }
    push_back(clinging, (double)smoothing->share, smoothing->velocity, passing, bodies);
    for (uint32_t k = 0; k < clinging->body_count; k++) {
        if (clinging->bodies[k].rigid != NULL) advance_body(&clinging->bodies[k], smoothing);
    }
}

void thaw_clinging_aim(ThawClinging *clinging) {
    for (uint32_t k = 0; clinging->count > 0 && k < clinging->body_count; k++) {
        ThawClingBody *body = &clinging->bodies[k];
        memcpy(body->aim, body->motion, sizeof body->aim);
        memcpy(body->last, body->motion, sizeof body->last);
    }
}

void thaw_clinging_solved(ThawClinging *clinging, const ThawSmoothing *smoothing,
                          const float *velocity) {
    push_back(clinging, (double)smoothing->share, velocity, true, false);
}

// ---------------------------------------------------------------- end

void thaw_clinging_end(ThawClinging *clinging, ThawStep *step) {
    for (uint32_t k = 0; clinging->count > 0 && k < clinging->body_count; k++) {
        ThawClingBody *body = &clinging->bodies[k];
        ThawCollider *collider = &step->wall_step->colliders[k];
        if (body->rigid != NULL) {
            const double *motion = body->motion;
            ThawVec3 before = body->rigid->velocity;
            body->rigid->velocity = (ThawVec3){motion[0], motion[1], motion[2]};
            body->rigid->spin = (ThawVec3){motion[3], motion[4], motion[5]};
            body->impulse[0] = body->rigid->mass * (motion[0] - before.x);
            body->impulse[1] = body->rigid->mass * (motion[1] - before.y);
            body->impulse[2] = body->rigid->mass * (motion[2] - before.z);
        }
        collider->contact.impulse.x += body->impulse[0];
        collider->contact.impulse.y += body->impulse[1];
        collider->contact.impulse.z += body->impulse[2];
    }
}
