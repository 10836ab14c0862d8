// Pictures of meshes: smooth, creased, whichever way they are wound; open where they hold matter.
#include "render/rig.h"

#include "support/forms.h"

enum { WIDTH = 160, HEIGHT = 120 };

static ThawRenderDef plain_def(const ThawRenderSolid *solid) {
    ThawRenderDef def = thaw_render_default();
    def.width = WIDTH;
    def.height = HEIGHT;
    def.color = "none";
    def.colorbar = false;
    def.ground = false;
    def.samples = 4;
    def.solids = solid;
    def.solid_count = solid != NULL;
    def.lower = (ThawVec3){-0.6, -0.6, -0.6};
    def.upper = (ThawVec3){0.6, 0.6, 0.6};
    return def;
}

static ThawImage *draw(const ThawFrame *frame, const ThawRenderDef *def) {
    ThawImage *image = NULL;
    assert_ok(thaw_render_frame(frame, def, &image));
    return image;
}

// a solid alone
static ThawImage *draw_alone(const ThawRenderSolid *solid) {
    Rig rig;
    rig_make(&rig, 0, 0.05, 3, 2);
    rig_column(&rig, "position", THAW_F64, 3, sizeof(double));
    ThawRenderDef def = plain_def(solid);
    ThawImage *image = draw(&rig.frame, &def);
    rig_free(&rig);
    return image;
}

static ThawRenderSolid solid_of(ThawShape shape) {
    return (ThawRenderSolid){.shape = shape, .color = {0.8, 0.7, 0.5}};
}

// mean difference of two pictures, of 255
static double difference(const ThawImage *a, const ThawImage *b) {
    double sum = 0;
    size_t bytes = image_bytes(a);
    assert_int_equal(bytes, image_bytes(b));
    for (size_t k = 0; k < bytes; k++) sum += abs(a->pixels[k] - b->pixels[k]);
    return sum / (double)bytes;
}

static ThawImage *draw_form(const Form *form) {
    ThawField *field = form_field(form, THAW_FIELD_SOLID, 0.05, 0);
    ThawRenderSolid solid = solid_of(thaw_shape_mesh(field));
    ThawImage *image = draw_alone(&solid);
    thaw_field_release(field);
    return image;
}

// ---------------------------------------------------------------- shading

static void a_ball_of_triangles_looks_like_the_sphere(void **state) {
    (void)state;
    Form ball = form_ball(0.5, 24);
    ThawRenderSolid sphere = solid_of(thaw_shape_sphere((ThawVec3){0, 0, 0}, 0.5));
    ThawImage *mesh = draw_form(&ball), *exact = draw_alone(&sphere);
    // the silhouette of a polyhedron is what remains
    assert_true(difference(mesh, exact) < 0.6);
    thaw_image_free(mesh);
    thaw_image_free(exact);
    form_free(&ball);
}

static void a_box_of_triangles_keeps_its_creases(void **state) {
    (void)state;
    Form box = form_box((ThawVec3){0, 0, 0}, (ThawVec3){0.8, 0.7, 0.6});
    ThawRenderSolid exact_box =
        solid_of(thaw_shape_box((ThawVec3){0, 0, 0}, (ThawVec3){0.8, 0.7, 0.6}));
    ThawImage *mesh = draw_form(&box), *exact = draw_alone(&exact_box);
    assert_true(difference(mesh, exact) < 0.1);
    thaw_image_free(mesh);
    thaw_image_free(exact);
    form_free(&box);
}

static void winding_does_not_show(void **state) {
    (void)state;
    Form ball = form_ball(0.5, 12);
    ThawImage *before = draw_form(&ball);
    for (uint32_t k = 0; k < ball.triangle_count; k += 2) {
        uint32_t swap = ball.triangles[k][0];
        ball.triangles[k][0] = ball.triangles[k][1];
        ball.triangles[k][1] = swap;
    }
    ThawImage *after = draw_form(&ball);
    assert_true(difference(before, after) < 0.02);
    thaw_image_free(before);
    thaw_image_free(after);
    form_free(&ball);
}

static void triangles_without_common_points_are_smooth_too(void **state) {
    (void)state;
    Form ball = form_ball(0.5, 12), soup = {0};
    soup.triangle_count = ball.triangle_count;
    soup.point_count = 3 * ball.triangle_count;
    soup.points = calloc(soup.point_count, sizeof *soup.points);
    soup.triangles = calloc(soup.triangle_count, sizeof *soup.triangles);
    for (uint32_t k = 0; k < soup.point_count; k++) {
        memcpy(soup.points[k], ball.points[ball.triangles[k / 3][k % 3]], sizeof soup.points[k]);
        soup.triangles[k / 3][k % 3] = k;
    }
    ThawImage *shared = draw_form(&ball), *single = draw_form(&soup);
    assert_true(difference(shared, single) < 0.02);
    thaw_image_free(shared);
    thaw_image_free(single);
    form_free(&ball);
    form_free(&soup);
}

static void a_form_of_the_moment_is_drawn_in_place_of_the_fields(void **state) {
    (void)state;
    Form ball = form_ball(0.5, 12), torus = form_torus(0.4, 0.15, 24);
    ThawImage *wanted = draw_form(&torus);
    ThawField *field = form_field(&ball, THAW_FIELD_SOLID, 0.05, 0);
    ThawMesh mesh = form_mesh(&torus);
    ThawRenderSolid solid = solid_of(thaw_shape_mesh(field));
    solid.mesh = &mesh;
    ThawImage *drawn = draw_alone(&solid);
    assert_true(difference(wanted, drawn) == 0);
    thaw_image_free(drawn);
    thaw_image_free(wanted);
    uint32_t wrong[1][3] = {{0, 1, torus.point_count}};
    mesh.triangles = (const uint32_t(*)[3])wrong;
    mesh.triangle_count = 1;
    Rig rig;
    rig_make(&rig, 0, 0.05, 3, 2);
    rig_column(&rig, "position", THAW_F64, 3, sizeof(double));
    ThawRenderDef def = plain_def(&solid);
    assert_refused(thaw_render_frame(&rig.frame, &def, &drawn), "triangle");
    rig_free(&rig);
    thaw_field_release(field);
    form_free(&ball);
    form_free(&torus);
}

// ---------------------------------------------------------------- what is held

// beads in the lower half of a cup of radius 0.4 and height 0.6 with its bottom at z = −0.3, or at `aside`
static void fill_cup(Rig *rig, double aside) {
    double place[4096][3];
    uint32_t count = 0;
    for (int k = 0; k < 4096; k++) {
        double x = -0.4 + 0.05 * (k % 16), y = -0.4 + 0.05 * (k / 16 % 16);
        double z = -0.25 + 0.05 * (k / 256);
        if (x * x + y * y > 0.33 * 0.33 || z > 0) continue;
        place[count][0] = x;
        place[count][1] = y + aside;
        place[count][2] = z;
        count++;
    }
    rig_make(rig, count, 0.05, 3, 2);
    memcpy(rig_column(rig, "position", THAW_F64, 3, sizeof(double)), place, count * sizeof *place);
}

// pixels that are bluer than anything but beads
static int count_blue(const ThawImage *image) {
    int count = 0;
    for (int k = 0; k < image->width * image->height; k++) {
        const uint8_t *p = image->pixels + 3 * (size_t)k;
        count += p[2] > p[0] + 45;
    }
    return count;
}

static int blue_behind(const ThawRenderSolid *solid, double aside) {
    Rig rig;
    fill_cup(&rig, aside);
    ThawRenderDef def = plain_def(solid);
    // seen from the side, a little from above
    def.auto_camera = false;
    def.camera = (ThawCamera){{0, -3, 0.6}, {0, 0, 0}, {0, 0, 1}, 0.5};
    ThawImage *image = draw(&rig.frame, &def);
    int count = count_blue(image);
    def.threads = 3;
    ThawImage *again = draw(&rig.frame, &def);
    assert_true(difference(image, again) == 0);
    thaw_image_free(image);
    thaw_image_free(again);
    rig_free(&rig);
    return count;
}

static ThawRenderSolid solid_cup(ThawField **field, ThawFieldMode mode, bool lid) {
    Form cup = form_cup(0.4, 0.6, 48);
    if (lid) {
        static const double profile[4][2] = {{0, 0}, {0.4, 0}, {0.4, 0.6}, {0, 0.6}};
        form_free(&cup);
        cup = form_turned(profile, 4, 48);
    }
    *field = form_field(&cup, mode, 0.05, mode == THAW_FIELD_SHELL ? 0.05 : 0);
    form_free(&cup);
    ThawShape shape = thaw_shape_mesh(*field);
    shape.pose.position.z = -0.3;
    return solid_of(shape);
}

static void a_container_is_open_towards_the_eye(void **state) {
    (void)state;
    ThawField *field;
    ThawRenderSolid solid = solid_cup(&field, THAW_FIELD_SOLID, true);
    int all = blue_behind(NULL, 0);
    assert_true(all > 1000);
    assert_int_equal(blue_behind(&solid, 0), 0);
    solid.container = true;
    // edges of the rim cross a few of them
    assert_true(blue_behind(&solid, 0) > 0.93 * all);
    thaw_field_release(field);
}

static void a_shell_veils_what_it_holds_and_hides_what_is_behind(void **state) {
    (void)state;
    ThawField *field;
    ThawRenderSolid solid = solid_cup(&field, THAW_FIELD_SHELL, false);
    int all = blue_behind(NULL, 0);
    assert_true(blue_behind(&solid, 0) > 0.9 * all);
    // beads behind the cup, lower than its rim
    int behind = blue_behind(NULL, 1.2);
    assert_true(behind > 500);
    assert_true(blue_behind(&solid, 1.2) < 0.35 * behind);
    thaw_field_release(field);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ball_of_triangles_looks_like_the_sphere),
        cmocka_unit_test(a_box_of_triangles_keeps_its_creases),
        cmocka_unit_test(winding_does_not_show),
        cmocka_unit_test(triangles_without_common_points_are_smooth_too),
        cmocka_unit_test(a_form_of_the_moment_is_drawn_in_place_of_the_fields),
        cmocka_unit_test(a_container_is_open_towards_the_eye),
        cmocka_unit_test(a_shell_veils_what_it_holds_and_hides_what_is_behind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
