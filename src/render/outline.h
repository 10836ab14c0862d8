// Gathering triangles and edges: what outline.c and outline_mesh.c share.
#ifndef THAW_RENDER_OUTLINE_H
#define THAW_RENDER_OUTLINE_H

#include "render/stage.h"

// Room for so many more; false when memory ran out.
bool thaw_outline_reserve(ThawOutline *mesh, uint32_t points, uint32_t indices);
// A local point of a shape and a triangle of points, reserved before.
void thaw_outline_point(ThawOutline *mesh, const ThawStage *stage, const ThawShape *shape,
                        ThawVec3 local);
void thaw_outline_triangle(ThawOutline *mesh, uint32_t a, uint32_t b, uint32_t c);
// An edge from a to b, both local points of a shape; makes room itself.
bool thaw_outline_line(ThawOutline *mesh, const ThawStage *stage, const ThawShape *shape,
                       ThawVec3 a, ThawVec3 b);

// A mesh's triangles with normals at their corners, smooth but for creases.
bool thaw_outline_mesh(ThawOutline *mesh, const ThawStage *stage, const ThawRenderSolid *solid);
// A mesh that holds matter, opened towards the eye: triangles that face away from it, and edges where
// the surface turns out of sight, ends or is creased.
bool thaw_outline_cutaway(ThawOutline *mesh, ThawOutline *edges, const ThawStage *stage,
                          const ThawRenderSolid *solid, ThawVec3 eye);

#endif
