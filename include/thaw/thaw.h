// Everything of libthaw.
#ifndef THAW_THAW_H
#define THAW_THAW_H

#include "base.h"
#include "body.h"
#include "collider.h"
#include "emitter.h"
#include "force.h"
#include "heat.h"
#include "material.h"
#include "mesh.h"
#include "report.h"
#include "shape.h"
#include "snapshot.h"
#include "view.h"
#include "world.h"

#endif
