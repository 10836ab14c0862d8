// libFuzzer target: a scene of any text, YAML or JSON by the first byte. What is read is written, and what
// was written must read back as the same text.
//
// clang -fsanitize=fuzzer,address,undefined ... test/fuzz/fuzz_scene.c; run with test/fuzz/corpus/scene
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <thaw/scene.h>

static ThawScene *parse(const char *text, size_t size, const char *path) {
    ThawScene *scene = NULL;
    ThawMessages *messages = NULL;
    ThawResult result = thaw_scene_parse(text, size, path, NULL, &scene, &messages);
    // a scene or an error, never both
    if ((result == THAW_OK) != (scene != NULL)) abort();
    if ((result == THAW_OK) != (thaw_messages_errors(messages) == 0)) abort();
    for (int k = 0; k < thaw_messages_count(messages); k++) {
        const ThawMessage *message = thaw_messages_get(messages, k);
        if (strlen(message->text) == 0) abort();
        if (message->line > 0 && strchr(message->excerpt, '^') == NULL) abort();
    }
    thaw_messages_free(messages);
    return scene;
}

static void check_writing(const ThawScene *scene) {
    char *text, *second;
    size_t size, second_size;
    if (thaw_scene_write(scene, &text, &size) != THAW_OK) abort();
    ThawScene *again = parse(text, size, "written.yaml");
    if (again == NULL) abort();
    if (thaw_scene_write(again, &second, &second_size) != THAW_OK) abort();
    if (size != second_size || memcmp(text, second, size) != 0) abort();
    if (thaw_scene_hash(scene) != thaw_scene_hash(again)) abort();
    free(text);
    free(second);
    thaw_scene_free(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0 || size > 16384) return 0;
    char *text = malloc(size); // of the exact size, so that a read beyond it shows
    if (text == NULL) return 0;
    memcpy(text, data + 1, size - 1);
    // no such folder: nothing can be included
    ThawScene *scene =
        parse(text, size - 1, data[0] == 'j' ? "/nowhere/scene.json" : "/nowhere/scene.yaml");
    free(text);
    if (scene != NULL && scene->body_count < 200) check_writing(scene);
    thaw_scene_free(scene);
    return 0;
}
