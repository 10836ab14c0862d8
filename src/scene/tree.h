// Trees: YAML and JSON texts as plain nodes with places. The only part that knows libfyaml.
//
// Nodes of several texts may hang in one tree, so includes and overrides are ordinary edits. Aliases
// share a node instead of copying it: no text grows when read. Edits therefore copy what they change.
#ifndef THAW_SCENE_TREE_H
#define THAW_SCENE_TREE_H

#include "scene/arena.h"
#include "scene/messages.h"

#define SCENE_MOST_BYTES ((size_t)16 << 20) // of one file
#define SCENE_MOST_DEPTH 64
#define SCENE_MOST_NODES 1000000 // of all files together, and of all visits to them

typedef enum SceneNodeKind { SCENE_SCALAR, SCENE_LIST, SCENE_MAP } SceneNodeKind;

typedef struct SceneNode SceneNode;

typedef struct SceneItem {
    SceneNode *key; // a scalar; NULL in a list
    SceneNode *value;
} SceneItem;

struct SceneNode {
    SceneNodeKind kind;
    ScenePlace place;
    int line;         // from 1
    bool quoted;      // a scalar in quotes: text, whatever it looks like
    bool open;        // still being read
    const char *text; // scalar, with a zero after it
    size_t length;
    SceneItem *items; // list or map
    int count;
};

typedef struct SceneTree {
    SceneArena arena;
    ThawMessages *messages;
    int nodes; // made so far
} SceneTree;

// Reads source->text from byte `begin` on. NULL when it is not a text that can be used; the messages say
// why. *empty (may be NULL) tells a text without content, which is NULL too, without a message.
SceneNode *scene_tree_read(SceneTree *tree, const SceneSource *source, size_t begin, bool json,
                           bool *empty);

// Whether the bytes from `begin` on are text; else there is a message.
bool scene_tree_check(SceneTree *tree, const SceneSource *source, size_t begin);

SceneNode *scene_node_create(SceneTree *tree, SceneNodeKind kind, ScenePlace place);
// A scalar.
SceneNode *scene_node_scalar(SceneTree *tree, ScenePlace place, const char *text, size_t length);
// The same items in a new node.
SceneNode *scene_node_copy(SceneTree *tree, const SceneNode *node);
bool scene_node_add(SceneTree *tree, SceneNode *node, SceneNode *key, SceneNode *value);
// The item of a map with this key, or NULL.
SceneItem *scene_node_find(const SceneNode *map, const char *key);
// No value: nothing, ~ or null.
bool scene_node_is_null(const SceneNode *node);
// "a list", "a map", "text", "a number", "nothing": what the node looks like, for messages.
const char *scene_node_look(const SceneNode *node);

#endif
