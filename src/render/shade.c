// Light: a sky that is brighter above, a sun with a soft edge, ground that takes the shadows, and
// beads with a wet gleam.
//
// Every sample of a pixel traces one ray from the eye, and where it meets matter two towards the sky
// and one towards the sun. All points come from sequence.h, so eight pixels' rays go through Embree
// as one packet and the picture is the same whoever traces which block.
#include "render/shade.h"

#include "geometry/distance.h"
#include "math/vec.h"
#include "render/sequence.h"

#define LANES (THAW_BLOCK_WIDTH * THAW_BLOCK_HEIGHT)
#define SKY_RAYS 2        // a sample
#define SOLID_RAYS 6      // on solids, which are few and even: noise would show
#define SKY_REACH 0.7f    // units; what is farther does not shade
#define SUN_SIZE 0.09f    // rad, radius of the sun's disc
#define SUN_LIGHT 0.80f   // share of light of a surface that faces the sun
#define SKY_LIGHT 0.68f   // and under an open sky
#define BOUNCE 0.45f      // light that comes back from matter that blocks the sky
#define GROUND_NEAR 1.25f // units from the middle; from here the ground fades
#define GROUND_FAR 3.6f

enum { PURPOSE_DITHER, PURPOSE_PIXEL, PURPOSE_SUN, PURPOSE_SKY }; // turns of the last two alternate

typedef enum SurfaceKind { NOTHING, GROUND, BEAD, SOLID } SurfaceKind;

typedef struct Surface {
    SurfaceKind kind;
    ThawFloat3 point, normal, view; // view: towards the eye
    ThawFloat3 albedo;
    float wire; // share of a container's edge in front
    float veil; // share of a shell in front, whose colour is `cloth`
    ThawFloat3 cloth;
    float fade; // of the ground, 0..1
} Surface;

// light that reaches a surface
typedef struct Light {
    ThawFloat3 sky; // relative to an open sky
    float open;     // share of the sky that is seen
    float sun;      // 0 or 1
} Light;

// ---------------------------------------------------------------- surroundings

static ThawFloat3 background(float y) {
    static const ThawFloat3 top = {0.155f, 0.19f, 0.235f}, bottom = {0.47f, 0.51f, 0.55f};
    return thaw_f3_mix(bottom, top, thaw_smooth(-0.75f, 1.05f, y));
}

// what a mirror would show: a bright soft sky above, the ground below
static ThawFloat3 sky_mirror(const ThawShot *shot, ThawFloat3 direction) {
    static const ThawFloat3 zenith = {1.05f, 1.12f, 1.2f}, horizon = {0.72f, 0.78f, 0.84f},
                            earth = {0.34f, 0.35f, 0.36f};
    float rise = thaw_f3_dot(direction, shot->sky_up);
    if (rise > 0) return thaw_f3_mix(horizon, zenith, thaw_smooth(0.0f, 0.8f, rise));
    return thaw_f3_mix(horizon, earth, thaw_smooth(0.0f, 0.25f, -rise));
}

static ThawFloat3 to_float3(ThawVec3 v) {
    return thaw_f3((float)v.x, (float)v.y, (float)v.z);
}

void thaw_shot_make(const ThawStage *stage, const ThawRenderDef *def, const ThawLens *lens,
                    ThawShot *shot) {
    *shot = (ThawShot){.stage = stage,
                       .lens = *lens,
                       .width = def->width,
                       .height = def->height,
                       .samples = def->samples,
                       .stride = 1};
    while (shot->stride < (uint32_t)def->samples) shot->stride *= 2;
    ThawFloat3 upright = thaw_f3(stage->up == 0, stage->up == 1, stage->up == 2);
    // the sun stands over the left shoulder of the framing camera
    ThawCamera usual = thaw_camera_framing((ThawVec3){-1, -1, -1}, (ThawVec3){1, 1, 1}, stage->up,
                                           stage->dimensions, 1.0);
    ThawFloat3 back = thaw_f3_unit(to_float3(thaw_sub(usual.eye, usual.target)));
    ThawFloat3 left = thaw_f3_unit(thaw_f3_cross(back, upright));
    ThawFloat3 level = thaw_f3_unit(thaw_f3_cross(upright, left));
    bool flat = stage->dimensions == 2;
    ThawFloat3 sun = thaw_f3_along(thaw_f3_scale(left, 0.70f), 1.15f, upright);
    shot->sun = thaw_f3_unit(thaw_f3_along(sun, flat ? 1.3f : 0.5f, level));
    shot->sky_up = flat ? thaw_f3_unit(thaw_f3_along(upright, 1.3f, back)) : upright;
    shot->up = flat ? back : upright;
    shot->ground = stage->ground;
    shot->ground_level = stage->ground_level;
    shot->speck = 2e-5f;
}

// ---------------------------------------------------------------- rays from the eye

typedef struct Packet {
    _Alignas(32) int valid[LANES];
    uint32_t index[LANES]; // place on the sequence
    float across[LANES];   // −1..1, height of the sample in the picture
    Surface surface[LANES];
} Packet;

// a tent a little wider than the pixel: soft edges without a filter over neighbours
static float tent(float u) {
    float t = 2.0f * u - 1.0f;
    float place = t < 0 ? -1.0f + sqrtf(1.0f + t) : 1.0f - sqrtf(1.0f - t);
    return 0.75f * place;
}

static void set_ray(struct RTCRay8 *ray, int lane, ThawFloat3 from, ThawFloat3 direction,
                    float reach) {
    ray->org_x[lane] = from.x;
    ray->org_y[lane] = from.y;
    ray->org_z[lane] = from.z;
    ray->dir_x[lane] = direction.x;
    ray->dir_y[lane] = direction.y;
    ray->dir_z[lane] = direction.z;
    ray->tnear[lane] = 0.0f;
    ray->tfar[lane] = reach;
    ray->time[lane] = 0.0f;
    ray->mask[lane] = 0xffffffffu;
    ray->id[lane] = 0; // shells stop it
    ray->flags[lane] = 0;
}

// Starts the ray where it comes near the scene: an eye far away costs no precision.
static void aim(const ThawShot *shot, struct RTCRay8 *ray, int lane, double x, double y) {
    ThawVec3 d = thaw_lens_direction(&shot->lens, x, y);
    d = thaw_scale(d, 1.0 / thaw_length(d));
    double nearest = -thaw_dot(shot->lens.eye, d);
    double start = nearest - 4.0 > 0 ? nearest - 4.0 : 0.0;
    ThawVec3 from = thaw_add(shot->lens.eye, thaw_scale(d, start));
    set_ray(ray, lane, to_float3(from), to_float3(d), 1e6f);
}

static void aim_packet(const ThawShot *shot, int x, int y, int sample, struct RTCRay8 *ray,
                       Packet *packet) {
    for (int lane = 0; lane < LANES; lane++) {
        int px = x + lane % THAW_BLOCK_WIDTH, py = y + lane / THAW_BLOCK_WIDTH;
        packet->valid[lane] = px < shot->width && py < shot->height ? -1 : 0;
        uint32_t order = thaw_pixel_order((uint32_t)px, (uint32_t)py);
        packet->index[lane] = order * shot->stride + (uint32_t)sample;
        ThawPoint2 u = thaw_sequence_point(packet->index[lane], PURPOSE_PIXEL);
        double fx = px + 0.5 + (double)tent(u.x), fy = py + 0.5 + (double)tent(u.y);
        double sx = 2 * fx / shot->width - 1, sy = 1 - 2 * fy / shot->height;
        packet->across[lane] = (float)sy;
        aim(shot, ray, lane, sx, sy);
    }
}

// ---------------------------------------------------------------- what they meet

static void meet_bead(const ThawShot *shot, Surface *s, unsigned which) {
    const float *sphere = shot->stage->spheres[which];
    ThawFloat3 middle = thaw_f3(sphere[0], sphere[1], sphere[2]);
    s->kind = BEAD;
    s->normal = thaw_f3_unit(thaw_f3_sub(s->point, middle));
    // exactly on the sphere
    s->point = thaw_f3_along(middle, sphere[3], s->normal);
    s->albedo = shot->stage->colors[which];
}

static ThawFloat3 float3_at(const float *p) {
    return thaw_f3(p[0], p[1], p[2]);
}

// Where a ray met a triangle of a mesh: corner weights of the second and the third.
typedef struct Spot {
    unsigned triangle;
    float u, v;
} Spot;

// The normal between those of the corners, and a point lifted from the triangle to the curved surface that they
// mean, so that light does not end along triangles (Hanika 2021).
static void meet_cloth(const ThawOutline *mesh, Surface *s, Spot spot) {
    const float *normals = mesh->normals + 9 * (size_t)spot.triangle;
    const uint32_t *corners = mesh->indices + 3 * (size_t)spot.triangle;
    const float weights[3] = {1.0f - spot.u - spot.v, spot.u, spot.v};
    float side = thaw_f3_dot(s->normal, s->view) < 0 ? -1.0f : 1.0f;
    ThawFloat3 facet = thaw_f3_scale(s->normal, side), normal = {0, 0, 0}, lift = {0, 0, 0};
    for (int k = 0; k < 3; k++) {
        ThawFloat3 n = float3_at(normals + 3 * k);
        if (thaw_f3_dot(n, facet) < 0) n = thaw_f3_scale(n, -1.0f);
        normal = thaw_f3_along(normal, weights[k], n);
        float under = thaw_f3_dot(thaw_f3_sub(s->point, float3_at(mesh->points[corners[k]])), n);
        if (under < 0) lift = thaw_f3_along(lift, -under * weights[k], n);
    }
    normal = thaw_f3_unit(normal);
    // a smooth normal that turns away at the rim would be black
    s->normal = thaw_f3_dot(normal, s->view) > 0.02f ? normal : facet;
    s->point = thaw_f3_add(s->point, lift);
}

static void meet_solid(const ThawShot *shot, Surface *s, unsigned which, ThawFloat3 facet,
                       Spot spot) {
    const ThawStage *stage = shot->stage;
    s->kind = SOLID;
    s->albedo = stage->solid_colors[which];
    s->normal = thaw_f3_unit(facet);
    if (stage->meshes[which].normals != NULL) {
        if (stage->dimensions == 3) meet_cloth(&stage->meshes[which], s, spot);
    } else if (stage->dimensions == 3) {
        const ThawShape *shape = &stage->solids[which].shape;
        ThawVec3 p = {s->point.x, s->point.y, s->point.z};
        p = thaw_add(stage->center, thaw_scale(p, stage->scale));
        ThawNearest near = thaw_shape_local_nearest(shape, thaw_pose_invert(shape->pose, p));
        s->normal = to_float3(thaw_quat_rotate(shape->pose.rotation, near.normal));
        // a facet that lies inside the true surface would shade itself
        float lift = (float)(-near.distance / stage->scale);
        if (lift > 0 && lift < 0.02f) s->point = thaw_f3_along(s->point, lift, s->normal);
    }
    if (thaw_f3_dot(s->normal, s->view) < 0) s->normal = thaw_f3_scale(s->normal, -1.0f);
}

static void meet_ground(const ThawShot *shot, Surface *s, ThawFloat3 from, ThawFloat3 direction,
                        float reach) {
    if (!shot->ground) return;
    float height = thaw_f3_dot(from, shot->up) - shot->ground_level;
    float slope = thaw_f3_dot(direction, shot->up);
    if (!(height > 0 && slope < -1e-6f)) return;
    float t = height / -slope;
    if (t >= reach) return;
    ThawFloat3 point = thaw_f3_along(from, t, direction);
    ThawFloat3 aside = thaw_f3_along(point, -thaw_f3_dot(point, shot->up), shot->up);
    float away = sqrtf(thaw_f3_dot(aside, aside));
    s->kind = GROUND;
    s->point = point;
    s->normal = shot->up;
    bool flat = shot->stage->dimensions == 2;
    s->fade = flat ? 1.0f : 1.0f - thaw_smooth(GROUND_NEAR, GROUND_FAR, away);
}

static void meet(const ThawShot *shot, const struct RTCRayHit8 *hit, int lane, Surface *s) {
    const struct RTCRay8 *ray = &hit->ray;
    ThawFloat3 from = thaw_f3(ray->org_x[lane], ray->org_y[lane], ray->org_z[lane]);
    ThawFloat3 direction = thaw_f3(ray->dir_x[lane], ray->dir_y[lane], ray->dir_z[lane]);
    float reach = ray->tfar[lane];
    *s = (Surface){.kind = NOTHING, .view = thaw_f3_scale(direction, -1.0f)};
    unsigned geometry = hit->hit.geomID[lane], which = hit->hit.primID[lane];
    if (geometry != RTC_INVALID_GEOMETRY_ID) {
        s->point = thaw_f3_along(from, reach, direction);
        ThawFloat3 facet = thaw_f3(hit->hit.Ng_x[lane], hit->hit.Ng_y[lane], hit->hit.Ng_z[lane]);
        if (geometry == 0)
            meet_bead(shot, s, which);
        else
            meet_solid(shot, s, geometry - 1, facet,
                       (Spot){which, hit->hit.u[lane], hit->hit.v[lane]});
    }
    meet_ground(shot, s, from, direction, reach);
}

// ---------------------------------------------------------------- through shells

#define VEIL 0.13f // share of a shell in front of what it holds

static void start_hit(struct RTCRayHit *hit, ThawFloat3 from, ThawFloat3 direction, unsigned id) {
    *hit = (struct RTCRayHit){.ray = {.org_x = from.x,
                                      .org_y = from.y,
                                      .org_z = from.z,
                                      .dir_x = direction.x,
                                      .dir_y = direction.y,
                                      .dir_z = direction.z,
                                      .tfar = 1e6f,
                                      .mask = 0xffffffffu,
                                      .id = id}};
    hit->hit.geomID = RTC_INVALID_GEOMETRY_ID;
    hit->hit.instID[0] = RTC_INVALID_GEOMETRY_ID;
}

// whether the first shell that way is this one
static bool sees_shell(const ThawShot *shot, ThawFloat3 from, ThawFloat3 direction,
                       unsigned geometry) {
    struct RTCRayHit hit;
    struct RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    start_hit(&hit, from, direction, 0);
    rtcIntersect1(shot->stage->shells, &context, &hit);
    return hit.hit.geomID == geometry;
}

// Replaces a shell by the bead behind it where that is held: the shell is also beyond the bead and below it. A
// wing with water behind it, or a river's bed, stays as it is.
static void look_through(const ThawShot *shot, unsigned geometry, Surface *s) {
    struct RTCRayHit hit;
    struct RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    ThawFloat3 ahead = thaw_f3_scale(s->view, -1.0f);
    start_hit(&hit, s->point, ahead, THAW_RAY_THROUGH_SHELLS);
    rtcIntersect1(shot->stage->matter, &context, &hit);
    if (hit.hit.geomID != 0) return;
    ThawFloat3 bead = thaw_f3_along(s->point, hit.ray.tfar, ahead);
    if (!sees_shell(shot, bead, ahead, geometry) ||
        !sees_shell(shot, bead, thaw_f3_scale(shot->up, -1.0f), geometry))
        return;
    // the shell's own light, roughly: it is but a veil
    float facing = thaw_f3_dot(s->normal, shot->sun);
    float bright = 0.45f + 0.45f * (facing > 0 ? facing : 0);
    s->cloth = thaw_f3_scale(s->albedo, bright);
    s->veil = VEIL;
    s->point = bead;
    meet_bead(shot, s, hit.hit.primID);
}

static void look_through_shells(const ThawShot *shot, const struct RTCRayHit8 *hit,
                                Packet *packet) {
    if (shot->stage->shells == NULL) return;
    for (int lane = 0; lane < LANES; lane++) {
        unsigned geometry = hit->hit.geomID[lane];
        Surface *s = &packet->surface[lane];
        if (!packet->valid[lane] || s->kind != SOLID) continue;
        if (shot->stage->meshes[geometry - 1].shell) look_through(shot, geometry, s);
    }
}

// edges of containers: in front they cover most of what is behind them
static void meet_wires(const ThawShot *shot, const struct RTCRay8 *eye, Packet *packet) {
    if (shot->stage->wires == NULL) return;
    struct RTCRayHit8 hit;
    struct RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    context.flags = RTC_INTERSECT_CONTEXT_FLAG_COHERENT;
    hit.ray = *eye;
    for (int lane = 0; lane < LANES; lane++) hit.hit.geomID[lane] = RTC_INVALID_GEOMETRY_ID;
    for (int lane = 0; lane < LANES; lane++) hit.hit.instID[0][lane] = RTC_INVALID_GEOMETRY_ID;
    rtcIntersect8(packet->valid, shot->stage->wires, &context, &hit);
    for (int lane = 0; lane < LANES; lane++) {
        if (hit.hit.geomID[lane] != RTC_INVALID_GEOMETRY_ID) packet->surface[lane].wire = 0.72f;
    }
}

static void look(const ThawShot *shot, int x, int y, int sample, Packet *packet) {
    struct RTCRayHit8 hit;
    struct RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    context.flags = RTC_INTERSECT_CONTEXT_FLAG_COHERENT;
    aim_packet(shot, x, y, sample, &hit.ray, packet);
    for (int lane = 0; lane < LANES; lane++) hit.hit.geomID[lane] = RTC_INVALID_GEOMETRY_ID;
    for (int lane = 0; lane < LANES; lane++) hit.hit.instID[0][lane] = RTC_INVALID_GEOMETRY_ID;
    rtcIntersect8(packet->valid, shot->stage->matter, &context, &hit);
    for (int lane = 0; lane < LANES; lane++) {
        if (packet->valid[lane]) meet(shot, &hit, lane, &packet->surface[lane]);
    }
    look_through_shells(shot, &hit, packet);
    meet_wires(shot, &hit.ray, packet);
}

// ---------------------------------------------------------------- light on it

// two unit vectors at right angles to n (Duff et al. 2017)
static void make_frame(ThawFloat3 n, ThawFloat3 *u, ThawFloat3 *v) {
    float sign = n.z < 0 ? -1.0f : 1.0f, a = -1.0f / (sign + n.z), b = n.x * n.y * a;
    *u = thaw_f3(1.0f + sign * n.x * n.x * a, sign * b, -sign * n.x);
    *v = thaw_f3(b, sign + n.y * n.y * a, -n.y);
}

// a point of the unit disc, evenly spread (Shirley and Chiu 1997)
static ThawPoint2 on_disc(ThawPoint2 p) {
    float a = 2.0f * p.x - 1.0f, b = 2.0f * p.y - 1.0f;
    if (a == 0.0f && b == 0.0f) return (ThawPoint2){0, 0};
    bool wide = fabsf(a) > fabsf(b);
    float r = wide ? a : b, angle = 0.78539816f * (wide ? b / a : a / b), q = angle * angle;
    // short series suffice up to an eighth of a turn
    float sine =
        angle * (1.0f - q * (1.0f / 6) * (1.0f - q * (1.0f / 20) * (1.0f - q * (1.0f / 42))));
    float cosine = 1.0f - 0.5f * q * (1.0f - q * (1.0f / 12) * (1.0f - q * (1.0f / 30)));
    return wide ? (ThawPoint2){r * cosine, r * sine} : (ThawPoint2){r * sine, r * cosine};
}

static ThawFloat3 toward_sky(ThawFloat3 normal, ThawPoint2 random) {
    ThawFloat3 u, v;
    make_frame(normal, &u, &v);
    ThawPoint2 d = on_disc(random);
    float rest = 1.0f - d.x * d.x - d.y * d.y;
    ThawFloat3 side = thaw_f3_along(thaw_f3_scale(u, d.x), d.y, v);
    return thaw_f3_along(side, sqrtf(rest > 0 ? rest : 0), normal);
}

static ThawFloat3 toward_sun(const ThawShot *shot, ThawPoint2 random) {
    ThawFloat3 u, v;
    make_frame(shot->sun, &u, &v);
    ThawPoint2 d = on_disc(random);
    ThawFloat3 side = thaw_f3_along(thaw_f3_scale(u, SUN_SIZE * d.x), SUN_SIZE * d.y, v);
    return thaw_f3_unit(thaw_f3_add(shot->sun, side));
}

static ThawFloat3 leave(const ThawShot *shot, const Surface *s) {
    return thaw_f3_along(s->point, shot->speck, s->normal);
}

// traces which of the lanes are blocked: tfar < 0
static void test_blocked(const ThawShot *shot, const int *valid, struct RTCRay8 *ray) {
    struct RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    rtcOccluded8(valid, shot->stage->matter, &context, ray);
}

// rays that a surface sends each way
static uint32_t sun_rays(const Surface *s) {
    return s->kind == SOLID ? SOLID_RAYS / 2 : s->kind == GROUND && s->fade <= 0 ? 0 : 1;
}

static uint32_t sky_rays(const Surface *s) {
    return s->kind == SOLID ? SOLID_RAYS : s->kind == GROUND && s->fade <= 0 ? 0 : SKY_RAYS;
}

static void light_by_sun(const ThawShot *shot, const Packet *packet, uint32_t turn, Light *light) {
    struct RTCRay8 ray;
    _Alignas(32) int valid[LANES];
    int any = 0;
    for (int lane = 0; lane < LANES; lane++) {
        const Surface *s = &packet->surface[lane];
        bool lit = packet->valid[lane] && s->kind != NOTHING && turn < sun_rays(s) &&
                   thaw_f3_dot(s->normal, shot->sun) > 0;
        valid[lane] = lit ? -1 : 0;
        if (!lit) continue;
        ThawPoint2 random = thaw_sequence_point(packet->index[lane], PURPOSE_SUN + 2 * turn);
        set_ray(&ray, lane, leave(shot, s), toward_sun(shot, random), 1e6f);
        if (s->veil > 0) ray.id[lane] = THAW_RAY_THROUGH_SHELLS;
        any = 1;
    }
    if (!any) return;
    test_blocked(shot, valid, &ray);
    for (int lane = 0; lane < LANES; lane++) {
        if (!valid[lane] || ray.tfar[lane] < 0) continue;
        light[lane].sun += 1.0f / (float)sun_rays(&packet->surface[lane]);
    }
}

// light along an open direction: the sky, or the lit ground below
static float sky_at(const ThawShot *shot, ThawFloat3 point, ThawFloat3 direction) {
    float rise = thaw_f3_dot(direction, shot->sky_up);
    if (rise >= 0) return 0.8f + 0.35f * rise;
    if (!shot->ground) return 0.55f;
    // close to the ground little light comes from it
    float height = thaw_f3_dot(point, shot->up) - shot->ground_level;
    return 0.12f + 0.38f * thaw_smooth(0.0f, 0.25f, height / -rise);
}

static void add_sky(const ThawShot *shot, const Surface *s, ThawFloat3 direction, bool blocked,
                    Light *light) {
    float share = 1.0f / (float)sky_rays(s);
    if (blocked) {
        // neighbours are alike: what they send back has this surface's colour
        light->sky = thaw_f3_along(light->sky, BOUNCE * share, s->albedo);
        return;
    }
    float open = sky_at(shot, s->point, direction) * share;
    light->sky = thaw_f3_add(light->sky, thaw_f3(open, open, open));
    light->open += share;
}

static void light_by_sky(const ThawShot *shot, const Packet *packet, uint32_t turn, Light *light) {
    struct RTCRay8 ray;
    ThawFloat3 direction[LANES];
    _Alignas(32) int valid[LANES];
    int any = 0;
    for (int lane = 0; lane < LANES; lane++) {
        const Surface *s = &packet->surface[lane];
        bool lit = packet->valid[lane] && s->kind != NOTHING && turn < sky_rays(s);
        valid[lane] = lit ? -1 : 0;
        if (!lit) continue;
        ThawPoint2 random = thaw_sequence_point(packet->index[lane], PURPOSE_SKY + 2 * turn);
        direction[lane] = toward_sky(s->normal, random);
        set_ray(&ray, lane, leave(shot, s), direction[lane], SKY_REACH);
        if (s->veil > 0) ray.id[lane] = THAW_RAY_THROUGH_SHELLS;
        any = 1;
    }
    if (!any) return;
    test_blocked(shot, valid, &ray);
    for (int lane = 0; lane < LANES; lane++) {
        if (!valid[lane]) continue;
        add_sky(shot, &packet->surface[lane], direction[lane], ray.tfar[lane] < 0, &light[lane]);
    }
}

// ---------------------------------------------------------------- colour

// light that is mirrored: the sky by Fresnel (Schlick 1994), and the sun's gleam
static ThawFloat3 gleam(const ThawShot *shot, const Surface *s, const Light *light) {
    float facing = thaw_clamp01(thaw_f3_dot(s->normal, s->view));
    float graze = 1.0f - facing, power = graze * graze;
    power = power * power * graze;
    float least = s->kind == BEAD ? 0.035f : 0.02f, rough = s->kind == BEAD ? 0.55f : 0.25f;
    float mirrored = least + rough * (1.0f - least) * power;
    ThawFloat3 back = thaw_f3_along(thaw_f3_scale(s->view, -1.0f), 2.0f * facing, s->normal);
    ThawFloat3 color = thaw_f3_scale(sky_mirror(shot, back), mirrored * light->open);
    ThawFloat3 between = thaw_f3_unit(thaw_f3_add(s->view, shot->sun));
    float spot =
        powf(thaw_clamp01(thaw_f3_dot(s->normal, between)), s->kind == BEAD ? 70.0f : 24.0f);
    float sun = light->sun * spot * (s->kind == BEAD ? 0.55f : 0.06f);
    return thaw_f3_add(color, thaw_f3(sun, 0.97f * sun, 0.9f * sun));
}

static ThawFloat3 shade_matter(const ThawShot *shot, const Surface *s, const Light *light) {
    static const ThawFloat3 sun_tint = {1.06f, 1.0f, 0.93f}, sky_tint = {0.96f, 1.0f, 1.05f};
    float facing = light->sun * thaw_clamp01(thaw_f3_dot(s->normal, shot->sun));
    ThawFloat3 all = thaw_f3_scale(thaw_f3_mul(light->sky, sky_tint), SKY_LIGHT);
    all = thaw_f3_along(all, SUN_LIGHT * facing, sun_tint);
    return thaw_f3_add(thaw_f3_mul(all, s->albedo), gleam(shot, s, light));
}

// share of an open ground's light
static float light_on_ground(const ThawShot *shot, const Light *light) {
    float level = thaw_f3_dot(shot->up, shot->sun), full = SKY_LIGHT + SUN_LIGHT * level;
    return (SKY_LIGHT * light->open + SUN_LIGHT * level * light->sun) / full;
}

static void expose(const ThawShot *shot, const Surface *s, const Light *light, float y,
                   ThawGrain *grain) {
    static const ThawFloat3 edge = {0.028f, 0.034f, 0.042f};
    float clear = 1.0f - s->wire;
    grain->rest = thaw_f3_along(grain->rest, s->wire, edge);
    if (s->kind == GROUND) {
        grain->ground += clear;
        grain->light += s->fade > 0 ? light_on_ground(shot, light) : 1.0f;
        grain->fade += s->fade;
        grain->seen += 1.0f;
        return;
    }
    ThawFloat3 color = s->kind == NOTHING ? background(y) : shade_matter(shot, s, light);
    if (s->veil > 0) color = thaw_f3_mix(color, s->cloth, s->veil);
    grain->rest = thaw_f3_along(grain->rest, clear, color);
}

// keeps the hue and rolls off what is too bright
static ThawFloat3 tone(ThawFloat3 c) {
    float most = fmaxf(c.x, fmaxf(c.y, c.z)), knee = 0.72f, room = 1.0f - knee;
    if (most <= knee) return c;
    float kept = knee + room * (1.0f - expf(-(most - knee) / room));
    ThawFloat3 scaled = thaw_f3_scale(c, kept / most);
    // the brightest light loses its colour
    float pale = thaw_smooth(1.0f, 3.0f, most);
    return thaw_f3_mix(scaled, thaw_f3(kept, kept, kept), pale);
}

// The ground has the background's own colour, less what the shadows take: no horizon, no seam.
void thaw_shot_develop(const ThawShot *shot, int x, int y, const ThawGrain *grain, float light,
                       uint8_t pixel[3]) {
    ThawFloat3 all = grain->rest;
    if (grain->seen > 0) {
        float fade = grain->fade / grain->seen, share = 1.1f * (0.12f + 0.88f * light);
        ThawFloat3 open = background(1.0f - 2.0f * ((float)y + 0.5f) / (float)shot->height);
        all = thaw_f3_along(all, grain->ground * (1.0f + fade * (share - 1.0f)), open);
    }
    ThawFloat3 srgb = thaw_color_srgb(tone(all));
    // half a step of dither, so that soft gradients do not band
    uint32_t order = thaw_pixel_order((uint32_t)x, (uint32_t)y);
    float noise = thaw_sequence_point(order, PURPOSE_DITHER).x;
    pixel[0] = (uint8_t)(254.999f * thaw_clamp01(srgb.x) + noise);
    pixel[1] = (uint8_t)(254.999f * thaw_clamp01(srgb.y) + noise);
    pixel[2] = (uint8_t)(254.999f * thaw_clamp01(srgb.z) + noise);
}

static void trace_sample(const ThawShot *shot, int x, int y, int sample, ThawGrain *grains) {
    Packet packet;
    Light light[LANES] = {{{0, 0, 0}, 0, 0}};
    look(shot, x, y, sample, &packet);
    for (uint32_t turn = 0; turn < SOLID_RAYS / 2; turn++) light_by_sun(shot, &packet, turn, light);
    for (uint32_t turn = 0; turn < SOLID_RAYS; turn++) light_by_sky(shot, &packet, turn, light);
    for (int lane = 0; lane < LANES; lane++) {
        if (!packet.valid[lane]) continue;
        expose(shot, &packet.surface[lane], &light[lane], packet.across[lane], &grains[lane]);
    }
}

void thaw_shot_block(const ThawShot *shot, int x, int y, int first_row, int end_row,
                     ThawGrain *film) {
    ThawGrain grains[LANES] = {{.ground = 0}};
    for (int sample = 0; sample < shot->samples; sample++) {
        trace_sample(shot, x, y, sample, grains);
    }
    float each = 1.0f / (float)shot->samples;
    for (int lane = 0; lane < LANES; lane++) {
        int px = x + lane % THAW_BLOCK_WIDTH, py = y + lane / THAW_BLOCK_WIDTH;
        if (px >= shot->width || py >= end_row) continue;
        grains[lane].rest = thaw_f3_scale(grains[lane].rest, each);
        grains[lane].ground *= each;
        film[(size_t)(py - first_row) * (size_t)shot->width + (size_t)px] = grains[lane];
    }
}
