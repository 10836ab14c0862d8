// Heat from the command line: what check tells, what frames and statistics hold, pictures, and going on exactly.
#include "rig.h"

// a cube melts on a hot floor by temperature, another where its own rule says; walls and sources change over time
static const char melting[] =
    "thaw: 1\ntitle: Melting\nspacing: 0.03\nframes: {count: 8}\n"
    "materials:\n"
    "  wax:\n"
    "    solid: {young: 1e4}\n    liquid: {viscosity: 1e-4}\n"
    "    thermal: {conductivity: 2000, specific_heat: 1000, melts_at: 300, latent_heat: 1e4}\n"
    "  goo:\n"
    "    solid: {young: 1e4}\n    liquid: {viscosity: 1e-4}\n"
    "    thermal: {melts_when: \"t > 0.1 and z < 0.12\", freezes_when: 0}\n"
    "bodies:\n"
    "  - {name: cube, material: wax, state: solid, temperature: 290, shape: {box: {center: [0, 0, "
    "0.07], size: [0.15, 0.15, 0.12]}}}\n"
    "  - {name: blob, material: goo, state: solid, shape: {box: {center: [0.3, 0, 0.1], size: "
    "[0.15, 0.15, 0.15]}}}\n"
    "colliders:\n"
    "  - {name: floor, temperature: [[0, 350], [1, 360]], shape: {plane: {point: [0, 0, 0]}}}\n"
    "heat_sources:\n"
    "  - {name: lamp, power: 50, material: goo}\n"
    "output: {checkpoint: 0, channels: [velocity, state, molten, enthalpy]}\n";

static int enter_melting(void **state) {
    int status = enter_folder(state);
    if (status == 0) write_file("melting.yaml", melting);
    return status;
}

static int run_melting(void **state) {
    int status = enter_melting(state);
    return status != 0 ? status : say("thaw run melting.yaml --threads 1 -o it")->status;
}

static void check_tells_of_heat(void **state) {
    (void)state;
    assert_says(say("thaw check melting.yaml"), 0,
                WORDS("heat        'wax': diffusivity 0.002 m^2/s, goes",
                      "melts at 300 K (26.85 C)",
                      "heat source lamp                 50 W everywhere, in goo",
                      "collider    floor                solid, at 350 K", "0 errors"));
    assert_says(say("thaw check melting.yaml --json"), 0,
                WORDS("\"heat\": {\"wax\": {\"diffusivity\": ", "\"reach\": "));
    assert_says(say("thaw check melting.yaml --set materials.wax.thermal.melts_at=60"), 0,
                WORDS("warning", "numbers without a unit are kelvins", "write '60 C'"));
    assert_says(say("thaw check melting.yaml --set bodies.cube.temperature=-5"), 2,
                WORDS("--set:1:25: error", "for degrees Celsius write '-5 C'"));
}

// the number in a column of the last row of stats.csv
static double last_value(const char *column) {
    const Said *said =
        say("awk -F, 'NR == 1 {for (k = 1; k <= NF; k++) if ($k == \"%s\") c = k} END "
            "{print $c}' it/stats.csv",
            column);
    return strtod(said->out, NULL);
}

static double column_sum(const char *column) {
    const Said *said =
        say("awk -F, 'NR == 1 {for (k = 1; k <= NF; k++) if ($k == \"%s\") c = k} NR > "
            "1 {n += $c} END {printf \"%%.17g\", n}' it/stats.csv",
            column);
    return strtod(said->out, NULL);
}

static double first_value(const char *column) {
    const Said *said =
        say("awk -F, 'NR == 1 {for (k = 1; k <= NF; k++) if ($k == \"%s\") c = k} NR == "
            "2 {print $c}' it/stats.csv",
            column);
    return strtod(said->out, NULL);
}

static void statistics_tell_where_heat_went(void **state) {
    (void)state;
    double change = last_value("heat") - first_value("heat"), taken = column_sum("heat_taken");
    assert_true(taken > 10);
    if (!(change > 0.999999 * taken && change < 1.000001 * taken))
        fail_msg("heat grew by %g J, and %g J were taken", change, taken);
    assert_true(column_sum("melted") > 10);
    assert_true(last_value("molten") > 0 && last_value("molten") < last_value("mass"));
    assert_true(first_value("coldest") == 290 && last_value("hottest") > 300);
    assert_true(last_value("hottest") < 360);
    assert_true(last_value("liquid") > 10 && last_value("solid") > 10);
}

static void a_run_tells_what_heat_did(void **state) {
    (void)state;
    assert_says(
        say("thaw run melting.yaml --threads 1 -o other"), 0,
        WORDS("particles melted and", "of it molten", "walls, air and sources gave", " C\n"));
    // lines are told of the last frame in any case, and most melts in the third
    assert_says(say("thaw run melting.yaml --threads 1 -o early --frames 3"), 0,
                WORDS("frame 3/3", " melted, "));
    assert_says(say("thaw run melting.yaml --threads 1 -o third --frames 2 --json"), 0,
                WORDS("\"heat\": ", "\"heat_taken\": ", "\"coldest\": ", "\"molten\": "));
    const Said *off =
        say("thaw run melting.yaml --threads 1 -o off --frames 2 --set heat.on=no --set "
            "output.channels='[velocity]'");
    assert_says(off, 0, WORDS("frames 0 to 2"));
    assert_silent_about(off, "molten");
}

static void frames_hold_temperatures(void **state) {
    (void)state;
    assert_says(say("thaw info it/frames/frame_000008.h5 --json"), 0,
                WORDS("{\"name\": \"temperature\", \"type\": \"f32\", \"components\": 1}",
                      "{\"name\": \"molten\", \"type\": \"f32\", \"components\": 1}",
                      "{\"name\": \"enthalpy\", \"type\": \"f64\", \"components\": 1}"));
    assert_says(say("cat it/frames.xdmf"), 0,
                WORDS("Attribute Name=\"temperature\"", "NumberType=\"Float\" Precision=\"8\""));
    assert_says(say("thaw export it --to csv --frames 8 -o table && head -1 table/*.csv"), 0,
                WORDS("temperature", "molten", "enthalpy"));
    assert_says(say("thaw export it --to ply --frames 8 -o points && head -c 900 points/*.ply"), 0,
                WORDS("property float temperature", "property double enthalpy"));
    // a particle of the initial state is as warm as it was made
    assert_says(
        say("thaw export it --to csv --frames 0 -o start && awk -F, 'NR == 1 {for (k = 1; k "
            "<= NF; k++) if ($k == \"temperature\") c = k} NR > 1 && $c > 289 && $c < 291 "
            "{n++} END {print (n > 50 ? \"cold\" : \"not\")}' start/*.csv"),
        0, WORDS("cold"));
}

static void pictures_show_temperatures(void **state) {
    (void)state;
    static const char *const colors[] = {"temperature", "celsius", "state", "molten"};
    for (int k = 0; k < 4; k++) {
        assert_says(
            say("thaw render it --frames 8 --color %s --size 160x120 -o %s", colors[k], colors[k]),
            0, WORDS("frame_000008.png"));
        char path[64];
        snprintf(path, sizeof path, "%s/frame_000008.png", colors[k]);
        assert_png(path, 160, 120);
    }
    assert_says(say("thaw render it --frames 8 --color temperature --range 290:350 --map viridis "
                    "--size 160x120 -o ranged"),
                0, WORDS("frame_000008.png"));
    assert_says(say("cmp temperature/frame_000008.png ranged/frame_000008.png"), 1,
                WORDS("differ"));
    assert_says(
        say("thaw plot it coldest hottest -o plot.png && thaw plot it molten -o molten.png"), 0,
        WORDS("plot.png"));
    assert_png("plot.png", 960, 540);
    assert_says(say("thaw plot it --list"), 0,
                WORDS("coldest", "heat_taken", "mass of what is molten"));
}

static void runs_with_heat_resume_in_the_same_bits(void **state) {
    (void)state;
    assert_says(say("thaw run melting.yaml --threads 1 -o part --frames 1:3"), 0,
                WORDS("frames 0 to 3"));
    assert_says(say("thaw run melting.yaml --threads 2 -o part --resume"), 0,
                WORDS("going on after frame 3", "since the checkpoint"));
    assert_equal_frames("it", "part", 0, 8);
    assert_whole_table("part", 0, 8);
}

static void the_topic_teaches(void **state) {
    (void)state;
    assert_says(say("thaw help heat"), 0,
                WORDS("melts_at", "melts_when", "heat_sources", "--color celsius", "convection"));
    assert_int_equal(say("thaw help heat | awk 'length > 100'")->out[0], '\0');
}

int main(void) {
#define TEST(claim) cmocka_unit_test_setup_teardown(claim, run_melting, leave_folder)
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(check_tells_of_heat, enter_melting, leave_folder),
        TEST(statistics_tell_where_heat_went),
        TEST(a_run_tells_what_heat_did),
        TEST(frames_hold_temperatures),
        TEST(pictures_show_temperatures),
        TEST(runs_with_heat_resume_in_the_same_bits),
        cmocka_unit_test_setup_teardown(the_topic_teaches, enter_melting, leave_folder),
    };
    return cmocka_run_group_tests_name("heat", tests, NULL, NULL);
}
