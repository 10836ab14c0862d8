// Views of fields that are worked out when asked for. Each has rows of its own, so that several can be looked at
// together.
#include "world/derived.h"

#include "base/memory.h"
#include "base/result.h"
#include "models/row_fields.h"

#include <string.h>

#define ROW_CHUNK 4096u

_Static_assert(THAW_WORLD_DERIVED == THAW_ROW_FIELDS, "a view each");

typedef struct DerivedJob {
    const ThawRowField *field;
    ThawRows rows;
    char *out;
} DerivedJob;

const char *thaw_derived_name(int index) {
    const ThawRowField *field = thaw_row_field(index);
    return field != NULL ? field->name : NULL;
}

int thaw_derived_find(const char *name) {
    for (int k = 0; thaw_derived_name(k) != NULL; k++) {
        if (strcmp(thaw_derived_name(k), name) == 0) return k;
    }
    return -1;
}

static void write_chunk(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    const DerivedJob *job = context;
    ThawRange range = thaw_chunk_range(chunk, job->rows.store->count, ROW_CHUNK);
    size_t row_bytes = job->field->components * sizeof(float);
    for (uint32_t row = range.begin; row < range.end; row++) {
        thaw_row_field_write(job->field, &job->rows, row, job->out + row * row_bytes);
    }
}

ThawResult thaw_derived_view(ThawWorld *world, int index, ThawView *view) {
    const ThawRowField *field = thaw_row_field(index);
    uint32_t count = world->store->count;
    size_t bytes = (size_t)count * field->components * sizeof(float);
    void **rows = &world->derived_views[index];
    if (!thaw_scratch(rows, &world->derived_view_bytes[index], bytes)) {
        return thaw_fail_memory(bytes);
    }
    DerivedJob job = {.field = field,
                      .rows = {.store = world->store,
                               .materials = world->materials,
                               .dimensions = world->def.dimensions,
                               .lattice = thaw_lattice_state(world->store)},
                      .out = *rows};
    if (world->def.heat.on) job.rows.heat = thaw_thermal_state(world->store);
    thaw_parallel_run(world->parallel, write_chunk, &job, thaw_chunk_count(count, ROW_CHUNK));
    *view = (ThawView){*rows, field->type, field->components, count};
    return THAW_OK;
}
