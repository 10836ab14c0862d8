// Particles of different sizes and densities: the sums at an interface of two lattices, how stiff it is, and the
// engine against its double-precision twin, from tables of kinds and pair by pair. V-4 of the validation cases.
#include "support/twin.h"

#include "math/random.h"
#include "world/helpers.h"
#include "world/world.h"

#define MOST 1400

// ---------------------------------------------------------------- two lattices that meet

typedef struct Layers {
    int dimensions;
    double length[3]; // cells: periods along the interface
    uint32_t count;
    double position[MOST][3]; // cells
    double spacing[MOST];     // cells
    double density[MOST];
    int layer[MOST]; // from the interface: 0, 1, … above, −1, −2, … below
} Layers;

// one of the two: close-packed layers along the interface at height 0, which halves the way between them
static void add_layers(Layers *l, double d, double density, int layers, bool above, double shift) {
    bool flat = l->dimensions == 2;
    double D = thaw_lattice_distance(l->dimensions, d);
    double row = D * sqrt(3) / 2, rise = flat ? row : D * sqrt(2.0 / 3.0);
    int nx = (int)rint(l->length[0] / D), ny = flat ? 1 : (int)rint(l->length[1] / row);
    for (int n = 0; n < layers * nx * ny; n++) {
        int k = n / (nx * ny), i = n % nx, j = n / nx % ny;
        double offset = flat ? 0.5 * D * (k % 2) : (k % 3 == 1 ? 0.5 * D : 0.0);
        uint32_t p = l->count++;
        assert_true(p < MOST);
        l->position[p][0] = (i + 0.5 * (j % 2)) * D + offset + shift;
        l->position[p][1] = flat ? 0 : j * row + (k % 3) * D / (2 * sqrt(3));
        l->position[p][2] = (above ? 1 : -1) * (k + 0.5) * rise;
        l->spacing[p] = d;
        l->density[p] = density;
        l->layer[p] = above ? k : -1 - k;
    }
}

// spacings 0.5 below and 0.5 · ratio above, of equal thickness
static Layers *make_layers(int dimensions, int ratio, double heavier) {
    static Layers l;
    memset(&l, 0, sizeof l);
    l.dimensions = dimensions;
    double D = thaw_lattice_distance(dimensions, 0.5 * ratio);
    int across = ratio > 1 ? 4 : 6;
    l.length[0] = across * D;
    l.length[1] = dimensions == 3 ? across * D * sqrt(3) / 2 : 0;
    add_layers(&l, 0.5, 1000, 4 * ratio, false, 0);
    add_layers(&l, 0.5 * ratio, 1000 * heavier, 4, true, 0.155 * ratio);
    return &l;
}

// in 2D the twin's plane is x and z here, which is the same by brute force
static Twin twin_of(const Layers *l) {
    Twin twin = twin_make(l->dimensions, THAW_KERNEL_DEFAULT, THAW_KERNEL_DEFAULT);
    for (int a = 0; a < 3; a++) twin.length[a] = l->length[a];
    twin.count = l->count;
    twin.positions = (const double(*)[3])l->position;
    twin.spacing = l->spacing;
    twin.rest_density = l->density;
    twin_fit(&twin, 0);
    return twin;
}

// mean of C over a layer, and the largest of its parts
static double mean_of(const Layers *l, const double *constraint, int layer, double *most) {
    double sum = 0;
    int count = 0;
    *most = 0;
    for (uint32_t i = 0; i < l->count; i++) {
        if (l->layer[i] != layer) continue;
        sum += constraint[i];
        *most = fmax(*most, fabs(constraint[i]));
        count++;
    }
    return sum / count;
}

// the interface opened by a share of the large spacing
static void open_gap(Layers *l, double share) {
    for (uint32_t i = 0; i < l->count; i++) {
        if (l->layer[i] >= 0) l->position[i][2] += share * l->spacing[i];
    }
}

// Small ones see their rest density at a perfect interface, and large ones a little more: small ones are to keep out
// of the room between them. What that opens where no pressure closes it is below a twentieth of the large spacing.
static void lattices_of_two_sizes_meet_near_rest_density(void **state) {
    (void)state;
    static double constraint[MOST];
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        for (int ratio = 2; ratio <= (dimensions == 2 ? 4 : 2); ratio *= 2) {
            Layers *l = make_layers(dimensions, ratio, 1);
            Twin twin = twin_of(l);
            twin_density(&twin, constraint);
            double most_fine, most_coarse;
            double fine = mean_of(l, constraint, -1, &most_fine);
            double coarse = mean_of(l, constraint, 0, &most_coarse);
            print_message("%dD, 1:%d: C of the small ones %+.4f (at most %.3f), of the large %+.4f "
                          "(at most %.3f)\n",
                          dimensions, ratio, fine, most_fine, coarse, most_coarse);
            assert_true(fabs(fine) < 0.002);
            assert_true(coarse > 0.02 && coarse < 0.07);
            // a layer further in sees little of the other side
            assert_true(fabs(mean_of(l, constraint, -2, &most_fine)) < (ratio == 2 ? 0.012 : 0.07));
            assert_true(fabs(mean_of(l, constraint, 1, &most_coarse)) < 1e-3);
            open_gap(l, 0.05);
            twin_density(&twin, constraint);
            fine = mean_of(l, constraint, -1, &most_fine);
            coarse = mean_of(l, constraint, 0, &most_coarse);
            print_message("  opened by a twentieth: %+.4f and %+.4f\n", fine, coarse);
            assert_true(coarse < 0 && fine > -0.05);
        }
    }
}

// ---------------------------------------------------------------- stiffness

// the largest factor by which one iteration with β = 1 changes errors, by repeated application
static double stiffest(const Layers *l) {
    static double error[MOST], lambda[MOST], change[MOST], shift[MOST][3], gradients[MOST][3];
    Twin twin = twin_of(l);
    double largest = 0;
    for (uint32_t i = 0; i < l->count; i++) error[i] = thaw_random_unit(3, i, 0, 1) - 0.5;
    for (int n = 0; n < 60; n++) {
        for (uint32_t i = 0; i < l->count; i++) {
            double k = twin_stiffness(&twin, i);
            lambda[i] = -k * error[i] / fmax(1, k * twin_gradient_sum(&twin, i));
        }
        twin_correct(&twin, lambda, shift);
        largest = 0;
        for (uint32_t i = 0; i < l->count; i++) {
            change[i] = 0;
            twin_gradients(&twin, i, gradients);
            for (uint32_t j = 0; j < l->count; j++) {
                for (int a = 0; a < 3; a++) change[i] -= gradients[j][a] * shift[j][a];
            }
            largest += change[i] * change[i];
        }
        largest = sqrt(largest);
        for (uint32_t i = 0; i < l->count; i++) error[i] = change[i] / largest;
    }
    return largest;
}

// β is held below what the lattice carries; so it holds at interfaces too
static void interfaces_are_no_stiffer_than_one_liquid(void **state) {
    (void)state;
    double alone = stiffest(make_layers(2, 1, 1));
    static const double cases[][2] = {{1, 10}, {2, 1}, {4, 1}, {2, 10}, {2, 0.1}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        double found = stiffest(make_layers(2, (int)cases[k][0], cases[k][1]));
        print_message("2D, 1:%g, densities 1:%g: stiffest error %.3f, of one liquid %.3f\n",
                      cases[k][0], cases[k][1], found, alone);
        assert_true(found < 1.06 * alone);
    }
}

// ---------------------------------------------------------------- the engine

typedef struct Block {
    uint32_t count;
    double position[MOST][3]; // cells
    double spacing[MOST];     // cells
    double density[MOST];
    double move[MOST][3]; // cells
    ThawParticleId id[MOST];
} Block;

// A column, dense and jittered: sizes[0] below and sizes[1] above, in the world's spacing. V-4 is 1 and 2: masses
// of m and 8 m.
static Block *make_column(int dimensions, const double sizes[2], const float densities[2]) {
    static Block block;
    block.count = 0;
    for (int half = 0; half < 2; half++) {
        double d = 0.5 * sizes[half], step = 0.93 * d;
        int across = (int)fmax(2.4 / step, 2), up = (int)fmax(1.6 / step, 2);
        int deep = dimensions == 3 ? across : 1;
        for (int n = 0; n < across * deep * up; n++) {
            uint32_t i = block.count++;
            assert_true(i < MOST);
            int site[3] = {n % across, n / across % deep, n / across / deep};
            for (int a = 0; a < 3; a++) {
                bool used = a != 1 || dimensions == 3;
                double jitter =
                    used ? 0.15 * d * (thaw_random_unit(7, i, 0, (uint64_t)a) - 0.5) : 0;
                block.position[i][a] = used ? step * (site[a] + 0.5) + jitter : 0;
            }
            if (half == 1) block.position[i][2] += 1.6;
            // the engine's plane is x and y
            if (dimensions == 2) {
                block.position[i][1] = block.position[i][2];
                block.position[i][2] = 0;
            }
            for (int a = 0; a < 3; a++) {
                block.position[i][a] = rint(block.position[i][a] * 4194304.0) / 4194304.0;
            }
            block.spacing[i] = d;
            block.density[i] = (double)densities[half];
        }
    }
    return &block;
}

static ThawMaterialId add_material(ThawWorld *world, const char *name, float density) {
    ThawMaterialDef def = thaw_material_default();
    ThawMaterialId id;
    def.name = name;
    def.density = density;
    def.liquid.xsph = 0;
    assert_ok(thaw_world_add_material(world, &def, &id));
    return id;
}

static void add_one(ThawWorld *world, ThawMaterialId material, const double cells[3],
                    double spacing, ThawParticleId *id) {
    double x[3] = {2 * cells[0], 2 * cells[1], 2 * cells[2]};
    ThawParticlesDef def = {.material = material,
                            .count = 1,
                            .positions = (const double(*)[3])x,
                            .spacing = (float)(2 * spacing)};
    assert_ok(thaw_world_add_particles(world, &def, id));
}

// One iteration of the engine on a block, with a world spacing of 1 m; `strangers` particles of as many other
// sizes lie far away, so that there are too many kinds for a table.
static double iterate_block(Block *block, int dimensions, int strangers) {
    ThawWorldDef def = thaw_world_default();
    def.dimensions = dimensions;
    def.spacing = 1;
    def.gravity = (ThawVec3){0, 0, 0};
    def.threads = 2;
    def.solver.substeps = def.solver.iterations = 1;
    ThawWorld *world = make_world(&def);
    double first = block->density[0], last = block->density[block->count - 1];
    ThawMaterialId materials[2] = {add_material(world, "below", (float)first),
                                   add_material(world, "above", (float)last)};
    for (uint32_t i = 0; i < block->count; i++) {
        add_one(world, materials[first != last && block->density[i] == last], block->position[i],
                block->spacing[i], &block->id[i]);
    }
    for (int n = 0; n < strangers; n++) {
        const double far[3] = {200.0 + 8 * n, 0, 0};
        ThawParticleId id;
        add_one(world, materials[0], far, 0.5 + 0.01 * n, &id);
    }
    // matter as it lies: nothing is moved apart before time goes on
    world->settled_source = world->next_source;
    ThawReport report;
    assert_ok(thaw_world_step(world, 1.0, &report));
    for (uint32_t i = 0; i < block->count; i++) {
        uint32_t row;
        assert_ok(thaw_world_index(world, block->id[i], &row));
        for (uint32_t a = 0; a < 3; a++) {
            block->move[i][a] =
                thaw_fixed_cells(world->store->cells[3 * row + a]) - block->position[i][a];
        }
    }
    thaw_world_destroy(world);
    return report.relaxation_used;
}

static void twin_moves(const Block *block, int dimensions, double relaxation, double stranger,
                       double (*shift)[3]) {
    static double constraint[MOST], lambda[MOST];
    Twin twin = twin_make(dimensions, THAW_KERNEL_DEFAULT, THAW_KERNEL_DEFAULT);
    twin.relaxation = relaxation;
    twin.count = block->count;
    twin.positions = (const double(*)[3])block->position;
    twin.spacing = block->spacing;
    twin.rest_density = block->density;
    twin_fit(&twin, stranger);
    twin_density(&twin, constraint);
    twin_lambda(&twin, constraint, lambda);
    twin_correct(&twin, lambda, shift);
}

// |Σ m Δp| over Σ m |Δp|
static double momentum_of(const Block *block, int dimensions, const double (*move)[3]) {
    double sum[3] = {0, 0, 0}, scale = 0;
    for (uint32_t i = 0; i < block->count; i++) {
        double m = block->density[i] * pow(block->spacing[i], dimensions);
        for (int a = 0; a < 3; a++) {
            sum[a] += m * move[i][a];
            scale += m * fabs(move[i][a]);
        }
    }
    return sqrt(sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]) / scale;
}

static double difference_of(const Block *block, const double (*wanted)[3]) {
    double most = 0, largest = 0;
    for (uint32_t i = 0; i < block->count; i++) {
        for (int a = 0; a < 3; a++) {
            most = fmax(most, fabs(block->move[i][a] - wanted[i][a]));
            largest = fmax(largest, fabs(wanted[i][a]));
        }
    }
    assert_true(largest > 1e-3);
    return most / largest;
}

typedef struct Column {
    int dimensions;
    double sizes[2];
    float densities[2];
} Column;

static const Column columns[] = {
    {3, {1, 2}, {1000, 1000}},  {3, {2, 1}, {1000, 1000}}, {3, {0.5, 1.5}, {800, 1000}},
    {2, {1, 2}, {1000, 1000}},  {2, {1, 4}, {1000, 1000}}, {2, {1, 1}, {1000, 100}},
    {2, {0.5, 1}, {100, 1000}}, {2, {1, 2}, {100, 1000}},
};

// V-4: 1e-12 in the twin; in the engine what float32 sums leave
static void columns_of_two_sizes_keep_momentum(void **state) {
    (void)state;
    static double shift[MOST][3];
    for (size_t k = 0; k < sizeof columns / sizeof columns[0]; k++) {
        const Column *c = &columns[k];
        Block *block = make_column(c->dimensions, c->sizes, c->densities);
        double relaxation = iterate_block(block, c->dimensions, 0);
        twin_moves(block, c->dimensions, relaxation, 0, shift);
        double exact = momentum_of(block, c->dimensions, (const double(*)[3])shift);
        double engine = momentum_of(block, c->dimensions, (const double(*)[3])block->move);
        print_message("%dD, %g:%g, %g:%g kg/m³: momentum %.1e in the twin, %.1e in the engine\n",
                      c->dimensions, c->sizes[0], c->sizes[1], (double)c->densities[0],
                      (double)c->densities[1], exact, engine);
        assert_true(exact < 1e-12);
        assert_true(engine < 1e-6);
    }
}

static void tables_of_kinds_and_single_pairs_equal_the_twin(void **state) {
    (void)state;
    static double shift[MOST][3];
    for (size_t k = 0; k < sizeof columns / sizeof columns[0]; k++) {
        const Column *c = &columns[k];
        Block *block = make_column(c->dimensions, c->sizes, c->densities);
        for (int strangers = 0; strangers <= 20; strangers += 20) {
            double relaxation = iterate_block(block, c->dimensions, strangers);
            twin_moves(block, c->dimensions, relaxation, strangers > 0 ? 2 : 0, shift);
            double difference = difference_of(block, (const double(*)[3])shift);
            if (!(difference < 1e-5)) {
                fail_msg("case %zu with %d strangers differs by %g", k, strangers, difference);
            }
        }
    }
}

// ---------------------------------------------------------------- images in walls

// Images in a wall glide along it, one each way, by as much as the next layer of a crystal: how far in spacings, along
// which axis, and how much they count beside what they are of. Walls are at 0 on axes that bits of `walls` name; without
// gravity upright ones are those along z.
typedef struct Glide {
    double by, share;
    int axis;
} Glide;

static Glide glide_in(int dimensions, uint32_t walls) {
    if (dimensions == 3) return (Glide){0.7937, 0.964, walls == 4 ? 0 : 2};
    return walls == 1 ? (Glide){0.9306, 0.985, 1} : (Glide){0.5373, 0.664, 0};
}

// one iteration of a block of water beside a collider without friction; the world is left open
static ThawWorld *iterate_beside(Block *block, int dimensions, ThawShape shape, bool container) {
    ThawWorldDef def = thaw_world_default();
    def.dimensions = dimensions;
    def.spacing = 1;
    def.gravity = (ThawVec3){0, 0, 0};
    def.threads = 2;
    def.solver.substeps = def.solver.iterations = 1;
    ThawWorld *world = make_world(&def);
    ThawColliderDef wall = thaw_collider_default();
    wall.container = container;
    wall.friction = 0;
    wall.shape = shape;
    ThawColliderId id;
    assert_ok(thaw_world_add_collider(world, &wall, &id));
    ThawMaterialId water = add_material(world, "water", 1000);
    for (uint32_t i = 0; i < block->count; i++) {
        add_one(world, water, block->position[i], block->spacing[i], &block->id[i]);
    }
    world->settled_source = world->next_source;
    assert_ok(thaw_world_step(world, 1.0, NULL));
    return world;
}

// Σ W over the images of j in a set of walls, or of j itself in none
static double kernels_in(const Block *block, int dimensions, uint32_t walls, uint32_t i,
                         uint32_t j) {
    double d = (block->spacing[i] + block->spacing[j]) / 2, apart[3] = {0, 0, 0}, r2 = 0, sum = 0;
    double h = d * twin_support(dimensions, true);
    int count = 0;
    for (int a = 0; a < dimensions; a++) {
        double xi = block->position[i][a], xj = block->position[j][a];
        bool reflects = walls >> a & 1;
        apart[a] = reflects ? xi + xj : xi - xj;
        count += reflects;
        r2 += (xi - xj) * (xi - xj);
    }
    Glide glide = glide_in(dimensions, walls);
    bool glides = count % 2 == 1;
    double near = fmax(1 - r2 / (h * h), 0), share = glides ? glide.share * near * near : 1;
    for (int side = -1; side <= (glides ? 1 : -1); side += 2) {
        double at[3] = {apart[0], apart[1], apart[2]};
        if (glides) at[glide.axis] += side * glide.by * d;
        double r = sqrt(at[0] * at[0] + at[1] * at[1] + at[2] * at[2]);
        sum += share * thaw_kernel_value(THAW_KERNEL_DEFAULT, dimensions, r, h);
    }
    return sum;
}

// the volume fraction at particle i of a block and of its images in walls at 0 on every axis
static double fraction_in_corner(const Block *block, int dimensions, double rest_sum, uint32_t i) {
    double sum = 0;
    for (uint32_t j = 0; j < block->count; j++) {
        double di = block->spacing[i], dj = block->spacing[j], h = di + dj;
        double steep = dimensions == 3 ? 1.45 : 1;
        double guard = 1 + steep * fmax(2 * di / h - 1, 0) * 2 * dj / h;
        double weight = pow(dj, dimensions) * guard * 0.5 * h / dj;
        for (uint32_t walls = 0; walls < 1u << dimensions; walls++) {
            sum += weight * kernels_in(block, dimensions, walls, i, j);
        }
    }
    return sum / rest_sum;
}

// walls, edges and the corner of a container: C is that of the liquid and of its images, in a plane too, whatever
// the container's thickness is
static void walls_are_mirrors_where_sizes_differ(void **state) {
    (void)state;
    static const Column cases[] = {{3, {1, 2}, {1000, 1000}}, {3, {2, 1}, {1000, 1000}},
                                   {3, {1, 3}, {1000, 1000}}, {2, {1, 2}, {1000, 1000}},
                                   {2, {2, 1}, {1000, 1000}}, {2, {1, 4}, {1000, 1000}}};
    double most = 0;
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        const Column *c = &cases[k];
        double S = thaw_rest_state(THAW_KERNEL_DEFAULT, THAW_KERNEL_DEFAULT, c->dimensions,
                                   twin_support(c->dimensions, true))
                       .sum;
        double middle = c->dimensions == 3 ? 50 : 0, thick = c->dimensions == 3 ? 100 : 1.5;
        Block *block = make_column(c->dimensions, c->sizes, c->densities);
        ThawShape box = thaw_shape_box((ThawVec3){50, 50, middle}, (ThawVec3){100, 100, thick});
        ThawWorld *world = iterate_beside(block, c->dimensions, box, true);
        for (uint32_t i = 0; i < block->count; i++) {
            uint32_t row;
            assert_ok(thaw_world_index(world, block->id[i], &row));
            double wanted = fraction_in_corner(block, c->dimensions, S, i) - 1;
            most = fmax(most, fabs((double)world->store->density_error[row] - wanted));
        }
        thaw_world_destroy(world);
    }
    print_message("C differs from that of the images by %.1e at most\n", most);
    assert_true(most < 2e-6);
}

// a crystal as bodies are filled, in the corner of walls at 0 on every axis, and one larger particle far away
static Block *make_crystal(int dimensions, int layers) {
    static Block block;
    block.count = 0;
    double D = thaw_lattice_distance(dimensions, 0.5), edge = D / sqrt(2), row = D * sqrt(3) / 2;
    for (int n = 0; n < layers * layers * (dimensions == 3 ? layers : 1); n++) {
        int i = n % layers, j = n / layers % layers, k = n / layers / layers;
        if (dimensions == 3 && (i + j + k) % 2 != 0) continue;
        double *at = block.position[block.count];
        at[0] = dimensions == 3 ? (i + 0.5) * edge : (i + 0.25 + 0.5 * (j % 2)) * D;
        at[1] = dimensions == 3 ? (j + 0.5) * edge : (j + 0.5) * row;
        at[2] = dimensions == 3 ? (k + 0.5) * edge : 0;
        block.spacing[block.count] = 0.5;
        block.density[block.count++] = 1000;
    }
    for (int a = 0; a < dimensions; a++) block.position[block.count][a] = 30;
    block.position[block.count][2] = dimensions == 3 ? 30 : 0;
    block.spacing[block.count] = 1;
    block.density[block.count++] = 1000;
    return &block;
}

// Walls continue a fresh crystal, so that it need not move to make room for its images. (Images that do not glide
// press it: C is 0.05 at a wall, 0.17 in an edge and 0.4 in a corner, in a plane 0.2 and 0.4.)
static void a_fresh_crystal_fits_its_walls(void **state) {
    (void)state;
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        int layers = dimensions == 3 ? 9 : 10;
        Block *block = make_crystal(dimensions, layers);
        double middle = dimensions == 3 ? 50 : 0, thick = dimensions == 3 ? 100 : 1.5, end = 0;
        ThawShape box = thaw_shape_box((ThawVec3){50, 50, middle}, (ThawVec3){100, 100, thick});
        ThawWorld *world = iterate_beside(block, dimensions, box, true);
        double most[4] = {0, 0, 0, 0};
        for (int a = 0; a < dimensions; a++) end = fmax(end, block->position[block->count - 2][a]);
        for (uint32_t i = 0; i + 1 < block->count; i++) {
            int walls = 0;
            bool deep = true;
            for (int a = 0; a < dimensions; a++) {
                walls += block->position[i][a] < 0.5;
                deep = deep && block->position[i][a] < end - 1.05;
            }
            uint32_t row;
            assert_ok(thaw_world_index(world, block->id[i], &row));
            double error = fabs((double)world->store->density_error[row]);
            if (deep) most[walls] = fmax(most[walls], error);
        }
        print_message("%dD: |C| %.4f inside, %.4f at a wall, %.4f in an edge, %.4f in a corner\n",
                      dimensions, most[0], most[1], most[2], most[3]);
        assert_true(most[0] < 0.001 && most[1] < 0.01);
        // two walls are an edge, and in a plane a corner
        assert_true(most[2] < (dimensions == 3 ? 0.015 : 0.1) && most[3] < 0.15);
        thaw_world_destroy(world);
    }
}

// ---------------------------------------------------------------- the surface

// of a crystal's top layer: how far the particle furthest along x was moved outwards, cells
static double spread_of_top(const Block *block, int dimensions) {
    double top = -INFINITY, moved = 0, most = -INFINITY;
    uint32_t count = block->count - 1;
    for (uint32_t i = 0; i < count; i++) top = fmax(top, block->position[i][dimensions - 1]);
    for (uint32_t i = 0; i < count; i++) {
        if (block->position[i][dimensions - 1] < top - 0.1 || block->position[i][0] < most)
            continue;
        most = block->position[i][0];
        moved = block->move[i][0];
    }
    return moved;
}

// the top layer of a crystal, drawn together along x
static void squeeze_top(Block *block, int dimensions, double share) {
    double top = -INFINITY;
    for (uint32_t i = 0; i + 1 < block->count; i++) {
        top = fmax(top, block->position[i][dimensions - 1]);
    }
    for (uint32_t i = 0; i + 1 < block->count; i++) {
        if (block->position[i][dimensions - 1] > top - 0.1) block->position[i][0] *= 1 - share;
    }
}

// Where sizes differ the share of the kernel that lies in air is counted: a fresh surface lies as it is, and who draws
// its layer together is pushed back. (Without it nothing does up to 15 % in a plane, and small particles fill what the
// top row of large ones leaves.)
static void a_top_layer_keeps_its_room(void **state) {
    (void)state;
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        Block *block = make_crystal(dimensions, dimensions == 3 ? 9 : 10);
        iterate_block(block, dimensions, 0);
        double most = 0;
        for (uint32_t i = 0; i < block->count; i++) {
            for (int a = 0; a < 3; a++) most = fmax(most, fabs(block->move[i][a]));
        }
        squeeze_top(block, dimensions, 0.04);
        iterate_block(block, dimensions, 0);
        double back = spread_of_top(block, dimensions);
        print_message("%dD: a fresh surface moves by %.1e cells, one drawn together goes back by "
                      "%.1e\n",
                      dimensions, most, back);
        assert_true(most < 1e-4);
        assert_true(back > 1e-3);
    }
}

// what is pushed along a wall is pushed by liquid alone, and that keeps momentum
static void momentum_along_a_wall_is_kept(void **state) {
    (void)state;
    static const double sizes[2] = {1, 2};
    static const float alike[2] = {1000, 1000};
    Block *block = make_column(3, sizes, alike);
    // beside an upright wall at x = 0
    ThawShape plane = thaw_shape_plane((ThawVec3){0, 0, 0}, (ThawVec3){1, 0, 0});
    ThawWorld *world = iterate_beside(block, 3, plane, false);
    double sum[3] = {0, 0, 0}, scale = 0;
    for (uint32_t i = 0; i < block->count; i++) {
        uint32_t row;
        double m = pow(block->spacing[i], 3);
        assert_ok(thaw_world_index(world, block->id[i], &row));
        for (uint32_t a = 0; a < 3; a++) {
            double at = thaw_fixed_cells(world->store->cells[3 * row + a]);
            sum[a] += m * (at - block->position[i][a]);
            scale += m * fabs(at - block->position[i][a]);
        }
    }
    print_message("momentum along the wall %.1e and %.1e, off it %.1e\n", sum[1] / scale,
                  sum[2] / scale, sum[0] / scale);
    assert_true(fabs(sum[1]) < 1e-6 * scale && fabs(sum[2]) < 1e-6 * scale);
    assert_true(sum[0] > 1e-3 * scale);
    thaw_world_destroy(world);
}

// ---------------------------------------------------------------- bits

// in 3D a slice between walls so near to each other that particles have images in both
static ThawWorld *open_mixture(int dimensions, int threads) {
    ThawWorldDef def = small_def(dimensions);
    double thick = dimensions == 3 ? 0.04 : 2;
    def.spacing = 0.01;
    def.threads = threads;
    ThawWorld *world = make_world(&def);
    ThawColliderDef tank = thaw_collider_default();
    tank.container = true;
    tank.shape = thaw_shape_box((ThawVec3){0.2, 0.2, 0}, (ThawVec3){0.4, 0.4, thick});
    ThawColliderId id;
    assert_ok(thaw_world_add_collider(world, &tank, &id));
    static const float spacings[] = {0.01f, 0.02f, 0.005f}, densities[] = {1000, 800, 3000};
    static const char *const names[] = {"water", "oil", "brine"};
    for (int k = 0; k < 3; k++) {
        ThawBodyDef body = thaw_body_default();
        ThawBodyId unused;
        body.material = add_material(world, names[k], densities[k]);
        body.spacing = spacings[k];
        body.shape = thaw_shape_box((ThawVec3){0.07 + 0.13 * k, 0.08 + 0.05 * k, 0},
                                    (ThawVec3){0.12, 0.14, dimensions == 3 ? 0.03 : 2});
        assert_ok(thaw_world_add_body(world, &body, &unused));
    }
    return world;
}

static void check_bits(int dimensions, int steps) {
    ThawWorld *one = open_mixture(dimensions, 1), *three = open_mixture(dimensions, 3);
    ThawWorld *loaded = NULL;
    for (int k = 0; k < steps; k++) {
        assert_ok(thaw_world_step(one, 0.005, NULL));
        assert_ok(thaw_world_step(three, 0.005, NULL));
    }
    assert_true(thaw_world_hash(one) == thaw_world_hash(three));
    void *bytes;
    size_t size;
    assert_ok(thaw_world_save(one, &bytes, &size));
    assert_ok(thaw_world_load(bytes, size, NULL, &loaded));
    thaw_snapshot_free(bytes);
    for (int k = 0; k < steps / 2; k++) {
        assert_ok(thaw_world_step(one, 0.005, NULL));
        assert_ok(thaw_world_step(loaded, 0.005, NULL));
    }
    assert_true(thaw_world_hash(one) == thaw_world_hash(loaded));
    thaw_world_destroy(one);
    thaw_world_destroy(three);
    thaw_world_destroy(loaded);
}

static void mixtures_give_the_same_bits_on_any_threads_and_after_a_snapshot(void **state) {
    (void)state;
    check_bits(2, 12);
    check_bits(3, 3);
}

// ---------------------------------------------------------------- periodic ends

// a lattice that drifts through the ends of a periodic plane, with lists that serve several substeps
static void who_leaves_a_periodic_end_keeps_its_neighbours(void **state) {
    (void)state;
    ThawWorldDef def = small_def(2);
    double d = 0.01, D = thaw_lattice_distance(2, d), row = D * sqrt(3) / 2;
    def.spacing = d;
    def.gravity = (ThawVec3){0, 0, 0};
    def.periodic[0] = def.periodic[1] = true;
    def.upper = (ThawVec3){12 * D, 14 * row, 1};
    def.solver.substeps = 10;
    ThawWorld *world = make_world(&def);
    static double x[12 * 14][3];
    static float v[12 * 14][3];
    for (int n = 0; n < 12 * 14; n++) {
        x[n][0] = (n % 12 + 0.5 * (n / 12 % 2) + 0.2) * D;
        x[n][1] = (n / 12 + 0.2) * row;
        v[n][0] = 0.05f;
        v[n][1] = -0.03f;
    }
    ThawParticlesDef particles = {.material = add_material(world, "water", 1000),
                                  .count = 12 * 14,
                                  .positions = (const double(*)[3])x,
                                  .velocities = (const float(*)[3])v};
    ThawParticleId first;
    assert_ok(thaw_world_add_particles(world, &particles, &first));
    uint32_t rebuilds = 0, substeps = 0;
    for (int k = 0; k < 40; k++) {
        ThawReport report;
        assert_ok(thaw_world_step(world, 0.01, &report));
        rebuilds += report.rebuilds;
        substeps += report.substeps;
        for (uint32_t i = 0; i < world->store->count; i++) {
            assert_true(fabs((double)world->store->density_error[i]) < 1e-4);
        }
    }
    // lists did serve several substeps
    assert_true(2 * rebuilds < substeps);
    thaw_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lattices_of_two_sizes_meet_near_rest_density),
        cmocka_unit_test(interfaces_are_no_stiffer_than_one_liquid),
        cmocka_unit_test(columns_of_two_sizes_keep_momentum),
        cmocka_unit_test(tables_of_kinds_and_single_pairs_equal_the_twin),
        cmocka_unit_test(walls_are_mirrors_where_sizes_differ),
        cmocka_unit_test(a_fresh_crystal_fits_its_walls),
        cmocka_unit_test(a_top_layer_keeps_its_room),
        cmocka_unit_test(momentum_along_a_wall_is_kept),
        cmocka_unit_test(mixtures_give_the_same_bits_on_any_threads_and_after_a_snapshot),
        cmocka_unit_test(who_leaves_a_periodic_end_keeps_its_neighbours),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
