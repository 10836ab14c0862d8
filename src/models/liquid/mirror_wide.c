// Images in flat walls, eight particles at a time.
//
// A wall reflects the offset d to a neighbour: d' = d − 2 n (n·d) + n · 2x, x the particle's distance from the wall.
// A pair has two images, which glide along the wall by as much as the next layer of a crystal does, one each way; both
// fade as c(d) = c₀ (1 − d²/h²)² of the pair itself (mirror.h). In an edge there are images in each wall and in both,
// in a corner in each, in every two and in all three; what two walls have turned is in its place and does not glide.
// The list is walked once for every such set of walls: a single time but in edges and corners.
#include "models/liquid/mirror.h"

#include "models/liquid/pairs.h"

#define SIDES 6     // two on each axis
#define FAR 1000.0f // cells: out of everyone's reach

// spacings that images glide by, and c₀
#define BY_LAYER 0.7937f // the cubic close packing: half an edge of its cube
#define BY_ROW 0.9306f   // the plane one: across its rows
#define IN_ROW 0.5373f   // and along them
#define SHARE_LAYER 0.964f
#define SHARE_ROW 0.985f
#define SHARE_IN_ROW 0.664f
#define LEVEL 0.7f // of a normal along `up`: with more, a wall is a floor

// a wall of each lane, place units
typedef struct Plane {
    F8 x, y, z;  // the way off it
    F8 twice;    // its distance
    F8 glide[3]; // of its images, a sum of both supports
    F8 share;    // c₀
} Plane;

typedef struct Planes {
    Plane plane[SIDES];
    uint32_t used; // a bit a side: some lane has it
} Planes;

// what the lanes' images sum up to
typedef struct Images {
    F8 share, x, y, z;
} Images;

typedef struct Columns {
    float x[THAW_LANES], y[THAW_LANES], z[THAW_LANES], twice[THAW_LANES];
    float glide[3][THAW_LANES], share[THAW_LANES];
} Columns;

// spacings become sums of two supports, and cells place units
#define GLIDE_UNIT (THAW_PLACE_ONE / (2.0f * THAW_MIRROR_SUPPORT))

// In a plane crystals are filled with their rows along x.
static void glide_flat(Columns *columns, uint32_t lane, const float axis[3]) {
    bool across = axis[0] * axis[0] > axis[1] * axis[1];
    float by = (across ? BY_ROW : IN_ROW) * GLIDE_UNIT;
    columns->glide[0][lane] = -axis[1] * by;
    columns->glide[1][lane] = axis[0] * by;
    columns->glide[2][lane] = 0;
    columns->share[lane] = across ? SHARE_ROW : SHARE_IN_ROW;
}

// Walls along gravity glide along it, so that they agree in their edges; floors to the side.
static void glide_solid(Columns *columns, uint32_t lane, const float axis[3],
                        const ThawMirrorPass *pass) {
    const float *way = pass->up, *n = axis;
    float along = n[0] * way[0] + n[1] * way[1] + n[2] * way[2];
    if (along * along > LEVEL * LEVEL) {
        way = pass->side;
        along = n[0] * way[0] + n[1] * way[1] + n[2] * way[2];
    }
    float by = BY_LAYER * GLIDE_UNIT / sqrtf(1 - along * along);
    for (int b = 0; b < 3; b++) columns->glide[b][lane] = (way[b] - along * n[b]) * by;
    columns->share[lane] = SHARE_LAYER;
}

static void set_side(const ThawMirrorPass *pass, Columns *columns, uint32_t lane,
                     const float axis[3], float sign, float distance) {
    columns->x[lane] = sign * axis[0];
    columns->y[lane] = sign * axis[1];
    columns->z[lane] = sign * axis[2];
    columns->twice[lane] = 2.0f * THAW_PLACE_ONE * distance;
    if (pass->liquid->dimensions == 2)
        glide_flat(columns, lane, axis);
    else
        glide_solid(columns, lane, axis, pass);
}

static void set_lane(const ThawMirrorPass *pass, Columns columns[SIDES], uint32_t lane,
                     const ThawMirror *mirror, uint32_t *used) {
    const float *shift = pass->liquid->shift + 3 * (size_t)mirror->row;
    for (int a = 0; a < mirror->axes; a++) {
        const float *axis = mirror->axis[a];
        float moved = 0;
        for (int b = 0; b < 3; b++) moved += axis[b] * (shift[b] - mirror->shift[b]);
        if (mirror->low[a] < FAR) {
            set_side(pass, &columns[2 * a], lane, axis, 1, mirror->low[a] + moved);
            *used |= 1u << 2 * a;
        }
        if (mirror->high[a] < FAR) {
            set_side(pass, &columns[2 * a + 1], lane, axis, -1, mirror->high[a] - moved);
            *used |= 2u << 2 * a;
        }
    }
}

static void load_planes(const ThawMirrorPass *pass, const ThawMirrored *group, Planes *planes) {
    // lanes without a wall have one far away, on another axis each: two on one would bring images back
    static const float nowhere[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const ThawCluster *cluster = &pass->liquid->clusters[group->cluster];
    Columns columns[SIDES];
    planes->used = 0;
    for (uint32_t s = 0; s < SIDES; s++) {
        for (uint32_t k = 0; k < THAW_LANES; k++) {
            set_side(pass, &columns[s], k, nowhere[s / 2], 1, FAR);
        }
    }
    for (uint32_t k = 0; k < group->count; k++) {
        const ThawMirror *mirror = &pass->mirrors[group->first + k];
        set_lane(pass, columns, mirror->row - cluster->first, mirror, &planes->used);
    }
    for (uint32_t s = 0; s < SIDES; s++) {
        const Columns *c = &columns[s];
        planes->plane[s] =
            (Plane){f8_load(c->x),
                    f8_load(c->y),
                    f8_load(c->z),
                    f8_load(c->twice),
                    {f8_load(c->glide[0]), f8_load(c->glide[1]), f8_load(c->glide[2])},
                    f8_load(c->share)};
    }
}

THAW_INLINE Offset reflect(const Offset *d, const Plane *plane) {
    F8 along = f8_fma(plane->z, d->z, f8_fma(plane->y, d->y, f8_mul(plane->x, d->x)));
    F8 way = f8_sub(plane->twice, f8_add(along, along));
    return (Offset){f8_fma(plane->x, way, d->x), f8_fma(plane->y, way, d->y),
                    f8_fma(plane->z, way, d->z)};
}

// how a pair's images push: by the kernel's slope along themselves, and by their fading along the pair
typedef struct Push {
    F8 weight;  // of the pair in C
    F8 lambdas; // of both, with what scales the pair
    F8 share;   // c: how much an image counts
    F8 fading;  // −c' over the kernel's slope
} Push;

THAW_INLINE void add_image(const Offset *image, const Offset *real, F8 t, const Push *push,
                           Images *images) {
    F8 value = kernel_value(t);
    F8 off = f8_mul(push->lambdas, f8_mul(kernel_slope(t), push->share));
    F8 apart = f8_mul(push->lambdas, f8_mul(value, push->fading));
    images->share = f8_fma(f8_mul(value, push->weight), push->share, images->share);
    images->x = f8_fma(apart, real->x, f8_fma(off, image->x, images->x));
    images->y = f8_fma(apart, real->y, f8_fma(off, image->y, images->y));
    images->z = f8_fma(apart, real->z, f8_fma(off, image->z, images->z));
}

// both images of a pair that glide
THAW_INLINE void add_gliding(const Offset *image, const Offset *real, const Pair *pair, F8 both,
                             const F8 glide[3], F8 share, Push *push, Images *images) {
    F8 near = falloff(real, pair->inverse_h2, true), c = f8_mul(share, near);
    F8 x = f8_mul(both, glide[0]), y = f8_mul(both, glide[1]), z = f8_mul(both, glide[2]);
    push->share = f8_mul(c, near);
    push->fading = f8_mul(c, f8_set(4.0f / SLOPE_FACTOR));
    Offset ahead = {f8_add(image->x, x), f8_add(image->y, y), f8_add(image->z, z)};
    Offset behind = {f8_sub(image->x, x), f8_sub(image->y, y), f8_sub(image->z, z)};
    add_image(&ahead, real, falloff(&ahead, pair->inverse_h2, true), push, images);
    add_image(&behind, real, falloff(&behind, pair->inverse_h2, true), push, images);
}

// a set of walls, and how images in it glide
typedef struct Set {
    const Plane *wall[3];
    int walls; // with two of them nothing glides
    F8 glide[3], share;
} Set;

// images in one set of walls
THAW_INLINE void add_images(const ThawMirrorPass *pass, const ThawCluster *cluster,
                            const Lanes *lanes, const Grains *own, const ThawLiquidPair *row,
                            bool listed, const Set *set, Images *images) {
    const ThawLiquidPass *liquid = pass->liquid;
    for (uint32_t s = 0; s < cluster->segment_count; s++) {
        const ThawSegment *segment = &liquid->segments[cluster->segment + s];
        Lanes seen = see_through(lanes, segment, true);
        for (uint32_t k = 0; k < segment->count; k++) {
            uint32_t j = segment->list[k];
            const ThawPlace *other = &liquid->place[j];
            Offset real = offset_to(&seen, other, true), image = real;
            for (int w = 0; w < set->walls; w++) image = reflect(&image, set->wall[w]);
            Pair pair = pair_of(liquid, own, row, j, listed);
            F8 lambdas = f8_fma(lanes->lambda, pair.own, f8_mul(f8_set(other->lambda), pair.other));
            Push push = {pair.weight, f8_mul(lambdas, pair.push), f8_set(1.0f), f8_set(0.0f)};
            if (set->walls == 2) {
                F8 t = falloff(&image, pair.inverse_h2, true);
                add_image(&image, &real, t, &push, images);
                continue;
            }
            F8 both = f8_add(own->support, f8_set(liquid->grains[j].support));
            add_gliding(&image, &real, &pair, both, set->glide, set->share, &push, images);
        }
    }
}

// The walls of a set, 0 to 2 a digit for each axis: none, the one before, the one behind. False when it is not complete.
static bool pick_walls(const ThawMirrorPass *pass, const Planes *planes, uint32_t number,
                       Set *set) {
    set->walls = 0;
    for (uint32_t a = 0; a < 3; a++, number /= 3) {
        if (number % 3 == 0) continue;
        uint32_t side = 2 * a + number % 3 - 1;
        if (!(planes->used & 1u << side)) return false;
        set->wall[set->walls++] = &planes->plane[side];
    }
    // three walls turn a crystal as one does, and leave no direction of their own
    set->share = set->walls == 3 ? f8_set(SHARE_LAYER) : set->wall[0]->share;
    for (int a = 0; a < 3; a++) {
        set->glide[a] =
            set->walls == 3 ? f8_set(pass->up[a] * BY_LAYER * GLIDE_UNIT) : set->wall[0]->glide[a];
    }
    return true;
}

static Images images_of(const ThawMirrorPass *pass, const ThawMirrored *group) {
    const ThawLiquidPass *liquid = pass->liquid;
    const ThawCluster *cluster = &liquid->clusters[group->cluster];
    Lanes lanes = load_lanes(liquid->place, cluster);
    Grains own = load_grains(liquid, cluster->first, true);
    const ThawLiquidPair *row = row_of(liquid, cluster);
    Images images = {f8_set(0.0f), f8_set(0.0f), f8_set(0.0f), f8_set(0.0f)};
    Planes planes;
    load_planes(pass, group, &planes);
    for (uint32_t number = 1; number < 27; number++) {
        Set set;
        if (!pick_walls(pass, &planes, number, &set)) continue;
        if (row != NULL)
            add_images(pass, cluster, &lanes, &own, row, true, &set, &images);
        else
            add_images(pass, cluster, &lanes, &own, row, false, &set, &images);
    }
    return images;
}

void THAW_WIDE(thaw_mirror_density)(const ThawMirrorPass *pass, uint32_t chunk) {
    ThawRange range = thaw_chunk_range(chunk, pass->count, THAW_MIRROR_CHUNK);
    for (uint32_t g = range.begin; g < range.end; g++) {
        const ThawMirrored *group = &pass->groups[g];
        uint32_t first = pass->liquid->clusters[group->cluster].first;
        float share[THAW_LANES];
        f8_store(share, images_of(pass, group).share);
        for (uint32_t k = group->first; k < group->first + group->count; k++) {
            const ThawMirror *mirror = &pass->mirrors[k];
            if (mirror->axes > 0) pass->wall[mirror->row] = share[mirror->row - first];
        }
    }
}

void THAW_WIDE(thaw_mirror_push)(const ThawMirrorPass *pass, uint32_t chunk) {
    ThawRange range = thaw_chunk_range(chunk, pass->count, THAW_MIRROR_CHUNK);
    // as in the liquid's correction, but from place units to cells
    const F8 back = f8_set(-SLOPE_FACTOR * THAW_PLACE_ONE);
    for (uint32_t g = range.begin; g < range.end; g++) {
        const ThawMirrored *group = &pass->groups[g];
        uint32_t first = pass->liquid->clusters[group->cluster].first;
        Images images = images_of(pass, group);
        float push[3][THAW_LANES];
        f8_store(push[0], f8_mul(images.x, back));
        f8_store(push[1], f8_mul(images.y, back));
        f8_store(push[2], f8_mul(images.z, back));
        for (uint32_t k = group->first; k < group->first + group->count; k++) {
            ThawMirror *mirror = &pass->mirrors[k];
            for (int a = 0; a < 3; a++) mirror->push[a] = push[a][mirror->row - first];
        }
    }
}
