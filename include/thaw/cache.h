// Caches: a directory that holds what a run made, and everything needed to go on.
//
//   scene.yaml                 the scene as resolved
//   frames/frame_000000.h5     one self-describing HDF5 file a frame, from the initial state on
//   frames.xdmf                the series with its times, for ParaView
//   stats.csv                  one row a frame
//   checkpoint.h5              the whole world, to go on from
//
// Every file is written aside, flushed to disk and renamed: what has its real name is whole. Frames and
// checkpoints open in any HDF5 reader; they begin with a block of our own (an HDF5 user block) that holds
// a checksum of the rest, so that damage is found before anything is believed.
#ifndef THAW_CACHE_H
#define THAW_CACHE_H

#include "base.h"
#include "mesh.h"
#include "report.h"
#include "view.h"
#include "world.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---------------------------------------------------------------- files written whole

// A file that appears under its name only when it is complete; until then it is "PATH.tmp". The sentence
// of a failure names the path and the reason (a full disk, a missing directory).
typedef struct ThawFile ThawFile;
THAW_API ThawResult thaw_file_create(const char *path, ThawFile **file);
// A failure is kept and returned again by later appends and by the commit.
THAW_API ThawResult thaw_file_append(ThawFile *file, const void *bytes, size_t size);
// Flushes to disk and renames. Frees the file, whatever comes of it; after a failure the temporary is gone
// and what had the name before still has it.
THAW_API ThawResult thaw_file_commit(ThawFile *file);
THAW_API void thaw_file_abandon(ThawFile *file); // frees it and removes the temporary; NULL is fine

// ---------------------------------------------------------------- distance fields as files

// A field with a checksum in front, written aside; usually named *.thawfield.
THAW_API ThawResult thaw_field_write(const ThawField *field, const char *path);
// Damaged and foreign files are refused with a sentence.
THAW_API ThawResult thaw_field_read(const char *path, ThawField **field);

// ---------------------------------------------------------------- one frame

#define THAW_FRAME_MATERIALS 32 // whose densities a frame tells

typedef struct ThawFrameInfo {
    int frame;      // 0 and up
    double time;    // s
    double fps;     // 1/s
    double spacing; // m
    double support; // m
    int up;         // axis 0, 1, 2
    int dimensions; // 2 or 3
    uint64_t scene_hash;
    char thaw_version[16]; // of the program that took the frame; thaw_frame_take fills it in
    double dt;             // s, mean substep of the frame; 0 in the initial state
    int material_count;    // 0..THAW_FRAME_MATERIALS
    double rest_density[THAW_FRAME_MATERIALS]; // kg/m³, of materials 1, 2, ...
} ThawFrameInfo;

// One attribute of all particles.
typedef struct ThawColumn {
    char name[32];
    ThawType type;
    uint32_t components; // 1..16
    void *data;          // rows packed
} ThawColumn;

// Where a collider was, and how it moved.
typedef struct ThawFrameCollider {
    ThawColliderId collider; // of a scene's world: 1 is the scene's first
    ThawPose pose;           // of the shape
    ThawVec3 velocity;       // m/s, of the centre of mass; of the position if it is not dynamic
    ThawVec3 spin;           // rad/s, in the world's axes
} ThawFrameCollider;

// A frame in memory, rows by ascending id. Owns its columns; the first is "id", the second "position".
typedef struct ThawFrame {
    ThawFrameInfo info;
    uint32_t count; // particles
    ThawColumn *columns;
    int column_count;
    uint32_t fracture_count; // bonds that broke since the frame before
    ThawFracture *fractures; // in order of time; NULL when there are none
    uint32_t collider_count; // 0 where no collider is dynamic: then the scene knows where they are
    ThawFrameCollider *colliders; // by ascending handle; NULL when there are none
} ThawFrame;

// Copies the world's particles. `channels` name fields or channels to take besides id and position.
// Small integer fields become i32; "material" and "object" are the values of handles: 1 is the first, 0 none.
// The fractures of the last step are taken too; where a frame is made of several steps, collect them (as
// thaw_scene_advance_noting does) and give them all with thaw_frame_set_fractures.
THAW_API ThawResult thaw_frame_take(ThawWorld *world, const ThawFrameInfo *info,
                                    const char *const *channels, int channel_count,
                                    ThawFrame **frame);
// Replaces the frame's fractures by copies of these.
THAW_API ThawResult thaw_frame_set_fractures(ThawFrame *frame, const ThawFracture *fractures,
                                             uint32_t count);
// Takes where the world's colliders 1 .. count are (all of a scene's); none of them unless one is dynamic.
THAW_API ThawResult thaw_frame_take_colliders(ThawFrame *frame, const ThawWorld *world,
                                              uint32_t count);
// Replaces the frame's colliders by copies of these.
THAW_API ThawResult thaw_frame_set_colliders(ThawFrame *frame, const ThawFrameCollider *colliders,
                                             uint32_t count);
// Where a collider was; NULL when the frame does not tell.
THAW_API const ThawFrameCollider *thaw_frame_collider(const ThawFrame *frame,
                                                      ThawColliderId collider);
THAW_API void thaw_frame_free(ThawFrame *frame); // NULL is fine
// The column of this name, or NULL.
THAW_API const ThawColumn *thaw_frame_column(const ThawFrame *frame, const char *name);

// compression: 0..9 (deflate with shuffle). Equal frames give equal files.
THAW_API ThawResult thaw_frame_write(const ThawFrame *frame, int compression, const char *path);
// Reads a frame from anywhere: damaged or foreign files are refused with a sentence.
THAW_API ThawResult thaw_frame_read(const char *path, ThawFrame **frame);
// The same of a file's bytes in memory.
THAW_API ThawResult thaw_frame_parse(const void *bytes, size_t size, ThawFrame **frame);
// Only the attributes, counts and column list (data, fractures and colliders are NULL); quick, and does not check the rest.
THAW_API ThawResult thaw_frame_peek(const char *path, ThawFrame **frame);

// ---------------------------------------------------------------- a run's row of statistics

// One row of stats.csv; what there is none of stays 0.
typedef struct ThawStats {
    int frame;
    ThawReport report;
    double ms; // wall time of the frame
    uint64_t peak_rss_bytes;
} ThawStats;

// ---------------------------------------------------------------- the directory, written

typedef struct ThawCacheDef {
    const char *directory;  // made when missing, with the directories above it
    const char *scene_text; // the resolved scene
    size_t scene_size;
    uint64_t scene_hash;
    int first_frame; // number of the initial state
    double fps;
    int dimensions;
    int compression;
    // keep frames up to resume_frame and drop later ones (all of them when it is below first_frame); the
    // kept ones must reach resume_frame without a gap. Else the directory must hold no frames.
    bool resume;
    int resume_frame;
} ThawCacheDef;

typedef struct ThawCache ThawCache;

// Opens a directory for writing; another run that writes into it is refused (a lock).
THAW_API ThawResult thaw_cache_create(const ThawCacheDef *def, ThawCache **cache);
// Hands over a frame, which the cache frees, also when the call fails. Frames come one after the other by
// number. Writing goes on in the background, one frame at a time and at most one waiting: the call waits
// when the disk is slower than the simulation. A failure of an earlier write is returned by the next call
// and by all after it; nothing more is written then, and what is on disk stays as it is.
THAW_API ThawResult thaw_cache_put(ThawCache *cache, ThawFrame *frame, const ThawStats *stats);
// Hands over a snapshot (from thaw_world_save), which the cache frees, also when the call fails; written
// after the frames before it.
THAW_API ThawResult thaw_cache_checkpoint(ThawCache *cache, int frame, void *bytes, size_t size);
// Waits until everything handed over is on disk. frames.xdmf may lag behind by a few percent of a long
// series until the next checkpoint or the close.
THAW_API ThawResult thaw_cache_flush(ThawCache *cache);
// Bytes on disk of the last frame written, and seconds that calls spent waiting.
THAW_API void thaw_cache_costs(ThawCache *cache, double *frame_bytes, double *seconds);
THAW_API ThawResult thaw_cache_close(ThawCache *cache); // flushes; NULL is fine

// ---------------------------------------------------------------- the directory, read

typedef struct ThawCacheInfo {
    int first_frame, last_frame; // frames on disk without a gap; last < first when there is none
    bool has_checkpoint;         // there is a checkpoint.h5
    int checkpoint_frame;        // −1: it is damaged, and thaw_checkpoint_read says how
    uint64_t checkpoint_scene_hash;
} ThawCacheInfo;

THAW_API ThawResult thaw_cache_info(const char *directory, ThawCacheInfo *info);
// "DIR/frames/frame_000012.h5" into path.
THAW_API ThawResult thaw_cache_frame_path(const char *directory, int frame, char *path,
                                          size_t size);
// The snapshot of a checkpoint file; free it with free().
THAW_API ThawResult thaw_checkpoint_read(const char *path, int *frame, uint64_t *scene_hash,
                                         void **bytes, size_t *size);
THAW_API ThawResult thaw_checkpoint_parse(const void *file, size_t file_size, int *frame,
                                          uint64_t *scene_hash, void **bytes, size_t *size);

// The table stats.csv: columns by name. Free it with thaw_table_free.
typedef struct ThawTable {
    int rows, columns;
    char (*names)[32];
    double *values; // row by row
} ThawTable;
THAW_API ThawResult thaw_table_read(const char *path, ThawTable **table);
THAW_API void thaw_table_free(ThawTable *table); // NULL is fine

// ---------------------------------------------------------------- files for other programs

// Writes a frame for other programs. `format` is "ply" (binary, little endian) or "csv"; a series for ParaView
// is thaw_export_xdmf's. Attributes have the names that readers know: x y z, vx vy vz, id, pscale (the
// radius, half the spacing), material, object, state, temperature, density_error; a channel of several
// components becomes name_0, name_1, ... PLY has no 64-bit numbers: the id there is `id` (lower 32 bits) and
// `id_high` (upper 32 bits). No axis is turned: the file says which is up.
THAW_API ThawResult thaw_export_frame(const ThawFrame *frame, const char *format, const char *path);
// Writes the fractures of the frames `first` to `last` of a cache directory as CSV, a row each: frame, time,
// x, y, z, id_a, id_b. *count (may be NULL) says how many there are.
THAW_API ThawResult thaw_export_fractures(const char *directory, int first, int last,
                                          const char *path, uint64_t *count);
// Writes an XDMF of the frames `first` to `last` of a cache directory to `path`; it points to the frames by
// relative paths.
THAW_API ThawResult thaw_export_xdmf(const char *directory, int first, int last, const char *path);

#ifdef __cplusplus
}
#endif

#endif
