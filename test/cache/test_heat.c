// Heat in caches: columns of frames that files give back in every bit, statistics, checkpoints.
#include "cache/room.h"

static const char *const warm_channels[5] = {"state", "temperature", "molten", "enthalpy",
                                             "material"};

// an ice cube on a hot floor
static ThawWorld *melting_world(void) {
    ThawWorldDef def = small_def(3);
    def.spacing = 0.02;
    def.gravity = (ThawVec3){0, 0, 0};
    def.heat.on = true;
    ThawWorld *world = make_world(&def);
    ThawMaterialDef ice = thaw_material_default();
    ice.solid.young = 1e4f;
    ice.thermal.conductivity = 2000;
    ice.thermal.specific_heat = 2000;
    ice.thermal.melts_at = 273.15f;
    ice.thermal.latent_heat = 3e4f;
    ThawMaterialId material;
    assert_ok(thaw_world_add_material(world, &ice, &material));
    ThawBodyDef body = box_def(material, (ThawVec3){0, 0, 0.06});
    body.state = THAW_STATE_SOLID;
    body.temperature = 270;
    assert_ok(thaw_world_add_body(world, &body, NULL));
    ThawColliderDef floor = thaw_collider_default();
    floor.shape = thaw_shape_plane((ThawVec3){0, 0, 0}, (ThawVec3){0, 0, 1});
    floor.temperature = 300;
    assert_ok(thaw_world_add_collider(world, &floor, NULL));
    return world;
}

static ThawFrame *take_warm(ThawWorld *world, int number) {
    ThawFrameInfo info = info_of(number);
    ThawFrame *frame = NULL;
    assert_ok(thaw_frame_take(world, &info, warm_channels, 5, &frame));
    return frame;
}

static void frames_take_temperatures(void **state) {
    (void)state;
    ThawWorld *world = melting_world();
    ThawFrame *frame = take_warm(world, 0);
    const ThawColumn *temperature = thaw_frame_column(frame, "temperature");
    assert_int_equal(temperature->type, THAW_F32);
    assert_int_equal(thaw_frame_column(frame, "enthalpy")->type, THAW_F64);
    assert_int_equal(thaw_frame_column(frame, "molten")->type, THAW_F32);
    for (uint32_t k = 0; k < frame->count; k++) {
        assert_true(((const float *)temperature->data)[k] == 270);
    }
    thaw_frame_free(frame);
    // a world without heat has none to give
    ThawWorld *cold = boxes(1, 0.05);
    ThawFrameInfo info = info_of(0);
    const char *const channel[1] = {"temperature"};
    assert_int_not_equal(thaw_frame_take(cold, &info, channel, 1, &frame), THAW_OK);
    thaw_world_destroy(cold);
    thaw_world_destroy(world);
}

static void files_give_temperatures_and_enthalpies_back(void **state) {
    (void)state;
    char *folder = make_folder();
    ThawWorld *world = melting_world();
    for (int k = 0; k < 6; k++) assert_ok(thaw_world_step(world, 1.0 / 24, NULL));
    ThawFrame *frame = take_warm(world, 6), *again = NULL;
    const double *enthalpy = thaw_frame_column(frame, "enthalpy")->data;
    bool uneven = false;
    for (uint32_t k = 1; k < frame->count; k++) uneven |= enthalpy[k] != enthalpy[0];
    assert_true(uneven); // or nothing was tried
    for (int compression = 0; compression <= 9; compression += 9) {
        assert_ok(thaw_frame_write(frame, compression, in_folder(folder, "f.h5")));
        assert_ok(thaw_frame_read(in_folder(folder, "f.h5"), &again));
        assert_same_frame(frame, again);
        thaw_frame_free(again);
    }
    // tables have as many digits as give the same bits back
    assert_ok(thaw_export_frame(frame, "csv", in_folder(folder, "f.csv")));
    ThawTable *table;
    assert_ok(thaw_table_read(in_folder(folder, "f.csv"), &table));
    assert_int_equal(table->rows, (int)frame->count);
    int column = 0;
    while (strcmp(table->names[column], "enthalpy") != 0) column++;
    for (uint32_t k = 0; k < frame->count; k++) {
        assert_true(table->values[k * (uint32_t)table->columns + (uint32_t)column] == enthalpy[k]);
    }
    thaw_table_free(table);
    thaw_frame_free(frame);
    thaw_world_destroy(world);
    drop_folder(folder);
}

static double value_in(const ThawTable *table, int row, const char *name) {
    for (int k = 0; k < table->columns; k++) {
        if (strcmp(table->names[k], name) == 0) return table->values[row * table->columns + k];
    }
    fail_msg("there is no column %s", name);
    return 0;
}

static void statistics_hold_what_reports_say_of_heat(void **state) {
    (void)state;
    char *folder = make_folder();
    ThawCacheDef def = {.directory = in_folder(folder, "it"),
                        .scene_text = "thaw: 1\n",
                        .scene_size = 8,
                        .fps = 24,
                        .dimensions = 3};
    ThawCache *cache;
    assert_ok(thaw_cache_create(&def, &cache));
    ThawWorld *world = melting_world();
    ThawStats stats[4] = {{.frame = 0}};
    for (int k = 0; k < 4; k++) {
        stats[k].frame = k;
        if (k > 0) assert_ok(thaw_world_step(world, 1.0 / 24, &stats[k].report));
        assert_ok(thaw_cache_put(cache, take_warm(world, k), &stats[k]));
    }
    assert_ok(thaw_cache_close(cache));
    ThawTable *table;
    assert_ok(thaw_table_read(in_folder(folder, "it/stats.csv"), &table));
    for (int k = 0; k < 4; k++) {
        const ThawReport *report = &stats[k].report;
        assert_true(value_in(table, k, "heat") == report->heat);
        assert_true(value_in(table, k, "heat_taken") == report->heat_taken);
        assert_true(value_in(table, k, "coldest") == report->coldest);
        assert_true(value_in(table, k, "hottest") == report->hottest);
        assert_true(value_in(table, k, "molten") == report->molten);
        assert_true(value_in(table, k, "melted") == report->melted);
        assert_true(value_in(table, k, "frozen") == report->frozen);
    }
    assert_true(value_in(table, 3, "heat") > 0 && value_in(table, 3, "heat_taken") > 0);
    thaw_table_free(table);
    // the series names the columns, with their types
    Bytes series = load(in_folder(folder, "it/frames.xdmf"));
    assert_non_null(strstr((const char *)series.data, "<Attribute Name=\"temperature\""));
    assert_non_null(strstr((const char *)series.data, "Precision=\"8\" Format=\"HDF\">frames/"
                                                      "frame_000003.h5:/enthalpy"));
    free(series.data);
    thaw_world_destroy(world);
    drop_folder(folder);
}

static void no_particles_have_no_temperature(void **state) {
    (void)state;
    char *folder = make_folder();
    ThawCacheDef def = {.directory = in_folder(folder, "it"),
                        .scene_text = "thaw: 1\n",
                        .scene_size = 8,
                        .fps = 24,
                        .dimensions = 3};
    ThawCache *cache;
    assert_ok(thaw_cache_create(&def, &cache));
    ThawWorldDef empty = small_def(3);
    empty.heat.on = true;
    ThawWorld *world = make_world(&empty);
    ThawStats stats = {.frame = 0};
    assert_ok(thaw_world_step(world, 1.0 / 24, &stats.report));
    assert_ok(thaw_cache_put(cache, take_warm(world, 0), &stats));
    assert_ok(thaw_cache_close(cache));
    ThawTable *table;
    assert_ok(thaw_table_read(in_folder(folder, "it/stats.csv"), &table));
    assert_true(value_in(table, 0, "coldest") == 0 && value_in(table, 0, "hottest") == 0);
    assert_true(value_in(table, 0, "heat") == 0);
    thaw_table_free(table);
    thaw_world_destroy(world);
    drop_folder(folder);
}

static void checkpoints_keep_heat(void **state) {
    (void)state;
    char *folder = make_folder();
    ThawWorld *world = melting_world();
    for (int k = 0; k < 4; k++) assert_ok(thaw_world_step(world, 1.0 / 24, NULL));
    ThawCacheDef def = {.directory = in_folder(folder, "it"),
                        .scene_text = "thaw: 1\n",
                        .scene_size = 8,
                        .fps = 24,
                        .dimensions = 3};
    ThawCache *cache;
    assert_ok(thaw_cache_create(&def, &cache));
    ThawStats stats = {.frame = 0};
    assert_ok(thaw_cache_put(cache, take_warm(world, 0), &stats));
    void *bytes, *back;
    size_t size, back_size;
    assert_ok(thaw_world_save(world, &bytes, &size));
    assert_ok(thaw_cache_checkpoint(cache, 0, bytes, size));
    assert_ok(thaw_cache_close(cache));
    int number;
    uint64_t hash;
    assert_ok(thaw_checkpoint_read(in_folder(folder, "it/checkpoint.h5"), &number, &hash, &back,
                                   &back_size));
    ThawWorld *again = NULL;
    ThawHostDef host = {.threads = 2};
    assert_ok(thaw_world_load(back, back_size, &host, &again));
    free(back);
    for (int k = 0; k < 3; k++) {
        assert_ok(thaw_world_step(world, 1.0 / 24, NULL));
        assert_ok(thaw_world_step(again, 1.0 / 24, NULL));
    }
    ThawFrame *one = take_warm(world, 1), *other = take_warm(again, 1);
    assert_same_frame(one, other);
    thaw_frame_free(one);
    thaw_frame_free(other);
    thaw_world_destroy(world);
    thaw_world_destroy(again);
    drop_folder(folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frames_take_temperatures),
        cmocka_unit_test(files_give_temperatures_and_enthalpies_back),
        cmocka_unit_test(statistics_hold_what_reports_say_of_heat),
        cmocka_unit_test(no_particles_have_no_temperature),
        cmocka_unit_test(checkpoints_keep_heat),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
