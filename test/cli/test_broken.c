// Every broken scene of test/scene/bad, given to the command itself.
#include "rig.h"

#include <dirent.h>

// the overrides of a scene's leading "# --set ..." lines, as they are typed
static void read_sets(const char *path, char *sets, size_t size) {
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    char line[512];
    sets[0] = '\0';
    while (fgets(line, sizeof line, file) != NULL && strncmp(line, "# --set ", 8) == 0) {
        line[strcspn(line, "\n")] = '\0';
        size_t used = strlen(sets);
        snprintf(sets + used, size - used, " --set '%s'", line + 8);
    }
    fclose(file);
}

static bool is_scene(const char *name) {
    const char *dot = strrchr(name, '.');
    return dot != NULL && (strcmp(dot, ".yaml") == 0 || strcmp(dot, ".json") == 0);
}

static void broken_scenes_are_status_2_and_leave_nothing(void **state) {
    (void)state;
    DIR *folder = opendir(THAW_SOURCE "/test/scene/bad");
    assert_non_null(folder);
    int count = 0;
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        if (!is_scene(entry->d_name)) continue;
        char path[1024], sets[700];
        snprintf(path, sizeof path, "%s/test/scene/bad/%s", THAW_SOURCE, entry->d_name);
        read_sets(path, sets, sizeof sets);
        const Said *said = say("thaw run '%s' -o none%s", path, sets);
        if (said->status != 2 || strstr(said->out, "error: ") == NULL || exists("none"))
            fail_msg("%s: status %d: %s", entry->d_name, said->status, said->out);
        count++;
    }
    closedir(folder);
    assert_true(count >= 60);
    print_message("%d broken scenes\n", count);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test_setup_teardown(
        broken_scenes_are_status_2_and_leave_nothing, enter_folder, leave_folder)};
    return cmocka_run_group_tests_name("broken", tests, NULL, NULL);
}
