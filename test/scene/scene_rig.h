// What the tests of scenes share: reading from text, with every message shown when it fails.
#ifndef TEST_SCENE_RIG_H
#define TEST_SCENE_RIG_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <thaw/scene.h>

#include <cmocka.h>

#define SCENE_HEAD "thaw: 1\nspacing: 0.02\n"
#define SCENE_WATER "materials:\n  water: {density: 1000}\n"
#define SCENE_CUBE                                                                                 \
    "bodies:\n  - name: cube\n    material: water\n"                                               \
    "    shape: {box: {center: [0, 0, 0.2], size: [0.2, 0.2, 0.2]}}\n"
#define SCENE_TANK                                                                                 \
    "colliders:\n  - name: tank\n    container: yes\n"                                             \
    "    shape: {box: {center: [0, 0, 0.5], size: [1, 1, 1]}}\n"
#define SCENE_ALL SCENE_HEAD SCENE_WATER SCENE_CUBE SCENE_TANK

static inline void show_messages(const ThawMessages *messages) {
    for (int k = 0; k < thaw_messages_count(messages); k++) {
        const ThawMessage *message = thaw_messages_get(messages, k);
        print_error("%s:%d:%d: %s\n", message->file, message->line, message->column, message->text);
    }
}

// the scene of a text that must be good
static inline ThawScene *parse_scene(const char *text, const ThawSceneOptions *options) {
    ThawScene *scene = NULL;
    ThawMessages *messages = NULL;
    ThawResult result =
        thaw_scene_parse(text, strlen(text), "test.yaml", options, &scene, &messages);
    if (result != THAW_OK) show_messages(messages);
    assert_int_equal(result, THAW_OK);
    assert_int_equal(thaw_messages_count(messages), 0);
    thaw_messages_free(messages);
    return scene;
}

static inline ThawScene *read_scene(const char *path) {
    ThawScene *scene = NULL;
    ThawMessages *messages = NULL;
    ThawResult result = thaw_scene_read(path, NULL, &scene, &messages);
    if (result != THAW_OK) show_messages(messages);
    assert_int_equal(result, THAW_OK);
    thaw_messages_free(messages);
    return scene;
}

// the first message of a text that must be refused
static inline void assert_refused(const char *text, const ThawSceneOptions *options,
                                  const char *message) {
    ThawScene *scene = NULL;
    ThawMessages *messages = NULL;
    assert_int_equal(thaw_scene_parse(text, strlen(text), "test.yaml", options, &scene, &messages),
                     THAW_BAD_INPUT);
    assert_null(scene);
    assert_string_equal(thaw_messages_get(messages, 0)->text, message);
    thaw_messages_free(messages);
}

#endif
