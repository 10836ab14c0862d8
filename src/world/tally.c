// Sums are made chunk by chunk and added in chunk order: the same bits for any number of threads.
#include "world/tally.h"

#include "base/memory.h"
#include "base/result.h"
#include "neighbors/aim.h"

#include <math.h>
#include <string.h>

#define ROW_CHUNK 1024u

// ---------------------------------------------------------------- moves

typedef struct MoveSums {
    float max_shift2, max_correction2;
    uint32_t nonfinite, first_trouble;
} MoveSums;

typedef struct MoveJob {
    ThawWorld *world;
    ThawAim aim;
    float *velocity;
    double
        scale; // m/s a cell: the inverse of the aim's factor as it is, so that momentum does not creep
    MoveSums *sums;
} MoveJob;

static void measure_row(const MoveJob *job, MoveSums *sums, uint32_t row) {
    float *shift = &job->world->work.shift[3 * (size_t)row];
    float aimed[3], shift2 = 0, correction2 = 0;
    thaw_aim_shift(&job->aim, row, aimed);
    for (int a = 0; a < 3; a++) {
        shift2 += shift[a] * shift[a];
        correction2 += (shift[a] - aimed[a]) * (shift[a] - aimed[a]);
    }
    if (!(shift2 < 1e12f)) {
        sums->nonfinite++;
        if (row < sums->first_trouble) sums->first_trouble = row;
        // not finite from here on either: the next survey finds it and policy decides
        for (int a = 0; a < 3; a++) {
            shift[a] = 0;
            job->velocity[3 * (size_t)row + (size_t)a] = NAN;
        }
        return;
    }
    if (shift2 > sums->max_shift2) sums->max_shift2 = shift2;
    if (correction2 > sums->max_correction2) sums->max_correction2 = correction2;
    float *velocity = &job->velocity[3 * (size_t)row];
    for (int a = 0; a < 3; a++) velocity[a] = (float)((double)shift[a] * job->scale);
}

// whole blocks of rows; returns how many rows that are, 0 when they must be looked at one by one
static uint32_t measure_blocks(const MoveJob *job, MoveSums *sums, ThawRange range) {
    const ThawWorld *world = job->world;
    uint32_t blocks = (range.end - range.begin) / THAW_AIM_ROWS;
    ThawAimMoves moves = {
        .shift = world->work.shift, .velocity = job->velocity, .scale = job->scale};
    if (!THAW_WIDE_PICK(world->isa, thaw_aim_moves)(&job->aim, range.begin, blocks, &moves))
        return 0;
    sums->max_shift2 = moves.max_shift2;
    sums->max_correction2 = moves.max_correction2;
    return blocks * THAW_AIM_ROWS;
}

static void measure_chunk(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    const MoveJob *job = context;
    ThawRange range = thaw_chunk_range(chunk, job->world->store->count, ROW_CHUNK);
    MoveSums sums = {.first_trouble = UINT32_MAX};
    uint32_t row = range.begin + measure_blocks(job, &sums, range);
    for (; row < range.end; row++) measure_row(job, &sums, row);
    job->sums[chunk] = sums;
}

ThawResult thaw_tally_moves(ThawWorld *world, const ThawSearch *search, float *velocity,
                            ThawMoves *moves) {
    uint32_t chunks = thaw_chunk_count(world->store->count, ROW_CHUNK);
    if (!thaw_scratch(&world->tally, &world->tally_bytes, chunks * sizeof(MoveSums))) {
        return thaw_fail_memory(chunks * sizeof(MoveSums));
    }
    MoveJob job = {
        .world = world, .aim = thaw_aim(search), .velocity = velocity, .sums = world->tally};
    job.scale = 1 / (double)job.aim.factor;
    thaw_parallel_run(world->parallel, measure_chunk, &job, chunks);
    *moves = (ThawMoves){.first_trouble = UINT32_MAX};
    for (uint32_t k = 0; k < chunks; k++) {
        const MoveSums *sums = &job.sums[k];
        moves->max_shift = fmax(moves->max_shift, sqrt((double)sums->max_shift2));
        moves->max_correction = fmax(moves->max_correction, sqrt((double)sums->max_correction2));
        moves->nonfinite += sums->nonfinite;
        if (sums->first_trouble < moves->first_trouble) moves->first_trouble = sums->first_trouble;
    }
    return THAW_OK;
}

// ---------------------------------------------------------------- commit

typedef struct CommitJob {
    ThawWorld *world;
    const float *velocity;
} CommitJob;

static void commit_chunk(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    const CommitJob *job = context;
    ThawStore *store = job->world->store;
    ThawRange range = thaw_chunk_range(chunk, store->count, ROW_CHUNK);
    const ThawDomain *domain = &job->world->domain;
    size_t first = 3 * (size_t)range.begin, count = 3 * (size_t)(range.end - range.begin);
    bool periodic = domain->periodic[0] || domain->periodic[1] || domain->periodic[2];
    bool arrived = !periodic && THAW_WIDE_PICK(job->world->isa, thaw_aim_arrive)(
                                    &store->cells[first], &job->world->work.shift[first], count);
    for (uint32_t row = range.begin; !arrived && row < range.end; row++) {
        int64_t *cells = &store->cells[3 * (size_t)row];
        const float *shift = &job->world->work.shift[3 * (size_t)row];
        for (int a = 0; a < 3; a++) cells[a] += thaw_fixed_from_float(shift[a]);
        thaw_domain_wrap(domain, cells);
    }
    if (job->velocity == NULL) return;
    memcpy(&store->velocity[3 * (size_t)range.begin], &job->velocity[3 * (size_t)range.begin],
           (size_t)(range.end - range.begin) * 3 * sizeof(float));
}

void thaw_tally_commit(ThawWorld *world, const float *velocity) {
    CommitJob job = {world, velocity};
    uint32_t chunks = thaw_chunk_count(world->store->count, ROW_CHUNK);
    thaw_parallel_run(world->parallel, commit_chunk, &job, chunks);
}

// ---------------------------------------------------------------- report

typedef struct ReportSums {
    double mass, momentum[3], angular[3], kinetic, height; // height: Σ m · height
    float max_speed2;
    uint32_t solid;
} ReportSums;

typedef struct ReportJob {
    const ThawWorld *world;
    double up[3]; // against gravity
    ReportSums *sums;
} ReportJob;

static void find_up(const ThawWorld *world, double up[3], double *pull) {
    ThawVec3 g = world->def.gravity;
    *pull = sqrt(g.x * g.x + g.y * g.y + g.z * g.z);
    double scale = *pull > 0 ? -1.0 / *pull : 0.0;
    up[0] = g.x * scale;
    up[1] = g.y * scale;
    up[2] = g.z * scale;
}

static void sum_row(const ReportJob *job, ReportSums *sums, uint32_t row, double mass) {
    const ThawStore *store = job->world->store;
    double x[3], v[3], speed2 = 0, height = 0;
    for (int a = 0; a < 3; a++) {
        x[a] =
            thaw_fixed_cells(store->cells[3 * (size_t)row + (size_t)a]) * job->world->domain.cell;
        v[a] = (double)store->velocity[3 * (size_t)row + (size_t)a];
        speed2 += v[a] * v[a];
        sums->momentum[a] += mass * v[a];
        height += job->up[a] * x[a];
    }
    sums->mass += mass;
    sums->height += mass * height;
    sums->angular[0] += mass * (x[1] * v[2] - x[2] * v[1]);
    sums->angular[1] += mass * (x[2] * v[0] - x[0] * v[2]);
    sums->angular[2] += mass * (x[0] * v[1] - x[1] * v[0]);
    sums->kinetic += 0.5 * mass * speed2;
    if ((float)speed2 > sums->max_speed2) sums->max_speed2 = (float)speed2;
}

static void sum_chunk(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    const ReportJob *job = context;
    ThawRange range = thaw_chunk_range(chunk, job->world->store->count, ROW_CHUNK);
    ReportSums sums = {0};
    // neighbouring rows are mostly alike
    const ThawStore *store = job->world->store;
    double mass = 0;
    for (uint32_t row = range.begin; row < range.end; row++) {
        bool same = row > range.begin && store->spacing[row] == store->spacing[row - 1] &&
                    store->material[row] == store->material[row - 1];
        if (!same) mass = thaw_world_mass(job->world, row);
        sum_row(job, &sums, row, mass);
        sums.solid += store->state[row] == THAW_STATE_SOLID;
    }
    job->sums[chunk] = sums;
}

void thaw_tally_datum(ThawWorld *world) {
    if (world->datum_set) return;
    double up[3], pull, lowest = INFINITY;
    find_up(world, up, &pull);
    for (uint32_t row = 0; row < world->store->count; row++) {
        double height = 0;
        for (int a = 0; a < 3; a++) {
            height += up[a] * thaw_fixed_cells(world->store->cells[3 * (size_t)row + (size_t)a]);
        }
        if (height < lowest) lowest = height;
    }
    world->datum_height = lowest * world->domain.cell;
    world->datum_set = true;
}

void thaw_tally_report(ThawWorld *world, ThawReport *report) {
    uint32_t chunks = thaw_chunk_count(world->store->count, ROW_CHUNK);
    report->time = world->time;
    report->step = world->step;
    report->particles = world->store->count;
    // without room for the partial sums the report stays empty; the step itself is done
    if (!thaw_scratch(&world->tally, &world->tally_bytes, chunks * sizeof(ReportSums))) return;
    ReportJob job = {.world = world, .sums = world->tally};
    double pull, height = 0, max_speed2 = 0, sums[7] = {0};
    find_up(world, job.up, &pull);
    thaw_parallel_run(world->parallel, sum_chunk, &job, chunks);
    for (uint32_t k = 0; k < chunks; k++) {
        const ReportSums *part = &job.sums[k];
        report->mass += part->mass;
        report->kinetic += part->kinetic;
        report->solid += part->solid;
        height += part->height;
        for (int a = 0; a < 3; a++) {
            sums[a] += part->momentum[a];
            sums[3 + a] += part->angular[a];
        }
        max_speed2 = fmax(max_speed2, (double)part->max_speed2);
    }
    report->momentum = (ThawVec3){sums[0], sums[1], sums[2]};
    report->angular_momentum = (ThawVec3){sums[3], sums[4], sums[5]};
    report->potential = pull * (height - report->mass * world->datum_height);
    report->max_speed = sqrt(max_speed2);
}
