// Room for one substep's working set. Kept between substeps.
#include "particles/work.h"

#include "base/memory.h"
#include "base/result.h"

static void *fit_block(void *block, size_t *held, size_t wanted) {
    thaw_scratch(&block, held, wanted);
    return block;
}

ThawResult thaw_work_reserve(ThawWork *work, uint32_t rows) {
    size_t padded = (size_t)rows + THAW_STORE_PAD;
    size_t place_bytes = padded * sizeof(ThawPlace);
    size_t shift_bytes = padded * 3 * sizeof(float);
    size_t wall_bytes = padded * sizeof(float);
    work->count = 0;
    work->place = fit_block(work->place, &work->place_bytes, place_bytes);
    work->next = fit_block(work->next, &work->next_bytes, place_bytes);
    work->shift = fit_block(work->shift, &work->shift_bytes, shift_bytes);
    work->wall = fit_block(work->wall, &work->wall_bytes, wall_bytes);
    if (work->place_bytes < place_bytes || work->next_bytes < place_bytes ||
        work->shift_bytes < shift_bytes || work->wall_bytes < wall_bytes) {
        return thaw_fail_memory(2 * place_bytes + shift_bytes + wall_bytes);
    }
    work->count = rows;
    return THAW_OK;
}

void thaw_work_release(ThawWork *work) {
    thaw_free(work->place);
    thaw_free(work->next);
    thaw_free(work->shift);
    thaw_free(work->wall);
    *work = (ThawWork){0};
}
