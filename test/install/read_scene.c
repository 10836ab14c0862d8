// An outside program that reads a scene and says what is in it.
#include <stdio.h>
#include <thaw/scene.h>

int main(int count, char **arguments) {
    ThawScene *scene = NULL;
    ThawMessages *messages = NULL;
    if (count != 2 || thaw_scene_read(arguments[1], NULL, &scene, &messages) != THAW_OK) return 1;
    printf("%s: %d bodies, %d colliders\n", scene->title, scene->body_count, scene->collider_count);
    thaw_scene_free(scene);
    thaw_messages_free(messages);
    return 0;
}
