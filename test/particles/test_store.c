// The store against what it promises: ids, capacity, compaction, and a plain model of itself.
#include "base/memory.h"
#include "particles/layout.h"
#include "particles/store.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define ID(source, count) (((uint64_t)(source) << THAW_ID_SOURCE_SHIFT) + (count))

static uint64_t random_state = 1;

static uint32_t draw(uint32_t below) {
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((random_state >> 33) % below);
}

static ThawStore *make_store(void) {
    ThawStore *store = NULL;
    assert_int_equal(thaw_store_create(&store), THAW_OK);
    return store;
}

static ThawParallel *make_parallel(int threads) {
    ThawParallel *parallel = NULL;
    assert_int_equal(thaw_parallel_create(threads, NULL, &parallel), THAW_OK);
    return parallel;
}

// every value of a row as a function of its id, so that state can be checked to follow ids
static void write_row(ThawStore *store, uint32_t row) {
    uint64_t id = store->id[row];
    for (uint32_t a = 0; a < 3; a++) {
        store->cells[3 * row + a] = (int64_t)(id * 3 + a) << 7;
        store->velocity[3 * row + a] = (float)(id % 1000003) + (float)a;
    }
    store->spacing[row] = (float)(id % 977) + 0.5f;
    store->object[row] = (int32_t)(id % 12345);
    store->density_error[row] = (float)(id % 331);
    store->material[row] = (uint16_t)(id % 65521);
    store->state[row] = (uint8_t)(id % 251);
}

static void check_row(const ThawStore *store, uint32_t row) {
    uint64_t id = store->id[row];
    for (uint32_t a = 0; a < 3; a++) {
        assert_true(store->cells[3 * row + a] == (int64_t)(id * 3 + a) << 7);
        assert_true(store->velocity[3 * row + a] == (float)(id % 1000003) + (float)a);
    }
    assert_true(store->spacing[row] == (float)(id % 977) + 0.5f);
    assert_true(store->object[row] == (int32_t)(id % 12345));
    assert_true(store->material[row] == (uint16_t)(id % 65521));
    assert_true(store->state[row] == (uint8_t)(id % 251));
    assert_int_equal(store->dead[row], 0);
}

static void emit(ThawStore *store, uint32_t rows, uint32_t source, uint64_t first_count) {
    uint32_t row;
    assert_int_equal(thaw_store_append(store, rows, source, first_count, &row), THAW_OK);
    assert_int_equal(row + rows, store->count);
    for (uint32_t k = 0; k < rows; k++) {
        assert_true(store->id[row + k] == ID(source, first_count + k));
        assert_true(store->cells[3 * (row + k)] == 0 && store->velocity[3 * (row + k) + 2] == 0);
        assert_true(store->dead[row + k] == 0 && store->state[row + k] == 0);
        write_row(store, row + k);
    }
}

static void kill_random(ThawStore *store, uint32_t victims) {
    while (victims > 0) {
        uint32_t row = draw(store->count);
        if (store->dead[row]) continue;
        thaw_store_kill(store, row);
        victims--;
    }
}

static int compare_ids(const void *a, const void *b) {
    uint64_t x, y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    return x < y ? -1 : x > y;
}

static void check_ids_unique(const ThawStore *store) {
    uint64_t *ids = malloc(store->count * sizeof *ids);
    memcpy(ids, store->id, store->count * sizeof *ids);
    qsort(ids, store->count, sizeof *ids, compare_ids);
    for (uint32_t k = 1; k < store->count; k++) assert_true(ids[k] > ids[k - 1]);
    free(ids);
}

// validation case V-16
static void killing_most_and_emitting_again_keeps_ids_and_gives_memory_back(void **state) {
    (void)state;
    ThawStore *store = make_store();
    ThawParallel *parallel = make_parallel(2);
    emit(store, 100000, 1, 0);
    size_t full = thaw_store_bytes(store);
    uint32_t capacity = store->capacity;
    kill_random(store, 90000);
    assert_int_equal(thaw_store_compact(store, parallel), THAW_OK);
    assert_int_equal(store->count, 10000);
    assert_int_equal(store->dead_count, 0);
    assert_true(store->capacity < capacity / 2);
    assert_true(thaw_store_bytes(store) < full / 2);
    for (uint32_t row = 0; row < store->count; row++) {
        check_row(store, row);
        assert_true(store->density_error[row] == (float)(store->id[row] % 331));
        if (row > 0) assert_true(store->id[row] > store->id[row - 1]);
    }
    emit(store, 50000, 1, 100000);
    emit(store, 30000, 2, 0);
    check_ids_unique(store);
    for (uint32_t row = 0; row < store->count; row++) check_row(store, row);
    thaw_parallel_destroy(parallel);
    thaw_store_destroy(store);
}

static void capacity_grows_by_at_most_an_eighth_a_step(void **state) {
    (void)state;
    ThawStore *store = make_store();
    uint32_t last = store->capacity;
    assert_true(last >= 64);
    while (last < 2000000) {
        assert_int_equal(thaw_store_reserve(store, last + 1), THAW_OK);
        assert_true(store->capacity > last && store->capacity <= last + last / 8);
        last = store->capacity;
    }
    thaw_store_destroy(store);
}

static void growth_keeps_all_rows_and_padding_can_be_read(void **state) {
    (void)state;
    ThawStore *store = make_store();
    for (uint32_t k = 0; k < 40; k++) emit(store, 1 + draw(400), 3, k * 400);
    for (uint32_t row = 0; row < store->count; row++) check_row(store, row);
    assert_int_equal(thaw_store_reserve(store, store->capacity), THAW_OK);
    volatile int64_t cell = 0;
    volatile uint8_t dead = 0;
    for (uint32_t k = 0; k < THAW_STORE_PAD; k++) {
        cell = store->cells[3 * (store->capacity + k) + 2];
        dead = store->dead[store->capacity + k];
    }
    assert_true(cell == 0 && dead == 0);
    for (uint32_t f = 0; f < THAW_FIELD_COUNT; f++) {
        assert_int_equal((uintptr_t)thaw_store_field(store, f) % 64, 0);
    }
    assert_ptr_equal(thaw_store_field(store, THAW_FIELD_velocity), store->velocity);
    thaw_store_destroy(store);
}

static void impossible_sizes_and_sources_are_refused_and_change_nothing(void **state) {
    (void)state;
    ThawStore *store = make_store();
    emit(store, 100, 1, 0);
    uint32_t row = 77, capacity = store->capacity;
    assert_int_equal(thaw_store_append(store, UINT32_MAX, 1, 100, &row), THAW_OUT_OF_MEMORY);
    assert_int_equal(thaw_store_append(store, 1, 1u << 24, 0, &row), THAW_BAD_INPUT);
    assert_int_equal(thaw_store_append(store, 2, 1, ((uint64_t)1 << 40) - 1, &row), THAW_BAD_INPUT);
    assert_int_equal(row, 77);
    assert_int_equal(store->count, 100);
    assert_int_equal(store->capacity, capacity);
    for (uint32_t k = 0; k < store->count; k++) check_row(store, k);
    thaw_store_destroy(store);
}

static void killing_twice_counts_once(void **state) {
    (void)state;
    ThawStore *store = make_store();
    emit(store, 10, 1, 0);
    thaw_store_kill(store, 4);
    thaw_store_kill(store, 4);
    assert_int_equal(store->dead_count, 1);
    assert_int_equal(store->count, 10);
    thaw_store_destroy(store);
}

static void a_store_survives_the_death_of_all(void **state) {
    (void)state;
    ThawStore *store = make_store();
    ThawParallel *parallel = make_parallel(1);
    emit(store, 5000, 1, 0);
    for (uint32_t row = 0; row < 5000; row++) thaw_store_kill(store, row);
    assert_int_equal(thaw_store_compact(store, parallel), THAW_OK);
    assert_int_equal(store->count, 0);
    assert_int_equal(store->capacity, 64);
    assert_int_equal(thaw_store_permute(store, parallel, NULL), THAW_OK);
    assert_int_equal(thaw_store_find(store, ID(1, 7)), UINT32_MAX);
    emit(store, 3, 1, 5000);
    assert_int_equal(thaw_store_find(store, ID(1, 5002)), 2);
    thaw_parallel_destroy(parallel);
    thaw_store_destroy(store);
}

static uint32_t *draw_order(uint32_t count) {
    uint32_t *order = malloc((count + 1) * sizeof *order);
    for (uint32_t k = 0; k < count; k++) order[k] = k;
    for (uint32_t k = count; k > 1; k--) {
        uint32_t j = draw(k), held = order[j];
        order[j] = order[k - 1];
        order[k - 1] = held;
    }
    return order;
}

static void a_million_births_and_deaths_keep_bytes_bounded(void **state) {
    (void)state;
    ThawStore *store = make_store();
    ThawParallel *parallel = make_parallel(1);
    size_t most = 0;
    for (uint32_t round = 0; round < 500; round++) {
        emit(store, 2000, 1, (uint64_t)round * 2000);
        if (round == 0)
            kill_random(store, 1000);
        else
            kill_random(store, 2000);
        assert_int_equal(thaw_store_compact(store, parallel), THAW_OK);
        uint32_t row = draw(store->count);
        assert_int_equal(thaw_store_find(store, store->id[row]), row);
        if (thaw_store_bytes(store) > most) most = thaw_store_bytes(store);
    }
    // 1000 live, 3000 at most: fields, spare and map of the largest moment
    assert_true(most < sizeof *store + 3000 * 2 * 110);
    thaw_parallel_destroy(parallel);
    thaw_store_destroy(store);
}

// the model: an array of structs, changed in the plainest way
typedef struct Particle {
    uint64_t id;
    int64_t cells[3];
    float velocity[3];
    uint8_t state;
    float tint[3];
    int32_t marks[9];
    bool dead;
} Particle;

typedef struct Model {
    Particle *rows;
    uint32_t count;
} Model;

static void model_append(Model *model, ThawStore *store, uint32_t rows, uint64_t *born) {
    uint32_t row;
    assert_int_equal(thaw_store_append(store, rows, 9, *born, &row), THAW_OK);
    assert_int_equal(row, model->count);
    float *tint = thaw_store_channel(store, "tint")->data;
    int32_t *marks = thaw_store_channel(store, "marks")->data;
    for (uint32_t k = 0; k < rows; k++, row++) {
        Particle *particle = &model->rows[model->count++];
        *particle = (Particle){.id = ID(9, (*born)++), .state = (uint8_t)draw(2)};
        store->state[row] = particle->state;
        for (uint32_t a = 0; a < 3; a++) {
            store->cells[3 * row + a] = particle->cells[a] = (int64_t)draw(1u << 30) << 20;
            store->velocity[3 * row + a] = particle->velocity[a] = (float)draw(1000);
            assert_true(tint[3 * row + a] == 0);
            tint[3 * row + a] = particle->tint[a] = (float)draw(1000) * 0.25f;
        }
        for (uint32_t a = 0; a < 9; a++) {
            assert_true(marks[9 * row + a] == 0);
            marks[9 * row + a] = particle->marks[a] = (int32_t)draw(100000);
        }
    }
}

static void model_compact(Model *model) {
    uint32_t count = 0;
    for (uint32_t k = 0; k < model->count; k++) {
        if (!model->rows[k].dead) model->rows[count++] = model->rows[k];
    }
    model->count = count;
}

static void model_permute(Model *model, const uint32_t *order) {
    Particle *old = malloc(((size_t)model->count + 1) * sizeof *old);
    memcpy(old, model->rows, model->count * sizeof *old);
    for (uint32_t k = 0; k < model->count; k++) model->rows[k] = old[order[k]];
    free(old);
}

static void check_against_model(ThawStore *store, const Model *model) {
    assert_int_equal(store->count, model->count);
    const float *tint = thaw_store_channel(store, "tint")->data;
    const int32_t *marks = thaw_store_channel(store, "marks")->data;
    for (uint32_t row = 0; row < model->count; row++) {
        const Particle *particle = &model->rows[row];
        assert_true(store->id[row] == particle->id);
        assert_memory_equal(&store->cells[3 * row], particle->cells, sizeof particle->cells);
        assert_memory_equal(&store->velocity[3 * row], particle->velocity,
                            sizeof particle->velocity);
        assert_memory_equal(&tint[3 * row], particle->tint, sizeof particle->tint);
        assert_memory_equal(&marks[9 * row], particle->marks, sizeof particle->marks);
        assert_true(store->state[row] == particle->state && store->dead[row] == particle->dead);
    }
    for (uint32_t k = 0; k < 50 && model->count > 0; k++) {
        uint32_t row = draw(model->count);
        uint32_t found = thaw_store_find(store, model->rows[row].id);
        assert_int_equal(found, model->rows[row].dead ? UINT32_MAX : row);
    }
}

static void random_operations_agree_with_a_plain_model(void **state) {
    (void)state;
    random_state = 2024;
    ThawStore *store = make_store();
    ThawParallel *parallel = make_parallel(3);
    ThawChannelDef tint = {"tint", THAW_F32, 3}, marks = {"marks", THAW_I32, 9};
    assert_int_equal(thaw_store_add_channel(store, &tint), THAW_OK);
    assert_int_equal(thaw_store_add_channel(store, &marks), THAW_OK);
    Model model = {malloc(60000 * sizeof(Particle)), 0};
    uint64_t born = 0;
    for (uint32_t round = 0; round < 150; round++) {
        uint32_t action = draw(4);
        if (action == 0 && model.count < 40000) {
            model_append(&model, store, draw(draw(4) == 0 ? 15000 : 300), &born);
        } else if (action == 1 && model.count > 0) {
            for (uint32_t k = draw(model.count); k > 0; k--) {
                uint32_t row = draw(model.count);
                model.rows[row].dead = true;
                thaw_store_kill(store, row);
            }
        } else if (action == 2) {
            model_compact(&model);
            assert_int_equal(thaw_store_compact(store, parallel), THAW_OK);
        } else {
            model_compact(&model);
            assert_int_equal(thaw_store_compact(store, parallel), THAW_OK);
            uint32_t *order = draw_order(model.count);
            model_permute(&model, order);
            assert_int_equal(thaw_store_permute(store, parallel, order), THAW_OK);
            free(order);
        }
        check_against_model(store, &model);
    }
    free(model.rows);
    thaw_parallel_destroy(parallel);
    thaw_store_destroy(store);
}

static void blocks_hold_every_moving_field_once_without_overlap(void **state) {
    (void)state;
    ThawLayout layout = thaw_layout();
    for (uint32_t f = 0; f < THAW_FIELD_COUNT; f++) {
        const ThawFieldRow *a = &layout.fields[f];
        assert_true(a->block < layout.block_count);
        assert_int_equal(a->moves, a->block < layout.moving_count);
        assert_true(a->start + a->row_bytes <= layout.block_bytes[a->block]);
        for (uint32_t g = 0; g < f; g++) {
            const ThawFieldRow *b = &layout.fields[g];
            if (a->block != b->block) continue;
            assert_true(a->start + a->row_bytes <= b->start || b->start + b->row_bytes <= a->start);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(killing_most_and_emitting_again_keeps_ids_and_gives_memory_back),
        cmocka_unit_test(capacity_grows_by_at_most_an_eighth_a_step),
        cmocka_unit_test(growth_keeps_all_rows_and_padding_can_be_read),
        cmocka_unit_test(impossible_sizes_and_sources_are_refused_and_change_nothing),
        cmocka_unit_test(killing_twice_counts_once),
        cmocka_unit_test(a_store_survives_the_death_of_all),
        cmocka_unit_test(a_million_births_and_deaths_keep_bytes_bounded),
        cmocka_unit_test(random_operations_agree_with_a_plain_model),
        cmocka_unit_test(blocks_hold_every_moving_field_once_without_overlap),
    };
    return cmocka_run_group_tests_name("store", tests, NULL, NULL);
}
