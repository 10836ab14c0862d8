// The solid: elasticity without connectivity.
//
// Wicke, Hatt, Pauly, Müller, Gross, "Versatile Virtual Materials Using Implicit Connectivity" (2006), sections
// 3 and 4, in the readings of docs/theory/solid.md. A particle keeps its own frame and the state of its
// sites; who its neighbours are is found from positions at every search. In a substep the particles move
// under the lattice's forces from where they start (symplectic Euler: energy neither grows nor decays);
// contacts, liquids and walls then correct where they end.
#include "models/solid/solid.h"

#include "base/memory.h"
#include "base/result.h"
#include "math/lattice.h"

#include <math.h>
#include <string.h>

#define ROW_CHUNK 256u
#define NEWTON 2 // steps of the rotation: each squares what is off

static ThawResult create_solid(void **state, const ThawDomain *domain) {
    (void)domain;
    ThawSolids *solid = thaw_alloc(sizeof *solid);
    if (solid == NULL) return thaw_fail_memory(sizeof *solid);
    *solid = (ThawSolids){0};
    ThawResult result = thaw_contacts_create(&solid->contacts);
    if (result != THAW_OK) {
        thaw_free(solid);
        return result;
    }
    *state = solid;
    return THAW_OK;
}

static void destroy_solid(void *state) {
    ThawSolids *solid = state;
    if (solid == NULL) return;
    thaw_bonds_release(&solid->bonds);
    thaw_bonds_release(&solid->brace);
    thaw_contacts_destroy(solid->contacts);
    void *const blocks[] = {
        solid->kinds,        solid->kind,         solid->traits,      solid->group,
        solid->unit,         solid->weight,       solid->friction,    solid->distance,
        solid->speed,        solid->frame,        solid->measure,     solid->fractures,
        solid->chunk_counts, solid->chunk_energy, solid->brace_kinds, solid->soft,
        solid->brace_soft,   solid->drag,         solid->lagged};
    for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++) thaw_free(blocks[k]);
    thaw_free(solid);
}

const ThawSolids *thaw_solid_inside(const void *state) {
    return state;
}

void thaw_solid_fractures(const void *state, const ThawFracture **fractures, uint32_t *count) {
    const ThawSolids *solid = state;
    *fractures = solid->fractures;
    *count = solid->fracture_count;
}

// ---------------------------------------------------------------- room

static bool reserve_rows(ThawSolids *solid, uint32_t count) {
    size_t rows = (size_t)count + THAW_STORE_PAD;
    return thaw_scratch((void **)&solid->kind, &solid->kind_bytes, rows * sizeof *solid->kind) &&
           thaw_scratch((void **)&solid->traits, &solid->traits_bytes, rows) &&
           thaw_scratch((void **)&solid->group, &solid->group_bytes, rows * sizeof *solid->group) &&
           thaw_scratch((void **)&solid->unit, &solid->unit_bytes, rows * sizeof *solid->unit) &&
           thaw_scratch((void **)&solid->weight, &solid->weight_bytes,
                        rows * sizeof *solid->weight) &&
           thaw_scratch((void **)&solid->friction, &solid->friction_bytes,
                        rows * sizeof *solid->friction) &&
           thaw_scratch((void **)&solid->distance, &solid->distance_bytes,
                        rows * sizeof *solid->distance) &&
           thaw_scratch((void **)&solid->speed, &solid->speed_bytes, rows * sizeof *solid->speed) &&
           thaw_scratch((void **)&solid->frame, &solid->frame_bytes, rows * sizeof *solid->frame);
}

// while nothing is solid, the room for it goes
static void rest(ThawSolids *solid) {
    reserve_rows(solid, 0);
    thaw_bonds_rest(&solid->bonds);
    thaw_bonds_rest(&solid->brace);
    thaw_contacts_rest(solid->contacts);
    thaw_scratch((void **)&solid->soft, &solid->soft_bytes, 0);
    thaw_scratch((void **)&solid->brace_soft, &solid->brace_soft_bytes, 0);
    thaw_scratch((void **)&solid->drag, &solid->drag_bytes, 0);
    thaw_scratch((void **)&solid->lagged, &solid->lagged_bytes, 0);
    thaw_scratch((void **)&solid->measure, &solid->measure_bytes, 0);
    thaw_scratch((void **)&solid->chunk_counts, &solid->counts_bytes, 0);
    thaw_scratch((void **)&solid->chunk_energy, &solid->energy_bytes, 0);
}

// ---------------------------------------------------------------- begin

static ThawResult begin_step(void *state, ThawStep *step) {
    ThawSolids *solid = state;
    solid->active = false;
    // a step begins anew when the first liquid comes, or states change: what broke before stays told
    if (step->report->bonds_broken == 0) solid->fracture_count = 0;
    if (!thaw_lattice_is_open(step->store)) return THAW_OK;
    ThawResult result = thaw_solid_plan(solid, step);
    if (!solid->active) rest(solid);
    return result;
}

static double wanted_dt(void *state, const ThawStep *step) {
    const ThawSolids *solid = state;
    return solid->active ? thaw_solid_wanted_dt(solid, step) : INFINITY;
}

static double stiff_dt(void *state, const ThawStep *step) {
    const ThawSolids *solid = state;
    return solid->active && !step->solver->explicit_forces ? thaw_solid_stiff_dt(solid) : INFINITY;
}

// ---------------------------------------------------------------- rows after a search

typedef struct RowJob {
    ThawSolids *solid;
    const ThawStep *step;
} RowJob;

static uint16_t kind_of(const ThawSolids *solid, const ThawStore *store, uint32_t row) {
    if (store->state[row] != THAW_STATE_SOLID) return 0;
    for (uint32_t k = 1; k < solid->kind_count; k++) {
        const ThawSolidKind *kind = &solid->kinds[k];
        if (kind->material == store->material[row] && kind->spacing == store->spacing[row]) {
            return (uint16_t)k;
        }
    }
    return 0;
}

static uint8_t traits_of(const ThawSolidDef *def) {
    bool brittle = def->fracture_strain > 0 || def->fracture_stress > 0;
    return (uint8_t)(THAW_TRAIT_SOLID |
                     (brittle && !(def->docking_rate > 0) ? THAW_TRAIT_BRITTLE : 0u) |
                     (def->docking_rate > 0 ? THAW_TRAIT_DOCKS : 0u));
}

static void describe_row(const RowJob *job, uint32_t row) {
    ThawSolids *solid = job->solid;
    const ThawStore *store = job->step->store;
    const ThawMaterial *material = &job->step->materials[store->material[row]];
    int dimensions = job->step->domain->dimensions;
    double spacing = (double)store->spacing[row];
    uint16_t kind = kind_of(solid, store, row);
    double size = kind != 0 ? spacing * thaw_material_swell(material, dimensions) : spacing;
    solid->kind[row] = kind;
    solid->traits[row] = kind != 0 ? traits_of(&material->solid) : 0;
    solid->unit[row] = solid->kinds[kind].unit;
    solid->friction[row] = kind != 0 ? material->solid.friction : 0.0f;
    solid->distance[row] =
        (float)(thaw_lattice_distance(dimensions, size) / job->step->domain->cell);
    solid->weight[row] = (float)(1.0 / ((double)material->density * pow(spacing, dimensions)));
}

// the rows after the first the same as that
static void repeat_row(ThawSolids *solid, ThawRange range) {
    const uint32_t first = range.begin;
    const float unit = solid->unit[first], friction = solid->friction[first];
    const float distance = solid->distance[first], weight = solid->weight[first];
    const uint16_t kind = solid->kind[first];
    memset(&solid->traits[first], solid->traits[first], range.end - first);
    for (uint32_t row = first; row < range.end; row++) solid->kind[row] = kind;
    for (uint32_t row = first; row < range.end; row++) solid->unit[row] = unit;
    for (uint32_t row = first; row < range.end; row++) solid->friction[row] = friction;
    for (uint32_t row = first; row < range.end; row++) solid->distance[row] = distance;
    for (uint32_t row = first; row < range.end; row++) solid->weight[row] = weight;
}

static void describe_chunk(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    const RowJob *job = context;
    ThawSolids *solid = job->solid;
    const ThawStore *store = job->step->store;
    ThawRange range = thaw_chunk_range(chunk, store->count, ROW_CHUNK);
    // neighbouring rows are mostly alike
    while (range.begin < range.end) {
        ThawRange alike = thaw_solid_alike(store, range);
        describe_row(job, alike.begin);
        repeat_row(solid, alike);
        range.begin = alike.end;
    }
    range = thaw_chunk_range(chunk, store->count, ROW_CHUNK);
    for (uint32_t row = range.begin; row < range.end; row++) {
        // no object of its own: alone in the world, but solid
        int32_t object = store->object[row] != 0 ? store->object[row] : INT32_MAX;
        solid->group[row] = solid->kind[row] == 0 ? 0 : object;
    }
}

static void run_rows(const ThawStep *step, ThawTask *task, RowJob *job) {
    thaw_parallel_run(step->parallel, task, job, thaw_chunk_count(step->store->count, ROW_CHUNK));
}

// Docking rates of new particles: filled sites begin with the material's, empty ones with none.
static void mark_rates_chunk(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    const RowJob *job = context;
    ThawLatticeState state = thaw_lattice_state(job->step->store);
    ThawRange range = thaw_chunk_range(chunk, job->step->store->count, ROW_CHUNK);
    for (uint32_t row = range.begin; row < range.end; row++) {
        bool fresh = job->solid->kind[row] != 0 && state.sites[row] == THAW_SITES_FRESH;
        if (fresh) state.docking[THAW_SITES * (size_t)row] = -1;
    }
}

static void set_rates_chunk(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    const RowJob *job = context;
    ThawLatticeState state = thaw_lattice_state(job->step->store);
    ThawRange range = thaw_chunk_range(chunk, job->step->store->count, ROW_CHUNK);
    for (uint32_t row = range.begin; row < range.end; row++) {
        float *rates = &state.docking[THAW_SITES * (size_t)row];
        if (job->solid->kind[row] == 0 || rates[0] >= 0) continue;
        float rate = job->step->materials[job->step->store->material[row]].solid.docking_rate;
        for (uint32_t s = 0; s < THAW_SITES; s++) {
            bool filled = ((uint32_t)state.sites[row] & THAW_SITE_OCCUPIED(s)) != 0;
            rates[s] = filled ? rate : 0.0f;
        }
    }
}

static ThawContactStep contact_step(const ThawSolids *solid, const ThawStep *step) {
    return (ThawContactStep){.domain = step->domain,
                             .store = step->store,
                             .work = step->work,
                             .neighbors = step->neighbors,
                             .parallel = step->parallel,
                             .bonds = &solid->bonds,
                             .group = solid->group,
                             .distance = solid->distance,
                             .weight = solid->weight,
                             .held = step->held,
                             .youth = step->youth,
                             .friction = solid->friction,
                             .isa = step->isa,
                             .iteration = step->iteration,
                             .dt = (float)step->dt};
}

static ThawResult find_bonds(ThawSolids *solid, ThawStep *step) {
    ThawBondSearch search = {
        .domain = step->domain,
        .store = step->store,
        .place = solid->lags ? solid->lagged : step->work->place,
        .neighbors = step->neighbors,
        .parallel = step->parallel,
        .isa = step->isa,
        .traits = solid->traits,
        .group = solid->group,
        .held = step->held,
        .unit = solid->unit,
        .docks = solid->docks,
        .uniform = solid->kind_count == 2,
        .was = step->order,
        .was_revision = step->order_revision,
        .lone = thaw_all_alike(solid->group, step->store->count, sizeof *solid->group)};
    // h is two spacings of the particles concerned
    search.support = (float)(2.0 / thaw_lattice_distance(step->domain->dimensions, 1.0));
    ThawResult result = thaw_bonds_find(&solid->bonds, &search);
    if (result != THAW_OK) return result;
    step->report->bonds = search.bonds;
    step->report->bonds_broken += (search.lost + 1) / 2;
    step->report->bonds_made += search.made;
    return THAW_OK;
}

// ---------------------------------------------------------------- moving

ThawSolidPass thaw_solid_pass(const ThawSolids *solid, const ThawStep *step) {
    ThawSolidPass pass = {.dimensions = step->domain->dimensions,
                          .newton = NEWTON,
                          .damped = solid->damped,
                          .flows = solid->flows,
                          .sites = thaw_sites(step->domain->dimensions),
                          .bonds = &solid->bonds,
                          .kinds = solid->kinds,
                          .kind = solid->kind,
                          .soft = solid->softens ? solid->soft : NULL,
                          .drag = solid->drags ? solid->drag : NULL,
                          .held = step->held,
                          .rows = step->store->count,
                          .blocks = solid->bonds.blocks,
                          .place = solid->lags ? solid->lagged : step->work->place,
                          .speed = solid->speed,
                          .state = thaw_lattice_state(step->store),
                          .frame = solid->frame,
                          .dt = (float)step->dt};
    for (int a = 0; a < 3; a++) {
        pass.gravity[a] = (float)step->gravity[a];
        if (step->domain->periodic[a]) pass.period[a] = thaw_place_from(step->domain->length[a]);
    }
    return pass;
}

static void put_place(const ThawStep *step, uint32_t row) {
    const int64_t *start = &step->store->cells[3 * (size_t)row];
    const float *shift = &step->work->shift[3 * (size_t)row];
    ThawPlace *place = &step->work->place[row];
    place->x =
        thaw_place_follow(step->domain, 0, start[0] + thaw_fixed_from_float(shift[0]), place->x);
    place->y =
        thaw_place_follow(step->domain, 1, start[1] + thaw_fixed_from_float(shift[1]), place->y);
    place->z =
        thaw_place_follow(step->domain, 2, start[2] + thaw_fixed_from_float(shift[2]), place->z);
}

// whether all rows are solids that nothing holds, in a domain without periods
static bool is_plain(const RowJob *job, ThawRange range) {
    const uint16_t *kind = &job->solid->kind[range.begin];
    const bool *periodic = job->step->domain->periodic;
    return kind[0] != 0 && job->step->held == NULL && !periodic[0] && !periodic[1] &&
           !periodic[2] && thaw_all_alike(kind, range.end - range.begin, sizeof *kind);
}

// start_chunk for those
static void start_plainly(const RowJob *job, ThawRange range) {
    const float *velocity = job->step->store->velocity;
    const int64_t *cells = job->step->store->cells;
    ThawPlace *restrict place = job->step->work->place;
    float(*restrict speed)[4] = job->solid->speed;
    memset(&job->step->work->shift[3 * (size_t)range.begin], 0,
           3 * sizeof(float) * (range.end - range.begin));
    for (size_t row = range.begin; row < range.end; row++) {
        for (size_t a = 0; a < 3; a++) speed[row][a] = velocity[3 * row + a];
        place[row].x = thaw_place_from(cells[3 * row]);
        place[row].y = thaw_place_from(cells[3 * row + 1]);
        place[row].z = thaw_place_from(cells[3 * row + 2]);
    }
}

// advance_chunk for those
static void advance_plainly(const RowJob *job, ThawRange range, float go, double back) {
    const int64_t *cells = job->step->store->cells;
    ThawPlace *restrict place = job->step->work->place;
    float *restrict shift = job->step->work->shift;
    float(*restrict speed)[4] = job->solid->speed;
    for (size_t row = range.begin; row < range.end; row++) {
        float way[3];
        for (size_t a = 0; a < 3; a++) {
            way[a] = speed[row][a] * go;
            speed[row][a] -= (float)((double)way[a] * back);
            shift[3 * row + a] = way[a];
        }
        place[row].x = thaw_place_from(cells[3 * row] + thaw_fixed_from_float(way[0]));
        place[row].y = thaw_place_from(cells[3 * row + 1] + thaw_fixed_from_float(way[1]));
        place[row].z = thaw_place_from(cells[3 * row + 2] + thaw_fixed_from_float(way[2]));
    }
}

// back to where the substep starts; held particles go straight to where they are taken
static void start_chunk(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    const RowJob *job = context;
    const ThawStep *step = job->step;
    ThawRange range = thaw_chunk_range(chunk, step->store->count, ROW_CHUNK);
    if (is_plain(job, range)) {
        start_plainly(job, range);
        return;
    }
    for (uint32_t row = range.begin; row < range.end; row++) {
        if (job->solid->kind[row] == 0) continue;
        bool held = step->held != NULL && step->held[row] != 0;
        float *shift = &step->work->shift[3 * (size_t)row];
        float scale = (float)(step->domain->cell / step->dt);
        for (int a = 0; a < 3; a++) {
            float speed = step->store->velocity[3 * (size_t)row + (size_t)a];
            job->solid->speed[row][a] = held ? shift[a] * scale : speed;
            shift[a] = 0;
        }
        put_place(step, row);
    }
}

// Where velocities take the rows, and what velocities will lack when they are made of displacements again
// (the last bit, but the same one in every substep).
static void advance_chunk(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    const RowJob *job = context;
    const ThawStep *step = job->step;
    float go = (float)(step->dt / step->domain->cell);
    double back = 1 / (double)go; // as velocities are made from moves, so that nothing creeps
    ThawRange range = thaw_chunk_range(chunk, step->store->count, ROW_CHUNK);
    if (is_plain(job, range)) {
        advance_plainly(job, range, go, back);
        return;
    }
    for (uint32_t row = range.begin; row < range.end; row++) {
        float *shift = &step->work->shift[3 * (size_t)row], *speed = job->solid->speed[row];
        bool solid = job->solid->kind[row] != 0;
        bool held = step->held != NULL && step->held[row] != 0;
        for (int a = 0; a < 3; a++) {
            if (solid) shift[a] = speed[a] * go;
            float rest = speed[a] - (float)((double)shift[a] * back);
            speed[a] = solid && !held ? rest : 0.0f;
        }
        if (solid) put_place(step, row);
    }
}

typedef struct PassTask {
    const ThawSolidPass *pass;
    ThawSolidRun *run;
} PassTask;

static void run_chunk(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    const PassTask *task = context;
    task->run(task->pass, chunk);
}

void thaw_solid_run(const ThawStep *step, const ThawSolidPass *pass, ThawSolidRun *run) {
    PassTask task = {pass, run};
    thaw_parallel_run(step->parallel, run_chunk, &task,
                      thaw_chunk_count(pass->blocks, THAW_SOLID_CHUNK));
}

static void move_elastically(ThawSolids *solid, ThawStep *step) {
    RowJob job = {solid, step};
    ThawSolidPass pass = thaw_solid_pass(solid, step);
    thaw_solid_run(step, &pass, THAW_WIDE_PICK(step->isa, thaw_solid_frames));
    thaw_solid_run(step, &pass, THAW_WIDE_PICK(step->isa, thaw_solid_kick));
    if (solid->braced) thaw_solid_brace_kick(solid, step);
    run_rows(step, advance_chunk, &job);
}

// who may touch before the next search: where rows are going matters, not where they come from
static ThawResult find_contacts(ThawSolids *solid, ThawStep *step) {
    ThawContactStep contact = contact_step(solid, step);
    ThawResult result = thaw_contacts_find(solid->contacts, &contact);
    solid->changed = false;
    thaw_step_lap(step, THAW_PHASE_CONTACT);
    return result;
}

static ThawResult aim(void *state, ThawStep *step) {
    ThawSolids *solid = state;
    if (!solid->active) return THAW_OK;
    RowJob job = {solid, step};
    if (step->fresh) {
        if (!reserve_rows(solid, step->store->count)) {
            return thaw_fail_memory((size_t)step->store->count * 128);
        }
        run_rows(step, describe_chunk, &job);
    }
    thaw_solid_pace(solid, step);
    ThawResult planned = thaw_solid_brace_plan(solid, step);
    if (planned == THAW_OK) planned = thaw_solid_soften(solid, step);
    if (planned != THAW_OK) return planned;
    if (step->dt > 0) run_rows(step, start_chunk, &job);
    planned = thaw_solid_lag(solid, step, step->dt);
    if (planned != THAW_OK) return planned;
    if (step->fresh) {
        if (solid->docks) run_rows(step, mark_rates_chunk, &job);
        ThawResult found = find_bonds(solid, step);
        if (found != THAW_OK) return found;
        if (solid->docks) run_rows(step, set_rates_chunk, &job);
        thaw_step_lap(step, THAW_PHASE_BONDS);
    }
    // of lists that outlive a step, bonds do too
    if (!step->fresh && step->substep == 0) step->report->bonds = solid->bond_count;
    bool anew = step->fresh || solid->changed;
    if (anew) solid->brace_found = false;
    ThawResult result = thaw_solid_brace_find(solid, step);
    thaw_step_lap(step, THAW_PHASE_BONDS);
    if (result != THAW_OK) return result;
    step->firm = solid->traits;
    step->grip = thaw_lattice_state(step->store).grip;
    if (step->dt > 0) move_elastically(solid, step);
    thaw_step_lap(step, THAW_PHASE_ELASTICITY);
    return anew ? find_contacts(solid, step) : THAW_OK;
}

// ---------------------------------------------------------------- the rest of the substep

static ThawResult iterate(void *state, ThawStep *step) {
    ThawSolids *solid = state;
    if (!solid->active) return THAW_OK;
    ThawContactStep contact = contact_step(solid, step);
    ThawResult result = thaw_contacts_correct(solid->contacts, &contact);
    step->report->solid_contacts = thaw_contacts_touching(solid->contacts);
    thaw_step_lap(step, THAW_PHASE_CONTACT);
    return result;
}

static void add_carry_chunk(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    const RowJob *job = context;
    ThawRange range = thaw_chunk_range(chunk, job->step->store->count, ROW_CHUNK);
    for (uint32_t row = range.begin; row < range.end; row++) {
        float *velocity = &job->step->store->velocity[3 * (size_t)row];
        for (int a = 0; a < 3; a++) velocity[a] += job->solid->speed[row][a];
    }
}

static ThawResult finish(void *state, ThawStep *step) {
    ThawSolids *solid = state;
    if (!solid->active) return THAW_OK;
    RowJob job = {solid, step};
    run_rows(step, add_carry_chunk, &job);
    thaw_step_lap(step, THAW_PHASE_ELASTICITY);
    ThawContactStep contact = contact_step(solid, step);
    thaw_contacts_turn(solid->contacts, &contact, step->store->velocity);
    thaw_step_lap(step, THAW_PHASE_CONTACT);
    return THAW_OK;
}

static ThawResult transform(void *state, ThawStep *step) {
    ThawSolids *solid = state;
    if (!solid->active) return THAW_OK;
    ThawResult result = thaw_solid_transform(solid, step);
    thaw_step_lap(step, THAW_PHASE_BONDS);
    return result;
}

static double sum_energy(const ThawStep *step, const ThawSolidPass *pass) {
    thaw_solid_run(step, pass, THAW_WIDE_PICK(step->isa, thaw_solid_frames));
    double sum = 0;
    uint32_t chunks = thaw_chunk_count(pass->blocks, THAW_SOLID_CHUNK);
    for (uint32_t c = 0; c < chunks; c++) sum += pass->energy[c];
    return sum;
}

static void report(void *state, ThawStep *step) {
    ThawSolids *solid = state;
    if (!solid->active || step->store->count == 0 || solid->bonds.slot == NULL) return;
    solid->bond_count = step->report->bonds;
    // Frames are kept where nothing has moved yet, as they are not known otherwise, and where matter may freeze (with those
    // of the substep's start more of it stays liquid). Else who measures changes nothing.
    bool keeps = !(step->dt > 0) || step->heat != NULL;
    if (!keeps && step->unmeasured) return;
    if (thaw_solid_lag(solid, step, 0) != THAW_OK) return;
    ThawSolidPass pass = thaw_solid_pass(solid, step);
    uint32_t chunks = thaw_chunk_count(pass.blocks, THAW_SOLID_CHUNK);
    // without room for the partial sums the energy stays unknown; the step itself is done
    if (!thaw_scratch((void **)&solid->chunk_energy, &solid->energy_bytes,
                      chunks * sizeof *solid->chunk_energy)) {
        return;
    }
    pass.energy = solid->chunk_energy;
    pass.frame = NULL;
    pass.passing = !keeps;
    step->report->elastic = sum_energy(step, &pass);
    if (!solid->braced) return;
    pass = thaw_solid_brace_pass(solid, step);
    pass.energy = solid->chunk_energy;
    pass.frame = NULL;
    step->report->elastic += sum_energy(step, &pass);
}

#define OWN (THAW_BIT(spacing) | THAW_BIT(material) | THAW_BIT(object) | THAW_BIT(state))

const ThawModel thaw_model_solid = {
    .name = "solid",
    .summary = "lattice elasticity without connectivity: from jelly to stone, with plasticity and "
               "fracture",
    .create = create_solid,
    .destroy = destroy_solid,
    .wanted_dt = wanted_dt,
    .stiff_dt = stiff_dt,
    .report = report,
    .fractures = thaw_solid_fractures,
    .stages = {
        [THAW_STAGE_BEGIN] = {.run = begin_step, .reads = OWN},
        [THAW_STAGE_AIM] = {.run = aim,
                            .reads = OWN | THAW_BIT(velocity) | THAW_BIT(cells),
                            .reads_neighbors = OWN | THAW_BIT(velocity),
                            .reads_places = true,
                            .action = THAW_ACTION_JACOBI},
        [THAW_STAGE_ITERATE] = {.run = iterate,
                                .reads = OWN,
                                .reads_neighbors = OWN,
                                .reads_places = true,
                                .action = THAW_ACTION_JACOBI},
        [THAW_STAGE_FINISH] = {.run = finish,
                               .reads = OWN | THAW_BIT(velocity),
                               .reads_places = true,
                               .writes = THAW_BIT(velocity)},
        [THAW_STAGE_TRANSFORM] = {.run = transform, .reads = OWN, .reads_neighbors = OWN},
    }};
