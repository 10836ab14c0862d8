// Thinning: a lattice whose last layers just fit holds up to a few per cent more sites than the volume
// has room for. Leaving a few places next to the surface empty makes the count right.
#include "geometry/distance.h"
#include "geometry/sampling.h"
#include "math/vec.h"

#include <math.h>
#include <string.h>

#define SKIN 0.75 // spacings from the surface that count as next to it

// distance inside the surface; in 2D along the plane the cross-section lies in
static double depth_of(const ThawShape *shape, const double site[3]) {
    return -thaw_shape_local_distance(shape, thaw_vec(site[0], site[1], site[2]));
}

uint32_t thaw_sites_thin(const ThawShape *shape, int dimensions, double spacing, double (*sites)[3],
                         uint32_t count) {
    double room = floor(thaw_shape_volume(shape, dimensions) / pow(spacing, dimensions) + 0.5);
    if (!(room < count)) return count;
    uint64_t excess = count - (uint32_t)room, outer = 0;
    for (uint32_t k = 0; k < count; k++) outer += depth_of(shape, sites[k]) < SKIN * spacing;
    if (outer < excess) return count;
    uint64_t seen = 0, taken = 0;
    uint32_t left = 0;
    for (uint32_t k = 0; k < count; k++) {
        // the n-th outer site goes when n · excess / outer passes a whole number
        bool gone = false;
        if (depth_of(shape, sites[k]) < SKIN * spacing) {
            seen++;
            gone = seen * excess / outer > taken;
            taken += gone;
        }
        if (!gone) memmove(sites[left++], sites[k], sizeof sites[k]);
    }
    return left;
}
