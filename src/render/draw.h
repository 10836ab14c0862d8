// Drawing on pictures: rectangles, lines and letters, blended over what is there.
#ifndef THAW_RENDER_DRAW_H
#define THAW_RENDER_DRAW_H

#include "render/float3.h"

#include <thaw/render.h>

// letters: 5 × 7 in cells of 6 × 9 (two rows below the line), in pixels of scale 1
#define THAW_LETTER_ADVANCE 6
#define THAW_LETTER_HEIGHT 7
#define THAW_LETTER_ROWS 9

// what lies between the pictures of a sheet
#define THAW_SHEET_GRAY 0x20

// An ink: sRGB 0..1 and how much it covers.
typedef struct ThawInk {
    float r, g, b;
    float alpha;
} ThawInk;

// Blends one pixel; outside the picture nothing happens. `cover` 0..1 scales the ink's alpha.
void thaw_draw_pixel(ThawImage *image, int x, int y, ThawInk ink, float cover);
// Fills x .. x + width − 1, y .. y + height − 1.
void thaw_draw_box(ThawImage *image, int x, int y, int width, int height, ThawInk ink);
// The same with rounded corners.
void thaw_draw_panel(ThawImage *image, int x, int y, int width, int height, ThawInk ink);

// A polyline with round joints. Points are in pixels; a pixel's middle is at + 0.5. Pixels outside
// the clip box are left alone.
typedef struct ThawStroke {
    ThawInk ink;
    float width; // pixels
    int clip[4]; // x0, y0, x1, y1 (exclusive)
} ThawStroke;
void thaw_draw_segment(ThawImage *image, const float from[2], const float to[2],
                       const ThawStroke *stroke);

// Letters; rows 0..8 of letter c, bit 4 is the leftmost.
const uint8_t *thaw_letter_rows(char c);
int thaw_text_width(int scale, const char *text);
void thaw_draw_text(ThawImage *image, int x, int y, int scale, ThawInk ink, const char *text);
// Text read from the bottom upwards; x, y is its lower left corner on the turned page.
void thaw_draw_text_upwards(ThawImage *image, int x, int y, int scale, ThawInk ink,
                            const char *text);

#endif
