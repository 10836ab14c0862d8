// The table of scene keys, and the little that is read from its texts.
//
// R(path, KIND, type, unit, range, default, flags, struct member, meaning). A default in brackets is worked
// out by code; "required" must be given; "" is nothing.
#include "scene/keys.h"

#include <math.h>
#include <string.h>

#define PI 3.14159265358979323846

#define FIXED false, false
#define MOVES true, false  // animated
#define PLACES false, true // a field
#define NOWHERE 0
#define R(path, kind, type, unit, range, initial, flags, offset, meaning)                          \
    { {path, type, unit, range, initial, flags, meaning}, SCENE_KIND_##kind, offset }

#define SCENE(member) offsetof(ThawScene, member)
#define MATERIAL(member) offsetof(ThawSceneMaterial, member)
#define BODY(member) offsetof(ThawSceneBody, member)
#define COLLIDER(member) offsetof(ThawSceneCollider, member)
#define ATTACHMENT(member) offsetof(ThawSceneAttachment, member)
#define FORM(member) offsetof(SceneForm, member)
#define DYNAMIC(member) offsetof(ThawSceneCollider, dynamic.member)

#define POSITION "-1e9..1e9"
#define SPEED "-1e6..1e6"

// clang-format off
static const SceneRow rows[] = {
    // the scene
    R("thaw", HAND, "whole number", "", "1", "required", FIXED, NOWHERE, "version of this format"),
    R("title", TEXT, "text", "", "", "", FIXED, SCENE(title), "what the scene shows"),
    R("include", HAND, "list of files", "", "", "", FIXED, NOWHERE, "scenes to take materials, channels, bodies, colliders and other keys from; keys given here win"),
    R("dimensions", WHOLE, "whole number", "", "2..3", "3", FIXED, SCENE(world.dimensions), "3, or 2: everything then lies in the plane z = 0, and vectors may have two numbers"),
    R("up", CHOICE, "one of x|y|z", "", "", "(z; y in 2D)", FIXED, SCENE(up), "the axis that pictures and exports call up"),
    R("spacing", NUMBER, "number", "m", "1e-6..1e3", "required", FIXED, SCENE(world.spacing), "particle size: a particle's volume is spacing^3 (2D: spacing^2)"),
    R("gravity", VECTOR, "vector", "m/s^2", "-1e6..1e6", "(9.81 against up)", MOVES, SCENE(gravity), "pull on all matter; in 2D [x, y]"),
    R("periodic", HAND, "map", "", "", "", FIXED, NOWHERE, "axes whose ends meet: what leaves at one comes back at the other"),
    R("periodic.x", PAIR, "pair", "m", POSITION, "", FIXED, offsetof(ScenePeriod, axis[0]), "lower and upper end"),
    R("periodic.y", PAIR, "pair", "m", POSITION, "", FIXED, offsetof(ScenePeriod, axis[1]), "lower and upper end"),
    R("periodic.z", PAIR, "pair", "m", POSITION, "", FIXED, offsetof(ScenePeriod, axis[2]), "lower and upper end"),
    R("seed", SEED, "whole number", "", ">= 0", "1", FIXED, SCENE(world.seed), "of every random number"),
    R("trouble", CHOICE, "one of stop|remove", "", "", "stop", FIXED, SCENE(world.trouble), "what to do when a particle's values stop being finite"),
    // frames
    R("frames", MAP, "map", "", "", "", FIXED, NOWHERE, "how long and how often"),
    R("frames.count", WHOLE, "whole number", "", "0..1000000", "100", FIXED, SCENE(frames.count), "frames to simulate after the initial one"),
    R("frames.fps", NUMBER, "number", "1/s", "0.001..100000", "24", FIXED, SCENE(frames.fps), "frames a second of simulated time"),
    R("frames.start", WHOLE, "whole number", "", "1..1000000", "1", FIXED, SCENE(frames.start), "number of the first simulated frame; the initial state has the number before"),
    R("frames.preroll", NUMBER, "number", "s", "0..1e5", "0", FIXED, SCENE(frames.preroll), "time to simulate before the initial frame is written"),
    // materials
    R("materials", HAND, "map", "", "", "required", FIXED, NOWHERE, "what matter is made of, by name; water: {} is a liquid with the defaults, those of water"),
    R("materials.*.density", NUMBER, "number", "kg/m^3", "1e-6..1e9", "1000", FIXED, MATERIAL(density), "mass of a cubic metre"),
    R("materials.*.color", COLOR, "color", "", "0..1", "(one for each)", FIXED, MATERIAL(color), "for pictures: [r, g, b], \"#rrggbb\", or red, green, blue, white, black, grey, orange, yellow, purple, cyan, brown, pink"),
    R("materials.*.liquid", MAP, "map", "", "", "", FIXED, NOWHERE, "how it flows"),
    R("materials.*.liquid.viscosity", NUMBER, "number", "m^2/s", "0..1e6", "0", MOVES, MATERIAL(viscosity), "kinematic viscosity; water 1e-6, oil 1e-4, honey 5e-3"),
    R("materials.*.liquid.xsph", NUMBER, "number", "", "0..0.5", "0.05", MOVES, MATERIAL(xsph), "share of the neighbours' mean velocity taken a substep; calms the flow"),
    R("materials.*.liquid.tensile", NUMBER, "number", "", "0..1", "0", MOVES, MATERIAL(tensile), "extra repulsion of close particles, against clumping"),
    R("materials.*.liquid.tensile_exponent", WHOLE, "whole number", "", "1..8", "4", FIXED, MATERIAL(tensile_exponent), "how sharply that repulsion grows"),
    R("materials.*.liquid.two_sided", SWITCH, "yes or no", "", "", "no", FIXED, MATERIAL(two_sided), "also pull, gently, where density is too low"),
    R("materials.*.solid", MAP, "map", "", "", "", FIXED, NOWHERE, "how it holds together, where a body's state is solid"),
    R("materials.*.solid.young", NUMBER, "number", "Pa", "0..1e12", "1e5", MOVES, MATERIAL(solid.young), "Young's modulus, the stiffness: pull per square metre and stretch; jelly 1e4, rubber 1e6, wax 1e7, ice 9e9, steel 2e11; `thaw check` tells how much a scene can carry"),
    R("materials.*.solid.poisson", NUMBER, "number", "", "0..0.49", "0.3", FIXED, MATERIAL(solid.poisson), "Poisson's ratio: how much it thins when stretched; cork 0, ice 0.33, rubber 0.49"),
    R("materials.*.solid.damping", NUMBER, "number", "", "0..1", "0.03", MOVES, MATERIAL(solid.damping), "how fast wobbling dies: the damping ratio of a wobble of 10 Hz, in proportion for others; 0 rings on, 1 is dead at once"),
    R("materials.*.solid.elasticity", CHOICE, "one of lattice|corotated|neo_hookean", "", "", "lattice", FIXED, MATERIAL(solid.elasticity), "the law that strain is answered by: the lattice's own, linear in the turned frame, or one for large strains"),
    R("materials.*.solid.yield_strain", NUMBER, "number", "", "0..10", "0", MOVES, MATERIAL(solid.yield_strain), "strain above which a change of shape is permanent; clay 0.01, wax 0.05, lead 0.002; 0 = never"),
    R("materials.*.solid.creep", NUMBER, "number", "1/s", "0..1e6", "0", MOVES, MATERIAL(solid.creep), "share of the strain that becomes permanent a second, however small: pitch 0.1, dough 1"),
    R("materials.*.solid.fracture_strain", NUMBER, "number", "", "0..10", "0", MOVES, MATERIAL(solid.fracture_strain), "strain at which bonds break; glass 0.001, biscuit 0.02, jelly 0.5; 0 = never"),
    R("materials.*.solid.fracture_stress", NUMBER, "number", "Pa", "0..1e15", "0", MOVES, MATERIAL(solid.fracture_stress), "stress at which bonds break; plaster 2e6, ice 1e6; 0 = never; with both limits the first one breaks"),
    R("materials.*.solid.fracture_spread", NUMBER, "number", "", "0..0.9", "0", FIXED, MATERIAL(solid.fracture_spread), "by how much those limits differ from particle to particle: 0.3 breaks ragged, 0 straight"),
    R("materials.*.solid.docking_rate", NUMBER, "number", "1/s", "0..1e6", "0", MOVES, MATERIAL(solid.docking_rate), "how readily particles that touch grow together again; 0: cracks never heal"),
    R("materials.*.solid.docking_growth", NUMBER, "number", "1/s^2", "0..1e9", "0", FIXED, MATERIAL(solid.docking_growth), "how fast that rate rises where particles stay together, and falls where they part"),
    R("materials.*.solid.friction", NUMBER, "number", "", "0..1000", "0.5", MOVES, MATERIAL(solid.friction), "Coulomb's coefficient against other solids; ice 0.03, wood 0.4, rubber 1"),
    // channels
    R("channels", HAND, "map", "", "", "", FIXED, NOWHERE, "values of your own that particles carry, by name"),
    R("channels.*.type", CHOICE, "one of float|int", "", "", "float", FIXED, offsetof(SceneChannelForm, type), "kind of number"),
    R("channels.*.components", WHOLE, "whole number", "", "1..16", "1", FIXED, offsetof(SceneChannelForm, components), "numbers a particle"),
    // bodies
    R("bodies", HAND, "list", "", "", "required", FIXED, NOWHERE, "what is filled with particles at the start"),
    R("bodies[].name", TEXT, "text", "", "", "required", FIXED, BODY(name), "unlike any other body's"),
    R("bodies[].material", HAND, "text", "", "", "required", FIXED, NOWHERE, "one of the materials"),
    R("bodies[].state", CHOICE, "one of liquid|solid", "", "", "liquid", FIXED, BODY(state), "whether it flows or holds together at the start; a solid needs the close packing"),
    R("bodies[].shape", HAND, "shape", "", "", "required", FIXED, NOWHERE, "what to fill: any shape but a plane"),
    R("bodies[].spacing", NUMBER, "number", "m", "0..1e3", "0", FIXED, BODY(spacing), "particle size of this body; 0 takes the scene's"),
    R("bodies[].velocity", VECTOR, "vector", "m/s", SPEED, "[0, 0, 0]", PLACES, BODY(velocity), "at the start"),
    R("bodies[].spin", VECTOR, "vector", "rad/s", SPEED, "[0, 0, 0]", FIXED, BODY(spin), "turning about the shape's position at the start"),
    R("bodies[].packing", CHOICE, "one of close|cubic", "", "", "close", FIXED, BODY(packing), "how particles are laid out"),
    R("bodies[].jitter", NUMBER, "number", "", "0..0.5", "0", FIXED, BODY(jitter), "random offset of each particle in spacings"),
    R("bodies[].channels", HAND, "map", "", "", "", FIXED, NOWHERE, "a number or expression of x, y, z for each channel (a list where it has several)"),
    R("bodies[].repeat", HAND, "map", "", "", "", FIXED, NOWHERE, "a grid of copies, named name[0,0,0] and on"),
    R("bodies[].repeat.count", VECTOR, "vector", "", "1..100000", "required", FIXED, offsetof(SceneRepeat, count), "copies along each axis; in 2D [x, y]"),
    R("bodies[].repeat.step", VECTOR, "vector", "m", POSITION, "required", FIXED, offsetof(SceneRepeat, step), "distance between copies along each axis; in 2D [x, y]"),
    // colliders
    R("colliders", HAND, "list", "", "", "", FIXED, NOWHERE, "solids that matter cannot enter, and containers that it cannot leave"),
    R("colliders[].name", TEXT, "text", "", "", "required", FIXED, COLLIDER(name), "unlike any other collider's"),
    R("colliders[].shape", HAND, "shape", "", "", "required", FIXED, NOWHERE, "any shape but a blend"),
    R("colliders[].container", SWITCH, "yes or no", "", "", "no", FIXED, COLLIDER(container), "keeps matter inside the shape instead of outside"),
    R("colliders[].friction", NUMBER, "number", "", "0..1000", "0.4", MOVES, COLLIDER(friction), "Coulomb's coefficient; 0 slides freely"),
    R("colliders[].restitution", NUMBER, "number", "", "0..1", "0", MOVES, COLLIDER(restitution), "share of the speed that bounces back"),
    R("colliders[].motion", HAND, "list or map", "", "", "", FIXED, NOWHERE, "how it moves: a list of moments, straight between them and at rest before and after; or one map of expressions of t"),
    R("colliders[].motion[].time", NUMBER, "number", "s", "0..1e6", "required", FIXED, offsetof(SceneMotionKey, time), "later than the one before"),
    R("colliders[].motion[].move", VECTOR, "vector", "m", POSITION, "[0, 0, 0]", FIXED, offsetof(SceneMotionKey, move), "how far it is from where its shape says"),
    R("colliders[].motion[].rotate", HAND, "map", "", "", "", FIXED, NOWHERE, "how far it is turned from how its shape says: {axis, angle}"),
    R("colliders[].motion[].rotate.axis", VECTOR, "vector", "", POSITION, "required", FIXED, offsetof(SceneTurn, axis), "what to turn about"),
    R("colliders[].motion[].rotate.angle", NUMBER, "number", "rad", "-1e6..1e6", "required", FIXED, offsetof(SceneTurn, angle), "how far, as for rotate.angle, also several turns: 720 deg; between moments with one axis it turns all the way"),
    R("colliders[].motion[].pivot", VECTOR, "vector", "m", POSITION, "", FIXED, offsetof(SceneMotionKey, pivot), "point of the world to turn about, before the move; without it the shape's position"),
    R("colliders[].motion[].orientation", QUAT, "unit quaternion", "", "-1..1", "", FIXED, offsetof(SceneMotionKey, orientation), "instead of rotate, as [x, y, z, w]; it turns the short way"),
    R("colliders[].motion.move", VECTOR, "vector", "m", POSITION, "[0, 0, 0]", MOVES, offsetof(ThawSceneMotion, move), "the same as a map: how far it is moved at time t"),
    R("colliders[].motion.rotate", HAND, "map", "", "", "", FIXED, NOWHERE, "how far it is turned at time t: {axis, angle}"),
    R("colliders[].motion.rotate.axis", VECTOR, "vector", "", POSITION, "required", FIXED, offsetof(ThawSceneMotion, axis), "what to turn about"),
    R("colliders[].motion.rotate.angle", NUMBER, "number", "rad", "-1e6..1e6", "required", MOVES, offsetof(ThawSceneMotion, angle), "how far: \"2*pi*t\" is a turn a second"),
    R("colliders[].motion.pivot", VECTOR, "vector", "m", POSITION, "", FIXED, offsetof(ThawSceneMotion, pivot), "point of the world to turn about, before the move"),
    R("colliders[].dynamic", HAND, "map", "", "", "", FIXED, NOWHERE, "makes it a rigid body that floats, sinks, is pushed and pushes; {} has the defaults; not for planes, containers, motions and sequences"),
    R("colliders[].dynamic.density", NUMBER, "number", "kg/m^3", "1e-6..1e9", "1000", FIXED, DYNAMIC(density), "mass of a cubic metre of it; ice 917, oak 700, cork 200, steel 7850"),
    R("colliders[].dynamic.mass", NUMBER, "number", "kg", "> 0", "", FIXED, DYNAMIC(mass), "instead of density; in 2D of a metre of depth"),
    R("colliders[].dynamic.inertia", VECTOR, "vector", "kg m^2", ">= 0", "(of the shape, filled evenly)", FIXED, DYNAMIC(inertia), "moments about the axes of its shape's frame through the centre of mass; in 2D [0, 0, z]"),
    R("colliders[].dynamic.center", VECTOR, "vector", "m", POSITION, "(of the shape, filled evenly)", FIXED, DYNAMIC(center), "centre of mass in its shape's frame, only with inertia"),
    R("colliders[].dynamic.velocity", VECTOR, "vector", "m/s", SPEED, "[0, 0, 0]", FIXED, DYNAMIC(velocity), "of its centre of mass at the start"),
    R("colliders[].dynamic.spin", VECTOR, "vector", "rad/s", SPEED, "[0, 0, 0]", FIXED, DYNAMIC(spin), "turning about its centre of mass at the start"),
    R("colliders[].visible", SWITCH, "yes or no", "", "", "yes", FIXED, COLLIDER(visible), "drawn in pictures; containers as edges"),
    R("colliders[].color", COLOR, "color", "", "0..1", "[0.62, 0.62, 0.64]", FIXED, COLLIDER(color), "for pictures: [r, g, b], \"#rrggbb\", or red, green, blue, white, black, grey, orange, yellow, purple, cyan, brown, pink"),
    // attachments
    R("attachments", HAND, "list", "", "", "", FIXED, NOWHERE, "what holds particles: pins, handles that move, glue"),
    R("attachments[].name", TEXT, "text", "", "", "required", FIXED, ATTACHMENT(name), "unlike any other attachment's"),
    R("attachments[].region", HAND, "shape", "", "", "required", FIXED, NOWHERE, "particles inside it when the attachment begins are held: any shape but a plane or a mesh"),
    R("attachments[].body", HAND, "text", "", "", "(any)", FIXED, NOWHERE, "only particles of this body"),
    R("attachments[].collider", HAND, "text", "", "", "", FIXED, NOWHERE, "glues them to this collider, with which they then move"),
    R("attachments[].motion", HAND, "list or map", "", "", "", FIXED, NOWHERE, "moves them instead, written like a collider's motion, about the region's position; with neither they stand still"),
    R("attachments[].from", NUMBER, "number", "s", "0..1e6", "0", FIXED, ATTACHMENT(from), "when it begins to hold"),
    R("attachments[].to", NUMBER, "number", "s", "0..1e6", "(for ever)", FIXED, ATTACHMENT(to), "when it lets go"),
    // shapes
    R("shape.box", HAND, "map", "", "", "", FIXED, NOWHERE, "a block; its position is the middle"),
    R("shape.box.center", VECTOR, "vector", "m", POSITION, "required", FIXED, FORM(center), "middle"),
    R("shape.box.size", VECTOR, "vector", "m", "> 0", "required", FIXED, FORM(size), "edge lengths"),
    R("shape.box.rotate", ROTATE, "map", "", "", "", FIXED, FORM(rotate), "turned about the middle: {axis, angle}"),
    R("shape.box.orientation", QUAT, "unit quaternion", "", "-1..1", "", FIXED, FORM(orientation), "the same as [x, y, z, w]"),
    R("shape.sphere", HAND, "map", "", "", "", FIXED, NOWHERE, "a ball; its position is the middle"),
    R("shape.sphere.center", VECTOR, "vector", "m", POSITION, "required", FIXED, FORM(center), "middle"),
    R("shape.sphere.radius", NUMBER, "number", "m", "> 0", "required", FIXED, FORM(radius), "radius"),
    R("shape.capsule", HAND, "map", "", "", "", FIXED, NOWHERE, "a rod with round ends; its position is the middle between from and to"),
    R("shape.capsule.from", VECTOR, "vector", "m", POSITION, "(required)", FIXED, FORM(from), "centre of one end's ball"),
    R("shape.capsule.to", VECTOR, "vector", "m", POSITION, "(required)", FIXED, FORM(to), "centre of the other end's ball"),
    R("shape.capsule.radius", NUMBER, "number", "m", "> 0", "required", FIXED, FORM(radius), "radius"),
    R("shape.capsule.center", VECTOR, "vector", "m", POSITION, "", FIXED, FORM(center), "with height and orientation, instead of from and to"),
    R("shape.capsule.height", NUMBER, "number", "m", "> 0", "", FIXED, FORM(height), "between the two ends' centres"),
    R("shape.capsule.orientation", QUAT, "unit quaternion", "", "-1..1", "", FIXED, FORM(orientation), "how it is turned from standing along z, [x, y, z, w]"),
    R("shape.cylinder", HAND, "map", "", "", "", FIXED, NOWHERE, "a rod with flat ends; its position is the middle between from and to"),
    R("shape.cylinder.from", VECTOR, "vector", "m", POSITION, "(required)", FIXED, FORM(from), "centre of one end"),
    R("shape.cylinder.to", VECTOR, "vector", "m", POSITION, "(required)", FIXED, FORM(to), "centre of the other end"),
    R("shape.cylinder.radius", NUMBER, "number", "m", "> 0", "required", FIXED, FORM(radius), "radius"),
    R("shape.cylinder.center", VECTOR, "vector", "m", POSITION, "", FIXED, FORM(center), "with height and orientation, instead of from and to"),
    R("shape.cylinder.height", NUMBER, "number", "m", "> 0", "", FIXED, FORM(height), "between the two ends"),
    R("shape.cylinder.orientation", QUAT, "unit quaternion", "", "-1..1", "", FIXED, FORM(orientation), "how it is turned from standing along z, [x, y, z, w]"),
    R("shape.cone", HAND, "map", "", "", "", FIXED, NOWHERE, "a cone; its position is the centre of the base"),
    R("shape.cone.base", VECTOR, "vector", "m", POSITION, "required", FIXED, FORM(base), "centre of the base"),
    R("shape.cone.apex", VECTOR, "vector", "m", POSITION, "(required)", FIXED, FORM(apex), "tip"),
    R("shape.cone.radius", NUMBER, "number", "m", "> 0", "required", FIXED, FORM(radius), "radius of the base"),
    R("shape.cone.height", NUMBER, "number", "m", "> 0", "", FIXED, FORM(height), "with orientation, instead of apex"),
    R("shape.cone.orientation", QUAT, "unit quaternion", "", "-1..1", "", FIXED, FORM(orientation), "how it is turned from standing along z, [x, y, z, w]"),
    R("shape.torus", HAND, "map", "", "", "", FIXED, NOWHERE, "a ring; its position is the middle"),
    R("shape.torus.center", VECTOR, "vector", "m", POSITION, "required", FIXED, FORM(center), "middle"),
    R("shape.torus.axis", VECTOR, "vector", "", POSITION, "[0, 0, 1]", FIXED, FORM(axis), "direction that the ring goes round"),
    R("shape.torus.radius", NUMBER, "number", "m", "> 0", "required", FIXED, FORM(radius), "from the middle to the tube's centre"),
    R("shape.torus.tube", NUMBER, "number", "m", "> 0", "required", FIXED, FORM(tube), "radius of the tube"),
    R("shape.torus.orientation", QUAT, "unit quaternion", "", "-1..1", "", FIXED, FORM(orientation), "instead of axis, [x, y, z, w]"),
    R("shape.plane", HAND, "map", "", "", "", FIXED, NOWHERE, "everything behind a plane, for colliders; its position is the point"),
    R("shape.plane.point", VECTOR, "vector", "m", POSITION, "required", FIXED, FORM(point), "any point of it"),
    R("shape.plane.normal", VECTOR, "vector", "", POSITION, "[0, 0, 1]", FIXED, FORM(normal), "direction out of the solid side"),
    R("shape.plane.orientation", QUAT, "unit quaternion", "", "-1..1", "", FIXED, FORM(orientation), "instead of normal, [x, y, z, w]"),
    R("shape.blend", HAND, "map", "", "", "", FIXED, NOWHERE, "balls grown together, for bears and potatoes; for bodies and regions; its position is the centre"),
    R("shape.blend.balls", HAND, "list of balls", "m", POSITION, "required", FIXED, NOWHERE, "up to 64 of [x, y, z, radius], from the centre; in 2D also [x, y, radius]"),
    R("shape.blend.smooth", NUMBER, "number", "m", "0..1e9", "0", FIXED, FORM(smooth), "how wide the seams between balls are rounded; 0 leaves them sharp"),
    R("shape.blend.center", VECTOR, "vector", "m", POSITION, "[0, 0, 0]", FIXED, FORM(center), "what the balls' places count from, and what it turns about"),
    R("shape.blend.rotate", ROTATE, "map", "", "", "", FIXED, FORM(rotate), "turned about the centre: {axis, angle}"),
    R("shape.blend.orientation", QUAT, "unit quaternion", "", "-1..1", "", FIXED, FORM(orientation), "the same as [x, y, z, w]"),
    R("shape.mesh", HAND, "map", "", "", "", FIXED, NOWHERE, "any form from a mesh file, however broken: OBJ, PLY or STL; its position is the file's origin"),
    R("shape.mesh.file", TEXT, "text", "", "", "(required)", FIXED, FORM(mesh.file), "path of the file, from the scene's folder"),
    R("shape.mesh.sequence", HAND, "map", "", "", "", FIXED, NOWHERE, "instead of file, for colliders: numbered files, between whose forms it changes"),
    R("shape.mesh.sequence.files", TEXT, "text", "", "", "required", FIXED, FORM(mesh.files), "path with # for each digit of the number: creature_####.obj"),
    R("shape.mesh.sequence.first", WHOLE, "whole number", "", "0..1000000000", "1", FIXED, FORM(mesh.first), "number of the first file, its form at time 0"),
    R("shape.mesh.sequence.count", WHOLE, "whole number", "", "1..1000000", "(all that follow each other)", FIXED, FORM(mesh.count), "how many files"),
    R("shape.mesh.sequence.fps", NUMBER, "number", "1/s", "0.001..100000", "(the scene's)", FIXED, FORM(mesh.fps), "files a second of simulated time"),
    R("shape.mesh.sequence.loop", SWITCH, "yes or no", "", "", "no", FIXED, FORM(mesh.loop), "after the last file comes the first again; else it stands still"),
    R("shape.mesh.scale", NUMBER, "number", "", "1e-9..1e9", "1", FIXED, FORM(mesh.scale), "metres that the file's one is: 0.001 for millimetres"),
    R("shape.mesh.up", CHOICE, "one of z|y", "", "", "z", FIXED, FORM(mesh.up), "the file's axis that points up; y is turned so that it becomes z"),
    R("shape.mesh.center", VECTOR, "vector", "m", POSITION, "[0, 0, 0]", FIXED, FORM(center), "where the file's origin goes, and what it turns about"),
    R("shape.mesh.rotate", ROTATE, "map", "", "", "", FIXED, FORM(rotate), "turned about the centre, after scale and up: {axis, angle}"),
    R("shape.mesh.orientation", QUAT, "unit quaternion", "", "-1..1", "", FIXED, FORM(orientation), "the same as [x, y, z, w]"),
    R("shape.mesh.mode", CHOICE, "one of solid|shell", "", "", "solid", FIXED, FORM(mesh.mode), "what the surface encloses, or the surface itself as a sheet with two sides"),
    R("shape.mesh.cell", NUMBER, "number", "m", "1e-9..1e6", "(half the scene's spacing)", FIXED, FORM(mesh.cell), "edge of a cell of its distance field; details smaller than that are lost"),
    R("shape.mesh.band", NUMBER, "number", "", "2..64", "(what particles feel: 2 spacings and a cell)", FIXED, FORM(mesh.band), "cells to each side of the surface in which distances are kept"),
    R("shape.mesh.offset", NUMBER, "number", "m", "-1e6..1e6", "(0; a shell: one cell)", FIXED, FORM(mesh.offset), "how far the surface is moved outwards; a shell is twice as thick"),
    R("shape.mesh.thickness", NUMBER, "number", "m", "> 0", "", FIXED, FORM(mesh.thickness), "of a shell, instead of offset"),
    R("shape.mesh.paint", MAP, "map", "", "", "", FIXED, NOWHERE, "values over the surface; vertex properties of these names in a PLY file are taken by themselves"),
    R("shape.mesh.paint.friction", MAP, "map", "", "", "", FIXED, NOWHERE, "Coulomb's coefficient over the surface, in place of the collider's"),
    R("shape.mesh.paint.friction.image", TEXT, "text", "", "", "", FIXED, FORM(mesh.paint[THAW_PAINT_FRICTION].image), "a PNG file, laid on by texture coordinates"),
    R("shape.mesh.paint.friction.low", NUMBER, "number", "", "0..1000", "0", FIXED, FORM(mesh.paint[THAW_PAINT_FRICTION].low), "where the image is black"),
    R("shape.mesh.paint.friction.high", NUMBER, "number", "", "0..1000", "1", FIXED, FORM(mesh.paint[THAW_PAINT_FRICTION].high), "where the image is white"),
    R("shape.mesh.paint.adhesion", MAP, "map", "", "", "", FIXED, NOWHERE, "kept with the surface; this version does not feel it yet"),
    R("shape.mesh.paint.adhesion.image", TEXT, "text", "", "", "", FIXED, FORM(mesh.paint[THAW_PAINT_ADHESION].image), "a PNG file, laid on by texture coordinates"),
    R("shape.mesh.paint.adhesion.low", NUMBER, "number", "", "0..1000", "0", FIXED, FORM(mesh.paint[THAW_PAINT_ADHESION].low), "where the image is black"),
    R("shape.mesh.paint.adhesion.high", NUMBER, "number", "", "0..1000", "1", FIXED, FORM(mesh.paint[THAW_PAINT_ADHESION].high), "where the image is white"),
    R("shape.mesh.paint.temperature", MAP, "map", "", "", "", FIXED, NOWHERE, "kept with the surface; this version does not feel it yet"),
    R("shape.mesh.paint.temperature.image", TEXT, "text", "", "", "", FIXED, FORM(mesh.paint[THAW_PAINT_TEMPERATURE].image), "a PNG file, laid on by texture coordinates"),
    R("shape.mesh.paint.temperature.low", NUMBER, "number", "K", "0..1e6", "0", FIXED, FORM(mesh.paint[THAW_PAINT_TEMPERATURE].low), "where the image is black"),
    R("shape.mesh.paint.temperature.high", NUMBER, "number", "K", "0..1e6", "1", FIXED, FORM(mesh.paint[THAW_PAINT_TEMPERATURE].high), "where the image is white"),
    R("shape.mesh.contents", TEXT, "text", "", "", "", FIXED, FORM(mesh.contents), "what the files must hold, as resolved scenes say it"),
    R("rotate.axis", VECTOR, "vector", "", POSITION, "required", FIXED, offsetof(SceneTurn, axis), "what to turn about"),
    R("rotate.angle", NUMBER, "number", "rad", "-6.3..6.3", "required", FIXED, offsetof(SceneTurn, angle), "how far, by the right hand: counter-clockwise when the axis points at you; write 20 deg for degrees"),
    // solver
    R("solver", MAP, "map", "", "", "", FIXED, NOWHERE, "how a step is solved; the defaults suit nearly always"),
    R("solver.substeps", AUTO, "auto or whole number", "", "1..1000", "auto", FIXED, SCENE(world.solver.substeps), "pieces that a frame is cut into"),
    R("solver.max_substeps", WHOLE, "whole number", "", "1..1000", "64", FIXED, SCENE(world.solver.max_substeps), "the most that auto chooses"),
    R("solver.max_displacement", NUMBER, "number", "", "0.05..10", "0.8", FIXED, SCENE(world.solver.max_displacement), "spacings that a particle may move a substep (auto)"),
    R("solver.max_compression", NUMBER, "number", "", "0.001..1", "0.02", FIXED, SCENE(world.solver.max_compression), "what resting under gravity may compress (auto)"),
    R("solver.iterations", WHOLE, "whole number", "", "1..1000", "4", FIXED, SCENE(world.solver.iterations), "passes a substep, or the least with a tolerance"),
    R("solver.max_iterations", WHOLE, "whole number", "", "1..1000", "50", FIXED, SCENE(world.solver.max_iterations), "the most with a tolerance"),
    R("solver.density_tolerance", NUMBER, "number", "", "0..1", "0", FIXED, SCENE(world.solver.density_tolerance), "mean density error to reach; 0 = a fixed number of passes"),
    R("solver.relaxation", NUMBER, "number", "", "0.01..1", "0.45", FIXED, SCENE(world.solver.relaxation), "share of each correction that is applied"),
    R("solver.skin", NUMBER, "number", "", "0..0.5", "0.1", FIXED, SCENE(world.solver.skin), "how much further neighbour lists reach, in supports"),
    R("solver.elastic_steps", WHOLE, "whole number", "", "1..1000", "16", FIXED, SCENE(world.solver.elastic_steps), "the most that a substep is cut into for stiff solids alone; twice as many carry four times the stiffness"),
    R("solver.long_bonds", SWITCH, "yes or no", "", "", "yes", FIXED, SCENE(world.solver.long_bonds), "solids stiffer than a step can carry get bonds over four sites, which make them act several times stiffer than that limit"),
    R("solver.explicit_forces", SWITCH, "yes or no", "", "", "no", FIXED, SCENE(world.solver.explicit_forces), "elasticity as plain forces, one evaluation a substep and no limit: for comparisons; stiff solids then burst unless substeps are small"),
    // camera
    R("camera", MAP, "map", "", "", "", FIXED, NOWHERE, "how pictures look; without eye and target they frame the scene by themselves"),
    R("camera.eye", VECTOR, "vector", "m", POSITION, "", MOVES, SCENE(camera.eye), "where the camera is"),
    R("camera.target", VECTOR, "vector", "m", POSITION, "", MOVES, SCENE(camera.target), "what it looks at"),
    R("camera.fov", NUMBER, "number", "deg", "1..170", "40", MOVES, SCENE(camera.fov), "angle of view over the picture's height"),
    R("camera.width", WHOLE, "whole number", "", "16..16384", "1280", FIXED, SCENE(camera.width), "pixels"),
    R("camera.height", WHOLE, "whole number", "", "16..16384", "720", FIXED, SCENE(camera.height), "pixels"),
    R("camera.color", TEXT, "text", "", "", "speed", FIXED, SCENE(camera.color), "what colours show: speed, none, a channel, or a field: material, state, object, velocity, position, spacing, density_error, id; of solids strain, green_strain, stress, von_mises, plastic_strain, bonds"),
    R("camera.low", NUMBER, "number", "", "", "0", FIXED, SCENE(camera.low), "value of the first colour; low = high: from the data"),
    R("camera.high", NUMBER, "number", "", "", "0", FIXED, SCENE(camera.high), "value of the last colour"),
    R("camera.map", TEXT, "text", "", "", "ocean", FIXED, SCENE(camera.map), "colour map: ocean, viridis, heat, gray or balance"),
    // output
    R("output", MAP, "map", "", "", "", FIXED, NOWHERE, "what a run writes"),
    R("output.channels", HAND, "list", "", "", "(velocity, material, object, state, density_error and all channels)", FIXED, NOWHERE, "fields and channels in each frame, besides id and position"),
    R("output.checkpoint", NUMBER, "number", "s", "0..1e6", "30", FIXED, SCENE(output.checkpoint), "wall time between checkpoints"),
    R("output.compression", WHOLE, "whole number", "", "0..9", "1", FIXED, SCENE(output.compression), "of frames: 0 none, 9 slowest and smallest"),
};
// clang-format on
#define ROWS ((int)(sizeof rows / sizeof *rows))
_Static_assert(sizeof rows / sizeof *rows <= SCENE_ROWS_MOST, "SCENE_ROWS_MOST is too small");

const SceneRow *scene_row(int index) {
    return index >= 0 && index < ROWS ? &rows[index] : NULL;
}

int scene_row_index(const SceneRow *row) {
    return (int)(row - rows);
}

const ThawSceneKey *thaw_scene_key(int index) {
    const SceneRow *row = scene_row(index);
    return row != NULL ? &row->key : NULL;
}

const char *scene_row_key(const SceneRow *row, const char *scope) {
    size_t length = strlen(scope);
    const char *path = row->key.path;
    if (strncmp(path, scope, length) != 0) return NULL;
    if (length > 0 && path[length++] != '.') return NULL;
    return strpbrk(path + length, ".[") == NULL ? path + length : NULL;
}

const SceneRow *scene_row_find(const char *scope, const char *key) {
    for (int k = 0; k < ROWS; k++) {
        const char *last = scene_row_key(&rows[k], scope);
        if (last != NULL && strcmp(last, key) == 0) return &rows[k];
    }
    return NULL;
}

SceneDimension scene_row_dimension(const SceneRow *row, double *bare) {
    bool degrees = strcmp(row->key.unit, "deg") == 0;
    *bare = degrees ? PI / 180.0 : 1.0;
    return degrees ? SCENE_ANGLE : scene_dimension_of(row->key.unit);
}

// a number with a sign at the start of `text`, whatever the locale
static double read_bound(const char *text) {
    while (*text == ' ') text++;
    bool minus = *text == '-';
    double value = 0;
    scene_scan_number(text + minus, strlen(text + minus), &value);
    return minus ? -value : value;
}

SceneRange scene_row_range(const SceneRow *row) {
    const char *text = row->key.range;
    SceneRange range = {-INFINITY, INFINITY, false};
    const char *dots = strstr(text, "..");
    if (dots != NULL) {
        range.low = read_bound(text);
        range.high = read_bound(dots + 2);
    } else if (text[0] == '>') {
        range.open = text[1] != '=';
        range.low = read_bound(text + (range.open ? 1 : 2));
    }
    return range;
}

bool scene_row_required(const SceneRow *row) {
    return strcmp(row->key.initial, "required") == 0;
}

const char *scene_row_default(const SceneRow *row) {
    const char *text = row->key.initial;
    return text[0] == '\0' || text[0] == '(' || scene_row_required(row) ? NULL : text;
}

bool scene_row_choice(const SceneRow *row, int k, char word[32]) {
    const char *at = row->key.type + strlen("one of ");
    for (; k > 0; k--) {
        at = strchr(at, '|');
        if (at == NULL) return false;
        at++;
    }
    size_t length = strcspn(at, "|");
    if (length > 31) length = 31;
    memcpy(word, at, length);
    word[length] = '\0';
    return true;
}

// ---------------------------------------------------------------- what is to come

typedef struct Planned {
    const char *scope, *key, *what;
} Planned;

static const Planned planned[] = {
    {"", "emitters", "emitters"},
    {"", "sinks", "sinks"},
    {"materials.*", "thermal", "heat"},
    {"materials.*.liquid", "surface_tension", "surface tension"},
    {"bodies[]", "temperature", "heat"},
    {"colliders[]", "temperature", "heat"},
};

bool scene_key_is_planned(const char *scope, const char *key, const char **what) {
    for (size_t k = 0; k < sizeof planned / sizeof *planned; k++) {
        if (strcmp(planned[k].scope, scope) != 0 || strcmp(planned[k].key, key) != 0) continue;
        *what = planned[k].what;
        return true;
    }
    return false;
}
