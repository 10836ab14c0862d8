// The command as a user meets it: what it prints, what it refuses and how, what programs can read.
#include <ctype.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <thaw/thaw.h>

#include <cmocka.h>

typedef struct Said {
    int status;
    char out[16384]; // stdout and stderr together
} Said;

static const Said *say(const char *arguments) {
    static Said said;
    char line[1024];
    snprintf(line, sizeof line, "'%s' %s 2>&1", THAW_COMMAND, arguments);
    FILE *pipe = popen(line, "r");
    assert_non_null(pipe);
    size_t size = fread(said.out, 1, sizeof said.out - 1, pipe);
    said.out[size] = '\0';
    int status = pclose(pipe);
    assert_true(WIFEXITED(status));
    said.status = WEXITSTATUS(status);
    return &said;
}

static void assert_says(const Said *said, int status, const char *const *words) {
    if (said->status != status) fail_msg("status %d, not %d: %s", said->status, status, said->out);
    for (; *words != NULL; words++) {
        if (strstr(said->out, *words) == NULL) fail_msg("no '%s' in: %s", *words, said->out);
    }
}

#define WORDS(...) ((const char *const[]){__VA_ARGS__, NULL})

// ---------------------------------------------------------------- JSON

// what follows one JSON value; NULL when there is none
static const char *after_value(const char *at);

static const char *skip_space(const char *at) {
    while (*at == ' ') at++;
    return at;
}

static const char *after_string(const char *at) {
    if (*at++ != '"') return NULL;
    while (*at != '"' && *at != '\0' && *at != '\n') at += *at == '\\' ? 2 : 1;
    return *at == '"' ? at + 1 : NULL;
}

static const char *after_object(const char *at) {
    at = skip_space(at + 1);
    if (*at == '}') return at + 1;
    for (;;) {
        at = after_string(skip_space(at));
        if (at == NULL || *(at = skip_space(at)) != ':') return NULL;
        at = after_value(skip_space(at + 1));
        if (at == NULL) return NULL;
        at = skip_space(at);
        if (*at == '}') return at + 1;
        if (*at++ != ',') return NULL;
    }
}

static const char *after_value(const char *at) {
    if (*at == '{') return after_object(at);
    if (*at == '"') return after_string(at);
    // JSON knows neither nan nor inf
    if (*at != '-' && !isdigit((unsigned char)*at)) return NULL;
    char *end;
    strtod(at, &end);
    return end;
}

// the number of a key of one object
static double number_of(const char *json, const char *key) {
    char name[64];
    snprintf(name, sizeof name, "\"%s\":", key);
    const char *found = strstr(json, name);
    if (found == NULL)
        fail_msg("no %s in %s", name, json);
    else
        return strtod(skip_space(found + strlen(name)), NULL);
    return 0;
}

// ---------------------------------------------------------------- claims

static void bench_gives_one_json_line_with_every_key(void **state) {
    (void)state;
    const Said *said = say("bench liquid-rest --particles 5000 --steps 2 --threads 2 --json");
    assert_says(said, 0, WORDS("\"name\": \"liquid-rest\"", "\"phases\": {"));
    const char *end = after_value(said->out);
    if (end == NULL || strcmp(end, "\n") != 0)
        fail_msg("not one JSON object a line: %s", said->out);
    double particles = number_of(said->out, "particles");
    assert_true(particles > 4500 && particles < 5500);
    assert_true(number_of(said->out, "threads") == 2);
    assert_true(number_of(said->out, "steps") == 2);
    assert_true(number_of(said->out, "iterations") == 4);
    double neighbours = number_of(said->out, "neighbours");
    assert_true(neighbours > 20 && neighbours < 60);
    assert_true(number_of(said->out, "bytes_per_particle") > 50);
    double error = number_of(said->out, "mean_density_error");
    assert_true(error >= 0 && error < 0.2);
    // the phases make up the whole
    double sum = 0, all = number_of(said->out, "ns_per_particle_step");
    for (int p = 0; p < THAW_PHASE_COUNT; p++) {
        sum += number_of(strstr(said->out, "phases"), thaw_phase_name((ThawPhase)p));
    }
    assert_true(all > 0 && sum > 0.5 * all && sum < 1.01 * all);
    // and those of the fastest step, which takes no longer than they do on the average
    double best = number_of(said->out, "fastest_ns_per_particle_step"), best_sum = 0;
    for (int p = 0; p < THAW_PHASE_COUNT; p++) {
        best_sum += number_of(strstr(said->out, "fastest_phases"), thaw_phase_name((ThawPhase)p));
    }
    assert_true(best > 0 && best < 1.01 * all && best_sum > 0.5 * best && best_sum < 1.01 * best);
}

static void bench_runs_the_case_and_options_asked_for(void **state) {
    (void)state;
    const Said *said = say("bench dam-break --particles=1000 --steps 1 --threads=1 --iterations 2 "
                           "--isa baseline --json");
    assert_says(said, 0, WORDS("\"name\": \"dam-break\"", "\"isa\": \"baseline\""));
    assert_non_null(after_value(said->out));
    assert_true(number_of(said->out, "threads") == 1);
    assert_true(number_of(said->out, "iterations") == 2);
    assert_says(say("bench liquid-rest --particles 1000 --steps 1"), 0,
                WORDS("liquid-rest:", "correction", "ns a particle", "neighbours"));
    assert_says(say("bench --list"), 0, WORDS("liquid-rest", "dam-break", "viscosity", "field"));
}

// a line for the reference time, and one for short substeps
static void bench_tells_what_viscosity_costs_and_that_it_is_right(void **state) {
    (void)state;
    const Said *said = say("bench viscosity --particles 3000 --steps 1 --threads 1 --json");
    assert_says(said, 0, WORDS("\"name\": \"viscosity\""));
    const char *line = said->out;
    for (int n = 0; n < 2; n++) {
        const char *end = after_value(line);
        if (end == NULL || *end != '\n') fail_msg("not one JSON object a line: %s", line);
        assert_true(fabs(number_of(line, "dt") - (n == 0 ? 1.0 / 240 : 0.0005)) < 1e-6);
        assert_true(number_of(line, "passes_thin") == 1);
        assert_true(number_of(line, "passes_thick") > (n == 0 ? 20 : 8));
        double ratio = number_of(line, "ns_thick") / number_of(line, "ns_thin");
        assert_true(fabs(number_of(line, "ratio") / ratio - 1) < 0.01);
        assert_true(fabs(number_of(line, "rate_thin") - 1) < 0.01);
        assert_true(fabs(number_of(line, "rate_thick") - 1) < 0.05);
        line = end + 1;
    }
    assert_string_equal(line, "");
    // the coefficient of other cases: at 0 nothing is smoothed
    said = say("bench liquid-rest --xsph 0 --particles 1000 --steps 1 --json");
    assert_true(number_of(strstr(said->out, "phases"), "viscosity") == 0);
    said = say("bench liquid-rest --xsph 50 --particles 1000 --steps 1 --json");
    assert_true(number_of(strstr(said->out, "phases"), "viscosity") > 0);
    assert_says(say("bench --xsph -1"), 2, WORDS("--xsph"));
}

// two lines where nothing changes its state, and one where matter does
static void bench_tells_what_heat_costs_and_that_it_is_right(void **state) {
    (void)state;
    const Said *said = say("bench heat --particles 500 --steps 8 --substeps 1 --threads 1 --json");
    assert_says(said, 0,
                WORDS("\"scene\": \"pool\"", "\"scene\": \"still\"", "\"scene\": \"changing\""));
    const char *line = said->out;
    for (int n = 0; n < 3; n++) {
        const char *end = after_value(line);
        if (end == NULL || *end != '\n') fail_msg("not one JSON object a line: %s", line);
        assert_true(number_of(line, "ratio") > 0);
        assert_true(number_of(line, "same_frame_ratio") > 0);
        assert_true(number_of(line, "ns_heat") > 0);
        assert_true(number_of(line, "heat_stages") >= 1);
        assert_true((n == 2) == (number_of(line, "melted") > 0));
        assert_true((n == 2) == (number_of(line, "frozen") > 0));
        assert_true(number_of(line, "budget") < 1e-6);
        assert_true(number_of(line, "bath_budget") < 1e-6);
        double molten = number_of(line, "bath_molten"), wanted = number_of(line, "bath_wanted");
        assert_true(wanted > 0.3 && wanted < 0.7 && fabs(molten - wanted) < 0.02);
        line = end + 1;
    }
    assert_string_equal(line, "");
    assert_says(say("bench --list"), 0, WORDS("heat"));
}

static void bench_compares_with_an_earlier_result(void **state) {
    (void)state;
    char file[] = "/tmp/thaw_bench_XXXXXX", line[256];
    int made = mkstemp(file);
    assert_true(made >= 0);
    FILE *out = fdopen(made, "w");
    assert_non_null(out);
    fputs("{\"name\": \"liquid-rest\", \"particles\": 1000, \"threads\": 1, "
          "\"ns_per_particle_step\": 100.0}\n",
          out);
    fclose(out);
    snprintf(line, sizeof line,
             "bench liquid-rest --particles 1000 --steps 1 --threads 1 --compare %s", file);
    assert_says(say(line), 0, WORDS("of the 100.0 ns"));
    snprintf(line, sizeof line,
             "bench liquid-rest --particles 1000 --steps 1 --threads 2 --compare %s", file);
    assert_says(say(line), 2, WORDS("error", "2 threads"));
    remove(file);
    assert_says(say(line), 2, WORDS(file, "error"));
}

static void misspelt_words_are_refused_with_a_suggestion(void **state) {
    (void)state;
    assert_says(say("bench --partcles 5000"), 2,
                WORDS("--partcles", "did you mean '--particles'?"));
    assert_says(say("bench liquid-rset"), 2, WORDS("liquid-rset", "did you mean 'liquid-rest'?"));
    assert_says(say("bnech"), 2, WORDS("bnech", "did you mean 'bench'?"));
    assert_says(say("field"), 2, WORDS("did you mean 'fields'?"));
    // nothing near: where to look instead
    assert_says(say("bench --colour-of-the-sky"), 2, WORDS("--colour-of-the-sky", "--help"));
}

static void bad_values_are_refused_by_name(void **state) {
    (void)state;
    const char *const values[] = {"", "5x", "-3", "0", "99999999999999999999", "1e3", "ten"};
    for (size_t k = 0; k < sizeof values / sizeof values[0]; k++) {
        char line[128];
        snprintf(line, sizeof line, "bench liquid-rest --particles '%s'", values[k]);
        assert_says(say(line), 2, WORDS("error", "--particles"));
    }
    assert_says(say("bench --steps"), 2, WORDS("--steps needs a value"));
    assert_says(say("bench --isa sse9"), 2, WORDS("--isa", "sse9", "avx2"));
    assert_says(say("bench --threads 1000"), 2, WORDS("--threads"));
}

static void help_teaches(void **state) {
    (void)state;
    assert_says(say("--help"), 0, WORDS("usage: thaw COMMAND", "bench", "fields", "--help"));
    assert_says(say("help"), 0, WORDS("usage: thaw COMMAND"));
    assert_says(say(""), 2, WORDS("usage: thaw COMMAND"));
    const char *const options[] = {"usage: thaw bench", "--list",     "--particles", "--threads",
                                   "--iterations",      "--steps",    "--isa",       "--json",
                                   "--compare",         "--substeps", NULL};
    assert_says(say("bench --help"), 0, options);
    assert_says(say("help bench"), 0, options);
    assert_says(say("fields --help"), 0, WORDS("usage: thaw fields"));
    assert_says(say("--version"), 0, WORDS(THAW_VERSION));
}

static void fields_are_listed(void **state) {
    (void)state;
    const Said *said = say("fields");
    assert_says(said, 0, WORDS("meaning", "m/s", "derived"));
    for (uint32_t k = 0; thaw_field_info(k) != NULL; k++) {
        const ThawFieldInfo *info = thaw_field_info(k);
        assert_says(said, 0, WORDS(info->name, info->meaning));
    }
    assert_says(say("fields --json-please"), 2, WORDS("--json-please"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bench_gives_one_json_line_with_every_key),
        cmocka_unit_test(bench_runs_the_case_and_options_asked_for),
        cmocka_unit_test(bench_tells_what_viscosity_costs_and_that_it_is_right),
        cmocka_unit_test(bench_tells_what_heat_costs_and_that_it_is_right),
        cmocka_unit_test(bench_compares_with_an_earlier_result),
        cmocka_unit_test(misspelt_words_are_refused_with_a_suggestion),
        cmocka_unit_test(bad_values_are_refused_by_name),
        cmocka_unit_test(help_teaches),
        cmocka_unit_test(fields_are_listed),
    };
    return cmocka_run_group_tests_name("command", tests, NULL, NULL);
}
