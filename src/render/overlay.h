// What is written on a picture: colour bar or legend, and caption.
#ifndef THAW_RENDER_OVERLAY_H
#define THAW_RENDER_OVERLAY_H

#include "render/field.h"

void thaw_overlay_draw(ThawImage *image, const ThawRenderDef *def, const ThawColorField *field);
// The colour bar or legend alone; *image is NULL when there is none.
ThawResult thaw_overlay_legend(const ThawRenderDef *def, const ThawColorField *field, int height,
                               ThawImage **image);

#endif
