// Walls as matter beside a liquid's: what they add to the slope of the volume fraction.
//
// A surface that ends at a wall then meets it at a right angle: the wall attracts the liquid neither more nor less
// than the liquid itself does.
#include "collision/walls_internal.h"

void thaw_walls_slopes(const ThawWalls *walls, float *rows) {
    for (uint32_t k = 0; k < walls->near_count; k++) {
        const ThawNearWall *near = &walls->near[k];
        if (near->firm || near->facing < 0) continue;
        for (int a = 0; a < 3; a++) {
            rows[3 * (size_t)near->row + (size_t)a] += near->support * near->gradient[a];
        }
    }
}
