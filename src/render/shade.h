// Light: from rays to colours.
#ifndef THAW_RENDER_SHADE_H
#define THAW_RENDER_SHADE_H

#include "render/camera.h"
#include "render/stage.h"

// The picture being made. Blocks of 4 × 2 pixels are traced together, one lane each.
typedef struct ThawShot {
    const ThawStage *stage;
    ThawLens lens; // in the stage's frame
    int width, height, samples;
    uint32_t stride; // samples rounded up to a power of two: places on the sequence a pixel
    ThawFloat3 up;   // of the ground; in 2D, of the paper behind everything
    bool ground;
    float ground_level; // along up
    ThawFloat3 sky_up;  // where the sky is brightest
    ThawFloat3 sun;     // towards it
    float speck;        // how far shadow rays start from a surface
} ThawShot;

#define THAW_BLOCK_WIDTH 4
#define THAW_BLOCK_HEIGHT 2

// One pixel of the film. Light on the ground is kept apart: it varies gently, so its noise can be
// smoothed away afterwards without touching anything else.
typedef struct ThawGrain {
    ThawFloat3 rest; // light of everything but the ground
    float ground;    // share of the pixel that shows ground
    float light;     // sum of the ground's light over its samples, each 0..1
    float seen;      // number of these samples
    float fade;      // sum of how far the ground has not yet faded
} ThawGrain;

void thaw_shot_make(const ThawStage *stage, const ThawRenderDef *def, const ThawLens *lens,
                    ThawShot *shot);
// Traces the block whose upper left pixel is x, y. `film` is the picture's row `first_row`, and rows
// from `end_row` on are left alone.
void thaw_shot_block(const ThawShot *shot, int x, int y, int first_row, int end_row,
                     ThawGrain *film);
// The colour of a pixel from its grain and the ground's light, smoothed or not.
void thaw_shot_develop(const ThawShot *shot, int x, int y, const ThawGrain *grain, float light,
                       uint8_t pixel[3]);

#endif
