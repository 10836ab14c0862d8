// Bodies: a shape filled with particles of one material, placed once.
#ifndef THAW_BODY_H
#define THAW_BODY_H

#include "base.h"
#include "shape.h"

#ifdef __cplusplus
extern "C" {
#endif

// How a body's particles are laid out.
typedef enum ThawPacking {
    THAW_PACKING_CLOSE, // cubic close packing (2D: hexagonal), a stable state of the liquid
    THAW_PACKING_CUBIC  // simple cubic (2D: square)
} ThawPacking;

// What matter is at the moment.
typedef enum ThawState { THAW_STATE_LIQUID, THAW_STATE_SOLID } ThawState;

typedef struct ThawBodyDef {
    const char *name;        // copied; may be empty; default ""
    ThawMaterialId material; // required
    ThawState state;         // default liquid; a solid needs the close packing
    ThawShape shape;         // required
    float spacing;           // m, 0 = the world's: a particle's volume is spacing³ (2D: spacing²)
    ThawVec3 velocity;       // m/s, default 0
    ThawVec3 spin;           // rad/s about the shape's position, default 0
    ThawPacking packing;     // default close
    ThawQuat orientation;    // how the lattice is turned inside the shape's frame, default not
    double jitter;           // –, 0..0.5, default 0: random offset of each particle in spacings
    float temperature;       // K, default 0 = the air's (ThawHeatDef.ambient)
} ThawBodyDef;

THAW_API ThawBodyDef thaw_body_default(void);

#ifdef __cplusplus
}
#endif

#endif
