// What one may choose about pictures and plots, and what is refused. One run serves all.
#include "rig.h"

static void every_column_of_statistics_has_a_unit_and_a_meaning(void **state) {
    (void)state;
    assert_says(say("thaw plot out/small --list"), 0,
                WORDS("kinetic", " J ", "max_density_error", " % ", " m/s ", " kg ", " ms "));
    assert_says(say("thaw plot out/small --list | wc -l"), 0, WORDS("45"));
    const Said *said = say("thaw plot out/small --list | awk 'NF < 3'");
    if (said->out[0] != '\0') fail_msg("no meaning: %s", said->out);
}

static void a_logarithm_says_what_it_leaves_out(void **state) {
    (void)state;
    // matter at rest at first: one zero
    assert_says(say("thaw plot out/small kinetic --log"), 0, WORDS("1 of 13 values", "--log"));
    assert_silent_about(say("thaw plot out/small kinetic"), "left out");
}

static void a_sheet_of_a_whole_run_is_nine_frames_and_one_legend(void **state) {
    (void)state;
    assert_says(say("thaw render out/small --sheet s.png --samples 1 --size 480x48 --color none"),
                0, WORDS("9 pictures on s.png"));
    assert_png("s.png", 3 * 484 + 4, 3 * 52 + 4);
    assert_says(say("thaw render out/small --sheet s.png --samples 1 --size 480x48 --frames 0:4"),
                0, WORDS("5 pictures on s.png"));
    // three columns, and a strip at the right
    size_t size = 0;
    char *bytes = load_file("s.png", &size);
    const unsigned char *b = (const unsigned char *)bytes;
    unsigned width = b[18] * 256u + b[19], height = b[22] * 256u + b[23];
    free(bytes);
    assert_true(width > 3 * 484 + 44 && width < 5 * 484);
    assert_int_equal(height, 2 * 52 + 4);
}

static void frames_may_be_a_list(void **state) {
    (void)state;
    assert_says(say("thaw render out/small --frames 1,5,9:10 --size 32x32 --samples 1 -o l"), 0,
                WORDS("4 pictures in l"));
    assert_says(say("ls l"), 0,
                WORDS("frame_000001", "frame_000005", "frame_000009", "frame_000010"));
    assert_int_equal(count_of(say("ls l")->out, "frame_"), 4);
    const char *const bad[] = {"1,,5", ",", "1,x", "5:1", "", "1;2"};
    for (int k = 0; k < 6; k++) {
        assert_says(say("thaw render out/small --frames '%s'", bad[k]), 2,
                    WORDS("--frames must be like", "1,5,9"));
    }
    assert_says(say("thaw render out/small --frames 1,99"), 2, WORDS("frame 99", "0 to 12"));
}

static void one_component_of_a_vector_gives_colours(void **state) {
    (void)state;
    const char *const good[] = {"vx", "velocity.z", "velocity.2", "position.y", "speed"};
    for (int k = 0; k < 5; k++) {
        assert_says(say("thaw render out/small --frames 3 --size 32x32 --samples 1 -o c --color %s",
                        good[k]),
                    0, WORDS("c/frame_000003.png"));
    }
    assert_says(say("thaw render out/small --color velocty"), 2,
                WORDS("unknown column 'velocty'", "did you mean 'velocity'?", "speed", "material"));
    const char *const bad[] = {"velocity.3", "velocity.w", "density_error.x", "warmth", "v.x"};
    for (int k = 0; k < 5; k++) {
        assert_says(say("thaw render out/small --color %s", bad[k]), 2,
                    WORDS("unknown column", bad[k], "speed", "velocity.x"));
    }
}

static void the_balance_map_is_centred_on_zero(void **state) {
    (void)state;
    say("thaw render out/small --frames 3 --size 32x32 --samples 1 -o b --color vz --map balance");
    size_t size;
    char *text = load_file("b/settings.txt", &size);
    assert_non_null(text);
    double low = 0, high = 0;
    const char *range = strstr(text, "balance ");
    assert_non_null(range);
    assert_int_equal(sscanf(range, "balance %lf:%lf", &low, &high), 2);
    assert_true(high > 0 && low == -high);
    free(text);
}

static void bad_flags_end_with_status_2(void **state) {
    (void)state;
    assert_says(say("thaw render out/small --range 5:1"), 2, WORDS("--range", "5:1"));
    assert_says(say("thaw render out/small --range 1:1"), 2, WORDS("--range", "1:1"));
    assert_says(say("thaw render out/small --eye 1,2,3 --target 1,2,3"), 2, WORDS("--eye"));
    const char *const sizes[] = {"0x0",     "0x10",     "9", "64x64x64",
                                 "1e2x100", "99999x20", "x", "-5x5"};
    for (int k = 0; k < 8; k++) {
        assert_says(say("thaw render out/small --size=%s", sizes[k]), 2,
                    WORDS("like 1280x720, each from 16 to 16384", sizes[k]));
        assert_says(say("thaw plot out/small --size=%s", sizes[k]), 2, WORDS("like 960x540"));
    }
    assert_says(say("thaw render out/small --fov 171"), 2, WORDS("--fov", "1 to 170"));
}

static void files_of_another_kind_are_refused_at_once(void **state) {
    (void)state;
    assert_says(say("thaw render out/small --sheet s.jpg"), 2, WORDS(".png", "s.jpg"));
    assert_says(say("thaw plot out/small -o plot"), 2, WORDS(".png", "'plot'"));
    assert_says(say("thaw plot out/small -o .png"), 2, WORDS(".png"));
    assert_says(say("thaw movie out/small -o m.gif"), 2,
                WORDS(".mp4, .mkv, .webm or .mov", "m.gif"));
    assert_false(exists("s.jpg") || exists("plot"));
    assert_says(say("thaw plot out/small -o P.PNG"), 0, WORDS("P.PNG"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_column_of_statistics_has_a_unit_and_a_meaning),
        cmocka_unit_test(a_logarithm_says_what_it_leaves_out),
        cmocka_unit_test(a_sheet_of_a_whole_run_is_nine_frames_and_one_legend),
        cmocka_unit_test(frames_may_be_a_list),
        cmocka_unit_test(one_component_of_a_vector_gives_colours),
        cmocka_unit_test(the_balance_map_is_centred_on_zero),
        cmocka_unit_test(bad_flags_end_with_status_2),
        cmocka_unit_test(files_of_another_kind_are_refused_at_once),
    };
    return cmocka_run_group_tests_name("looks", tests, run_small, leave_folder);
}
