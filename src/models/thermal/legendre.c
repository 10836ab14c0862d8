// Short waves die soonest in parts of first order, long ones are right to second order in the last: where hot
// touches cold a step of any length is within 2 %, a wave within 0.4 % (docs/theory/heat.md). Two parts of second order
// alone were tried, and leave 12 % of a jump standing; two of first order, and waves are off by 3 %. Where matter
// comes to the end of its melting, stages run on as if it still took up latent heat, and it gets too hot by as
// much as the wall is above melting; a few plain steps at the end take that back to 1 %.
#include "models/thermal/legendre.h"

#include <math.h>

#define MOST_STAGES 200001 // of a part: 10¹⁰ explicit steps
#define PLAIN 4            // steps at the end

// how many stages cover so many limits; odd ones damp the shortest waves
static int count_stages(int order, double limits) {
    // (s² + s) / 2, or (s² + s − 2) / 4
    double wanted =
        order == 1 ? 0.5 * (sqrt(1 + 8 * limits) - 1) : 0.5 * (sqrt(9 + 16 * limits) - 1);
    wanted = fmax(ceil(wanted - 1e-9), order);
    int stages = wanted < MOST_STAGES ? (int)wanted : MOST_STAGES;
    return stages > 1 && stages % 2 == 0 ? stages + 1 : stages;
}

ThawLegendrePlan thaw_legendre_plan(double limits) {
    limits = fmax(limits, 1); // where nothing conducts there are none
    double plain = ceil(limits - 1e-9), rest = 1 - PLAIN / limits;
    ThawLegendrePlan plan = {THAW_LEGENDRE_PARTS,
                             {{1, 0.1 * rest, 1, 1},
                              {1, 0.2 * rest, 1, 1},
                              {2, 0.7 * rest, 1, 1},
                              {1, 1 / limits, 1, PLAIN}}};
    int passes = PLAIN;
    for (int k = 0; k < 3 && rest > 0; k++) {
        ThawLegendrePart *part = &plan.parts[k];
        part->stages = count_stages(part->order, limits * part->share);
        passes += part->stages;
    }
    if (rest > 0 && plain > passes) return plan;
    return (ThawLegendrePlan){1, {{1, 1 / plain, 1, (int)plain}}};
}

static ThawLegendreStage first_order(int j, int stages, double dt) {
    double part = 2 * dt / ((double)stages * stages + stages);
    if (j == 1) return (ThawLegendreStage){.dt = part};
    return (ThawLegendreStage){.nu = (1.0 - j) / j, .dt = (2.0 * j - 1) / j * part};
}

static double b_of(int j) {
    return j < 2 ? 1.0 / 3 : ((double)j * j + j - 2) / (2.0 * j * (j + 1.0));
}

static ThawLegendreStage second_order(int j, int stages, double dt) {
    double part = 4 * dt / ((double)stages * stages + stages - 2);
    if (j == 1) return (ThawLegendreStage){.dt = b_of(1) * part};
    double mu = (2.0 * j - 1) / j * b_of(j) / b_of(j - 1);
    double nu = (1.0 - j) / j * b_of(j) / b_of(j - 2);
    return (ThawLegendreStage){
        .nu = nu, .omega = 1 - mu - nu, .dt = mu * part, .first = (b_of(j - 1) - 1) * mu * part};
}

ThawLegendreStage thaw_legendre_stage(const ThawLegendrePart *part, int j, double dt) {
    double own = dt * part->share;
    return part->order == 1 ? first_order(j, part->stages, own)
                            : second_order(j, part->stages, own);
}
