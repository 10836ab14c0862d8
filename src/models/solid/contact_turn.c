// Turns given back, see contact_turn.h. Passes over the rows with contacts: find w; what it moves; move; forget w.
//
// Whoever is bonded to a row that is turned gathers from all of those around it. Of several the lowest row sees to it,
// so that it is done once, by anybody. Offsets are those at the start of the substep where rows are moved, as a shift has the
// angular momentum x × shift/dt about where it started; those of now where velocities are changed. (Tried: velocities
// alone, so that what rests on others has a velocity which the lattice takes back in the next substep; places alone, so that
// what rests on a slope creeps, as turns come after friction.)
#include "models/solid/contact_turn.h"

#include "math/matrix.h"
#include "models/solid/contact_find.h"

#include <math.h>

#define TURN_CHUNK 64u
// of what bonds all around would have: where bonds lie in a line there is nothing to turn about it
#define LEAST_INERTIA 1e-3

typedef struct Turning {
    ThawContacts *contacts;
    const ThawContactStep *step;
    const ThawContactRow *rows;
    const float *turns; // kg cells²
    ThawContactTwist *twists;
    float *velocity; // m/s; NULL: places are changed
    float speed;     // m/s a cell in the substep
} Turning;

static bool is_held(const ThawContactStep *step, uint32_t row) {
    return step->held != NULL && step->held[row] != 0;
}

// a bond in cells: now, or at the start of the substep
static void find_way(const ThawContactStep *step, bool start, uint32_t row,
                     const ThawContactBond *bond, float r[3]) {
    const float *own = &step->work->shift[3 * (size_t)row];
    const float *other = &step->work->shift[3 * (size_t)bond->other];
    for (int k = 0; k < 3; k++) {
        r[k] = bond->way[k] * THAW_PLACE_CELLS - (start ? other[k] - own[k] : 0.0f);
    }
}

// What there is to be turned: a row and its bonds that can move.
typedef struct Hood {
    double center[3]; // from the row, cells
    ThawMat3 inertia; // about the centre, cells²
} Hood;

// Adds up a neighbourhood; whether it can be turned. In a plane what turns it is across.
static bool measure_hood(const ThawContactStep *step, const int32_t period[3], bool start,
                         uint32_t row, Hood *hood) {
    ThawContactBond bonds[THAW_SITES];
    uint32_t count = thaw_contact_bonds(step, period, row, bonds), free = 1;
    double *c = hood->center, *m = hood->inertia.m, sum[6] = {0}, sums[3] = {0};
    for (uint32_t n = 0; n < count; n++) {
        double r[3];
        float way[3];
        if (is_held(step, bonds[n].other)) continue;
        free++;
        find_way(step, start, row, &bonds[n], way);
        for (int k = 0; k < 3; k++) {
            r[k] = (double)way[k];
            sums[k] += r[k];
        }
        for (int k = 0; k < 3; k++) sum[k] += r[k] * r[k];
        for (int k = 0; k < 3; k++) sum[3 + k] += r[(k + 1) % 3] * r[(k + 2) % 3];
    }
    for (int k = 0; k < 3; k++) c[k] = sums[k] / free;
    for (int k = 0; k < 3; k++) {
        int a = (k + 1) % 3, b = (k + 2) % 3;
        m[4 * k] = sum[a] + sum[b] - free * (c[a] * c[a] + c[b] * c[b]);
        m[3 * a + b] = m[3 * b + a] = free * c[a] * c[b] - sum[3 + k];
    }
    if (step->domain->dimensions == 2) {
        m[0] = m[4] = m[8];
        m[1] = m[3] = 0;
        return m[8] > 0;
    }
    double third = (m[0] + m[4] + m[8]) / 3;
    return thaw_mat3_determinant(hood->inertia) > LEAST_INERTIA * third * third * third;
}

float thaw_contact_firm(const ThawContactStep *step, const int32_t period[3], uint32_t row) {
    Hood hood;
    if (step->group[row] == 0) return 0.0f;
    if (is_held(step, row)) return 1.0f;
    return measure_hood(step, period, true, row, &hood) ? 1.0f : 0.0f;
}

// w = −J⁻¹ τ, and what it is at the row itself
static ThawContactTwist find_twist(const Hood *hood, const float turn[3]) {
    ThawMat3 inverse;
    ThawContactTwist twist = {.any = 0};
    double w[3];
    if (!thaw_mat3_invert(hood->inertia, &inverse)) return twist;
    for (int k = 0; k < 3; k++) {
        const double *m = &inverse.m[3 * k];
        w[k] = -(m[0] * (double)turn[0] + m[1] * (double)turn[1] + m[2] * (double)turn[2]);
        twist.w[k] = (float)w[k];
    }
    const double *c = hood->center;
    twist.own[0] = (float)(w[2] * c[1] - w[1] * c[2]);
    twist.own[1] = (float)(w[0] * c[2] - w[2] * c[0]);
    twist.own[2] = (float)(w[1] * c[0] - w[0] * c[1]);
    twist.any = 1;
    return twist;
}

static void twist_chunk(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    const Turning *job = context;
    const ThawContacts *contacts = job->contacts;
    ThawRange range = thaw_chunk_range(chunk, contacts->row_count, TURN_CHUNK);
    for (uint32_t n = range.begin; n < range.end; n++) {
        const float *turn = &job->turns[3 * (size_t)n];
        uint32_t row = job->rows[n].row;
        Hood hood;
        if ((turn[0] == 0 && turn[1] == 0 && turn[2] == 0) || is_held(job->step, row)) continue;
        if (!measure_hood(job->step, contacts->period, job->velocity == NULL, row, &hood)) continue;
        job->twists[row] = find_twist(&hood, turn);
    }
}

// what a row gets from its own neighbourhood and from those that it is in; for `keeper` to see to
static void turn_row(const Turning *job, uint32_t row, uint32_t keeper,
                     const ThawContactBond *bonds, uint32_t count) {
    ThawContactTwist *own = &job->twists[row];
    float sum[3], scale = job->step->weight[row];
    for (int k = 0; k < 3; k++) sum[k] = own->own[k];
    for (uint32_t n = 0; n < count; n++) {
        const ThawContactTwist *twist = &job->twists[bonds[n].other];
        const float *w = twist->w;
        float r[3]; // from the row to the other: what is turned is its opposite
        if (!(twist->any > 0)) continue;
        find_way(job->step, job->velocity == NULL, row, &bonds[n], r);
        sum[0] += twist->own[0] - (w[1] * r[2] - w[2] * r[1]);
        sum[1] += twist->own[1] - (w[2] * r[0] - w[0] * r[2]);
        sum[2] += twist->own[2] - (w[0] * r[1] - w[1] * r[0]);
    }
    for (int k = 0; k < 3; k++) own->move[k] = scale * sum[k];
    own->keeper = keeper + 1;
}

// whether it is for `row` to see to somebody who is bonded to it
static bool sees_to(const Turning *job, uint32_t row, const ThawContactBond *bonds,
                    uint32_t count) {
    for (uint32_t n = 0; n < count; n++) {
        if (bonds[n].other < row && job->twists[bonds[n].other].any > 0) return false;
    }
    return true;
}

static void turn_chunk(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    const Turning *job = context;
    const int32_t *period = job->contacts->period;
    ThawRange range = thaw_chunk_range(chunk, job->contacts->row_count, TURN_CHUNK);
    for (uint32_t n = range.begin; n < range.end; n++) {
        ThawContactBond bonds[THAW_SITES], theirs[THAW_SITES];
        uint32_t row = job->rows[n].row;
        if (!(job->twists[row].any > 0)) continue;
        uint32_t count = thaw_contact_bonds(job->step, period, row, bonds);
        turn_row(job, row, row, bonds, count);
        for (uint32_t k = 0; k < count; k++) {
            uint32_t other = bonds[k].other;
            if (job->twists[other].any > 0 || is_held(job->step, other)) continue;
            uint32_t more = thaw_contact_bonds(job->step, period, other, theirs);
            if (sees_to(job, row, theirs, more)) turn_row(job, other, row, theirs, more);
        }
    }
}

// moves a row that is `keeper`'s to see to
static void move_row(const Turning *job, uint32_t row, uint32_t keeper) {
    ThawContactTwist *twist = &job->twists[row];
    if (twist->keeper != keeper + 1) return;
    twist->keeper = 0;
    if (job->velocity != NULL) {
        float *velocity = &job->velocity[3 * (size_t)row];
        for (int k = 0; k < 3; k++) velocity[k] += twist->move[k] * job->speed;
        return;
    }
    ThawPlace *place = &job->step->work->place[row];
    float *shift = &job->step->work->shift[3 * (size_t)row];
    for (int k = 0; k < 3; k++) shift[k] += twist->move[k];
    place->x = thaw_place_add(place->x, (int32_t)lrintf(twist->move[0] * THAW_PLACE_ONE));
    place->y = thaw_place_add(place->y, (int32_t)lrintf(twist->move[1] * THAW_PLACE_ONE));
    place->z = thaw_place_add(place->z, (int32_t)lrintf(twist->move[2] * THAW_PLACE_ONE));
}

static void move_chunk(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    const Turning *job = context;
    const uint32_t *slot = job->step->bonds->slot;
    ThawRange range = thaw_chunk_range(chunk, job->contacts->row_count, TURN_CHUNK);
    for (uint32_t n = range.begin; n < range.end; n++) {
        uint32_t row = job->rows[n].row;
        if (!(job->twists[row].any > 0)) continue;
        move_row(job, row, row);
        for (uint32_t s = 0; s < THAW_SITES; s++) {
            uint32_t other = slot[thaw_bond_at(row, s)];
            if (other != row && !(job->twists[other].any > 0)) move_row(job, other, row);
        }
    }
}

static void forget_chunk(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    const Turning *job = context;
    ThawRange range = thaw_chunk_range(chunk, job->contacts->row_count, TURN_CHUNK);
    for (uint32_t n = range.begin; n < range.end; n++) {
        job->twists[job->rows[n].row] = (ThawContactTwist){.any = 0};
    }
}

void thaw_contacts_turn(ThawContacts *contacts, const ThawContactStep *step, float *velocity) {
    if (contacts->row_count == 0 || (velocity != NULL && !(step->dt > 0))) return;
    Turning job = {.contacts = contacts,
                   .step = step,
                   .rows = contacts->rows,
                   .turns = contacts->turns,
                   .twists = contacts->twists,
                   .velocity = velocity,
                   .speed = velocity != NULL ? (float)(step->domain->cell / (double)step->dt) : 0};
    uint32_t chunks = thaw_chunk_count(contacts->row_count, TURN_CHUNK);
    thaw_parallel_run(step->parallel, twist_chunk, &job, chunks);
    thaw_parallel_run(step->parallel, turn_chunk, &job, chunks);
    thaw_parallel_run(step->parallel, move_chunk, &job, chunks);
    thaw_parallel_run(step->parallel, forget_chunk, &job, chunks);
}
