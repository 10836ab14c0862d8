// Pictures of frames: where things appear, which colour they have, and that nothing odd harms.
#include "rig.h"

#include "math/vec.h"
#include "render/camera.h"

#include <float.h>

static ThawImage *picture(const Rig *rig, const ThawRenderDef *def) {
    ThawImage *image = NULL;
    assert_ok(thaw_render_frame(&rig->frame, def, &image));
    assert_non_null(image);
    return image;
}

static bool same_pixels(const ThawImage *a, const ThawImage *b) {
    return a->width == b->width && a->height == b->height &&
           memcmp(a->pixels, b->pixels, image_bytes(a)) == 0;
}

// ---------------------------------------------------------------- the same for all

static void pictures_are_equal_in_every_bit_for_any_thread_count(void **state) {
    (void)state;
    Rig rig;
    rig_block(&rig, 12, 0.01, (ThawVec3){0, 0, 0});
    ThawRenderSolid solids[2] = {
        {.shape = thaw_shape_box((ThawVec3){0.1, 0.1, 0.1}, (ThawVec3){0.4, 0.3, 0.3}),
         .container = true},
        {.shape = thaw_shape_torus((ThawVec3){0.2, 0, 0.1}, (ThawVec3){1, 0, 0}, 0.05, 0.02),
         .color = {1, 0, 0}}};
    ThawRenderDef def = small_picture();
    def.width = 203; // not a multiple of a block
    def.height = 101;
    def.colorbar = true;
    def.solids = solids;
    def.solid_count = 2;
    ThawImage *one = picture(&rig, &def);
    for (int threads = 2; threads <= 4; threads += 2) {
        def.threads = threads;
        ThawImage *many = picture(&rig, &def);
        assert_true(same_pixels(one, many));
        thaw_image_free(many);
    }
    thaw_image_free(one);
    rig_free(&rig);
}

// far away the particles' own places are rounded a little, so pixels at edges may differ
static int count_differing(const ThawImage *a, const ThawImage *b, int tolerance) {
    int count = 0;
    for (size_t k = 0; k < image_bytes(a); k++) {
        count += abs((int)a->pixels[k] - (int)b->pixels[k]) > tolerance;
    }
    return count;
}

static void scenes_look_the_same_at_any_scale_and_place(void **state) {
    (void)state;
    const double scales[] = {1e-6, 1e6, 1};
    const double places[] = {0, 0, 1e5};
    ThawRenderDef def = small_picture();
    Rig rig;
    rig_block(&rig, 6, 0.01, (ThawVec3){0, 0, 0});
    ThawImage *usual = picture(&rig, &def);
    rig_free(&rig);
    for (int k = 0; k < 3; k++) {
        rig_block(&rig, 6, 0.01 * scales[k], (ThawVec3){places[k], -places[k], places[k]});
        ThawImage *other = picture(&rig, &def);
        assert_true(count_differing(usual, other, 40) < 300);
        thaw_image_free(other);
        rig_free(&rig);
    }
    thaw_image_free(usual);
}

// ---------------------------------------------------------------- where and which colour

typedef struct Spot {
    int count;
    double x, y; // mean place, pixels
    int left, right, top, bottom;
} Spot;

// pixels that are clearly red
static Spot find_red(const ThawImage *image) {
    Spot spot = {0, 0, 0, image->width, -1, image->height, -1};
    for (int y = 0; y < image->height; y++) {
        for (int x = 0; x < image->width; x++) {
            const uint8_t *p = pixel_at(image, x, y);
            if (p[0] < 2 * p[2]) continue;
            spot.count++;
            spot.x += x + 0.5;
            spot.y += y + 0.5;
            spot.left = x < spot.left ? x : spot.left;
            spot.right = x > spot.right ? x : spot.right;
            spot.top = y < spot.top ? y : spot.top;
            spot.bottom = y > spot.bottom ? y : spot.bottom;
        }
    }
    spot.x /= spot.count > 0 ? spot.count : 1;
    spot.y /= spot.count > 0 ? spot.count : 1;
    return spot;
}

// one red particle of radius r seen from the front
static Spot picture_ball(ThawVec3 at, double r, const ThawCamera *camera) {
    Rig rig;
    rig_make(&rig, 1, r, 3, 2);
    double *position = rig_column(&rig, "position", THAW_F64, 3, sizeof(double));
    memcpy(position, (double[]){at.x, at.y, at.z}, 3 * sizeof(double));
    *(int32_t *)rig_column(&rig, "material", THAW_I32, 1, sizeof(int32_t)) = 1;
    const double red[1][3] = {{0.9, 0.02, 0.02}};
    ThawRenderDef def = small_picture();
    def.width = 320;
    def.height = 200;
    def.auto_camera = false;
    def.camera = *camera;
    def.color = "material";
    def.material_colors = red;
    def.material_count = 1;
    def.ground = false;
    def.radius = 1;
    def.samples = 8;
    ThawImage *image = picture(&rig, &def);
    Spot spot = find_red(image);
    thaw_image_free(image);
    rig_free(&rig);
    return spot;
}

static void a_ball_appears_where_the_camera_projects_it(void **state) {
    (void)state;
    ThawCamera camera = {{0, -4, 0}, {0, 0, 0}, {0, 0, 1}, 0.6};
    double pixels = 100 / tan(0.3); // a unit of slope
    const ThawVec3 places[] = {{0, 0, 0}, {0.5, 0, 0.3}, {-0.7, 0.2, -0.4}};
    for (int k = 0; k < 3; k++) {
        double r = 0.3, depth = 4 + places[k].y;
        Spot spot = picture_ball(places[k], r, &camera);
        // seen near the axis a ball is a disc of angle asin(r / distance), hardly stretched
        double size = pixels * r / sqrt(depth * depth - r * r);
        assert_true(fabs(spot.x - (160 + pixels * places[k].x / depth)) < 1.0);
        assert_true(fabs(spot.y - (100 - pixels * places[k].z / depth)) < 1.0);
        assert_true(fabs(0.5 * (spot.right - spot.left + 1) - size) < 1.0);
        assert_true(fabs(0.5 * (spot.bottom - spot.top + 1) - size) < 1.0);
        // a disc, less the gleam, which is not red
        double filled = spot.count / (3.14159265 * size * size);
        assert_true(filled > 0.8 && filled < 1.03);
    }
}

static void an_eye_far_away_costs_no_precision(void **state) {
    (void)state;
    ThawCamera near = {{0, -4, 0}, {0, 0, 0}, {0, 0, 1}, 0.6};
    ThawCamera far = {{0, -40000, 0}, {0, 0, 0}, {0, 0, 1}, 2 * atan(4 * tan(0.3) / 40000)};
    ThawVec3 middle = {0, 0, 0};
    Spot a = picture_ball(middle, 0.3, &near), b = picture_ball(middle, 0.3, &far);
    assert_true(fabs(a.x - b.x) < 0.7 && fabs(a.y - b.y) < 0.7);
    assert_true(abs(a.count - b.count) < a.count / 20);
}

static void a_uniform_field_shows_its_map_colour(void **state) {
    (void)state;
    // mid blue of the map on a sunlit block: the hue must be the map's, brightness is the light's
    Rig rig;
    rig_block(&rig, 10, 0.01, (ThawVec3){0, 0, 0});
    float *velocity = rig.columns[1].data;
    for (uint32_t k = 0; k < rig.frame.count; k++) {
        velocity[3 * k] = 0.4f;
        velocity[3 * k + 1] = velocity[3 * k + 2] = 0;
    }
    ThawRenderDef def = small_picture();
    def.low = 0;
    def.high = 1;
    ThawImage *image = picture(&rig, &def);
    double sum[3] = {0, 0, 0};
    for (int y = 40; y < 50; y++) {
        for (int x = 75; x < 85; x++) {
            for (int c = 0; c < 3; c++) sum[c] += pixel_at(image, x, y)[c] / 100.0;
        }
    }
    // the map at 0.4 is 1789cf
    assert_true(sum[2] > sum[1] && sum[1] > sum[0]);
    assert_true(sum[2] > 110 && sum[2] < 240);
    double share = (sum[1] - sum[0]) / (sum[2] - sum[0]);
    assert_true(fabs(share - (0x89 - 0x17) / (double)(0xcf - 0x17)) < 0.12);
    thaw_image_free(image);
    rig_free(&rig);
}

static void shadows_fall_on_the_ground(void **state) {
    (void)state;
    Rig rig;
    rig_block(&rig, 8, 0.01, (ThawVec3){0, 0, 0});
    ThawRenderDef def = small_picture();
    ThawImage *with = picture(&rig, &def);
    def.ground = false;
    ThawImage *without = picture(&rig, &def);
    int darker = 0, brighter = 0;
    for (size_t k = 0; k < image_bytes(with); k++) {
        darker += with->pixels[k] + 12 < without->pixels[k];
        brighter += with->pixels[k] > without->pixels[k] + 40;
    }
    assert_true(darker > 300);
    assert_true(brighter < 50);
    thaw_image_free(with);
    thaw_image_free(without);
    rig_free(&rig);
}

static void containers_are_seen_through(void **state) {
    (void)state;
    Rig rig;
    rig_block(&rig, 8, 0.01, (ThawVec3){0, 0, 0});
    ThawRenderSolid box = {
        .shape = thaw_shape_box((ThawVec3){0.035, 0.035, 0.035}, (ThawVec3){0.2, 0.2, 0.2}),
        .container = true,
        .color = {1, 0, 0}};
    ThawRenderDef def = small_picture();
    def.lower = thaw_vec(-0.1, -0.1, -0.1);
    def.upper = thaw_vec(0.2, 0.2, 0.2);
    ThawImage *bare = picture(&rig, &def);
    def.solids = &box;
    def.solid_count = 1;
    ThawImage *wired = picture(&rig, &def);
    int changed = count_differing(bare, wired, 10);
    assert_true(changed > 200 && changed < (int)image_bytes(bare) / 8);
    box.container = false;
    ThawImage *solid = picture(&rig, &def);
    assert_true(count_differing(bare, solid, 10) > 2 * changed);
    thaw_image_free(bare);
    thaw_image_free(wired);
    thaw_image_free(solid);
    rig_free(&rig);
}

// ---------------------------------------------------------------- odd input

static void odd_positions_are_left_out(void **state) {
    (void)state;
    Rig rig;
    rig_block(&rig, 6, 0.01, (ThawVec3){0, 0, 0});
    ThawRenderDef def = small_picture();
    def.lower = thaw_vec(-0.01, -0.01, -0.01);
    def.upper = thaw_vec(0.06, 0.06, 0.06);
    def.low = 0;
    def.high = 5;
    double *position = rig.columns[0].data;
    const double odd[] = {NAN, INFINITY, -INFINITY, 1e300, -1e300, DBL_MAX};
    // the first six, all in the bottom row at the back, become odd, then vanish for real
    for (int k = 0; k < 6; k++) position[3 * k + k % 3] = odd[k];
    ThawImage *with = picture(&rig, &def);
    for (int k = 0; k < 6; k++) position[3 * k + k % 3] = 1e9;
    ThawImage *without = picture(&rig, &def);
    assert_true(same_pixels(with, without));
    thaw_image_free(with);
    thaw_image_free(without);
    // and when the bounds are to be found
    for (int k = 0; k < 6; k++) position[3 * k + k % 3] = odd[k];
    def.lower = def.upper;
    with = picture(&rig, &def);
    thaw_image_free(with);
    // nothing but odd ones
    for (uint32_t k = 0; k < rig.frame.count; k++) position[3 * k] = NAN;
    with = picture(&rig, &def);
    thaw_image_free(with);
    rig_free(&rig);
}

static void few_particles_are_no_trouble(void **state) {
    (void)state;
    for (uint32_t count = 0; count < 3; count++) {
        for (int dimensions = 2; dimensions <= 3; dimensions++) {
            Rig rig;
            rig_make(&rig, count, 0.01, dimensions, 1);
            rig_column(&rig, "position", THAW_F32, 3, sizeof(float));
            rig_column(&rig, "velocity", THAW_F32, 3, sizeof(float));
            ThawRenderDef def = small_picture();
            def.colorbar = true;
            def.caption = "few";
            ThawImage *image = picture(&rig, &def);
            thaw_image_free(image);
            rig_free(&rig);
        }
    }
    // no columns at all, but a scene
    Rig rig;
    rig_make(&rig, 0, 0.01, 3, 2);
    ThawRenderSolid ball = {.shape = thaw_shape_sphere((ThawVec3){0, 0, 0}, 1),
                            .color = {0.9, 0.02, 0.02}};
    ThawRenderDef def = small_picture();
    def.solids = &ball;
    def.solid_count = 1;
    ThawImage *image = picture(&rig, &def);
    assert_true(find_red(image).count > 1000);
    thaw_image_free(image);
}

static void tiny_pictures_hold_their_overlay(void **state) {
    (void)state;
    Rig rig;
    rig_block(&rig, 3, 0.01, (ThawVec3){0, 0, 0});
    const int sizes[][2] = {{1, 1}, {1, 50}, {50, 1}, {7, 3}, {33, 65}};
    for (int k = 0; k < 5; k++) {
        ThawRenderDef def = small_picture();
        def.width = sizes[k][0];
        def.height = sizes[k][1];
        def.colorbar = true;
        def.caption = "a caption that is far too long";
        ThawImage *image = picture(&rig, &def);
        assert_int_equal(image->width, sizes[k][0]);
        thaw_image_free(image);
    }
    rig_free(&rig);
}

static void a_legend_stands_alone_as_high_as_asked(void **state) {
    (void)state;
    Rig rig;
    rig_block(&rig, 3, 0.01, (ThawVec3){0, 0, 0});
    int32_t *object = rig_column(&rig, "object", THAW_I32, 1, sizeof(int32_t));
    for (uint32_t k = 0; k < rig.frame.count; k++) object[k] = (int32_t)k + 1;
    const char *const names[2] = {"pool",
                                  "a name of far more letters than any picture has room for"};
    ThawRenderDef def = small_picture();
    def.category_names = names;
    def.category_count = 2;
    const char *const colors[] = {"speed", "vx", "object"};
    const int heights[] = {1, 20, 60, 270, 1100};
    for (int k = 0; k < 3; k++) {
        def.color = colors[k];
        for (int n = 0; n < 5; n++) {
            ThawImage *image;
            assert_ok(thaw_render_legend(&rig.frame, &def, heights[n], &image));
            // what has no room is left out
            assert_true(image != NULL || heights[n] < 100);
            if (image == NULL) continue;
            assert_int_equal(image->height, heights[n]);
            assert_true(image->width > 40 && image->width < 800);
            thaw_image_free(image);
        }
    }
    ThawImage *image;
    def.color = "none";
    assert_ok(thaw_render_legend(&rig.frame, &def, 200, &image));
    assert_null(image);
    def.color = "warmth";
    assert_missing(thaw_render_legend(&rig.frame, &def, 200, &image), "warmth");
    rig_free(&rig);
}

static void bad_choices_are_refused_by_name(void **state) {
    (void)state;
    Rig rig;
    rig_block(&rig, 2, 0.01, (ThawVec3){0, 0, 0});
    ThawImage *image;
    ThawRenderSolid bad_solid = {.shape = thaw_shape_sphere((ThawVec3){0, 0, 0}, -1)};
#define REFUSED(change, word)                                                                      \
    do {                                                                                           \
        ThawRenderDef def = small_picture();                                                       \
        change;                                                                                    \
        assert_refused(thaw_render_frame(&rig.frame, &def, &image), word);                         \
        assert_null(image);                                                                        \
    } while (0)
    REFUSED(def.width = 0, "width");
    REFUSED(def.width = -3, "width");
    REFUSED(def.height = 20000, "height");
    REFUSED(def.samples = 0, "samples");
    REFUSED(def.radius = NAN, "radius");
    REFUSED(def.radius = 0, "radius");
    REFUSED(def.threads = -1, "threads");
    REFUSED(def.map = "none such", "map");
    REFUSED(def.low = NAN, "low");
    REFUSED(def.upper.x = NAN, "lower");
    REFUSED(def.lower.x = 1, "lower");
    REFUSED((def.solids = &bad_solid, def.solid_count = 1), "radius");
    REFUSED(def.solid_count = 2, "solid_count");
    REFUSED((def.auto_camera = false, def.camera.eye = def.camera.target), "eye");
    rig.frame.info.spacing = 0;
    REFUSED(def.samples = 1, "spacing");
    rig.frame.info.spacing = 0.01;
    rig.columns[0].components = 2;
    REFUSED(def.samples = 1, "position");
    rig.columns[0].components = 3;
    strcpy(rig.columns[0].name, "place");
    REFUSED(def.samples = 1, "position");
    rig_free(&rig);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pictures_are_equal_in_every_bit_for_any_thread_count),
        cmocka_unit_test(scenes_look_the_same_at_any_scale_and_place),
        cmocka_unit_test(a_ball_appears_where_the_camera_projects_it),
        cmocka_unit_test(an_eye_far_away_costs_no_precision),
        cmocka_unit_test(a_uniform_field_shows_its_map_colour),
        cmocka_unit_test(shadows_fall_on_the_ground),
        cmocka_unit_test(containers_are_seen_through),
        cmocka_unit_test(odd_positions_are_left_out),
        cmocka_unit_test(few_particles_are_no_trouble),
        cmocka_unit_test(tiny_pictures_hold_their_overlay),
        cmocka_unit_test(a_legend_stands_alone_as_high_as_asked),
        cmocka_unit_test(bad_choices_are_refused_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
