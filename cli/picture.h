// Pictures of a run: how its frames are framed, coloured and captioned, the same for render, movie
// and preview.
#ifndef THAW_CLI_PICTURE_H
#define THAW_CLI_PICTURE_H

#include "command.h"
#include "store.h"

#include <thaw/render.h>

// Options that every command with pictures has.
#define PICTURE_OPTIONS                                                                            \
    {"size", 0, "WxH", "the scene's, 1280x720", "size of a picture in pixels", NULL},              \
        {"eye", 0, "X,Y,Z", "the scene's, or framing all", "where the camera is, m", NULL},        \
        {"target", 0, "X,Y,Z", "the middle of the scene", "what the camera looks at, m", NULL},    \
        {"fov", 0, "DEG", "40", "angle of the picture's height", NULL},                            \
        {"color",                                                                                  \
         0,                                                                                        \
         "FIELD",                                                                                  \
         "speed",                                                                                  \
         "what colours tell: speed, a column, one component of it (velocity.z), material or none", \
         "speed material object state none density_error temperature celsius molten velocity.x "   \
         "velocity.y velocity.z"},                                                                 \
        {"range",                                                                                  \
         0,                                                                                        \
         "A:B",                                                                                    \
         "from the data, the same for all frames",                                                 \
         "values of the first and "                                                                \
         "last colour",                                                                            \
         NULL},                                                                                    \
        {"map",        0,                                                                          \
         "NAME",       "ocean; heat for temperatures",                                             \
         "colour map", "ocean viridis heat gray balance"},                                         \
        {"samples", 0, "N", "4", "rays a pixel: more are smoother and slower", NULL}, {            \
        "threads", 0, "N", "0", "0 = as many as the machine has cores", NULL                       \
    }

// The forms of colliders that change them over time, read as they are needed.
typedef struct FormStore FormStore;
FormStore *forms_open(const ThawScene *scene); // NULL without memory
void forms_close(FormStore *store);            // NULL is fine
// Whether a collider has more than one form.
bool forms_change(const ThawScene *scene, int collider);
// The form of such a collider at a time; it stays until the next one of the same collider is asked for.
ThawResult forms_at(FormStore *store, int collider, double time, ThawMesh *mesh);
// Where a collider was in a frame: where the frame says, or else where the scene moves it.
ThawShape place_collider(const ThawScene *scene, int k, const ThawFrame *frame);

// How the pictures of one cache are drawn.
typedef struct Look {
    const ThawScene *scene; // may be NULL
    ThawRenderDef def;      // without what changes from frame to frame
    bool eye, target, fov;  // given as flags
    bool asked_color;
    bool asked_map;
    bool plain; // without a caption and a legend
    ThawRenderSolid *solids;
    ThawMesh *meshes; // of the solids whose form changes
    FormStore *forms;
    double (*colors)[3];
    const char **materials, **bodies; // names, for legends
    char settings[512];               // pictures with equal settings look alike
} Look;

// The scene's camera, and what flags override (arguments may be NULL).
int look_create(const Arguments *arguments, const ThawScene *scene, Look *look);
void look_free(Look *look);
// Frames what nearly all matter of the first and the last frame spans and the colliders near it,
// and fixes the range of colours from some of the frames.
int look_at_store(const Arguments *arguments, const Store *store, Look *look);
// Frames given bounds and all of the containers.
void look_at_bounds(ThawVec3 lower, ThawVec3 upper, Look *look);
// To be called last: makes `settings`.
void look_settle(Look *look);
ThawResult look_draw(const Look *look, const ThawFrame *frame, ThawImage **image);
// What the colours mean, alone, to stand beside plain pictures: in that frame, and of kinds seen in others (may be
// NULL); *image is NULL when nothing.
ThawResult look_legend(const Look *look, const ThawFrame *frame, const ThawColorKinds *kinds,
                       int height, ThawImage **image);
// Adds the kinds that a frame shows.
ThawResult look_kinds(const Look *look, const ThawFrame *frame, ThawColorKinds *kinds);

// Draws frames into folder/frame_000012.png, saying how far it is unless quiet. `missing`: leaves
// pictures alone that were made with the same settings after their frame.
typedef struct DrawJob {
    const Store *store;
    const Look *look;
    const char *folder;
    FrameList frames;
    bool missing, quiet;
} DrawJob;
// Notes how all pictures of a folder were drawn (Look.settings).
void keep_settings(const char *folder, const char *settings);
int draw_frames(const char *command, const DrawJob *job, int *drawn);

// "folder/frame_000012.png" into path.
void picture_path(const char *folder, int frame, char *path, size_t size);

#endif
