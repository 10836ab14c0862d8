// A mesh that changes its form: from one set of points to the next between two times.
//
// With the same triangles, points go straight, and the field is built anew at enough moments of the way (keys) that
// the surface never lies further than half a cell from the key's. Between keys a place is looked up where the surface
// beside it was at the key's moment: its closest triangle tells how it moves. So distances go on without jerks, and
// sheets as thin as a shell stay closed however they move. With other triangles the distances of both forms are blended.
//
// Places are in the field's own frame, metres.
#ifndef THAW_COLLISION_DEFORM_H
#define THAW_COLLISION_DEFORM_H

#include "geometry/field.h"
#include "parallel/parallel.h"

typedef struct ThawDeform ThawDeform;

// Stands still in the form of the field; keeps a reference to it.
ThawResult thaw_deform_create(const ThawField *field, ThawDeform **deform);
void thaw_deform_destroy(ThawDeform *deform);

// From the form at `now` to that of `mesh` at `time`.
ThawResult thaw_deform_aim(ThawDeform *deform, const ThawMesh *mesh, double now, double time,
                           ThawParallel *parallel);

// Makes ready for a substep; builds a field when a key is passed.
ThawResult thaw_deform_prepare(ThawDeform *deform, double begin, double end,
                               ThawParallel *parallel);

// The surface at the end of the substep. The distance beyond the band is a bound, as a field's.
double thaw_deform_distance(const ThawDeform *deform, ThawVec3 place);
ThawNearest thaw_deform_nearest(const ThawDeform *deform, ThawVec3 place);
// How far the surface closest to a place moves during the substep; the place is given at its beginning or end.
typedef enum ThawMoment { THAW_MOMENT_BEGIN, THAW_MOMENT_END } ThawMoment;
ThawVec3 thaw_deform_motion(const ThawDeform *deform, ThawVec3 place, ThawMoment moment);

// The field to look up places near to a place in, and by how much to move them first.
const ThawField *thaw_deform_lookup(const ThawDeform *deform, ThawVec3 place, ThawVec3 *move);

// The field in use: of the form at the last key.
const ThawField *thaw_deform_field(const ThawDeform *deform);

// What a snapshot keeps: both forms and when. `way` of 0: it stands in the form of `from`, and there is no `to`.
typedef struct ThawDeformState {
    ThawMesh from, to; // arrays are the deform's
    double begin, way; // s
} ThawDeformState;
ThawDeformState thaw_deform_state(const ThawDeform *deform);

#endif
