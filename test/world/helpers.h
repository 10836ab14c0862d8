// What the world's tests share: small worlds, and refusals that must name what was wrong.
#ifndef TEST_WORLD_HELPERS_H
#define TEST_WORLD_HELPERS_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <thaw/thaw.h>

#include <cmocka.h>

#define assert_ok(call) assert_result(call, THAW_OK, "", #call, __FILE__, __LINE__)
// the call is refused and the sentence holds `word`
#define assert_refused(call, word)                                                                 \
    assert_result(call, THAW_BAD_INPUT, word, #call, __FILE__, __LINE__)
#define assert_missing(call, word)                                                                 \
    assert_result(call, THAW_NOT_FOUND, word, #call, __FILE__, __LINE__)

static inline void assert_result(ThawResult result, ThawResult wanted, const char *word,
                                 const char *call, const char *file, int line) {
    if (result != wanted) {
        print_error("%s gave %d, not %d: %s\n", call, (int)result, (int)wanted, thaw_error_text());
        _fail(file, line);
    }
    if (strstr(thaw_error_text(), word) == NULL) {
        print_error("%s: \"%s\" does not say \"%s\"\n", call, thaw_error_text(), word);
        _fail(file, line);
    }
}

static inline ThawWorldDef small_def(int dimensions) {
    ThawWorldDef def = thaw_world_default();
    def.threads = 1;
    def.dimensions = dimensions;
    if (dimensions == 2) def.gravity = (ThawVec3){0, -9.81, 0};
    return def;
}

static inline ThawWorld *make_world(const ThawWorldDef *def) {
    ThawWorld *world = NULL;
    assert_ok(thaw_world_create(def, &world));
    assert_non_null(world);
    return world;
}

static inline ThawWorld *small_world(int dimensions) {
    ThawWorldDef def = small_def(dimensions);
    return make_world(&def);
}

static inline ThawMaterialId add_water(ThawWorld *world) {
    ThawMaterialDef def = thaw_material_default();
    ThawMaterialId water;
    assert_ok(thaw_world_add_material(world, &def, &water));
    return water;
}

// a box of 0.1 m with its centre at a point
static inline ThawBodyDef box_def(ThawMaterialId material, ThawVec3 center) {
    ThawBodyDef def = thaw_body_default();
    def.name = "box";
    def.material = material;
    def.shape = thaw_shape_box(center, (ThawVec3){0.1, 0.1, 0.1});
    return def;
}

static inline ThawView view_of(ThawWorld *world, const char *field) {
    ThawView view;
    assert_ok(thaw_world_view(world, field, &view));
    return view;
}

#endif
