// A drop that clings to a free body, without gravity: surface tension draws the two together, and what walls take for it
// they give back, so that liquid and body keep their common momentum. Their turn is kept less well: the wall's part acts
// where the particle is, and the couple of ∇γ and s, which the area's energy would give the body besides, is left out
// (the likely reason: not proven).
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/rigid.h"

#define D 0.01     // m
#define TICK 0.004 // s
#define STEPS 100
#define ARM (6 * D) // m: half of the box

static double length(ThawVec3 a) {
    return sqrt(a.x * a.x + a.y * a.y + a.z * a.z);
}

static ThawVec3 minus(ThawVec3 a, ThawVec3 b) {
    return (ThawVec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

typedef struct Ride {
    int dimensions;
    float kappa, friction;
    double density; // kg/m³, of the body
} Ride;

// the most of each in the run
typedef struct Kept {
    double momentum, angular; // kg m/s and kg m²/s, of both together: what has changed
    double given, turned;     // of the body alone
    double spread;            // kg m/s, of the liquid: √(2 m E)
} Kept;

// a block of liquid lies at a box's side, off its middle
static RigidRig open_ride(const Ride *ride) {
    ThawWorldDef def = rigid_def(ride->dimensions, D);
    def.gravity = (ThawVec3){0, 0, 0};
    RigidRig rig = rigid_open(&def);
    ThawMaterialDef liquid = thaw_material_default();
    liquid.liquid.surface_tension = ride->kappa;
    assert_int_equal(thaw_world_set_material(rig.world, rig.liquid, &liquid), THAW_OK);
    ThawShape box = thaw_shape_box((ThawVec3){0, 0, 0}, (ThawVec3){8 * D, 12 * D, 12 * D});
    ThawColliderDef body = rigid_body(box, ride->density);
    body.friction = ride->friction;
    rigid_add(&rig, &body);
    rigid_blob(&rig,
               thaw_shape_box((ThawVec3){6.5 * D, 2.5 * D, 1.5 * D},
                              (ThawVec3){5 * D, 6 * D, ride->dimensions == 3 ? 6 * D : 1}),
               (ThawVec3){0, 0, 0});
    return rig;
}

static Kept follow(const Ride *ride) {
    RigidRig rig = open_ride(ride);
    Kept kept = {0};
    // settling is no motion
    rigid_step(&rig, 1e-7);
    ThawVec3 momentum = rigid_momentum(&rig), angular = rigid_angular(&rig);
    for (int n = 0; n < STEPS; n++) {
        rigid_step(&rig, TICK);
        ThawColliderState s = rigid_state(&rig, 0);
        double turn = length(minus(rigid_angular(&rig), rig.report.angular_momentum));
        kept.momentum = fmax(kept.momentum, length(minus(rigid_momentum(&rig), momentum)));
        kept.angular = fmax(kept.angular, length(minus(rigid_angular(&rig), angular)));
        kept.given = fmax(kept.given, s.mass * length(s.velocity));
        kept.turned = fmax(kept.turned, turn);
        kept.spread = fmax(kept.spread, sqrt(2 * rig.report.mass * rig.report.kinetic));
    }
    print_message(
        "%dD, κ %g, friction %g, body of %g kg/m³: momentum %.1e and turn %.1e of "
        "what the body got, turn %.1e of the liquid's motion; the body got %.2f of that\n",
        ride->dimensions, (double)ride->kappa, (double)ride->friction, ride->density,
        kept.momentum / kept.given, kept.angular / kept.turned, kept.angular / (kept.spread * ARM),
        kept.given / kept.spread);
    rigid_close(&rig);
    return kept;
}

static void a_drop_and_the_body_it_clings_to_keep_their_momentum(void **state) {
    (void)state;
    const Ride rides[] = {{3, 0.3f, 0, 500},
                          {3, 1, 0, 2000},
                          {3, 0.3f, 0.4f, 500},
                          {2, 0.3f, 0, 500},
                          {2, 1, 0.4f, 2000}};
    for (size_t k = 0; k < sizeof rides / sizeof rides[0]; k++) {
        Kept kept = follow(&rides[k]);
        // it is drawn and turned: there is something to give back
        assert_true(kept.given > 0.02 * kept.spread && kept.turned > 0);
        assert_true(kept.momentum < 1e-5 * kept.given);
        // measured: 0.011 to 0.013, and 0.06 to 0.09 in a plane
        double most = rides[k].dimensions == 3 ? 0.03 : 0.15;
        assert_true(kept.angular < most * kept.spread * ARM);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_drop_and_the_body_it_clings_to_keep_their_momentum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
