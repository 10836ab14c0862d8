// Watched models; see watch.h. The table's rows are filled when the program starts, with the stages of the
// real models behind a function that looks on.
#include "models/watch.h"

#include "models/spring.h"
#include "world/world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static ThawModel watched[WATCH_MODELS];
const ThawModel *const thaw_models[] = {&watched[0], &watched[1], NULL};

static const ThawModel *const real[WATCH_MODELS] = {&thaw_model_liquid, &thaw_model_spring};

bool watch_spoils;
static char complaint[256];
const char *watch_complaint = complaint;
uint32_t watch_runs[WATCH_MODELS][THAW_STAGE_COUNT];
uint32_t watch_written[WATCH_MODELS][THAW_STAGE_COUNT];

static void complain(int model, int stage, const char *what) {
    if (complaint[0] != '\0') return;
    snprintf(complaint, sizeof complaint, "%s, stage %d: %s", real[model]->name, stage, what);
}

static size_t bytes_of(const ThawStore *store, uint32_t field) {
    const ThawFieldInfo *info = thaw_world_field(field);
    return (size_t)store->count * info->components * thaw_type_size(info->type);
}

static void *copy_of(const void *bytes, size_t size) {
    void *copy = malloc(size + 1);
    if (copy == NULL) abort();
    return memcpy(copy, bytes, size);
}

// what a stage must not change unless it says so
typedef struct Before {
    void *fields[THAW_FIELD_COUNT];
    ThawPlace *place;
    float *shift;
    uint32_t count;
} Before;

static Before look(const ThawStep *step) {
    Before before = {.count = step->store->count};
    for (uint32_t f = 0; f < THAW_FIELD_COUNT; f++) {
        before.fields[f] = copy_of(thaw_store_field(step->store, f), bytes_of(step->store, f));
    }
    if (step->work->count != before.count) return before;
    before.place = copy_of(step->work->place, before.count * sizeof(ThawPlace));
    before.shift = copy_of(step->work->shift, before.count * 3 * sizeof(float));
    return before;
}

static void forget(Before *before) {
    for (uint32_t f = 0; f < THAW_FIELD_COUNT; f++) free(before->fields[f]);
    free(before->place);
    free(before->shift);
}

// rubbish in the fields of a set, or back what was there
static void spoil(const ThawStep *step, uint32_t set, const Before *restore) {
    for (uint32_t f = 0; f < THAW_FIELD_COUNT; f++) {
        if (!(set >> f & 1)) continue;
        void *rows = thaw_store_field(step->store, f);
        if (restore == NULL)
            memset(rows, 0xa5, bytes_of(step->store, f));
        else
            memcpy(rows, restore->fields[f], bytes_of(step->store, f));
    }
}

static void compare_fields(int model, int stage, const ThawStep *step, const Before *before) {
    uint32_t writes = real[model]->stages[stage].writes;
    for (uint32_t f = 0; f < THAW_FIELD_COUNT; f++) {
        const void *rows = thaw_store_field(step->store, f);
        if (memcmp(rows, before->fields[f], bytes_of(step->store, f)) == 0) continue;
        watch_written[model][stage] |= 1u << f;
        if (!(writes >> f & 1)) complain(model, stage, thaw_world_field(f)->name);
    }
}

// stages that do not act on tentative positions leave them
static void compare_places(int model, int stage, const ThawStep *step, const Before *before) {
    if (real[model]->stages[stage].action != THAW_ACTION_NONE || before->place == NULL) return;
    if (memcmp(before->shift, step->work->shift, before->count * 3 * sizeof(float)) != 0) {
        complain(model, stage, "shift");
    }
    if (memcmp(before->place, step->work->place, before->count * sizeof(ThawPlace)) != 0) {
        complain(model, stage, "place");
    }
}

static ThawResult watch(int model, int stage, void *state, ThawStep *step) {
    const ThawStageRow *row = &real[model]->stages[stage];
    Before before = look(step);
    uint32_t needless = ~(row->reads | row->reads_neighbors | row->writes);
    if (watch_spoils) spoil(step, needless, NULL);
    ThawResult result = row->run(state, step);
    if (watch_spoils) spoil(step, needless, &before);
    if (step->store->count != before.count)
        complain(model, stage, "number of rows");
    else
        compare_fields(model, stage, step, &before);
    compare_places(model, stage, step, &before);
    watch_runs[model][stage]++;
    forget(&before);
    return result;
}

// a function for each model and stage, since a stage is told neither
#define WATCHED(model, stage)                                                                      \
    static ThawResult watch_##model##_##stage(void *state, ThawStep *step) {                       \
        return watch(model, stage, state, step);                                                   \
    }
#define ALL_STAGES(model)                                                                          \
    WATCHED(model, 0)                                                                              \
    WATCHED(model, 1)                                                                              \
    WATCHED(model, 2) WATCHED(model, 3) WATCHED(model, 4) WATCHED(model, 5)
ALL_STAGES(0)
ALL_STAGES(1)

void watch_begin(void) {
    typedef ThawResult Run(void *state, ThawStep *step);
    static Run *const runs[WATCH_MODELS][THAW_STAGE_COUNT] = {
        {watch_0_0, watch_0_1, watch_0_2, watch_0_3, watch_0_4, watch_0_5},
        {watch_1_0, watch_1_1, watch_1_2, watch_1_3, watch_1_4, watch_1_5}};
    for (int model = 0; model < WATCH_MODELS; model++) {
        watched[model] = *real[model];
        for (int stage = 0; stage < THAW_STAGE_COUNT; stage++) {
            if (real[model]->stages[stage].run != NULL) {
                watched[model].stages[stage].run = runs[model][stage];
            }
        }
    }
}
