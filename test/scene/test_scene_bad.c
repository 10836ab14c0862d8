// Broken scenes: every file of test/scene/bad is refused with exactly the messages beside it.
//
// NAME.yaml or NAME.json is read as it is, with the overrides of its leading "# --set ..." lines; what it
// must say is in NAME.expected, a line each.
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <thaw/scene.h>
#include <unistd.h>

#include <cmocka.h>

#define MOST_SETS 8
#define MOST_TEXT 65536

typedef struct Case {
    char file[256];
    char expected[MOST_TEXT];
    char lines[MOST_SETS][256];
    const char *sets[MOST_SETS];
    int set_count;
} Case;

static char *read_whole(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    if (file == NULL) fail_msg("%s is missing", path);
    char *text = calloc(1, MOST_TEXT);
    assert_non_null(text);
    *size = fread(text, 1, MOST_TEXT - 1, file);
    fclose(file);
    return text;
}

static void read_sets(Case *test) {
    FILE *file = fopen(test->file, "rb");
    assert_non_null(file);
    test->set_count = 0;
    char line[256];
    while (test->set_count < MOST_SETS && fgets(line, sizeof line, file) != NULL &&
           strncmp(line, "# --set ", 8) == 0) {
        line[strcspn(line, "\n")] = '\0';
        snprintf(test->lines[test->set_count], sizeof test->lines[0], "%s", line + 8);
        test->sets[test->set_count] = test->lines[test->set_count];
        test->set_count++;
    }
    fclose(file);
}

// all messages as lines; each with a place has a caret below its column
static void print_messages(const ThawMessages *messages, char *text, size_t size) {
    size_t length = 0;
    text[0] = '\0';
    for (int k = 0; k < thaw_messages_count(messages); k++) {
        const ThawMessage *message = thaw_messages_get(messages, k);
        length += (size_t)snprintf(text + length, size - length, "%s:%d:%d: %s: %s\n",
                                   message->file, message->line, message->column,
                                   message->error ? "error" : "warning", message->text);
        assert_true(length < size);
        if (message->line == 0) continue;
        const char *caret = strchr(message->excerpt, '\n');
        assert_non_null(caret);
        size_t column = strlen(caret + 1);
        assert_int_equal(caret[column], '^');
        // only the end of a long line is shown
        assert_true(column == (size_t)message->column || message->column > 100);
    }
}

static void check_case(Case *test) {
    ThawSceneOptions options = {.sets = test->sets, .set_count = test->set_count};
    ThawScene *scene = NULL;
    ThawMessages *messages = NULL;
    ThawResult result = thaw_scene_read(test->file, &options, &scene, &messages);
    static char said[MOST_TEXT];
    print_messages(messages, said, sizeof said);
    if (result != THAW_BAD_INPUT || scene != NULL) fail_msg("%s was not refused", test->file);
    assert_true(thaw_messages_errors(messages) > 0);
    if (strcmp(said, test->expected) != 0) {
        fail_msg("%s says\n%swhere this is expected\n%s", test->file, said, test->expected);
    }
    thaw_messages_free(messages);
}

static bool has_ending(const char *name, const char *ending) {
    size_t length = strlen(name), end = strlen(ending);
    return length > end && strcmp(name + length - end, ending) == 0;
}

// calls `visit` for every scene in the folder; returns how many there are
static int visit_scenes(const char *folder, void (*visit)(const char *name)) {
    assert_int_equal(chdir(folder), 0);
    DIR *directory = opendir(".");
    assert_non_null(directory);
    int count = 0;
    const struct dirent *entry;
    while ((entry = readdir(directory)) != NULL) {
        if (!has_ending(entry->d_name, ".yaml") && !has_ending(entry->d_name, ".json")) continue;
        visit(entry->d_name);
        count++;
    }
    closedir(directory);
    return count;
}

static void visit_bad(const char *name) {
    static Case test;
    snprintf(test.file, sizeof test.file, "%s", name);
    char path[300];
    snprintf(path, sizeof path, "%.*s.expected", (int)(strlen(name) - 5), name);
    size_t size;
    char *expected = read_whole(path, &size);
    memcpy(test.expected, expected, size + 1);
    free(expected);
    read_sets(&test);
    check_case(&test);
}

static void broken_scenes_are_refused_with_their_messages(void **state) {
    (void)state;
    assert_true(visit_scenes(SCENE_TESTS "/bad", visit_bad) >= 60);
}

// read or refused with a message, and nothing kept
static void try_text(const char *text, size_t size) {
    ThawScene *scene = NULL;
    ThawMessages *messages = NULL;
    // of exact size, so that a sanitizer sees a read past the end
    char *copy = malloc(size + 1);
    assert_non_null(copy);
    memcpy(copy, text, size);
    ThawResult result = thaw_scene_parse(copy, size, "cut.yaml", NULL, &scene, &messages);
    free(copy);
    assert_int_equal(result == THAW_OK, scene != NULL);
    assert_int_equal(result == THAW_OK, thaw_messages_errors(messages) == 0);
    thaw_scene_free(scene);
    thaw_messages_free(messages);
}

static void visit_cut(const char *name) {
    size_t size;
    char *text = read_whole(name, &size);
    for (size_t length = 0; length < size; length += 7) try_text(text, length);
    for (size_t at = 0; at < size; at += 5) {
        char was = text[at];
        text[at] = "{}[]:,'\"&*#|>%-\n x0"[at % 19];
        try_text(text, size);
        text[at] = was;
    }
    free(text);
}

static void cut_and_changed_scenes_never_crash(void **state) {
    (void)state;
    assert_true(visit_scenes(SCENE_TESTS "/good", visit_cut) > 0);
}

static void a_missing_file_is_said(void **state) {
    (void)state;
    ThawScene *scene = NULL;
    ThawMessages *messages = NULL;
    assert_int_equal(thaw_scene_read("no/such/scene.yaml", NULL, &scene, &messages),
                     THAW_BAD_INPUT);
    assert_null(scene);
    assert_int_equal(thaw_messages_errors(messages), 1);
    assert_string_equal(thaw_messages_get(messages, 0)->text,
                        "cannot open no/such/scene.yaml: No such file or directory");
    thaw_messages_free(messages);
}

// short text, endless work: a thousand keys over time, shared by two thousand materials
static void an_alias_bomb_is_refused(void **state) {
    (void)state;
    static char text[MOST_TEXT];
    size_t length = (size_t)snprintf(text, sizeof text,
                                     "thaw: 1\nspacing: 1\nbodies: [{name: a, material: m0, shape: "
                                     "{sphere: {center: [0, 0, 0], radius: 1}}}]\nmaterials:\n"
                                     "  m0: &m\n    liquid:\n      viscosity: [[0, 0]");
    for (int k = 1; k < 1000; k++) {
        length += (size_t)snprintf(text + length, sizeof text - length, ", [%d, 0]", k);
    }
    length += (size_t)snprintf(text + length, sizeof text - length, "]\n");
    for (int k = 1; k < 2000; k++) {
        length += (size_t)snprintf(text + length, sizeof text - length, "  m%d: *m\n", k);
    }
    assert_true(length < sizeof text);
    ThawScene *scene = NULL;
    ThawMessages *messages = NULL;
    assert_int_equal(thaw_scene_parse(text, length, "bomb.yaml", NULL, &scene, &messages),
                     THAW_BAD_INPUT);
    assert_string_equal(thaw_messages_get(messages, 0)->text,
                        "the scene is too large: more than 1000000 values, aliases counted");
    thaw_messages_free(messages);
}

static void huge_files_are_refused(void **state) {
    (void)state;
    size_t size = ((size_t)16 << 20) + 1;
    char *text = malloc(size);
    assert_non_null(text);
    memset(text, '#', size);
    ThawScene *scene = NULL;
    ThawMessages *messages = NULL;
    assert_int_equal(thaw_scene_parse(text, size, "huge.yaml", NULL, &scene, &messages),
                     THAW_BAD_INPUT);
    assert_string_equal(thaw_messages_get(messages, 0)->text,
                        "the file is too large: more than 16 MB");
    thaw_messages_free(messages);
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(broken_scenes_are_refused_with_their_messages),
        cmocka_unit_test(cut_and_changed_scenes_never_crash),
        cmocka_unit_test(a_missing_file_is_said),
        cmocka_unit_test(an_alias_bomb_is_refused),
        cmocka_unit_test(huge_files_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
