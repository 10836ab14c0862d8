// The spring model: a = −ω² (x − x₀), as a force in the predict stage (symplectic Euler).
#include "models/spring.h"

#include "base/memory.h"
#include "base/result.h"

#include <string.h>

typedef struct Spring {
    double stiffness; // 1/s², ω²
} Spring;

static ThawResult create_spring(void **state, const ThawDomain *domain) {
    (void)domain;
    Spring *spring = thaw_alloc(sizeof *spring);
    if (spring == NULL) return thaw_fail_memory(sizeof *spring);
    double omega = 2.0 * 3.14159265358979323846 / SPRING_PERIOD;
    spring->stiffness = omega * omega;
    *state = spring;
    return THAW_OK;
}

static void destroy_spring(void *state) {
    thaw_free(state);
}

// 1/60 of a period: symplectic Euler then has the period right to 0.05 %
static double wanted_dt(void *state, const ThawStep *step) {
    (void)state;
    (void)step;
    return SPRING_PERIOD / 60.0;
}

static ThawResult predict(void *state, ThawStep *step) {
    const Spring *spring = state;
    ThawStore *store = step->store;
    for (uint32_t row = 0; row < store->count; row++) {
        if (strcmp(step->materials[store->material[row]].name, "spring") != 0) continue;
        for (uint32_t a = 0; a < 3; a++) {
            double x = thaw_fixed_cells(store->cells[3 * row + a]) * step->domain->cell;
            double away = x - (a == 0 ? SPRING_X : 0.0);
            store->velocity[3 * row + a] -= (float)(spring->stiffness * away * step->dt);
        }
    }
    return THAW_OK;
}

const ThawModel thaw_model_spring = {
    .name = "spring",
    .summary = "pulls particles towards a point",
    .create = create_spring,
    .destroy = destroy_spring,
    .wanted_dt = wanted_dt,
    .stages = {[THAW_STAGE_PREDICT] = {
                   .run = predict,
                   .reads = THAW_BIT(cells) | THAW_BIT(velocity) | THAW_BIT(material),
                   .writes = THAW_BIT(velocity),
               }}};
