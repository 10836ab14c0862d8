// What each kind of force does at a point, and when.
#include "world/force_field.h"
#include "world/world.h"

#include "math/vec.h"

#define EDDIES 10.0    // spacings of a turbulence's largest ones, unless said
#define LEAST_EDDY 4.0 // spacings: smaller ones are not the liquid's to resolve
#define PEAK 3.0       // of a turbulence, over its root mean square, but for rare spots
#define FADE_FROM 0.5  // of the radius: where a force begins to fade

// ---------------------------------------------------------------- time

bool thaw_force_is_even(const ThawForceDef *def) {
    return def->kind == THAW_FORCE_DIRECTIONAL && !def->bounded && def->material.value == 0;
}

double thaw_force_share(const ThawForceDef *def, double time) {
    if (time < def->from || time >= def->to) return 0;
    if (!(def->ramp > 0)) return 1;
    return fmin(1, fmin(time - def->from, def->to - time) / def->ramp);
}

// the share added up from the beginning to a time, s
static double add_up_share(const ThawForceDef *def, double time) {
    if (time <= def->from) return 0;
    double t = fmin(time, def->to) - def->from, length = def->to - def->from;
    if (!(def->ramp > 0)) return t;
    // up, level, down; short ones turn before they are at full strength
    double turn = fmin(def->ramp, 0.5 * length), top = turn / def->ramp;
    double up = fmin(t, turn), level = fmin(fmax(t - turn, 0), length - 2 * turn);
    double down = fmax(t - (length - turn), 0);
    return 0.5 * up * up / def->ramp + top * level + top * down - 0.5 * down * down / def->ramp;
}

double thaw_force_mean(const ThawForceDef *def, double time, double dt) {
    if (!(dt > 0)) return thaw_force_share(def, time);
    // exact where nothing changes
    if (time >= def->from + def->ramp && time + dt <= def->to - def->ramp) return 1;
    return (add_up_share(def, time + dt) - add_up_share(def, time)) / dt;
}

// ---------------------------------------------------------------- made ready

static ThawVec3 make_unit(ThawVec3 v) {
    double length = thaw_length(v);
    return length > 0 ? thaw_vec(v.x / length, v.y / length, v.z / length) : v;
}

ThawForceField thaw_force_field(const ThawWorld *world, const ThawForce *force, double time,
                                double dt) {
    const ThawForceDef *def = &force->def;
    double d = world->def.spacing;
    ThawForceField field = {.def = def,
                            .domain = &world->domain,
                            .share = thaw_force_mean(def, time, dt),
                            .direction = make_unit(def->direction),
                            .core = def->core > 0 ? def->core : d};
    if (def->bounded) field.region = thaw_region(&world->domain, &def->region);
    if (def->kind != THAW_FORCE_TURBULENCE || field.share == 0) return field;
    double middle = time + 0.5 * dt;
    ThawNoiseDef noise = {.strength = def->strength,
                          .size = def->size > 0 ? def->size : EDDIES * d,
                          .least = LEAST_EDDY * d,
                          .moment = force->phase + def->change * (middle - force->since),
                          .seed = def->seed};
    field.noise = thaw_noise(&noise, &world->domain, world->isa);
    return field;
}

bool thaw_field_reaches(const ThawForceField *field, const int64_t cells[3], uint32_t material) {
    uint32_t wanted = field->def->material.value;
    if (wanted != 0 && wanted != material) return false;
    int image[3];
    return !field->def->bounded || thaw_region_holds(&field->region, cells, image);
}

// ---------------------------------------------------------------- the kinds

// from the force's position to a point, the short way in periodic axes
static ThawVec3 find_offset(const ThawForceField *field, ThawVec3 point) {
    const ThawDomain *domain = field->domain;
    ThawVec3 way = thaw_sub(point, field->def->position);
    double *axis[3] = {&way.x, &way.y, &way.z};
    for (int a = 0; a < 3; a++) {
        if (!domain->periodic[a]) continue;
        double period = thaw_fixed_cells(domain->length[a]) * domain->cell;
        *axis[a] -= rint(*axis[a] / period) * period;
    }
    if (domain->dimensions == 2) way.z = 0;
    // of a vortex from its axis
    if (field->def->kind != THAW_FORCE_VORTEX) return way;
    return thaw_sub(way, thaw_scale(field->direction, thaw_dot(way, field->direction)));
}

// (core / distance)^falloff beyond the core
static double weaken(double ratio, double falloff) {
    if (falloff == 0) return 1;
    if (falloff == 1) return ratio;
    if (falloff == 2) return ratio * ratio;
    return pow(ratio, falloff);
}

// The share of the strength at a distance, over the distance: the core turns like a solid body.
static double find_profile(const ThawForceField *field, double distance) {
    const ThawForceDef *def = field->def;
    if (def->radius > 0 && distance >= def->radius) return 0;
    if (distance <= field->core) return 1 / field->core;
    double share = weaken(field->core / distance, def->falloff) / distance;
    double out = def->radius > 0 ? distance / def->radius : 0;
    if (out <= FADE_FROM) return share;
    double u = (1 - out) / (1 - FADE_FROM);
    return share * u * u * (3 - 2 * u);
}

static ThawVec3 push_about(const ThawForceField *field, ThawVec3 point) {
    ThawVec3 way = find_offset(field, point);
    double strength = field->share * field->def->strength;
    double factor = strength * find_profile(field, thaw_length(way));
    if (field->def->kind == THAW_FORCE_POINT) return thaw_scale(way, -factor);
    ThawVec3 round = thaw_scale(thaw_cross(field->direction, way), factor);
    return thaw_sub(round, thaw_scale(way, field->def->inflow * factor));
}

ThawVec3 thaw_field_push(const ThawForceField *field, ThawNoiseCache *cache, ThawVec3 point) {
    if (field->share == 0) return thaw_vec(0, 0, 0);
    switch (field->def->kind) {
    case THAW_FORCE_DIRECTIONAL:
        return thaw_scale(field->direction, field->share * field->def->strength);
    case THAW_FORCE_POINT:
    case THAW_FORCE_VORTEX: return push_about(field, point);
    case THAW_FORCE_TURBULENCE:
        return thaw_scale(thaw_noise_at(&field->noise, cache, point), field->share);
    default: return thaw_vec(0, 0, 0);
    }
}

// how near a move comes to the middle
static double find_nearest(const ThawForceField *field, ThawVec3 point, ThawVec3 move) {
    ThawVec3 way = find_offset(field, point);
    if (field->def->kind == THAW_FORCE_VORTEX) {
        move = thaw_sub(move, thaw_scale(field->direction, thaw_dot(move, field->direction)));
    }
    double length2 = thaw_dot(move, move);
    double at = length2 > 0 ? fmin(fmax(-thaw_dot(way, move) / length2, 0), 1) : 0;
    return thaw_length(thaw_add(way, thaw_scale(move, at)));
}

double thaw_field_most(const ThawForceField *field, ThawVec3 point, ThawVec3 move) {
    const ThawForceDef *def = field->def;
    double strength = fabs(field->share * def->strength);
    if (strength == 0 || def->kind == THAW_FORCE_WIND) return 0;
    if (def->kind == THAW_FORCE_DIRECTIONAL) return strength;
    if (def->kind == THAW_FORCE_TURBULENCE) return PEAK * strength;
    double distance = fmax(find_nearest(field, point, move), field->core);
    double inflow = def->kind == THAW_FORCE_VORTEX ? def->inflow : 0;
    return strength * sqrt(1 + inflow * inflow) * find_profile(field, distance) * distance;
}
