// Images in flat walls, eight particles at a time.
//
// A wall reflects the offset d to a neighbour: d' = d − 2 n (n·d) + n · 2x, x the particle's distance from the wall. In
// an edge there are images in each wall and in both, in a corner in each, in every two and in all three. The list is
// walked once for every such set of walls: a single time but in edges and corners.
#include "models/liquid/mirror.h"

#include "models/liquid/pairs.h"

#define SIDES 6     // two on each axis
#define FAR 1000.0f // cells: out of everyone's reach

// a wall of each lane, place units
typedef struct Plane {
    F8 x, y, z; // the way off it
    F8 twice;   // its distance
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
} Columns;

static void set_side(Columns *columns, uint32_t lane, const float axis[3], float sign,
                     float distance) {
    columns->x[lane] = sign * axis[0];
    columns->y[lane] = sign * axis[1];
    columns->z[lane] = sign * axis[2];
    columns->twice[lane] = 2.0f * THAW_PLACE_ONE * distance;
}

static void set_lane(Columns columns[SIDES], uint32_t lane, const ThawMirror *mirror,
                     const float *shift, uint32_t *used) {
    for (int a = 0; a < mirror->axes; a++) {
        const float *axis = mirror->axis[a];
        float moved = 0;
        for (int b = 0; b < 3; b++) moved += axis[b] * (shift[b] - mirror->shift[b]);
        if (mirror->low[a] < FAR) {
            set_side(&columns[2 * a], lane, axis, 1, mirror->low[a] + moved);
            *used |= 1u << 2 * a;
        }
        if (mirror->high[a] < FAR) {
            set_side(&columns[2 * a + 1], lane, axis, -1, mirror->high[a] - moved);
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
        for (uint32_t k = 0; k < THAW_LANES; k++) set_side(&columns[s], k, nowhere[s / 2], 1, FAR);
    }
    for (uint32_t k = 0; k < group->count; k++) {
        const ThawMirror *mirror = &pass->mirrors[group->first + k];
        const float *shift = pass->liquid->shift + 3 * (size_t)mirror->row;
        set_lane(columns, mirror->row - cluster->first, mirror, shift, &planes->used);
    }
    for (uint32_t s = 0; s < SIDES; s++) {
        planes->plane[s] = (Plane){f8_load(columns[s].x), f8_load(columns[s].y),
                                   f8_load(columns[s].z), f8_load(columns[s].twice)};
    }
}

THAW_INLINE Offset reflect(const Offset *d, const Plane *plane, F8 before) {
    F8 along = f8_fma(plane->z, d->z, f8_fma(plane->y, d->y, f8_mul(plane->x, d->x)));
    F8 way = f8_sub(f8_sub(plane->twice, before), f8_add(along, along));
    return (Offset){f8_fma(plane->x, way, d->x), f8_fma(plane->y, way, d->y),
                    f8_fma(plane->z, way, d->z)};
}

// images in one set of walls
THAW_INLINE void add_images(const ThawMirrorPass *pass, const ThawCluster *cluster,
                            const Lanes *lanes, const Grains *own, const ThawLiquidPair *row,
                            bool listed, const Plane *set[3], int walls, Images *images) {
    const ThawLiquidPass *liquid = pass->liquid;
    F8 before = f8_set(pass->before * THAW_PLACE_ONE);
    for (uint32_t s = 0; s < cluster->segment_count; s++) {
        const ThawSegment *segment = &liquid->segments[cluster->segment + s];
        Lanes seen = see_through(lanes, segment, true);
        for (uint32_t k = 0; k < segment->count; k++) {
            uint32_t j = segment->list[k];
            const ThawPlace *other = &liquid->place[j];
            F8 both = f8_add(own->support, f8_set(liquid->grains[j].support));
            F8 nearer = f8_mul(both, before);
            Offset d = offset_to(&seen, other, true);
            for (int w = 0; w < walls; w++) d = reflect(&d, set[w], nearer);
            Pair pair = pair_of(liquid, own, row, j, listed);
            F8 t = falloff(&d, pair.inverse_h2, true);
            F8 lambdas = f8_fma(lanes->lambda, pair.own, f8_mul(f8_set(other->lambda), pair.other));
            F8 push = f8_mul(f8_mul(lambdas, kernel_slope(t)), pair.push);
            images->share = f8_fma(kernel_value(t), pair.weight, images->share);
            images->x = f8_fma(push, d.x, images->x);
            images->y = f8_fma(push, d.y, images->y);
            images->z = f8_fma(push, d.z, images->z);
        }
    }
}

// The walls of a set, 0 to 2 a digit for each axis: none, the one before, the one behind. 0 when it is not complete.
static int pick_walls(const Planes *planes, uint32_t number, const Plane *set[3]) {
    int walls = 0;
    for (uint32_t a = 0; a < 3; a++, number /= 3) {
        if (number % 3 == 0) continue;
        uint32_t side = 2 * a + number % 3 - 1;
        if (!(planes->used & 1u << side)) return 0;
        set[walls++] = &planes->plane[side];
    }
    return walls;
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
        const Plane *set[3];
        int walls = pick_walls(&planes, number, set);
        if (walls == 0) continue;
        if (row != NULL)
            add_images(pass, cluster, &lanes, &own, row, true, set, walls, &images);
        else
            add_images(pass, cluster, &lanes, &own, row, false, set, walls, &images);
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
