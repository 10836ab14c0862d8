// Bars of two lattices that were joined, and how much of a virgin bar's load they carry.
#ifndef TEST_THERMAL_JOINTS_H
#define TEST_THERMAL_JOINTS_H

#include "thermal/changing.h"

typedef enum JointKind {
    JOINT_VIRGIN,   // one lattice from end to end
    JOINT_FROZEN,   // liquid between two lattices froze
    JOINT_SINTERED, // two lattices lay on each other, and grew together
} JointKind;

typedef struct JointDef {
    JointKind kind;
    int dimensions;
    double turn;   // rad: how the lower lattice is turned against the upper one
    double width;  // spacings
    double length; // spacings, of either part
} JointDef;

typedef struct JointFigures {
    uint32_t particles, liquid; // when it is loaded
    uint32_t broken;            // bonds, while it was joined
    double fastest;             // m/s, while it was joined
    double load;                // m/s²: the gravity under which it parts
} JointFigures;

#define JOINT_GAP 5.0    // spacings of liquid
#define JOINT_RAMP 25.0  // m/s³
#define JOINT_MOST 100.0 // m/s²

typedef struct Joint {
    JointDef def;
    ThawWorld *world;
    ThawMaterialDef wax;
    ThawColliderId mould;
    JointFigures figures;
} Joint;

static inline ThawVec3 joint_up(const Joint *joint, double up) {
    return joint->def.dimensions == 3 ? (ThawVec3){0, 0, up} : (ThawVec3){0, up, 0};
}

// what lies between two heights in spacings
static inline ThawShape joint_box(const Joint *joint, double from, double to, double width) {
    double d = joint->world->def.spacing, height = d * (to - from), wide = d * width;
    ThawVec3 flat = {wide, height, 1}, size = {wide, wide, height};
    return thaw_shape_box(joint_up(joint, 0.5 * d * (from + to)),
                          joint->def.dimensions == 3 ? size : flat);
}

static inline void add_part(Joint *joint, double from, double to, double turn, ThawState state) {
    ThawBodyDef part = thaw_body_default();
    part.name = "part";
    part.material = (ThawMaterialId){1};
    part.state = state;
    part.temperature = MELTS_AT + (state == THAW_STATE_SOLID ? -1 : 1);
    part.shape = joint_box(joint, from, to, joint->def.width);
    // in 3D about an axis that is none of the lattice's
    double s = sin(turn / 2), c = cos(turn / 2), n = sqrt(14);
    part.orientation = joint->def.dimensions == 3 ? (ThawQuat){s / n, 2 * s / n, 3 * s / n, c}
                                                  : (ThawQuat){0, 0, s, c};
    assert_ok(thaw_world_add_body(joint->world, &part, NULL));
}

static inline void run_joint(Joint *joint, double seconds) {
    for (int k = 0; k < (int)lrint(seconds * 60); k++) {
        ThawReport report = step(joint->world, 1.0 / 60);
        joint->figures.broken += report.bonds_broken;
        joint->figures.fastest = fmax(joint->figures.fastest, report.max_speed);
    }
}

static inline Joint make_joint(const JointDef *def) {
    Joint joint = {.def = *def};
    ThawWorldDef world_def = warm_def(def->dimensions);
    world_def.gravity = def->dimensions == 3 ? (ThawVec3){0, 0, -9.81} : (ThawVec3){0, -9.81, 0};
    joint.world = make_world(&world_def);
    joint.wax = wax_def();
    joint.wax.solid.young = 2e5f;
    joint.wax.solid.damping = 0.5f;
    joint.wax.solid.fracture_strain = 0.04f;
    add_material(joint.world, &joint.wax);
    double gap = JOINT_GAP, L = def->length;
    ThawColliderDef mould = thaw_collider_default();
    mould.name = "mould";
    mould.container = true;
    mould.friction = 0;
    mould.shape = joint_box(&joint, -0.3, 3 * L + gap, def->width + 0.6);
    assert_ok(thaw_world_add_collider(joint.world, &mould, &joint.mould));
    if (def->kind == JOINT_VIRGIN) {
        add_part(&joint, 0, 2 * L + gap, 0, THAW_STATE_SOLID);
        return joint;
    }
    double lower = def->kind == JOINT_FROZEN ? L : L + gap;
    add_part(&joint, 0, lower, def->turn, THAW_STATE_SOLID);
    add_part(&joint, L + gap, 2 * L + gap, 0, THAW_STATE_SOLID);
    if (lower < L + gap) add_part(&joint, L, L + gap, 0, THAW_STATE_LIQUID);
    return joint;
}

static inline void join(Joint *joint) {
    run_joint(joint, 0.5);
    joint->figures = (JointFigures){.particles = joint->world->store->count};
    if (joint->def.kind == JOINT_SINTERED) {
        joint->wax.thermal.sintering = 20;
        assert_ok(thaw_world_set_material(joint->world, (ThawMaterialId){1}, &joint->wax));
    }
    set_all(joint->world, MELTS_AT - 10);
    run_joint(joint, 2.5);
    joint->wax.thermal.sintering = 0;
    assert_ok(thaw_world_set_material(joint->world, (ThawMaterialId){1}, &joint->wax));
    joint->figures.liquid = count_state(joint->world, THAW_STATE_LIQUID);
}

// m: how high the particle is that was in the middle of the lower end
static inline double height_of(const Joint *joint, ThawParticleId id) {
    uint32_t row;
    assert_ok(thaw_world_index(joint->world, id, &row));
    ThawVec3 at = place_of(joint->world, row);
    return joint->def.dimensions == 3 ? at.z : at.y;
}

// held by its upper half and loaded with its own weight, more and more, until it parts
static inline void load_joint(Joint *joint) {
    ThawAttachmentDef grip = thaw_attachment_default();
    double d = joint->world->def.spacing, L = joint->def.length;
    grip.name = "grip";
    grip.region = joint_box(joint, 1.5 * L + JOINT_GAP, 4 * L, 2 * joint->def.width);
    assert_ok(thaw_world_add_attachment(joint->world, &grip, NULL));
    assert_ok(thaw_world_remove_collider(joint->world, joint->mould));
    ThawParticleId end = joint->world->store->id[row_at(joint->world, joint_up(joint, d))];
    double first = height_of(joint, end), load = 0;
    while (load < JOINT_MOST && height_of(joint, end) > first - 0.25 * L * d) {
        load += JOINT_RAMP / 60;
        assert_ok(thaw_world_set_gravity(joint->world, joint_up(joint, -load)));
        step(joint->world, 1.0 / 60);
    }
    joint->figures.load = load;
}

static inline JointFigures measure_joint(const JointDef *def) {
    Joint joint = make_joint(def);
    join(&joint);
    load_joint(&joint);
    thaw_world_destroy(joint.world);
    return joint.figures;
}

#endif
