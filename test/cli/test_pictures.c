// Pictures of a run: single ones, sheets, movies, previews and plots.
#include "rig.h"

static void plot_draws_columns(void **state) {
    (void)state;
    assert_says(say("thaw plot out/small"), 0, WORDS("out/small/plot.png"));
    assert_png("out/small/plot.png", 960, 540);
    assert_says(say("thaw plot out/small max_speed --x frame --log -o p.png --size 320x200"), 0,
                WORDS("p.png"));
    assert_png("p.png", 320, 200);
    assert_says(say("thaw plot out/small kinetik"), 2,
                WORDS("unknown column 'kinetik'", "did you mean 'kinetic'?"));
}

static void render_draws_frames_and_sheets(void **state) {
    (void)state;
    assert_says(say("thaw render out/small --frames 0:12:6 --size 160x90 --samples 1"), 0,
                WORDS("3 pictures in out/small/images"));
    assert_png("out/small/images/frame_000012.png", 160, 90);
    assert_says(say("thaw render out/small --frames 12 --size 96x64 --samples 1 -o p --eye 2,-2,1 "
                    "--target 0.5,0.2,0.2 --fov 30 --color density_error --range=-0.1:0.1 "
                    "--map heat --threads 2"),
                0, WORDS("p/frame_000012.png"));
    assert_png("p/frame_000012.png", 96, 64);
    assert_says(say("thaw render out/small --sheet s.png --frames 0:12:4 --samples 1"), 0,
                WORDS("4 pictures on s.png"));
    assert_true(exists("s.png"));
    assert_says(say("thaw render out/small --frames 13"), 2, WORDS("holds 0 to 12"));
    assert_says(say("thaw render out/small --map oceen"), 2, WORDS("did you mean 'ocean'?"));
}

// a few droplets that fly off
#define STRAY_SCENE                                                                                \
    "thaw: 1\n"                                                                                    \
    "spacing: 0.05\n"                                                                              \
    "gravity: [0, 0, 0]\n"                                                                         \
    "frames: {count: 4, fps: 24}\n"                                                                \
    "materials: {water: {density: 1000}}\n"                                                        \
    "bodies:\n"                                                                                    \
    "  - {name: block, material: water,\n"                                                         \
    "     shape: {box: {center: [0, 0, 0], size: [1, 1, 1]}}}\n"                                   \
    "  - {name: stray, material: water, velocity: [300, 0, 0],\n"                                  \
    "     shape: {sphere: {center: [1, 0, 0], radius: 0.08}}}\n"

static void stray_droplets_do_not_make_the_picture_small(void **state) {
    (void)state;
    write_file("stray.yaml", STRAY_SCENE);
    assert_says(say("thaw run stray.yaml --threads 1"), 0, WORDS("frames 0 to 4"));
    say("thaw render out/stray --frames 4 --size 32x32 --samples 1");
    size_t size;
    char *text = load_file("out/stray/images/settings.txt", &size);
    assert_non_null(text);
    double b[6];
    const char *bounds = strstr(text, "bounds ");
    assert_non_null(bounds);
    assert_int_equal(
        sscanf(bounds, "bounds %lf %lf %lf %lf %lf %lf", &b[0], &b[1], &b[2], &b[3], &b[4], &b[5]),
        6);
    for (int k = 0; k < 3; k++) {
        assert_true(b[k] > -0.7 && b[k] < -0.4);
        assert_true(b[k + 3] > 0.4 && b[k + 3] < 0.7);
    }
    free(text);
}

static void movie_draws_what_is_missing_and_encodes(void **state) {
    (void)state;
    const Said *said = say("PATH=/nowhere; thaw movie out/small --size 96x64 --samples 1");
    assert_says(said, 1, WORDS("ffmpeg", "apt install ffmpeg"));
    if (say("command -v ffmpeg")->status != 0) {
        print_message("ffmpeg is not here: no movie was made\n");
        skip();
    }
    assert_says(say("thaw movie out/small --size 95x63 --samples 1"), 0,
                WORDS("out/small/small.mp4", "13 frames at 24"));
    assert_true(exists("out/small/small.mp4") && !exists("out/small/small.part.mp4"));
    // a second time nothing is drawn anew but what is gone
    say("touch mark; rm out/small/images/frame_000004.png; thaw movie out/small --size 95x63 "
        "--samples 1");
    assert_says(say("find out/small/images -newer mark -name '*.png'"), 0, WORDS("frame_000004"));
    assert_int_equal(count_of(say("find out/small/images -newer mark -name '*.png'")->out, "png"),
                     1);
    // another look draws all
    say("sleep 0.02; touch mark; thaw movie out/small --size 95x63 --samples 1 --map heat");
    assert_int_equal(count_of(say("find out/small/images -newer mark -name '*.png'")->out, "png"),
                     13);
}

static void preview_draws_every_frame(void **state) {
    (void)state;
    write_file("small.yaml", SMALL_SCENE);
    assert_says(say("thaw run small.yaml --threads 1 --preview --set camera.width=96 --set "
                    "camera.height=64"),
                0, WORDS("13 pictures in out/small/images"));
    for (int frame = 0; frame <= 12; frame++) {
        char path[64];
        snprintf(path, sizeof path, "out/small/images/frame_%06d.png", frame);
        assert_png(path, 96, 64);
    }
}

int main(void) {
#define FRESH(claim) cmocka_unit_test_setup_teardown(claim, enter_folder, leave_folder)
#define RUN(claim) cmocka_unit_test_setup_teardown(claim, run_small, leave_folder)
    const struct CMUnitTest tests[] = {
        RUN(plot_draws_columns),
        RUN(render_draws_frames_and_sheets),
        FRESH(stray_droplets_do_not_make_the_picture_small),
        RUN(movie_draws_what_is_missing_and_encodes),
        FRESH(preview_draws_every_frame),
    };
    return cmocka_run_group_tests_name("pictures", tests, NULL, NULL);
}
