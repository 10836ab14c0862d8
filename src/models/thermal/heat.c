// Conduction: a heat step, from enthalpies at its beginning to enthalpies at its end.
//
// Between particles i and j flows 2 k V_i V_j F(r) (T_j − T_i), F = −W'/r (Brookshaw 1985, Cleary and Monaghan 1999),
// with k the harmonic mean and F scaled so that it is right on the close packing. Up to the explicit limit that is one
// pass over the pairs; beyond it super time steps (legendre.h). Every stage is made of flows that cancel in pairs, so
// that no heat is made or lost; temperatures follow each stage's enthalpies.
#include "models/thermal/heat.h"
#include "models/thermal/legendre.h"

#include "base/memory.h"
#include "base/result.h"
#include "math/lattice.h"

#include <math.h>
#include <string.h>

// conductances of the close packing, of those that settled liquids have at most; for the choice of heat steps alone
#define CROWDED 1.2
#define NEIGHBORS 64
#define PI 3.14159265358979323846
// a step that is less of the explicit limit by a rough bound is not measured
#define SURE 0.1
// the rough bound's: faces of walls at one particle, and what of V/h is free to the air, at the most
#define MOST_FACES 8
#define MOST_OPEN 100
// log2 of the finest count of flows: warmths less than 1e-12 K apart are taken to be equal
#define MOST_COUNTS 64
// spacings: waves so long are right; much longer ones are 0.3 % too fast, those of 20 as much too slow
#define WAVE 28.0

struct ThawConduction {
    int dimensions; // that the numbers below are for; 0: none yet
    double rest;    // Σ V F r² / dimensions on the close packing, F with the moment's norm
    double row;     // Σ V F d² / rest on it: what k / (ρ c d²) is multiplied by for the limit
    float *warmth, *conductivity, *rate, *surround, *open;
    double *flow, *sums, *heated;
    struct Course *courses, *accounts; // one a row; of all rows, and one a source
    ThawHeatGrain *grains;
    ThawHeatSums *flow_sums;
    ThawOutside *outside;
    size_t warmth_bytes, conductivity_bytes, rate_bytes, surround_bytes, open_bytes, flow_bytes,
        sums_bytes, heated_bytes, courses_bytes, accounts_bytes, grains_bytes, flow_sums_bytes,
        outside_bytes;
};
typedef struct ThawConduction Conduction;

ThawResult thaw_conduction_create(Conduction **conduction) {
    *conduction = thaw_alloc(sizeof **conduction);
    if (*conduction == NULL) return thaw_fail_memory(sizeof **conduction);
    **conduction = (Conduction){0};
    return THAW_OK;
}

void thaw_conduction_destroy(Conduction *conduction) {
    if (conduction == NULL) return;
    thaw_free(conduction->warmth);
    thaw_free(conduction->conductivity);
    thaw_free(conduction->rate);
    thaw_free(conduction->surround);
    thaw_free(conduction->open);
    thaw_free(conduction->flow);
    thaw_free(conduction->courses);
    thaw_free(conduction->sums);
    thaw_free(conduction->heated);
    thaw_free(conduction->accounts);
    thaw_free(conduction->grains);
    thaw_free(conduction->flow_sums);
    thaw_free(conduction->outside);
    thaw_free(conduction);
}

// ---------------------------------------------------------------- the lattice's own numbers

static double slope_at(double q) {
    double t = 1 - q * q;
    return t * t * t * (1 + 2 * t);
}

static void measure_lattice(Conduction *conduction, int dimensions) {
    if (conduction->dimensions == dimensions) return;
    double offsets[NEIGHBORS][3], h = THAW_HEAT_SUPPORT, moment = 0, row = 0, wave = 2 * PI / WAVE;
    uint32_t count =
        thaw_lattice_neighbors(THAW_PACKING_CLOSE, dimensions, 1.0, h, offsets, NEIGHBORS);
    double norm = 1 / (thaw_heat_moment(dimensions) * pow(h, dimensions + 2));
    for (uint32_t k = 0; k < count; k++) {
        double r2 = 0;
        for (int a = 0; a < 3; a++) r2 += offsets[k][a] * offsets[k][a];
        double f = norm * slope_at(sqrt(r2) / h);
        moment +=
            f * (r2 / dimensions - (dimensions == 3 ? 1.0 / 60 : 1.0 / 32) * wave * wave * r2 * r2);
        row += f;
    }
    conduction->dimensions = dimensions;
    conduction->rest = moment;
    conduction->row = 2 * row / moment;
}

double thaw_conduction_limit(const ThawThermal *thermal, const ThawStep *step) {
    double fastest = 0, d = (double)step->least_spacing;
    for (uint32_t k = 0; k < step->material_count; k++) {
        const ThawEnthalpyCurve *curve = &thermal->curves[k];
        double capacity = (double)step->materials[k].density * fmin(curve->cold, curve->warm);
        fastest = fmax(fastest, fmax(curve->conductivity, curve->flowing) / capacity);
    }
    measure_lattice(thermal->conduction, step->domain->dimensions);
    return d * d / (CROWDED * thermal->conduction->row * fastest);
}

// ---------------------------------------------------------------- memory

static bool room(void **block, size_t *capacity, size_t rows, size_t size) {
    return thaw_scratch(block, capacity, (rows + THAW_STORE_PAD) * size);
}

#define ROOM(member, rows) room((void **)&c->member, &c->member##_bytes, rows, sizeof *c->member)

// what outside and the air need comes into being with them
static ThawResult reserve(Conduction *c, const ThawStep *step, bool exchanges) {
    uint32_t clusters;
    thaw_neighbors_clusters(step->neighbors, &clusters);
    size_t rows = step->store->count, chunks = thaw_chunk_count(clusters, THAW_HEAT_CHUNK);
    size_t sources = step->source_count,
           row_chunks = thaw_chunk_count(step->store->count, THAW_HEAT_ROWS);
    // the number of clusters changes as matter moves: room for some more
    size_t sums = chunks * sizeof *c->flow_sums;
    bool made = ROOM(warmth, rows) && ROOM(conductivity, rows) && ROOM(rate, rows) &&
                ROOM(flow, rows) && ROOM(grains, rows) && ROOM(sums, row_chunks * (5 + sources)) &&
                thaw_scratch_room((void **)&c->flow_sums, &c->flow_sums_bytes, sums,
                                  sums + sums / 4 + 16 * sizeof *c->flow_sums);
    if (made && exchanges)
        made = ROOM(outside, rows) && ROOM(surround, 4 * (rows + THAW_STORE_PAD)) &&
               ROOM(open, rows) && ROOM(heated, row_chunks);
    return made ? THAW_OK : thaw_fail_memory(rows * sizeof(ThawOutside));
}

// ---------------------------------------------------------------- rows

typedef struct Rows {
    ThawHeatStep heat;
    Conduction *conduction;
    ThawOutside *outside; // NULL: particles are by themselves
    double unit;          // W/K of a unit of flow
    double leak;          // of each flow's amount: what all of them make of nothing
    ThawLegendreStage stage;
    double least, most;      // W/(m K), of all rows
    double coldest, hottest; // warmths
    bool staged;             // in parts of several stages
    bool flowing;            // flows are known
    bool first;              // of a part's
} Rows;

static void run_rows(const Rows *rows, ThawTask *task) {
    const ThawStep *step = rows->heat.step;
    thaw_parallel_run(step->parallel, task, (void *)rows,
                      thaw_chunk_count(step->store->count, THAW_HEAT_ROWS));
}

static ThawRange rows_of(const Rows *rows, uint32_t chunk) {
    return thaw_chunk_range(chunk, rows->heat.step->store->count, THAW_HEAT_ROWS);
}

// sums of a stage: W from outside, and from each source that holds
#define SUMS(rows) (1 + (rows)->heat.step->source_count)

// a chunk's own: those, what warmths span, and two more of the first loop
static double *sums_of(const Rows *rows, uint32_t chunk) {
    return &rows->conduction->sums[(size_t)chunk * (SUMS(rows) + 4)];
}

static const ThawEnthalpyCurve *curve_of(const Rows *rows, uint32_t row) {
    return &rows->heat.thermal->curves[rows->heat.step->store->material[row]];
}

static inline void set_warmth(const Rows *rows, uint32_t row, const ThawEnthalpyCurve *curve,
                              double heat) {
    double temperature = thaw_curve_temperature(curve, heat);
    rows->heat.state.temperature[row] = (float)temperature;
    rows->conduction->warmth[row] = (float)(temperature - rows->heat.reference);
}

static void set_grain(const Rows *rows, uint32_t row) {
    const ThawDomain *domain = rows->heat.step->domain;
    double d = thaw_heat_size(&rows->heat, row) / domain->cell;
    double volume = domain->dimensions == 3 ? d * d * d : d * d;
    rows->conduction->grains[row] = (ThawHeatGrain){(float)(THAW_HEAT_SUPPORT * d), (float)volume,
                                                    rows->conduction->conductivity[row]};
}

// nothing outside, no wall beside
static void clear_surroundings(const Rows *rows, ThawRange range) {
    size_t count = range.end - range.begin;
    memset(&rows->outside[range.begin], 0, count * sizeof *rows->outside);
    memset(&rows->conduction->surround[4 * (size_t)range.begin], 0, 4 * count * sizeof(float));
}

// what a chunk's numbers span
static void find_span(const Rows *rows, const float *numbers, ThawRange range, double span[2]) {
    float lowest, highest;
    THAW_WIDE_PICK(rows->heat.step->isa, thaw_heat_span)
    (numbers + range.begin, range.end - range.begin, &lowest, &highest);
    span[0] = (double)lowest, span[1] = (double)highest;
}

// what warmths span follows a chunk's sums
static void span_chunk(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    const Rows *rows = context;
    double *sums = sums_of(rows, chunk) + SUMS(rows);
    find_span(rows, rows->conduction->warmth, rows_of(rows, chunk), sums);
}

// conductivities stay as they are during the heat step; what they span follows that of warmths
static void begin_chunk(void *context, uint32_t chunk, uint32_t worker) {
    const Rows rows = *(const Rows *)context;
    const double *heat = rows.heat.state.heat;
    float *conductivity = rows.conduction->conductivity;
    ThawRange range = rows_of(&rows, chunk);
    for (uint32_t row = range.begin; row < range.end; row++) {
        const ThawEnthalpyCurve *curve = curve_of(&rows, row);
        double molten = thaw_curve_molten(curve, heat[row]);
        conductivity[row] = (float)thaw_curve_conductivity(curve, molten);
        set_warmth(&rows, row, curve, heat[row]);
        if (rows.heat.sizes) set_grain(&rows, row);
    }
    if (rows.outside != NULL) clear_surroundings(&rows, range);
    span_chunk(context, chunk, worker);
    find_span(&rows, conductivity, range, sums_of(&rows, chunk) + SUMS(&rows) + 2);
}

// what chunks found, together
static void survey_conductivities(Rows *rows) {
    rows->least = INFINITY;
    rows->most = 0;
    for (uint32_t k = 0; k < thaw_chunk_count(rows->heat.step->store->count, THAW_HEAT_ROWS); k++) {
        const double *sums = sums_of(rows, k) + SUMS(rows);
        rows->least = fmin(rows->least, sums[2]);
        rows->most = fmax(rows->most, sums[3]);
    }
}

static void survey_warmths(Rows *rows) {
    rows->coldest = INFINITY;
    rows->hottest = -INFINITY;
    for (uint32_t k = 0; k < thaw_chunk_count(rows->heat.step->store->count, THAW_HEAT_ROWS); k++) {
        const double *sums = sums_of(rows, k) + SUMS(rows);
        rows->coldest = fmin(rows->coldest, sums[0]);
        rows->hottest = fmax(rows->hottest, sums[1]);
    }
}

// once more, when rows that are held have come to their temperature
static void warm_chunk(void *context, uint32_t chunk, uint32_t worker) {
    const Rows *rows = context;
    const double *heat = rows->heat.state.heat;
    ThawRange range = rows_of(rows, chunk);
    for (uint32_t row = range.begin; row < range.end; row++) {
        set_warmth(rows, row, curve_of(rows, row), heat[row]);
    }
    span_chunk(context, chunk, worker);
}

// rows that vector code may read beyond the last
static void pad_rows(Conduction *c, uint32_t count) {
    for (uint32_t row = count; row < count + THAW_STORE_PAD; row++) {
        c->warmth[row] = 0;
        c->conductivity[row] = c->conductivity[0];
        c->grains[row] = c->grains[0];
    }
}

// ---------------------------------------------------------------- flows

typedef struct FlowTask {
    const ThawHeatPass *pass;
    void (*run)(const ThawHeatPass *pass, uint32_t chunk);
} FlowTask;

static void flow_chunk(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    const FlowTask *task = context;
    task->run(task->pass, chunk);
}

// Flows into all rows as warm as they are now. Lists are of moments ago: a pair at the edge of the support may be seen
// from one side alone. What that makes of nothing is measured, and taken back from all by what each exchanges.
static void find_flows(Rows *rows, ThawHeatPass *pass) {
    const ThawStep *step = rows->heat.step;
    thaw_heat_pass_count(pass, rows->coldest, rows->hottest);
    FlowTask task = {pass, THAW_WIDE_PICK(step->isa, thaw_heat_flow)};
    uint32_t chunks = thaw_chunk_count(pass->cluster_count, THAW_HEAT_CHUNK);
    thaw_parallel_run(step->parallel, flow_chunk, &task, chunks);
    double net = 0, all = 0;
    for (uint32_t k = 0; k < chunks; k++) {
        net += pass->sums[k].net;
        all += pass->sums[k].all;
    }
    rows->leak = all > 0 ? net / all : 0;
    step->report->heat_stages++;
}

void thaw_heat_pass_begin(ThawHeatPass *pass, const ThawDomain *domain, ThawNeighbors *neighbors,
                          const ThawPlace *place) {
    pass->dimensions = domain->dimensions;
    pass->clusters = thaw_neighbors_clusters(neighbors, &pass->cluster_count);
    pass->segments = thaw_neighbors_segments(neighbors);
    pass->place = place;
    for (int a = 0; a < 3; a++) {
        int64_t length = domain->periodic[a] ? domain->length[a] : 0;
        pass->behind[a] = thaw_place_from(-length);
        pass->mirrored[a] = thaw_place_sub(0, thaw_place_from(length));
    }
}

void thaw_heat_pass_count(ThawHeatPass *pass, double coldest, double hottest) {
    int exponent = 0;
    if (pass->grains == NULL && pass->conductivity == NULL) {
        double largest = (double)THAW_HEAT_SELF * THAW_HEAT_RUN * (hottest - coldest);
        // a bit less than the 31 that there are, for rounding; so far as floats go
        frexp(largest, &exponent);
        exponent = 30 - exponent < MOST_COUNTS ? 30 - exponent : MOST_COUNTS;
    }
    pass->counts = (float)ldexp(1, exponent);
    pass->piece = (float)ldexp(1, -exponent);
}

// the pass over pairs that are as unlike as they are, and what its flows are in
static ThawHeatPass make_pass(Rows *rows) {
    const ThawStep *step = rows->heat.step;
    Conduction *c = rows->conduction;
    ThawHeatPass pass = {.warmth = c->warmth, .flow = c->flow, .sums = c->flow_sums};
    thaw_heat_pass_begin(&pass, step->domain, step->neighbors, step->work->place);
    double norm = 4 / (thaw_heat_moment(pass.dimensions) * c->rest);
    double h = THAW_HEAT_SUPPORT * (double)step->store->spacing[0];
    double volume = thaw_heat_volume(&rows->heat, 0);
    pass.surround_scale = (float)(1 / thaw_heat_moment(pass.dimensions));
    if (rows->heat.sizes) {
        pass.grains = c->grains;
        pass.conductivity = c->conductivity;
        rows->unit = norm * pow(step->domain->cell, pass.dimensions - 2);
    } else {
        rows->unit = norm * volume * volume / pow(h, pass.dimensions + 2);
        pass.surround_scale *= (float)(volume / pow(h, pass.dimensions));
        if (rows->least < rows->most)
            pass.conductivity = c->conductivity;
        else
            rows->unit *= 0.5 * rows->most;
    }
    return pass;
}

// ---------------------------------------------------------------- how fast

// how fast the fastest row of a chunk follows, 1/s
static void rate_chunk(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    const Rows *rows = context;
    const ThawStep *step = rows->heat.step;
    const Conduction *c = rows->conduction;
    ThawRange range = rows_of(rows, chunk);
    double fastest = 0;
    for (uint32_t row = range.begin; row < range.end; row++) {
        const ThawEnthalpyCurve *curve = curve_of(rows, row);
        double rate = (double)c->rate[row] * rows->unit;
        const ThawOutside *outside = rows->outside != NULL ? &rows->outside[row] : NULL;
        if (outside != NULL) {
            if (outside->holder != 0) continue;
            rate += thaw_exchange_rate(&rows->heat, outside, row, (double)c->warmth[row]);
        }
        double least = curve->cold < curve->warm ? curve->cold : curve->warm;
        double own = rate / (thaw_heat_mass(step, row) * least);
        fastest = own > fastest ? own : fastest;
    }
    sums_of(rows, chunk)[0] = fastest;
}

// What no row is faster than, 1/s, roughly: all that a row may be beside it has at its nearest.
static double fastest_possible(const Rows *rows) {
    const ThawStep *step = rows->heat.step;
    double d = (double)step->least_spacing, fastest = 0;
    double air = MOST_OPEN * thaw_exchange_slope(&rows->heat, rows->hottest) / d;
    double wall =
        thaw_heat_face(step->domain->dimensions, 0) / (THAW_HEAT_SUPPORT * THAW_HEAT_NEAREST);
    double pairs = 2 * CROWDED * rows->conduction->row + MOST_FACES * wall;
    for (uint32_t k = 0; k < step->material_count; k++) {
        const ThawEnthalpyCurve *curve = &rows->heat.thermal->curves[k];
        double capacity = (double)step->materials[k].density * fmin(curve->cold, curve->warm);
        double conductivity = fmax(curve->conductivity, curve->flowing);
        fastest = fmax(fastest, (pairs * conductivity / (d * d) + air) / capacity);
    }
    return fastest;
}

static double find_limit(const Rows *rows) {
    double fastest = 0;
    run_rows(rows, rate_chunk);
    for (uint32_t k = 0; k < thaw_chunk_count(rows->heat.step->store->count, THAW_HEAT_ROWS); k++) {
        fastest = fmax(fastest, sums_of(rows, k)[0]);
    }
    return 1 / fastest;
}

// ---------------------------------------------------------------- stages

// What outside gives a row that takes so much from others, W. A row that is held takes from its holder what it loses, and
// keeps its enthalpy.
static inline double exchange(const Rows *rows, uint32_t row, double flow, double *sums) {
    const ThawOutside *outside = &rows->outside[row];
    double warmth = (double)rows->conduction->warmth[row];
    double from = thaw_exchange_flow(&rows->heat, outside, row, warmth);
    if (outside->holder == 0) return from;
    sums[outside->holder] -= flow + from;
    return -flow;
}

// enthalpies, or accounts, that a part of the step has come to
typedef struct Course {
    double now, last, start; // of this stage, of the one before, of the part's beginning
    double early;            // rate of change at the beginning
} Course;

static void advance(Course *course, const ThawLegendreStage *stage, bool first, double rate) {
    if (first) {
        course->start = course->last = course->now;
        course->early = rate;
    }
    double before = course->now;
    course->now += stage->nu * (course->last - before) + stage->omega * (course->start - before) +
                   stage->dt * rate + stage->first * course->early;
    course->last = before;
}

// what a row's enthalpy is after the stage; a plain step needs no more than that
static inline double stage_heat(const Rows *rows, uint32_t row, double heat, double rate) {
    if (!rows->staged) return heat + rows->stage.dt * rate;
    Course *course = &rows->conduction->courses[row];
    course->now = heat;
    advance(course, &rows->stage, rows->first, rate);
    return course->now;
}

// one stage of a chunk
static void stage_chunk(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    const Rows rows = *(const Rows *)context;
    const double *flows = rows.conduction->flow;
    double *heat = rows.heat.state.heat, *sums = sums_of(&rows, chunk), taken = 0;
    ThawRange range = rows_of(&rows, chunk);
    for (uint32_t k = 0; k < SUMS(&rows); k++) sums[k] = 0;
    for (uint32_t row = range.begin; row < range.end; row++) {
        double flow = (flows[row] - rows.leak * fabs(flows[row])) * rows.unit;
        if (rows.outside != NULL) {
            double from = exchange(&rows, row, flow, sums);
            taken += from;
            flow += from;
        }
        double rate = flow / thaw_heat_mass(rows.heat.step, row);
        heat[row] = stage_heat(&rows, row, heat[row], rate);
        set_warmth(&rows, row, curve_of(&rows, row), heat[row]);
    }
    sums[0] = taken;
}

// accounts go by the same rule as enthalpies
static void advance_accounts(const Rows *rows) {
    uint32_t chunks = thaw_chunk_count(rows->heat.step->store->count, THAW_HEAT_ROWS);
    for (uint32_t k = 0; k < SUMS(rows); k++) {
        double flow = 0;
        for (uint32_t chunk = 0; chunk < chunks; chunk++) flow += sums_of(rows, chunk)[k];
        advance(&rows->conduction->accounts[k], &rows->stage, rows->first, flow);
    }
}

static ThawResult reserve_courses(Rows *rows, bool staged) {
    Conduction *c = rows->conduction;
    size_t count = staged ? rows->heat.step->store->count : 0;
    rows->staged = staged;
    if (!ROOM(courses, count) || !ROOM(accounts, SUMS(rows))) {
        return thaw_fail_memory((count + 1) * sizeof(Course));
    }
    memset(c->accounts, 0, SUMS(rows) * sizeof *c->accounts);
    return THAW_OK;
}

static void close_accounts(const Rows *rows) {
    ThawStep *step = rows->heat.step;
    const Course *accounts = rows->conduction->accounts;
    step->report->heat_taken += accounts[0].now;
    for (uint32_t k = 0; k < step->source_count; k++) {
        step->sources[k].given += accounts[k + 1].now;
    }
}

static void run_stage(Rows *rows, ThawHeatPass *pass) {
    if (!rows->flowing) {
        run_rows(rows, span_chunk);
        survey_warmths(rows);
        find_flows(rows, pass);
    }
    rows->flowing = false;
    run_rows(rows, stage_chunk);
    advance_accounts(rows);
}

static void run_part(Rows *rows, ThawHeatPass *pass, double dt, const ThawLegendrePart *part) {
    for (int j = 1; j <= part->stages; j++) {
        rows->stage = thaw_legendre_stage(part, j, dt);
        rows->first = j == 1;
        run_stage(rows, pass);
    }
}

// whether all are equally warm, or none conducts
static bool is_still(const Rows *rows) {
    return !(rows->most > 0) || rows->coldest == rows->hottest;
}

static bool are_usual(const ThawStep *step) {
    return !(step->least_spacing < step->largest_spacing) &&
           (float)THAW_HEAT_SUPPORT * step->least_spacing == (float)step->domain->cell;
}

ThawResult thaw_conduction_run(ThawThermal *thermal, ThawStep *step, double dt) {
    Conduction *c = thermal->conduction;
    double end = step->time + step->dt;
    Rows rows = {.heat = {.thermal = thermal,
                          .step = step,
                          .state = thaw_thermal_state(step->store),
                          .begin = end - dt,
                          .end = end,
                          .reference = (double)step->heat->ambient,
                          .sizes = thermal->swollen || !are_usual(step)},
                 .conduction = c};
    ThawExchanges with = thaw_exchanges(step);
    bool exchanges = with.walls || with.air || with.sources;
    ThawResult result = reserve(c, step, exchanges);
    if (result != THAW_OK) return result;
    rows.heat.conductivity = c->conductivity;
    rows.heat.open = with.air ? c->open : NULL;
    rows.outside = exchanges ? c->outside : NULL;
    measure_lattice(c, step->domain->dimensions);
    run_rows(&rows, begin_chunk);
    survey_conductivities(&rows);
    survey_warmths(&rows);
    if (!exchanges && is_still(&rows)) return THAW_OK;
    pad_rows(c, step->store->count);
    ThawHeatPass pass = make_pass(&rows);
    if (exchanges) {
        thaw_exchange_sources(&rows.heat, c->outside, c->heated, &step->report->heat_taken);
        if (with.held) {
            run_rows(&rows, warm_chunk);
            survey_warmths(&rows);
        }
        thaw_exchange_walls(&rows.heat, c->outside, with.air ? c->surround : NULL);
    }
    bool sure = !rows.heat.sizes && dt * fastest_possible(&rows) < SURE;
    pass.rate = sure ? NULL : c->rate;
    pass.open = with.air ? c->open : NULL;
    pass.walls = c->surround;
    find_flows(&rows, &pass);
    pass.open = NULL;
    rows.flowing = true;
    ThawLegendrePlan plan = thaw_legendre_plan(sure ? 0 : dt / find_limit(&rows));
    result = reserve_courses(&rows, plan.count > 1);
    if (result != THAW_OK) return result;
    pass.rate = NULL;
    for (int k = 0; k < plan.count; k++) {
        for (int n = 0; n < plan.parts[k].repeats; n++) run_part(&rows, &pass, dt, &plan.parts[k]);
    }
    close_accounts(&rows);
    return THAW_OK;
}
