// Regions in a domain that may be periodic.
#include "world/region.h"

#include "geometry/distance.h"
#include "math/vec.h"

static double reach_of(const ThawShape *shape) {
    ThawVec3 lower, upper;
    if (!thaw_shape_local_bounds(shape, &lower, &upper)) return INFINITY;
    ThawVec3 far = {fmax(fabs(lower.x), fabs(upper.x)), fmax(fabs(lower.y), fabs(upper.y)),
                    fmax(fabs(lower.z), fabs(upper.z))};
    return thaw_length(far) * (1 + 1e-9);
}

ThawRegion thaw_region(const ThawDomain *domain, const ThawShape *shape) {
    ThawRegion region = {.domain = domain, .shape = *shape, .reach = reach_of(shape)};
    double *position[3] = {&region.shape.pose.position.x, &region.shape.pose.position.y,
                           &region.shape.pose.position.z};
    for (int a = 0; a < 3; a++) {
        if (!domain->periodic[a] || !isfinite(region.reach)) continue;
        double lower = thaw_fixed_cells(domain->lower[a]) * domain->cell;
        region.period[a] = thaw_fixed_cells(domain->length[a]) * domain->cell;
        *position[a] -= floor((*position[a] - lower) / region.period[a]) * region.period[a];
        region.images[a] = 1;
    }
    return region;
}

static bool holds_point(const ThawRegion *region, ThawVec3 point) {
    ThawVec3 offset = thaw_sub(point, region->shape.pose.position);
    if (thaw_dot(offset, offset) > region->reach * region->reach) return false;
    return thaw_shape_distance(&region->shape, point) <= 0;
}

bool thaw_region_holds(const ThawRegion *region, const int64_t *cells, int image[3]) {
    double cell = region->domain->cell;
    ThawVec3 point = {thaw_fixed_cells(cells[0]) * cell, thaw_fixed_cells(cells[1]) * cell,
                      thaw_fixed_cells(cells[2]) * cell};
    const int *n = region->images;
    for (int z = -n[2]; z <= n[2]; z++) {
        for (int y = -n[1]; y <= n[1]; y++) {
            for (int x = -n[0]; x <= n[0]; x++) {
                ThawVec3 off = {x * region->period[0], y * region->period[1],
                                z * region->period[2]};
                if (!holds_point(region, thaw_add(point, off))) continue;
                image[0] = x, image[1] = y, image[2] = z;
                return true;
            }
        }
    }
    return false;
}
