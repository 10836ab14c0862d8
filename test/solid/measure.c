// What is read off the solid's slow twin: energies, momenta, bonds and pieces.
#include "solid/twin.h"

#include <stdlib.h>

double solid_elastic(const SolidTwin *twin) {
    double energy = 0, d = twin->distance;
    for (int i = 0; i < twin->count; i++) {
        const SolidParticle *p = &twin->particles[i];
        for (int s = 0; s < twin->sites; s++) {
            if (p->slot[s] < 0) continue;
            ThawVec3 goal = v_scale(d, m_apply(p->turn, twin->site[s]));
            ThawVec3 miss = v_sub(goal, solid_offset(twin, i, p->slot[s]));
            energy += 0.25 * twin->stiffness * v_dot(miss, miss);
        }
        if (twin->lambda == 0) continue;
        double excess = m_det(p->map) - 1;
        energy += 0.5 * twin->lambda * solid_volume(twin) * excess * excess;
    }
    return energy;
}

double solid_kinetic(const SolidTwin *twin) {
    double energy = 0;
    for (int i = 0; i < twin->count; i++) {
        const SolidParticle *p = &twin->particles[i];
        energy += 0.5 * p->mass * v_dot(p->v, p->v);
    }
    return energy;
}

ThawVec3 solid_momentum(const SolidTwin *twin) {
    ThawVec3 sum = {0, 0, 0};
    for (int i = 0; i < twin->count; i++) {
        sum = v_along(sum, twin->particles[i].mass, twin->particles[i].v);
    }
    return sum;
}

ThawVec3 solid_angular(const SolidTwin *twin) {
    ThawVec3 sum = {0, 0, 0};
    for (int i = 0; i < twin->count; i++) {
        const SolidParticle *p = &twin->particles[i];
        sum = v_along(sum, p->mass, v_cross(p->x, p->v));
    }
    return sum;
}

ThawVec3 solid_center(const SolidTwin *twin) {
    ThawVec3 sum = {0, 0, 0};
    double mass = 0;
    for (int i = 0; i < twin->count; i++) {
        sum = v_along(sum, twin->particles[i].mass, twin->particles[i].x);
        mass += twin->particles[i].mass;
    }
    return v_scale(1 / mass, sum);
}

double solid_strongest(const SolidTwin *twin) {
    double most = 0;
    for (int i = 0; i < twin->count; i++) most = fmax(most, v_norm(twin->particles[i].f));
    return most;
}

int solid_bonds(const SolidTwin *twin) {
    int sides = 0;
    for (int i = 0; i < twin->count; i++) {
        for (int s = 0; s < twin->sites; s++) sides += twin->particles[i].slot[s] >= 0;
    }
    return sides / 2;
}

uint64_t solid_bond_hash(const SolidTwin *twin) {
    uint64_t hash = 0;
    for (int i = 0; i < twin->count; i++) {
        const SolidParticle *p = &twin->particles[i];
        for (int s = 0; s < twin->sites; s++) {
            if (p->slot[s] < 0) continue;
            uint64_t other = twin->particles[p->slot[s]].id;
            hash += dice_mix(dice_mix(p->id * 16 + (uint64_t)s) + other);
        }
    }
    return hash;
}

static int root_of(int *parent, int i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
}

int solid_components(const SolidTwin *twin, int *label) {
    for (int i = 0; i < twin->count; i++) label[i] = i;
    for (int i = 0; i < twin->count; i++) {
        for (int s = 0; s < twin->sites; s++) {
            int j = twin->particles[i].slot[s];
            if (j < 0) continue;
            int a = root_of(label, i), b = root_of(label, j);
            label[a > b ? a : b] = a < b ? a : b;
        }
    }
    // a root is the lowest of its piece, so it is named before its members
    int pieces = 0;
    for (int i = 0; i < twin->count; i++) label[i] = root_of(label, i);
    for (int i = 0; i < twin->count; i++) label[i] = label[i] == i ? pieces++ : label[label[i]];
    return pieces;
}

// velocity and spin of the rigid motion that has the body's momenta
static void find_motion(const SolidTwin *twin, ThawVec3 *velocity, ThawVec3 *spin) {
    ThawVec3 center = solid_center(twin), turning = {0, 0, 0};
    Mat inertia = {0};
    double mass = 0;
    for (int i = 0; i < twin->count; i++) mass += twin->particles[i].mass;
    *velocity = v_scale(1 / mass, solid_momentum(twin));
    for (int i = 0; i < twin->count; i++) {
        const SolidParticle *p = &twin->particles[i];
        ThawVec3 d = v_sub(p->x, center);
        turning = v_along(turning, p->mass, v_cross(d, v_sub(p->v, *velocity)));
        inertia = m_along(inertia, p->mass * v_dot(d, d), m_one());
        inertia = m_along(inertia, -p->mass, m_outer(d, d));
    }
    *spin = m_apply(m_inverse(inertia), turning);
}

double solid_nonrigid_kinetic(const SolidTwin *twin) {
    ThawVec3 velocity, spin, center = solid_center(twin);
    find_motion(twin, &velocity, &spin);
    double energy = 0;
    for (int i = 0; i < twin->count; i++) {
        const SolidParticle *p = &twin->particles[i];
        ThawVec3 rigid = v_add(velocity, v_cross(spin, v_sub(p->x, center)));
        ThawVec3 own = v_sub(p->v, rigid);
        energy += 0.5 * p->mass * v_dot(own, own);
    }
    return energy;
}

void solid_set_spin(SolidTwin *twin, ThawVec3 velocity, ThawVec3 spin) {
    ThawVec3 center = solid_center(twin);
    for (int i = 0; i < twin->count; i++) {
        SolidParticle *p = &twin->particles[i];
        p->v = v_add(velocity, v_cross(spin, v_sub(p->x, center)));
    }
}

Mat solid_virial(const SolidTwin *twin) {
    Mat sum = {0};
    for (int i = 0; i < twin->count; i++) {
        const SolidParticle *p = &twin->particles[i];
        for (int s = 0; s < twin->sites; s++) {
            if (p->slot[s] < 0) continue;
            ThawVec3 r = solid_offset(twin, i, p->slot[s]);
            ThawVec3 goal = v_scale(twin->distance, m_apply(p->turn, twin->site[s]));
            ThawVec3 pull = v_scale(-0.5 * twin->stiffness, v_sub(goal, r));
            sum = m_along(sum, 1, m_outer(pull, r));
        }
        // A ∂U/∂A of the volume term is λ V₀ (det A − 1) det A times one
        double volume = m_det(p->map);
        sum = m_along(sum, twin->lambda * solid_volume(twin) * (volume - 1) * volume, m_one());
    }
    return m_scale(1 / (twin->count * solid_volume(twin)), sum);
}
