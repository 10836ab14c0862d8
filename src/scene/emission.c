// Emission before the first frame: how much emitters will make, and how much of it lives at once.
//
// The run is cut into equal pieces of time. What is born in each follows from rates and openings; what an
// emitter's `life` and `most` take away follows from that. Sinks are not foreseen: figures are upper bounds
// where there are any.
#include "scene/number.h"
#include "scene/preflight.h"

#include "base/result.h"
#include "geometry/distance.h"
#include "math/vec.h"
#include "scene/sources.h"

#include <math.h>
#include <stdlib.h>

#define PI 3.14159265358979323846
#define PIECES 1024 // of the run

// ---------------------------------------------------------------- one emitter

double scene_emitter_spacing(const ThawScene *scene, const ThawSceneEmitter *emitter) {
    return emitter->spacing > 0 ? (double)(float)emitter->spacing : scene->world.spacing;
}

double scene_opening_area(const ThawSceneEmitter *emitter, int dimensions) {
    if (emitter->kind == THAW_EMITTER_DISC) {
        return dimensions == 3 ? PI * emitter->radius * emitter->radius : 2 * emitter->radius;
    }
    return dimensions == 3 ? emitter->size[0] * emitter->size[1] : emitter->size[0];
}

// m/s through an opening: as given, or as the rate asks for
static double jet_speed(const ThawEmitterDef *def, double area) {
    return def->speed > 0 || !(area > 0) ? def->speed : def->rate / area;
}

double scene_emitter_speed(const ThawScene *scene, const ThawSceneEmitter *emitter, double t) {
    int dimensions = scene->world.dimensions;
    ThawEmitterDef def = thaw_scene_emitter_at(emitter, t);
    ThawVec3 velocity = def.velocity;
    if (emitter->kind != THAW_EMITTER_VOLUME) {
        ThawVec3 out = dimensions == 2 ? thaw_vec(0, 1, 0) : thaw_vec(0, 0, 1);
        double speed = jet_speed(&def, scene_opening_area(emitter, dimensions));
        velocity = thaw_add(velocity, thaw_scale(thaw_quat_rotate(def.pose.rotation, out), speed));
    }
    return thaw_length(velocity);
}

// m³/s (2D: m²/s) at time t
static double flow_at(const ThawScene *scene, const ThawSceneEmitter *emitter, double t) {
    int dimensions = scene->world.dimensions;
    ThawEmitterDef def = thaw_scene_emitter_at(emitter, t);
    if (emitter->kind == THAW_EMITTER_VOLUME) {
        if (def.rate > 0) return def.rate;
        // kept full: as much comes as flows away, by its own velocity and by falling
        double volume = thaw_shape_volume(&def.shape, dimensions);
        double side = pow(volume, 1.0 / dimensions);
        ThawMoment moment = {.t = t};
        double g = thaw_length(thaw_number3_at(&scene->gravity, &moment));
        return volume / side * (thaw_length(def.velocity) + sqrt(g * side / 2));
    }
    double area = scene_opening_area(emitter, dimensions);
    double all = area * jet_speed(&def, area);
    return def.rate > 0 ? fmin(def.rate, all) : all;
}

// how long it is at work between two times
static double time_at_work(const ThawSceneEmitter *emitter, double begin, double end) {
    return fmax(0, fmin(end, emitter->to) - fmax(begin, emitter->from));
}

// ---------------------------------------------------------------- over the run

// particles born by the end of each piece
static void count_births(const SceneFlight *flight, const ThawSceneEmitter *emitter,
                         double born[PIECES + 1]) {
    const ThawScene *scene = flight->scene;
    int dimensions = scene->world.dimensions;
    double each = pow(scene_emitter_spacing(scene, emitter), dimensions);
    double duration = scene_duration(scene), step = duration / PIECES, sum = 0;
    bool full = emitter->kind == THAW_EMITTER_VOLUME && scene_number_is_zero(&emitter->rate);
    double most = emitter->total > 0 ? (double)emitter->total : INFINITY;
    born[0] = 0;
    for (int k = 0; k < PIECES; k++) {
        double begin = k * step, work = time_at_work(emitter, begin, begin + step);
        if (work > 0 && full) {
            sum += thaw_shape_volume(&emitter->shape, dimensions) / each;
            full = false;
        }
        if (work > 0) sum += flow_at(scene, emitter, begin + 0.5 * step) * work / each;
        sum = fmin(sum, most);
        born[k + 1] = sum;
    }
}

// what lives of it at the end of piece k − 1
static double count_living(const ThawSceneEmitter *emitter, const double born[PIECES + 1], int k,
                           double step) {
    double living = born[k];
    if (emitter->life > 0 && step > 0) {
        double before = k - emitter->life / step;
        int whole = before > 0 ? (int)before : 0;
        if (before > 0) {
            living -= born[whole] + (before - whole) * (born[whole + 1] - born[whole]);
        }
    }
    return emitter->most > 0 ? fmin(living, (double)emitter->most) : living;
}

static void forecast(const SceneFlight *flight, const ThawSceneEmitter *emitter,
                     const double born[PIECES + 1], ThawEmitterForecast *found) {
    const ThawScene *scene = flight->scene;
    double step = scene_duration(scene) / PIECES;
    double each = pow(scene_emitter_spacing(scene, emitter), scene->world.dimensions);
    found->born = born[PIECES];
    for (int k = 1; k <= PIECES; k++) {
        found->peak = fmax(found->peak, count_living(emitter, born, k, step));
        if (!(born[k] > born[k - 1])) continue;
        found->rate = fmax(found->rate, flow_at(scene, emitter, (k - 0.5) * step) / each);
    }
}

// adds what an emitter keeps alive to the sums of all, and of its volume
static void add_living(const SceneFlight *flight, const ThawSceneEmitter *emitter,
                       const double born[PIECES + 1], double (*living)[2]) {
    const ThawScene *scene = flight->scene;
    double each = pow(scene_emitter_spacing(scene, emitter), scene->world.dimensions);
    double step = scene_duration(scene) / PIECES;
    for (int k = 0; k <= PIECES; k++) {
        double count = count_living(emitter, born, k, step);
        living[k][0] += count;
        living[k][1] += count * each;
    }
}

static void widen_to_emitters(SceneFlight *flight) {
    for (int k = 0; k < flight->scene->emitter_count; k++) {
        const ThawSceneEmitter *emitter = &flight->scene->emitters[k];
        bool volume = emitter->kind == THAW_EMITTER_VOLUME;
        ThawVec3 p = volume ? emitter->shape.pose.position : emitter->pose.position;
        ThawVec3 *low = &flight->preflight->lower, *high = &flight->preflight->upper;
        *low = thaw_vec(fmin(low->x, p.x), fmin(low->y, p.y), fmin(low->z, p.z));
        *high = thaw_vec(fmax(high->x, p.x), fmax(high->y, p.y), fmax(high->z, p.z));
    }
}

ThawResult scene_forecast_emission(SceneFlight *flight) {
    const ThawScene *scene = flight->scene;
    ThawPreflight *preflight = flight->preflight;
    size_t count = (size_t)scene->emitter_count + 1, bytes = (PIECES + 1) * 3 * sizeof(double);
    preflight->emitters = calloc(count, sizeof *preflight->emitters);
    double *born = calloc(PIECES + 1, sizeof *born);
    double(*living)[2] = calloc(PIECES + 1, sizeof *living);
    bool room = preflight->emitters != NULL && born != NULL && living != NULL;
    for (int k = 0; k < scene->emitter_count && room; k++) {
        const ThawSceneEmitter *emitter = &scene->emitters[k];
        count_births(flight, emitter, born);
        forecast(flight, emitter, born, &preflight->emitters[k]);
        add_living(flight, emitter, born, living);
        preflight->born += preflight->emitters[k].born;
    }
    for (int k = 0; k <= PIECES && room; k++) {
        flight->peak = fmax(flight->peak, living[k][0]);
        flight->mean += living[k][0] / (PIECES + 1);
        flight->volume = fmax(flight->volume, living[k][1]);
    }
    if (room) widen_to_emitters(flight);
    free(born);
    free(living);
    return room ? THAW_OK : thaw_fail_memory(bytes);
}
