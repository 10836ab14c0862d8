// The neighbour list of the solid's slow twin: a grid of cells, looked through anew when any particle has
// moved by half a skin.
#include "solid/twin.h"

#include <stdlib.h>

#define SKIN 0.25 // D: how much farther than h_s the neighbour list looks

static void *grown(void *memory, size_t bytes) {
    void *grown_memory = realloc(memory, bytes > 0 ? bytes : 1);
    if (grown_memory == NULL) abort();
    return grown_memory;
}

static double nearest_image(double r, double period) {
    return period > 0 ? r - period * floor(r / period + 0.5) : r;
}

static ThawVec3 between(const SolidTwin *twin, ThawVec3 a, ThawVec3 b) {
    ThawVec3 r = v_sub(b, a);
    return (ThawVec3){nearest_image(r.x, twin->box[0]), nearest_image(r.y, twin->box[1]),
                      nearest_image(r.z, twin->box[2])};
}

ThawVec3 solid_offset(const SolidTwin *twin, int i, int j) {
    return between(twin, twin->particles[i].x, twin->particles[j].x);
}

typedef struct Grid {
    double least[3], size[3];
    int cells[3];
    int *head, *next;
} Grid;

static double axis_of(ThawVec3 v, int axis) {
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

// cells of at least `reach`, not more of them than there are particles, or so
static void size_grid(const SolidTwin *twin, double reach, Grid *grid) {
    int most = 1 + (int)cbrt(8.0 * twin->count);
    for (int k = 0; k < 3; k++) {
        double least = INFINITY, largest = -INFINITY;
        for (int i = 0; i < twin->count; i++) {
            double x = axis_of(twin->particles[i].x, k);
            least = fmin(least, x);
            largest = fmax(largest, x);
        }
        bool periodic = twin->box[k] > 0;
        double width = periodic ? twin->box[k] : largest - least + 1e-9 * reach;
        int cells = (int)floor(width / reach);
        grid->cells[k] = cells < 1 ? 1 : cells > most ? most : cells;
        grid->least[k] = least;
        grid->size[k] = width / grid->cells[k];
    }
}

static int cell_on(const SolidTwin *twin, const Grid *grid, ThawVec3 x, int axis) {
    double at = (axis_of(x, axis) - grid->least[axis]) / grid->size[axis];
    int n = grid->cells[axis], cell = (int)floor(at);
    if (twin->box[axis] > 0) return ((cell % n) + n) % n;
    return cell < 0 ? 0 : cell >= n ? n - 1 : cell;
}

static int cell_at(const Grid *grid, const int at[3]) {
    return (at[2] * grid->cells[1] + at[1]) * grid->cells[0] + at[0];
}

static void fill_grid(const SolidTwin *twin, Grid *grid) {
    int cells = grid->cells[0] * grid->cells[1] * grid->cells[2];
    grid->head = grown(NULL, (size_t)cells * sizeof(int));
    grid->next = grown(NULL, (size_t)twin->count * sizeof(int));
    for (int c = 0; c < cells; c++) grid->head[c] = -1;
    for (int i = twin->count - 1; i >= 0; i--) {
        int at[3];
        for (int k = 0; k < 3; k++) at[k] = cell_on(twin, grid, twin->particles[i].x, k);
        int c = cell_at(grid, at);
        grid->next[i] = grid->head[c];
        grid->head[c] = i;
    }
}

// the cells on one axis next to `cell`, itself included, each once
static int near_cells(const SolidTwin *twin, const Grid *grid, int cell, int axis, int found[3]) {
    int n = grid->cells[axis], count = 0;
    for (int d = -1; d <= 1; d++) {
        int c = cell + d;
        if (twin->box[axis] > 0) c = ((c % n) + n) % n;
        if (c < 0 || c >= n) continue;
        bool known = false;
        for (int k = 0; k < count; k++) known |= found[k] == c;
        if (!known) found[count++] = c;
    }
    return count;
}

// appends i's neighbours within reach to the list, whose room grows as needed
static int list_neighbours(SolidTwin *twin, const Grid *grid, int i, double reach, int *room) {
    int near[3][3], counts[3], end = twin->first[i];
    for (int k = 0; k < 3; k++) {
        int cell = cell_on(twin, grid, twin->particles[i].x, k);
        counts[k] = near_cells(twin, grid, cell, k, near[k]);
    }
    for (int c = 0; c < counts[0] * counts[1] * counts[2]; c++) {
        int at[3] = {near[0][c % counts[0]], near[1][c / counts[0] % counts[1]],
                     near[2][c / counts[0] / counts[1]]};
        for (int j = grid->head[cell_at(grid, at)]; j >= 0; j = grid->next[j]) {
            if (j == i || v_norm(solid_offset(twin, i, j)) > reach) continue;
            if (end == *room) {
                *room = 2 * *room + 64;
                twin->list = grown(twin->list, (size_t)*room * sizeof(int));
            }
            twin->list[end++] = j;
        }
    }
    return end;
}

static void list_all(SolidTwin *twin) {
    double reach = (fmax(twin->support, 1) + SKIN) * twin->distance;
    Grid grid;
    size_grid(twin, reach, &grid);
    fill_grid(twin, &grid);
    twin->first = grown(twin->first, (size_t)(twin->count + 1) * sizeof(int));
    twin->listed_at = grown(twin->listed_at, (size_t)twin->count * sizeof(ThawVec3));
    int room = 0;
    free(twin->list);
    twin->list = NULL;
    twin->first[0] = 0;
    for (int i = 0; i < twin->count; i++) {
        twin->first[i + 1] = list_neighbours(twin, &grid, i, reach, &room);
        twin->listed_at[i] = twin->particles[i].x;
    }
    free(grid.head);
    free(grid.next);
    twin->listed = true;
}

// the list holds while no particle has moved by half the skin
void solid_list(SolidTwin *twin) {
    double most = 0;
    for (int i = 0; twin->listed && i < twin->count; i++) {
        most = fmax(most, v_norm(v_sub(twin->particles[i].x, twin->listed_at[i])));
    }
    if (!twin->listed || most > 0.5 * SKIN * twin->distance) list_all(twin);
}
