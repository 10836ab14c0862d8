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
#define EMITTER(member) offsetof(ThawSceneEmitter, member)
#define SINK(member) offsetof(ThawSceneSink, member)
#define FORCE(member) offsetof(ThawSceneForce, member)
#define THERMAL(member) offsetof(ThawSceneMaterial, thermal.member)
#define HEAT_SOURCE(member) offsetof(ThawSceneHeatSource, member)
#define FORM(member) offsetof(SceneForm, member)
#define DYNAMIC(member) offsetof(ThawSceneCollider, dynamic.member)

#define POSITION "-1e9..1e9"
#define SPEED "-1e6..1e6"
#define KELVINS "0.001..1e6"

// clang-format off
static const SceneRow rows[] = {
    // the scene
    R("thaw", HAND, "whole number", "", "1", "required", FIXED, NOWHERE, "version of this format"),
    R("title", TEXT, "text", "", "", "", FIXED, SCENE(title), "what the scene shows"),
    R("include", HAND, "list of files", "", "", "", FIXED, NOWHERE, "scenes to take materials, channels, bodies, colliders, emitters and other keys from; keys given here win"),
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
    R("materials.*.liquid.viscosity", NUMBER, "number", "m^2/s", "0..1e6", "0", MOVES, MATERIAL(viscosity), "kinematic viscosity: water 1e-6, olive oil 1e-4, glycerine 1e-3, honey 7e-3, toothpaste 0.1; also dynamic, like 1.5 Pa s or 50 cP, which is divided by the density"),
    R("materials.*.liquid.xsph", NUMBER, "number", "", "0..1000", "(0.05; 0 where a viscosity is given)", MOVES, MATERIAL(xsph), "the artist's viscosity: share of the neighbours' mean velocity taken in 1/240 s, whatever the substeps, added to the viscosity; 0.05 calms the method's noise; as much as 28 xsph spacing^2 m^2/s: with particles of 1 cm 2.5 is honey, 50 toothpaste"),
    R("materials.*.liquid.surface_tension", HAND, "number", "", "0..1", "(0)", MOVES, MATERIAL(surface_tension), "how strongly it holds together: 0 not at all, as large water seems; 1 holds drops of a few particles against gravity; with a unit, like 72 mN/m, the physical value: water 72, oil 32, mercury 485 mN/m"),
    R("materials.*.liquid.tension", NUMBER, "number", "N/m", "0..1e6", "0", MOVES, MATERIAL(tension), "the physical surface tension, which surface_tension with a unit sets; acts beside the artist's"),
    R("materials.*.liquid.tensile", NUMBER, "number", "", "0..1", "0", MOVES, MATERIAL(tensile), "extra repulsion of close particles, against clumping"),
    R("materials.*.liquid.tensile_exponent", WHOLE, "whole number", "", "1..8", "4", FIXED, MATERIAL(tensile_exponent), "how sharply that repulsion grows"),
    R("materials.*.liquid.vorticity", NUMBER, "number", "", "0..1", "0", MOVES, MATERIAL(vorticity), "gives eddies back the spin that the method takes: livelier splashes and swirls"),
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
    R("materials.*.solid.density", NUMBER, "number", "kg/m^3", "0..1e9", "0", FIXED, MATERIAL(solid.density), "mass of a cubic metre when solid, from half to twice the density: matter swells or shrinks by that when it freezes; ice 917; 0 = as density"),
    R("materials.*.thermal", MAP, "map", "", "", "", FIXED, THERMAL(given), "how it carries heat, melts and freezes, where heat is on"),
    R("materials.*.thermal.conductivity", NUMBER, "number", "W/(m K)", "0..1e9", "0.6", FIXED, THERMAL(conductivity), "how well heat goes through it: air 0.026, wax 0.25, water 0.6, ice 2.2, lead 35, copper 400"),
    R("materials.*.thermal.specific_heat", NUMBER, "number", "J/(kg K)", "0.001..1e9", "4186", FIXED, THERMAL(specific_heat), "heat that warms a kilogram by a kelvin: water 4186, wax 2500, ice 2100, lava 1200, lead 130"),
    R("materials.*.thermal.liquid_conductivity", NUMBER, "number", "W/(m K)", "0..1e9", "0", FIXED, THERMAL(liquid_conductivity), "the same when molten; 0 = as above"),
    R("materials.*.thermal.liquid_specific_heat", NUMBER, "number", "J/(kg K)", "0..1e9", "0", FIXED, THERMAL(liquid_specific_heat), "the same when molten; 0 = as above"),
    R("materials.*.thermal.melts_at", NUMBER, "number", "K", KELVINS, "(never)", FIXED, THERMAL(melts_at), "temperature at which solids melt and liquids freeze: ice 0 C, butter 35 C, wax 60 C, solder 183 C, lava 1100 C"),
    R("materials.*.thermal.melting_range", NUMBER, "number", "K", "0..1e6", "0", FIXED, THERMAL(melting_range), "width about melts_at over which the latent heat is taken up: 0 for ice and metals, some kelvins for wax, fat and lava; a difference, in K"),
    R("materials.*.thermal.latent_heat", NUMBER, "number", "J/kg", "0..1e12", "0", FIXED, THERMAL(latent_heat), "heat that melting a kilogram takes: ice 334 kJ/kg, wax 200 kJ/kg, solder 60 kJ/kg"),
    R("materials.*.thermal.freezes_at", NUMBER, "number", "K", KELVINS, "(melts_at)", FIXED, THERMAL(freezes_at), "temperature below which liquids freeze, at most melts_at; lower where matter stays liquid below its melting point"),
    R("materials.*.thermal.melting_rate", NUMBER, "number", "1/(K s)", "0..1e12", "0", FIXED, THERMAL(melting_rate), "how readily particles above melts_at turn liquid, a kelvin and a second; 0 = at once"),
    R("materials.*.thermal.freezing_rate", NUMBER, "number", "1/(K s)", "0..1e12", "0", FIXED, THERMAL(freezing_rate), "how readily particles below freezes_at turn solid, a kelvin and a second; 0 = at once"),
    R("materials.*.thermal.melts_when", HAND, "expression", "", "", "(by temperature)", FIXED, THERMAL(melts_when), "instead of melts_at: a condition such as \"z < 0.1 and t > 1\" melts at once where it holds; a number is a rate in 1/s; of x y z t vx vy vz speed temperature molten spacing object, the scene's channels, and fields such as bonds, von_mises, strain, stress.xy"),
    R("materials.*.thermal.freezes_when", HAND, "expression", "", "", "(by temperature)", FIXED, THERMAL(freezes_when), "instead of freezes_at, written like melts_when; freezing still needs solid neighbours, and a place that fits"),
    R("materials.*.thermal.freezing_neighbors", WHOLE, "whole number", "", "0..12", "2", FIXED, THERMAL(freezing_neighbors), "more solid neighbours than this are needed for freezing; more make smoother, more faceted growth"),
    R("materials.*.thermal.freezing_speed", NUMBER, "number", "m/s", "0..1e6", "0", FIXED, THERMAL(freezing_speed), "matter that moves faster past its solid neighbours freezes more slowly, or, where freezing is at once, not at all; 0 = at any speed"),
    R("materials.*.thermal.freezing_misfit", NUMBER, "number", "", "0..0.4", "0.2", FIXED, THERMAL(freezing_misfit), "distance from a site of the lattice, in its distances, above which it freezes more slowly"),
    R("materials.*.thermal.nucleation", NUMBER, "number", "1/s", "0..1e12", "0", FIXED, THERMAL(nucleation), "how readily matter freezes where nothing solid is near; 0 = never"),
    R("materials.*.thermal.nucleation_below", NUMBER, "number", "K", "0..1e6", "0", FIXED, THERMAL(nucleation_below), "how far below freezes_at it must be for that; a difference, in K"),
    R("materials.*.thermal.sintering", NUMBER, "number", "1/s", "0..1e12", "0", FIXED, THERMAL(sintering), "how readily solids of it that touch grow together; 0 = never"),
    R("materials.*.thermal.expansion", NUMBER, "number", "1/K", "-1..1", "0", FIXED, THERMAL(expansion), "share by which its volume grows per kelvin; makes warm liquid rise: water 2e-4 1/K, oil 7e-4 1/K"),
    R("materials.*.thermal.reference", NUMBER, "number", "K", KELVINS, "293.15", FIXED, THERMAL(reference), "temperature at which its density is as given"),
    R("materials.*.thermal.stiffness", HAND, "list of pairs", "K", "0..1e9", "(1 everywhere)", FIXED, THERMAL(stiffness), "what temperature makes of solid.young: [[temperature, factor], ...] with up to 16 pairs; [[290, 1], [320, 0.01]] softens; logarithmic between factors above 0, level beyond the ends"),
    R("materials.*.thermal.damping", HAND, "list of pairs", "K", "0..1e9", "(1 everywhere)", FIXED, THERMAL(damping), "the same of solid.damping"),
    R("materials.*.thermal.viscosity", HAND, "list of pairs", "K", "0..1e9", "(1 everywhere)", FIXED, THERMAL(viscosity), "the same of liquid.viscosity and liquid.xsph"),
    // heat
    R("heat", MAP, "map", "", "", "", FIXED, SCENE(heat.given), "heat goes through matter, melts and freezes it; on by itself where a temperature, melts_at or a heat source is given"),
    R("heat.on", SWITCH, "yes or no", "", "", "(yes where anything is said of heat)", FIXED, SCENE(heat.on), "no: all that is said of heat is left aside"),
    R("heat.ambient", NUMBER, "number", "K", KELVINS, "293.15", MOVES, SCENE(heat.ambient), "temperature of the air, and of matter that is given none"),
    R("heat.convection", NUMBER, "number", "W/(m^2 K)", "0..1e9", "0", MOVES, SCENE(heat.convection), "how well the air takes heat from free surfaces: still air 5 to 10, wind 50; 0: only walls and sources give and take heat"),
    R("heat.emissivity", NUMBER, "number", "", "0..1", "0", MOVES, SCENE(heat.emissivity), "how well free surfaces radiate to surroundings as warm as the air: lava and ice 0.95, polished metal 0.05"),
    // channels
    R("channels", HAND, "map", "", "", "", FIXED, NOWHERE, "values of your own that particles carry, by name"),
    R("channels.*.type", CHOICE, "one of float|int", "", "", "float", FIXED, offsetof(SceneChannelForm, type), "kind of number"),
    R("channels.*.components", WHOLE, "whole number", "", "1..16", "1", FIXED, offsetof(SceneChannelForm, components), "numbers a particle"),
    // bodies
    R("bodies", HAND, "list", "", "", "(required without emitters)", FIXED, NOWHERE, "what is filled with particles at the start"),
    R("bodies[].name", TEXT, "text", "", "", "required", FIXED, BODY(name), "unlike any other body's"),
    R("bodies[].material", HAND, "text", "", "", "required", FIXED, NOWHERE, "one of the materials"),
    R("bodies[].state", CHOICE, "one of liquid|solid", "", "", "liquid", FIXED, BODY(state), "whether it flows or holds together at the start; a solid needs the close packing"),
    R("bodies[].shape", HAND, "shape", "", "", "required", FIXED, NOWHERE, "what to fill: any shape but a plane"),
    R("bodies[].spacing", NUMBER, "number", "m", "0..1e3", "0", FIXED, BODY(spacing), "particle size of this body; 0 takes the scene's"),
    R("bodies[].velocity", VECTOR, "vector", "m/s", SPEED, "[0, 0, 0]", PLACES, BODY(velocity), "at the start"),
    R("bodies[].spin", VECTOR, "vector", "rad/s", SPEED, "[0, 0, 0]", FIXED, BODY(spin), "turning about the shape's position at the start"),
    R("bodies[].packing", CHOICE, "one of close|cubic", "", "", "close", FIXED, BODY(packing), "how particles are laid out"),
    R("bodies[].jitter", NUMBER, "number", "", "0..0.5", "0", FIXED, BODY(jitter), "random offset of each particle in spacings"),
    R("bodies[].temperature", NUMBER, "number", "K", KELVINS, "(the air's)", FIXED, BODY(temperature), "at the start; 20 C for degrees Celsius; at its melting point it is as molten as its state says"),
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
    R("colliders[].adhesion", NUMBER, "number", "", "0..1", "0", MOVES, COLLIDER(adhesion), "how strongly liquids stick to it: 0 lets go, 0.5 holds drops on a ceiling"),
    R("colliders[].temperature", NUMBER, "number", "K", KELVINS, "(insulates)", MOVES, COLLIDER(temperature), "it stays as warm as that, whatever touches it; without it no heat passes"),
    R("colliders[].heat_transfer", NUMBER, "number", "W/(m^2 K)", "0..1e9", "0", FIXED, COLLIDER(heat_transfer), "how well heat passes its surface; 0 = perfect contact"),
    R("colliders[].frosts", SWITCH, "yes or no", "", "", "no", FIXED, COLLIDER(frosts), "cold matter freezes to it, and is held until it melts"),
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
    // emitters
    R("emitters", HAND, "list", "", "", "", FIXED, NOWHERE, "where particles come from while the scene runs"),
    R("emitters[].name", TEXT, "text", "", "", "required", FIXED, EMITTER(name), "unlike any other emitter's"),
    R("emitters[].material", HAND, "text", "", "", "required", FIXED, NOWHERE, "one of the materials"),
    R("emitters[].state", CHOICE, "one of liquid|solid", "", "", "liquid", FIXED, EMITTER(state), "emitters make liquids only"),
    R("emitters[].shape", HAND, "shape", "", "", "required", FIXED, NOWHERE, "an opening, disc or rectangle, through which a jet comes; or a volume that is filled, any shape but a plane"),
    R("emitters[].speed", NUMBER, "number", "m/s", "0..1e6", "(1; what the rate asks for, where that is given)", MOVES, EMITTER(speed), "through an opening, along its normal"),
    R("emitters[].rate", NUMBER, "number", "m^3/s", "0..1e9", "0", MOVES, EMITTER(rate), "how much comes, like 0.2 L/s; 0: all that the speed carries, and a volume is kept full; with speed given too, the jet is thinned out to the rate; in 2D of a metre of depth"),
    R("emitters[].velocity", VECTOR, "vector", "m/s", SPEED, "[0, 0, 0]", MOVES, EMITTER(velocity), "of what is born in a volume; added to the speed of an opening"),
    R("emitters[].temperature", NUMBER, "number", "K", KELVINS, "(the air's)", MOVES, EMITTER(temperature), "of what it makes"),
    R("emitters[].spacing", NUMBER, "number", "m", "0..1e3", "0", FIXED, EMITTER(spacing), "particle size of what it makes; 0 takes the scene's"),
    R("emitters[].jitter", NUMBER, "number", "", "0..0.5", "0", FIXED, EMITTER(jitter), "random offset of each particle in spacings, along each axis at most; moved apart so that nothing is denser than at rest"),
    R("emitters[].from", NUMBER, "number", "s", "0..1e6", "0", FIXED, EMITTER(from), "when it begins"),
    R("emitters[].to", NUMBER, "number", "s", "0..1e6", "(for ever)", FIXED, EMITTER(to), "when it ends"),
    R("emitters[].life", NUMBER, "number", "s", "0..1e6", "0", FIXED, EMITTER(life), "how long its particles live; 0 = for ever"),
    R("emitters[].most", COUNT, "whole number", "", "0..1e15", "0", FIXED, EMITTER(most), "how many of its particles live at once: beyond that the oldest are removed; 0 = any number"),
    R("emitters[].total", COUNT, "whole number", "", "0..1e15", "0", FIXED, EMITTER(total), "how many particles it makes in all; 0 = any number"),
    R("emitters[].channels", HAND, "map", "", "", "", FIXED, NOWHERE, "what its particles' channels begin with: a number, keys over time or an expression of t for each (a list where it has several)"),
    R("emitters[].motion", HAND, "list or map", "", "", "", FIXED, NOWHERE, "how it moves, written like a collider's motion, about its middle"),
    R("emitters[].visible", SWITCH, "yes or no", "", "", "no", FIXED, EMITTER(visible), "drawn in pictures, as edges"),
    // sinks
    R("sinks", HAND, "list", "", "", "", FIXED, NOWHERE, "where particles are removed"),
    R("sinks[].name", TEXT, "text", "", "", "required", FIXED, SINK(name), "unlike any other sink's"),
    R("sinks[].shape", HAND, "shape", "", "", "required", FIXED, NOWHERE, "what is inside goes; any shape, also a plane: all that is behind it"),
    R("sinks[].outside", SWITCH, "yes or no", "", "", "no", FIXED, SINK(outside), "removes what is outside the shape instead"),
    R("sinks[].material", HAND, "text", "", "", "(any)", FIXED, NOWHERE, "only particles of this material"),
    R("sinks[].from", NUMBER, "number", "s", "0..1e6", "0", FIXED, SINK(from), "when it begins"),
    R("sinks[].to", NUMBER, "number", "s", "0..1e6", "(for ever)", FIXED, SINK(to), "when it ends"),
    R("sinks[].visible", SWITCH, "yes or no", "", "", "no", FIXED, SINK(visible), "drawn in pictures, as edges; planes are not"),
    // forces
    R("forces", HAND, "list", "", "", "", FIXED, NOWHERE, "what pulls on matter besides gravity: each one of directional, point, vortex, wind and turbulence"),
    R("forces[].name", TEXT, "text", "", "", "required", FIXED, FORCE(name), "unlike any other force's"),
    R("forces[].directional", HAND, "map", "", "", "", FIXED, NOWHERE, "the same pull everywhere"),
    R("forces[].directional.strength", NUMBER, "number", "m/s^2", "-1e6..1e6", "1", MOVES, FORCE(strength), "along the direction"),
    R("forces[].directional.direction", VECTOR, "vector", "", POSITION, "required", MOVES, FORCE(direction), "of any length"),
    R("forces[].point", HAND, "map", "", "", "", FIXED, NOWHERE, "a pull towards a point"),
    R("forces[].point.position", VECTOR, "vector", "m", POSITION, "required", MOVES, FORCE(position), "the point"),
    R("forces[].point.strength", NUMBER, "number", "m/s^2", "-1e6..1e6", "1", MOVES, FORCE(strength), "towards the point; below 0 away from it"),
    R("forces[].point.radius", NUMBER, "number", "m", "0..1e9", "0", FIXED, FORCE(radius), "distance at which it has faded to nothing; 0 = no end"),
    R("forces[].point.falloff", NUMBER, "number", "", "0..4", "0", FIXED, FORCE(falloff), "strength x (core / distance)^falloff beyond the core: 2 like gravity, 0 the same everywhere"),
    R("forces[].point.core", NUMBER, "number", "m", "0..1e9", "0", FIXED, FORCE(core), "distance within which it goes to nothing towards the point; 0 = one spacing"),
    R("forces[].vortex", HAND, "map", "", "", "", FIXED, NOWHERE, "a pull round an axis, by the right hand"),
    R("forces[].vortex.position", VECTOR, "vector", "m", POSITION, "required", MOVES, FORCE(position), "a point of the axis"),
    R("forces[].vortex.axis", VECTOR, "vector", "", POSITION, "[0, 0, 1]", MOVES, FORCE(direction), "its direction"),
    R("forces[].vortex.strength", NUMBER, "number", "m/s^2", "-1e6..1e6", "1", MOVES, FORCE(strength), "round the axis; below 0 the other way"),
    R("forces[].vortex.inflow", NUMBER, "number", "", "-100..100", "0", FIXED, FORCE(inflow), "what share of the strength pulls towards the axis"),
    R("forces[].vortex.radius", NUMBER, "number", "m", "0..1e9", "0", FIXED, FORCE(radius), "distance from the axis at which it has faded to nothing; 0 = no end"),
    R("forces[].vortex.falloff", NUMBER, "number", "", "0..4", "0", FIXED, FORCE(falloff), "strength x (core / distance)^falloff beyond the core"),
    R("forces[].vortex.core", NUMBER, "number", "m", "0..1e9", "0", FIXED, FORCE(core), "distance within which it goes to nothing towards the axis; 0 = one spacing"),
    R("forces[].wind", HAND, "map", "", "", "", FIXED, NOWHERE, "moving air, which takes matter along"),
    R("forces[].wind.strength", NUMBER, "number", "m/s", "-1e6..1e6", "1", MOVES, FORCE(strength), "speed of the air"),
    R("forces[].wind.direction", VECTOR, "vector", "", POSITION, "required", MOVES, FORCE(direction), "where it blows to, of any length"),
    R("forces[].wind.drag", NUMBER, "number", "1/s", "0..1e6", "1", MOVES, FORCE(drag), "how fast matter takes the air's velocity; inside of matter a tenth"),
    R("forces[].turbulence", HAND, "map", "", "", "", FIXED, NOWHERE, "random eddies"),
    R("forces[].turbulence.strength", NUMBER, "number", "m/s^2", "0..1e6", "1", MOVES, FORCE(strength), "root mean square"),
    R("forces[].turbulence.size", NUMBER, "number", "m", "0..1e9", "0", FIXED, FORCE(size), "of its largest eddies; 0 = ten spacings"),
    R("forces[].turbulence.change", NUMBER, "number", "1/s", "0..1e6", "1", FIXED, FORCE(change), "how fast they change"),
    R("forces[].turbulence.seed", SEED, "whole number", "", ">= 0", "1", FIXED, FORCE(seed), "of its random numbers"),
    R("forces[].region", HAND, "shape", "", "", "(everywhere)", FIXED, NOWHERE, "where it acts: inside this shape only; any shape but a mesh"),
    R("forces[].material", HAND, "text", "", "", "(any)", FIXED, NOWHERE, "only on particles of this material"),
    R("forces[].from", NUMBER, "number", "s", "0..1e6", "0", FIXED, FORCE(from), "when it begins"),
    R("forces[].to", NUMBER, "number", "s", "0..1e6", "(for ever)", FIXED, FORCE(to), "when it ends"),
    R("forces[].ramp", NUMBER, "number", "s", "0..1e6", "0", FIXED, FORCE(ramp), "time over which it grows from nothing at the beginning, and fades before the end"),
    // heat sources
    R("heat_sources", HAND, "list", "", "", "", FIXED, NOWHERE, "what warms matter or cools it, by a power or at a temperature"),
    R("heat_sources[].name", TEXT, "text", "", "", "required", FIXED, HEAT_SOURCE(name), "unlike any other heat source's"),
    R("heat_sources[].shape", HAND, "shape", "", "", "(everywhere)", FIXED, NOWHERE, "what is inside is heated, at each moment: any shape"),
    R("heat_sources[].motion", HAND, "list or map", "", "", "", FIXED, NOWHERE, "how the shape moves, written like a collider's motion, about its position; it is told four times a frame"),
    R("heat_sources[].material", HAND, "text", "", "", "(any)", FIXED, NOWHERE, "only particles of this material"),
    R("heat_sources[].body", HAND, "text", "", "", "(any)", FIXED, NOWHERE, "only particles of this body"),
    R("heat_sources[].power", NUMBER, "number", "W", "-1e15..1e15", "0", MOVES, HEAT_SOURCE(power), "heat that it gives, shared by mass; below 0 it cools"),
    R("heat_sources[].temperature", NUMBER, "number", "K", KELVINS, "", MOVES, HEAT_SOURCE(temperature), "instead of power: holds what is inside at this"),
    R("heat_sources[].from", NUMBER, "number", "s", "0..1e6", "0", FIXED, HEAT_SOURCE(from), "when it begins"),
    R("heat_sources[].to", NUMBER, "number", "s", "0..1e6", "(for ever)", FIXED, HEAT_SOURCE(to), "when it ends"),
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
    R("shape.plane.normal", VECTOR, "vector", "", POSITION, "([0, 0, 1]; up in 2D)", FIXED, FORM(normal), "direction out of the solid side"),
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
    R("shape.mesh.paint.adhesion", MAP, "map", "", "", "", FIXED, NOWHERE, "how strongly liquids stick over the surface, in place of the collider's"),
    R("shape.mesh.paint.adhesion.image", TEXT, "text", "", "", "", FIXED, FORM(mesh.paint[THAW_PAINT_ADHESION].image), "a PNG file, laid on by texture coordinates"),
    R("shape.mesh.paint.adhesion.low", NUMBER, "number", "", "0..1", "0", FIXED, FORM(mesh.paint[THAW_PAINT_ADHESION].low), "where the image is black"),
    R("shape.mesh.paint.adhesion.high", NUMBER, "number", "", "0..1", "1", FIXED, FORM(mesh.paint[THAW_PAINT_ADHESION].high), "where the image is white"),
    R("shape.mesh.paint.temperature", MAP, "map", "", "", "", FIXED, NOWHERE, "the surface's temperature, felt where heat is on (heat: {on: true} switches it on)"),
    R("shape.mesh.paint.temperature.image", TEXT, "text", "", "", "", FIXED, FORM(mesh.paint[THAW_PAINT_TEMPERATURE].image), "a PNG file, laid on by texture coordinates"),
    R("shape.mesh.paint.temperature.low", NUMBER, "number", "K", "0..1e6", "0", FIXED, FORM(mesh.paint[THAW_PAINT_TEMPERATURE].low), "where the image is black"),
    R("shape.mesh.paint.temperature.high", NUMBER, "number", "K", "0..1e6", "1", FIXED, FORM(mesh.paint[THAW_PAINT_TEMPERATURE].high), "where the image is white"),
    R("shape.mesh.contents", TEXT, "text", "", "", "", FIXED, FORM(mesh.contents), "what the files must hold, as resolved scenes say it"),
    R("shape.disc", HAND, "map", "", "", "", FIXED, NOWHERE, "a round opening, for emitters; in 2D a line of twice the radius; its position is the middle"),
    R("shape.disc.center", VECTOR, "vector", "m", POSITION, "required", FIXED, FORM(center), "middle"),
    R("shape.disc.normal", VECTOR, "vector", "", POSITION, "(required)", FIXED, FORM(normal), "where matter leaves to"),
    R("shape.disc.radius", NUMBER, "number", "m", "> 0", "required", FIXED, FORM(radius), "radius"),
    R("shape.disc.orientation", QUAT, "unit quaternion", "", "-1..1", "", FIXED, FORM(orientation), "instead of normal, [x, y, z, w]: matter leaves along the turned z, in 2D the turned y"),
    R("shape.rectangle", HAND, "map", "", "", "", FIXED, NOWHERE, "an opening with four corners, for emitters; in 2D a line; its position is the middle"),
    R("shape.rectangle.center", VECTOR, "vector", "m", POSITION, "required", FIXED, FORM(center), "middle"),
    R("shape.rectangle.normal", VECTOR, "vector", "", POSITION, "(required)", FIXED, FORM(normal), "where matter leaves to"),
    R("shape.rectangle.size", HAND, "pair", "m", "> 0", "required", FIXED, FORM(opening), "width and height; in 2D one number, the width"),
    R("shape.rectangle.up", VECTOR, "vector", "", POSITION, "(the scene's up)", FIXED, FORM(up), "direction of its height, as far as the normal leaves it free"),
    R("shape.rectangle.turn", NUMBER, "number", "rad", "-6.3..6.3", "0", FIXED, FORM(turn), "how far it is turned about its normal besides; write 20 deg for degrees"),
    R("shape.rectangle.orientation", QUAT, "unit quaternion", "", "-1..1", "", FIXED, FORM(orientation), "instead of normal, up and turn, [x, y, z, w]"),
    R("rotate.axis", VECTOR, "vector", "", POSITION, "required", FIXED, offsetof(SceneTurn, axis), "what to turn about"),
    R("rotate.angle", NUMBER, "number", "rad", "-6.3..6.3", "required", FIXED, offsetof(SceneTurn, angle), "how far, by the right hand: counter-clockwise when the axis points at you; write 20 deg for degrees"),
    // solver
    R("solver", MAP, "map", "", "", "", FIXED, NOWHERE, "how a step is solved; the defaults suit nearly always"),
    R("solver.substeps", AUTO, "auto or whole number", "", "1..1000", "auto", FIXED, SCENE(world.solver.substeps), "pieces that a frame is cut into; where something changes over time, four or a multiple of it"),
    R("solver.max_substeps", WHOLE, "whole number", "", "1..1000", "64", FIXED, SCENE(world.solver.max_substeps), "the most that auto chooses for a frame, or for a quarter of it where something changes over time"),
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
    R("camera.color", TEXT, "text", "", "", "speed", FIXED, SCENE(camera.color), "what colours show: speed, none, a channel, or a field: material, state, object, velocity, position, spacing, density_error, id; of solids strain, green_strain, stress, von_mises, plastic_strain, bonds; with heat temperature (K), celsius, molten, enthalpy"),
    R("camera.low", NUMBER, "number", "", "", "0", FIXED, SCENE(camera.low), "value of the first colour; low = high: from the data"),
    R("camera.high", NUMBER, "number", "", "", "0", FIXED, SCENE(camera.high), "value of the last colour"),
    R("camera.map", TEXT, "text", "", "", "(ocean; heat for temperature)", FIXED, SCENE(camera.map), "colour map: ocean, viridis, heat, gray or balance"),
    // output
    R("output", MAP, "map", "", "", "", FIXED, NOWHERE, "what a run writes"),
    R("output.channels", HAND, "list", "", "", "(velocity, material, object, state, density_error and all channels)", FIXED, NOWHERE, "fields and channels in each frame, besides id and position, and temperature where heat is on"),
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

bool scene_row_is_difference(const SceneRow *row) {
    return strcmp(row->key.path, "materials.*.thermal.melting_range") == 0 ||
           strcmp(row->key.path, "materials.*.thermal.nucleation_below") == 0;
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

// ---------------------------------------------------------------- what is to come, and what is gone

typedef struct Absent {
    const char *scope, *key, *sentence;
} Absent;

static const Absent absent[] = {
    {"materials.*.liquid", "two_sided",
     "gone: give 'surface_tension' instead, 0 to 1, which says how strongly matter holds together"},
};

const char *scene_key_absence(const char *scope, const char *key) {
    for (size_t k = 0; k < sizeof absent / sizeof *absent; k++) {
        if (strcmp(absent[k].scope, scope) == 0 && strcmp(absent[k].key, key) == 0) {
            return absent[k].sentence;
        }
    }
    return NULL;
}
