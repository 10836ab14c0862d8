// Particles shot at meshes, at any speed and from any side: none passes, whether the mesh is a solid, a sheet of no
// thickness, moving or changing its form.
#include "world/helpers.h"

#include "collision/rig.h"
#include "geometry/field.h"
#include "math/random.h"
#include "support/forms.h"

#define SHOTS 400
#define CELL (0.5 * RIG_SPACING)

// a number of 0..1 that depends on shot and purpose only
static double chance(uint32_t shot, uint32_t purpose) {
    return thaw_random_unit(7, shot, 0, purpose);
}

static ThawVec3 direction(uint32_t shot) {
    double z = 2 * chance(shot, 1) - 1, angle = 6.283185307 * chance(shot, 2);
    double across = sqrt(1 - z * z);
    return thaw_vec(across * cos(angle), across * sin(angle), z);
}

static ThawColliderDef mesh_collider(const ThawField *field) {
    ThawColliderDef def = thaw_collider_default();
    def.shape = thaw_shape_mesh(field);
    return def;
}

// Shoots from points about the origin outwards or from far inwards, `spacings` a step.
static void shoot(Rig *rig, double from, double spacings, bool inwards) {
    for (uint32_t k = 0; k < SHOTS; k++) {
        ThawVec3 way = direction(k);
        double speed = spacings * RIG_SPACING / rig->step.dt;
        rig_put(rig, k, thaw_scale(way, from), thaw_scale(way, inwards ? -speed : speed));
    }
}

static void solid_ball_is_not_entered_at_100_spacings_a_step(void **state) {
    (void)state;
    Form ball = form_ball(1, 24);
    ThawField *field = form_field(&ball, THAW_FIELD_SOLID, CELL, 0);
    for (double spacings = 0.3; spacings <= 300; spacings *= 3.1) {
        Rig rig;
        rig_open(&rig, 3, SHOTS, 1);
        rig_add(&rig, mesh_collider(field));
        shoot(&rig, 1.3, spacings, true);
        for (int s = 0; s < 12; s++) {
            rig_substep(&rig, thaw_vec(0, 0, 0));
            for (uint32_t k = 0; k < SHOTS; k++) {
                assert_true(thaw_field_distance(field, rig_position(&rig, k)) > 0);
            }
        }
        rig_close(&rig);
    }
    thaw_field_release(field);
    form_free(&ball);
}

static void shell_ball_keeps_what_is_inside_and_outside(void **state) {
    (void)state;
    Form ball = form_ball(1, 24);
    ThawField *field = form_field(&ball, THAW_FIELD_SHELL, CELL, 0);
    for (double spacings = 0.3; spacings <= 300; spacings *= 3.1) {
        for (int inwards = 0; inwards < 2; inwards++) {
            Rig rig;
            rig_open(&rig, 3, SHOTS, 1);
            rig_add(&rig, mesh_collider(field));
            shoot(&rig, inwards ? 1.3 : 0.2, spacings, inwards == 1);
            for (int s = 0; s < 12; s++) {
                rig_substep(&rig, thaw_vec(0, 0, 0));
                for (uint32_t k = 0; k < SHOTS; k++) {
                    double r = thaw_length(rig_position(&rig, k));
                    assert_true(inwards ? r > 1 : r < 1);
                }
            }
            rig_close(&rig);
        }
    }
    thaw_field_release(field);
    form_free(&ball);
}

static void mesh_container_keeps_its_particles(void **state) {
    (void)state;
    Form box = form_box(thaw_vec(0, 0, 0), thaw_vec(2, 1.5, 1));
    ThawField *field = form_field(&box, THAW_FIELD_SOLID, CELL, 0);
    Rig rig;
    rig_open(&rig, 3, SHOTS, 1);
    ThawColliderDef def = mesh_collider(field);
    def.container = true;
    def.restitution = 1;
    def.friction = 0;
    rig_add(&rig, def);
    shoot(&rig, 0.1, 20, false);
    for (int s = 0; s < 300; s++) {
        rig_substep(&rig, thaw_vec(0, 0, 0));
        for (uint32_t k = 0; k < SHOTS; k++) {
            ThawVec3 x = rig_position(&rig, k);
            assert_true(fabs(x.x) < 1 && fabs(x.y) < 0.75 && fabs(x.z) < 0.5);
        }
    }
    rig_close(&rig);
    thaw_field_release(field);
    form_free(&box);
}

// A sheet swept through resting particles carries them along and lets none through.
static void moving_sheet_sweeps_all_before_it(void **state) {
    (void)state;
    Form sheet = form_sheet(2, 2, 8);
    ThawField *field = form_field(&sheet, THAW_FIELD_SHELL, CELL, 0);
    ThawKeyframe keys[2] = {{0, {0, 0, 0}, {0, 0, 0, 1}}, {1, {20, 0, 0}, {0, 0, 0, 1}}};
    Rig rig;
    rig_open(&rig, 3, SHOTS, 1);
    ThawColliderDef def = mesh_collider(field);
    def.motion = keys;
    def.motion_count = 2;
    rig_add(&rig, def);
    for (uint32_t k = 0; k < SHOTS; k++) {
        rig_put(&rig, k, thaw_vec(0.2 + 2 * chance(k, 3), chance(k, 4) - 0.5, chance(k, 5) - 0.5),
                thaw_vec(0, 0, 0));
    }
    for (int s = 0; s < 90; s++) {
        rig_substep(&rig, thaw_vec(0, 0, 0));
        for (uint32_t k = 0; k < SHOTS; k++) {
            assert_true(rig_position(&rig, k).x > 20 * rig.step.time);
        }
    }
    rig_close(&rig);
    thaw_field_release(field);
    form_free(&sheet);
}

// where a point of the sheet is at a time: it swings about z and ripples
static ThawVec3 rippled(double y, double z, double time) {
    double angle = 3 * time, out = 0.15 * sin(4 * y + 9 * time);
    double x = out, c = cos(angle), s = sin(angle);
    return thaw_vec(c * x - s * y, s * x + c * y, z);
}

static void form_at(const Form *flat, Form *now, double time) {
    for (uint32_t k = 0; k < flat->point_count; k++) {
        ThawVec3 p = rippled(flat->points[k][1], flat->points[k][2], time);
        now->points[k][0] = p.x, now->points[k][1] = p.y, now->points[k][2] = p.z;
    }
}

// on which side of the sheet a point is, at a moment of a pose
static double side_of(ThawVec3 x, double time) {
    double angle = 3 * time, c = cos(angle), s = sin(angle);
    double along = -s * x.x + c * x.y, across = c * x.x + s * x.y;
    return across - 0.15 * sin(4 * along + 9 * time);
}

static void deforming_sheet_lets_none_through(void **state) {
    (void)state;
    enum { POSES = 24, SUBSTEPS = 4 };
    Form flat = form_sheet(3, 3, 48), pose = form_sheet(3, 3, 48);
    form_at(&flat, &pose, 0);
    ThawField *field = form_field(&pose, THAW_FIELD_SHELL, CELL, 0);
    Rig rig;
    rig_open(&rig, 3, SHOTS, 2);
    ThawCollider *collider = rig_add(&rig, mesh_collider(field));
    assert_int_equal(thaw_deform_create(field, &collider->deform), THAW_OK);
    double sides[SHOTS];
    for (uint32_t k = 0; k < SHOTS; k++) {
        double far = 0.25 + 0.5 * chance(k, 3);
        ThawVec3 x = thaw_vec(k % 2 ? far : -far, chance(k, 4) - 0.5, chance(k, 5) - 0.5);
        rig_put(&rig, k, x, thaw_vec(0, 0, 0));
        sides[k] = side_of(x, 0);
    }
    rig.step.dt = 1.0 / (24 * SUBSTEPS);
    uint32_t pushed = 0;
    for (int s = 0; s < POSES; s++) {
        form_at(&flat, &pose, (s + 1) / 24.0);
        ThawMesh mesh = form_mesh(&pose);
        assert_int_equal(
            thaw_deform_aim(collider->deform, &mesh, s / 24.0, (s + 1) / 24.0, rig.parallel),
            THAW_OK);
        for (int i = 0; i < SUBSTEPS; i++) {
            rig_substep(&rig, thaw_vec(0, 0, 0));
            pushed += thaw_walls_touched(rig.walls);
        }
        for (uint32_t k = 0; k < SHOTS; k++) {
            ThawVec3 x = rig_position(&rig, k);
            double now = side_of(x, (s + 1) / 24.0);
            // what was swept off the sheet's edge may go round it
            if (thaw_length(thaw_vec(x.x, x.y, 0)) > 2.6 || fabs(x.z) > 2.6) sides[k] = now;
            assert_true(now * sides[k] > 0);
        }
    }
    assert_true(pushed > 1000);
    rig_close(&rig);
    thaw_field_release(field);
    form_free(&flat);
    form_free(&pose);
}

// A slab whose friction is painted: none on the left, much on the right.
static void painted_friction_holds_where_it_is(void **state) {
    (void)state;
    Form slab = form_box(thaw_vec(0, 0, -0.5), thaw_vec(8, 2, 1));
    ThawMesh mesh = form_mesh(&slab);
    float values[8];
    for (int k = 0; k < 8; k++) values[k] = slab.points[k][0] < 0 ? 0.0f : 0.8f;
    mesh.paint[THAW_PAINT_FRICTION].values = values;
    ThawFieldDef def = thaw_field_default();
    ThawField *field = NULL;
    def.cell = CELL;
    assert_int_equal(thaw_field_create(&mesh, &def, &field), THAW_OK);
    Rig rig;
    rig_open(&rig, 3, 3, 1);
    ThawColliderDef collider = mesh_collider(field);
    collider.friction = 0.3f; // in place of which the paint counts
    rig_add(&rig, collider);
    double at[3] = {-3.5, 0, 3};
    for (uint32_t k = 0; k < 3; k++) {
        rig_put(&rig, k, thaw_vec(at[k], 0, 0.5 * RIG_CONTACT), thaw_vec(0, 0.5, 0));
    }
    double time = 0.1;
    for (int s = 0; s < 10; s++) rig_substep(&rig, thaw_vec(0, 0, -9.81));
    for (uint32_t k = 0; k < 3; k++) {
        // paint goes evenly from 0 at x = −4 to 0.8 at x = 4; sliding slows by μ g
        double friction = 0.1 * (at[k] + 4), speed = fmax(0, 0.5 - friction * 9.81 * time);
        assert_true(fabs(rig_velocity(&rig, k).y - speed) < 0.02);
    }
    rig_close(&rig);
    thaw_field_release(field);
    form_free(&slab);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solid_ball_is_not_entered_at_100_spacings_a_step),
        cmocka_unit_test(shell_ball_keeps_what_is_inside_and_outside),
        cmocka_unit_test(mesh_container_keeps_its_particles),
        cmocka_unit_test(moving_sheet_sweeps_all_before_it),
        cmocka_unit_test(deforming_sheet_lets_none_through),
        cmocka_unit_test(painted_friction_holds_where_it_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
