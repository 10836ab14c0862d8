// A physical viscosity, which spares what turns as one: its pass against a twin in double
// precision, linear and angular momentum, and matter that goes on turning.
#include "liquid/cloud.h"

// the smallest particles take most
static double largest_physical(const Kind *kind, double c) {
    return fmax(c / (kind->ratio[0] * kind->ratio[0]),
                c * kind->second / (kind->ratio[1] * kind->ratio[1]));
}

static double pair_weight(const Cloud *cloud, double c, uint32_t i, uint32_t j, double offset[3]) {
    double r2 = 0, h = cloud->spacing[i] + cloud->spacing[j];
    for (int a = 0; a < 3; a++) {
        offset[a] = cloud->x[j][a] - cloud->x[i][a];
        r2 += offset[a] * offset[a];
    }
    double ci = half_c(cloud, i, c) / (cloud->spacing[i] * cloud->spacing[i]);
    double cj = half_c(cloud, j, c) / (cloud->spacing[j] * cloud->spacing[j]);
    double share = 2 * cloud->density[j] / (cloud->density[i] + cloud->density[j]);
    int dimensions = cloud->kind->dimensions;
    return 0.5 * (ci + cj) * share * pow(cloud->spacing[j], dimensions) *
           thaw_kernel_value(THAW_KERNEL_DEFAULT, dimensions, sqrt(r2), h);
}

static void cross(const double a[3], const double b[3], double product[3]) {
    for (int k = 0; k < 3; k++)
        product[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

// ω of a particle: solves J ω = Σ a r × u by elimination
static void find_turn(const Cloud *cloud, double c, uint32_t i, double turn[3]) {
    double m[3][4] = {{0}}, more = 0;
    for (uint32_t j = 0; j < cloud->count; j++) {
        double r[3], u[3], t[3], a = j == i ? 0 : pair_weight(cloud, c, i, j, r);
        if (a == 0) continue;
        for (int k = 0; k < 3; k++) u[k] = cloud->v[j][k] - cloud->v[i][k];
        cross(r, u, t);
        double r2 = r[0] * r[0] + r[1] * r[1] + r[2] * r[2];
        for (int k = 0; k < 3; k++) {
            for (int l = 0; l < 3; l++) m[k][l] += a * ((k == l) * r2 - r[k] * r[l]);
            m[k][3] += a * t[k];
        }
        more += 1e-5 * a * r2;
    }
    for (int k = 0; k < 3; k++) m[k][k] += more + 1e-30;
    for (int k = 0; k < 3; k++) {
        for (int l = 0; l < 3; l++) {
            double factor = l == k ? 0 : m[l][k] / m[k][k];
            for (int n = 0; n < 4; n++) m[l][n] -= factor * m[k][n];
        }
    }
    for (int k = 0; k < 3; k++) turn[k] = m[k][3] / m[k][k];
}

// one pass of Σ 2 a (u − ½ (ω_i + ω_j) × r)
static void spare_twin(const Cloud *cloud, double c, double (*v)[3]) {
    static double turns[MOST][3];
    for (uint32_t i = 0; i < cloud->count; i++) find_turn(cloud, c, i, turns[i]);
    for (uint32_t i = 0; i < cloud->count; i++) {
        for (int k = 0; k < 3; k++) v[i][k] = cloud->v[i][k];
        for (uint32_t j = 0; j < cloud->count; j++) {
            double r[3], mean[3], turned[3], a = j == i ? 0 : pair_weight(cloud, c, i, j, r);
            if (a == 0) continue;
            for (int k = 0; k < 3; k++) mean[k] = 0.5 * (turns[i][k] + turns[j][k]);
            cross(mean, r, turned);
            for (int k = 0; k < 3; k++)
                v[i][k] += 2 * a * (cloud->v[j][k] - cloud->v[i][k] - turned[k]);
        }
    }
}

static void physical_viscosity_equals_that_of_the_twin(void **state) {
    (void)state;
    static double found[MOST][3], wanted[MOST][3];
    for (size_t k = 0; k < KINDS; k++) {
        for (int isa = THAW_ISA_BASELINE; isa <= THAW_ISA_AVX512; isa++) {
            Cloud *cloud = make_cloud(&kinds[k], 1e-4);
            double c = 0.2 / largest_physical(&kinds[k], 1.0);
            ThawWorld *world = open_kind(cloud, physical, c, 2, (ThawIsa)isa);
            if (world == NULL) continue;
            ThawReport report;
            assert_ok(thaw_world_step(world, TICK, &report));
            assert_int_equal(report.viscosity_passes, 1);
            read_velocities(world, cloud, found);
            spare_twin(cloud, c, wanted);
            double worst = 0;
            for (uint32_t i = 0; i < cloud->count; i++) {
                for (int a = 0; a < 3; a++)
                    worst = fmax(worst, fabs(found[i][a] - wanted[i][a]) / 1e-4);
            }
            if (!(worst < 2e-4)) fail_msg("%s: off by %g", kinds[k].name, worst);
            thaw_world_destroy(world);
        }
    }
}

// Σ m x × v
static void angular_of(const Cloud *cloud, const double (*v)[3], double sum[3]) {
    memset(sum, 0, 3 * sizeof *sum);
    for (uint32_t i = 0; i < cloud->count; i++) {
        double turn[3];
        cross(cloud->x[i], v[i], turn);
        for (int a = 0; a < 3; a++) sum[a] += mass_of(cloud, i) * turn[a];
    }
}

static void physical_viscosity_keeps_every_momentum(void **state) {
    (void)state;
    static double after[MOST][3];
    const double cs[] = {0.1, 0.2, 1, 5, 50};
    for (size_t n = 0; n < 5 * KINDS; n++) {
        const Kind *kind = &kinds[n / 5];
        Cloud *cloud = make_cloud(kind, 1e-4);
        double c = cs[n % 5] / largest_physical(kind, 1.0), first[3], last[3], scale = 0,
               change[3] = {0};
        ThawWorld *world = open_kind(cloud, physical, c, 1, THAW_ISA_AUTO);
        assert_ok(thaw_world_step(world, TICK, NULL));
        read_velocities(world, cloud, after);
        angular_of(cloud, (const double(*)[3])cloud->v, first);
        angular_of(cloud, (const double(*)[3])after, last);
        for (uint32_t i = 0; i < cloud->count; i++) {
            for (int a = 0; a < 3; a++) {
                scale += mass_of(cloud, i) * fabs(cloud->v[i][a]);
                change[a] += mass_of(cloud, i) * (after[i][a] - cloud->v[i][a]);
            }
        }
        for (int a = 0; a < 3; a++) {
            assert_true(fabs(change[a]) < 1e-6 * scale);
            // what J is made stiffer by; arms are up to 14 m long
            if (!(fabs(last[a] - first[a]) < 1e-4 * scale))
                fail_msg("%s, c = %g: angular momentum changes by %g", kind->name, c,
                         (last[a] - first[a]) / scale);
        }
        double ratio = kinetic_of(cloud, (const double(*)[3])after) /
                       kinetic_of(cloud, (const double(*)[3])cloud->v);
        assert_true(ratio < 1 - 1e-4 && ratio > 0);
        thaw_world_destroy(world);
    }
}

// matter that turns as one goes on turning, where smoothing by eq. 6 would stop it
static void physical_viscosity_does_not_feel_turns(void **state) {
    (void)state;
    static double after[MOST][3];
    const double spin[3] = {0, 0, 2e-5};
    for (int n = 0; n < 4; n++) {
        Cloud *cloud = make_cloud(&kinds[n / 2], 0);
        for (uint32_t i = 0; i < cloud->count; i++) {
            double x[3] = {cloud->x[i][0] - 3, cloud->x[i][1] - 3, cloud->x[i][2] - 3};
            cross(spin, x, cloud->v[i]);
        }
        ThawWorld *world = open_kind(cloud, n % 2 == 0 ? physical : artist, 20, 1, THAW_ISA_AUTO);
        double first = kinetic_of(cloud, (const double(*)[3])cloud->v);
        assert_ok(thaw_world_step(world, TICK, NULL));
        read_velocities(world, cloud, after);
        double left = kinetic_of(cloud, (const double(*)[3])after) / first;
        print_message("%s cloud that turns: %.5f of its energy left by %s\n", kinds[n / 2].name,
                      left, n % 2 == 0 ? "a viscosity" : "eq. 6");
        assert_true(n % 2 == 0 ? left > 0.9999 : left < 0.98);
        thaw_world_destroy(world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(physical_viscosity_equals_that_of_the_twin),
        cmocka_unit_test(physical_viscosity_keeps_every_momentum),
        cmocka_unit_test(physical_viscosity_does_not_feel_turns),
    };
    return cmocka_run_group_tests_name("turns", tests, NULL, NULL);
}
