// The pages made from the table of commands: help, completion, man page, docs.
#include "rig.h"

#include <ctype.h>

// the names of all commands, from the list of `thaw --help`
static int list_commands(char names[32][16]) {
    const Said *said = say("thaw --help");
    int count = 0;
    const char *line = strchr(said->out, '\n');
    for (; line != NULL && count < 32; line = strchr(line + 1, '\n')) {
        if (strncmp(line, "\n  thaw ", 8) == 0) break;
        if (line[1] != ' ' || line[2] != ' ' || !islower((unsigned char)line[3])) continue;
        sscanf(line + 3, "%15s", names[count++]);
    }
    assert_true(count >= 13);
    return count;
}

// the options of a command's help page, with their dashes
static int list_options(const char *command, char options[32][32]) {
    const Said *said = say("thaw %s --help", command);
    int count = 0;
    for (const char *line = strchr(said->out, '\n'); line != NULL; line = strchr(line + 1, '\n')) {
        if (strncmp(line, "\nExamples", 9) == 0) break;
        const char *at = line + 1 + strspn(line + 1, " ");
        if (at - line != 3 || *at != '-') continue;
        if (at[1] != '-') at += 4; // "-o, "
        assert_true(count < 32);
        sscanf(at, "%31s", options[count++]);
    }
    return count;
}

static void every_help_page_is_short_and_has_an_example(void **state) {
    (void)state;
    char names[32][16];
    int count = list_commands(names);
    for (int k = 0; k < count; k++) {
        char usage[64], example[64];
        snprintf(usage, sizeof usage, "usage: thaw %.15s", names[k]);
        snprintf(example, sizeof example, "thaw %.15s", names[k]);
        const Said *said = say("thaw %s --help", names[k]);
        assert_says(said, 0, WORDS(usage, "Examples:\n  "));
        assert_non_null(strstr(strstr(said->out, "Examples:"), example));
        assert_true(count_of(said->out, "\n") < 48);
        // 'fields' is a topic too
        if (strcmp(names[k], "fields") == 0) continue;
        char *page = strdup(said->out);
        assert_string_equal(say("thaw help %s", names[k])->out, page);
        free(page);
    }
}

static void help_pages_fit_a_terminal(void **state) {
    (void)state;
    char names[32][16];
    int count = list_commands(names);
    for (int k = 0; k < count; k++) {
        const Said *said = say("thaw %s --help | awk 'length > 100'", names[k]);
        if (said->out[0] != '\0') fail_msg("too wide: %s", said->out);
    }
}

static void a_misspelt_option_of_any_command_gets_a_suggestion(void **state) {
    (void)state;
    char names[32][16], options[32][32];
    int count = list_commands(names), tried = 0;
    for (int k = 0; k < count; k++) {
        int option_count = list_options(names[k], options);
        for (int n = 0; n < option_count; n++) {
            if (strlen(options[n]) < 6) continue;
            char wrong[40], hint[64];
            snprintf(wrong, sizeof wrong, "%.31s", options[n]);
            wrong[4] = 'q';
            snprintf(hint, sizeof hint, "did you mean '%.31s'?", options[n]);
            assert_says(say("thaw %s %s", names[k], wrong), 2, WORDS(wrong, hint));
            tried++;
        }
    }
    assert_true(tried > 30);
    assert_says(say("thaw rnu x.yaml"), 2, WORDS("unknown command 'rnu'", "did you mean 'run'?"));
    assert_says(say("thaw help scnee"), 2, WORDS("did you mean 'scene'?"));
}

static void missing_and_superfluous_arguments_are_refused(void **state) {
    (void)state;
    assert_says(say("thaw run"), 2, WORDS("SCENE is missing"));
    assert_says(say("thaw render"), 2, WORDS("DIR is missing"));
    assert_says(say("thaw check a b"), 2, WORDS("unknown argument 'b'"));
    assert_says(say("thaw run a --resume=yes"), 2, WORDS("--resume takes no value"));
    assert_says(say("thaw run a -o"), 2, WORDS("--output needs a value"));
    assert_says(say("thaw completion fish"), 2, WORDS("fish"));
    assert_says(say("thaw render . --frames 5:2"), 2, WORDS("error"));
    assert_says(say("thaw export nowhere --to pyl"), 2, WORDS("--to", "did you mean 'ply'?"));
    assert_says(say("thaw plot nowhere"), 2, WORDS("nowhere"));
    assert_says(say("thaw info nowhere"), 2, WORDS("nowhere"));
    assert_says(say("thaw run nowhere.yaml"), 2, WORDS("nowhere.yaml"));
}

static void bash_completion_parses_and_offers_everything(void **state) {
    (void)state;
    assert_says(say("thaw completion bash >c.bash && bash -n c.bash"), 0, WORDS(""));
    char names[32][16], options[32][32];
    int count = list_commands(names);
    for (int k = 0; k < count; k++) {
        const Said *offered =
            say("bash -c 'source c.bash; COMP_WORDS=(thaw %s); COMP_CWORD=1; _thaw; "
                "echo ${COMPREPLY[@]}'",
                names[k]);
        assert_says(offered, 0, WORDS(names[k]));
        int option_count = list_options(names[k], options);
        offered = say("bash -c 'source c.bash; COMP_WORDS=(thaw %s --); COMP_CWORD=2; _thaw; "
                      "printf \"%%s \" \"${COMPREPLY[@]}\"'",
                      names[k]);
        for (int n = 0; n < option_count; n++) {
            char word[40];
            snprintf(word, sizeof word, "%.31s ", options[n]);
            assert_says(offered, 0, WORDS(word));
        }
    }
    assert_says(say("bash -c 'source c.bash; COMP_WORDS=(thaw export x --to p); COMP_CWORD=4; "
                    "_thaw; echo ${COMPREPLY[@]}'"),
                0, WORDS("ply"));
}

static void zsh_completion_names_everything(void **state) {
    (void)state;
    char names[32][16], options[32][32];
    int count = list_commands(names);
    assert_says(say("thaw completion zsh >c.zsh; head -1 c.zsh"), 0, WORDS("#compdef thaw"));
    for (int k = 0; k < count; k++) {
        int option_count = list_options(names[k], options);
        for (int n = 0; n < option_count; n++) {
            char word[40];
            snprintf(word, sizeof word, "%.31s[", options[n]);
            const Said *said = say("sed -n '/^    %s)/,/;;/p' c.zsh", names[k]);
            assert_says(said, 0, WORDS(word));
        }
    }
    if (say("command -v zsh")->status != 0) {
        print_message("zsh is not here: its script was not parsed\n");
        skip();
    }
    assert_says(say("zsh -n c.zsh"), 0, WORDS(""));
}

static void the_man_page_renders_without_warnings(void **state) {
    (void)state;
    char names[32][16], options[32][32];
    int count = list_commands(names);
    if (say("command -v groff")->status != 0) {
        print_message("groff is not here: the man page was not rendered\n");
        skip();
    }
    const Said *said = say("thaw man | groff -man -Tascii -ww -z");
    assert_says(said, 0, WORDS(""));
    assert_string_equal(said->out, "");
    say("thaw man | groff -man -Tascii -P-cbou >page");
    size_t size;
    char *page = load_file("page", &size);
    assert_non_null(page);
    for (int k = 0; k < count; k++) {
        int option_count = list_options(names[k], options);
        for (int n = 0; n < option_count; n++) {
            if (strcmp(options[n], "--help") == 0) continue;
            if (strstr(page, options[n]) == NULL) fail_msg("no %s in the man page", options[n]);
        }
    }
    free(page);
}

static void the_page_in_docs_is_current(void **state) {
    (void)state;
    const Said *said = say("thaw help --markdown | diff - '%s/docs/commands.md'", THAW_SOURCE);
    if (said->status != 0)
        fail_msg("write it anew with 'thaw help --markdown >docs/commands.md': %s", said->out);
}

static void topics_teach(void **state) {
    (void)state;
    assert_says(say("thaw help scene"), 0, WORDS("spacing", "materials", "bodies"));
    assert_says(say("thaw help scene --markdown"), 0, WORDS("spacing", "|"));
    assert_says(say("thaw help units"), 0, WORDS("cm", "deg"));
    assert_says(say("thaw help fields"), 0, WORDS("velocity", "m/s", "speed", "velocity.x"));
    assert_says(say("thaw help expressions"), 0, WORDS("smoothstep", "clamp(", "Example"));
    assert_says(say("thaw schema | python3 -m json.tool >/dev/null"), 0, WORDS(""));
}

static void output_that_cannot_be_written_is_a_failure(void **state) {
    (void)state;
    if (!exists("/dev/full")) skip();
    assert_says(say("thaw fields >/dev/full"), 1, WORDS("could not be written"));
}

int main(void) {
#define TEST(claim) cmocka_unit_test_setup_teardown(claim, enter_folder, leave_folder)
    const struct CMUnitTest tests[] = {
        TEST(every_help_page_is_short_and_has_an_example),
        TEST(help_pages_fit_a_terminal),
        TEST(a_misspelt_option_of_any_command_gets_a_suggestion),
        TEST(missing_and_superfluous_arguments_are_refused),
        TEST(bash_completion_parses_and_offers_everything),
        TEST(zsh_completion_names_everything),
        TEST(the_man_page_renders_without_warnings),
        TEST(the_page_in_docs_is_current),
        TEST(topics_teach),
        TEST(output_that_cannot_be_written_is_a_failure),
    };
    return cmocka_run_group_tests_name("help", tests, NULL, NULL);
}
