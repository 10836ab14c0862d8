// Attachments: taking hold of particles in a region, moving them along, letting go.
//
// A region rides with what moves it: with a motion it is where the motion has brought it, with a collider
// where the collider has carried it since time 0. A particle that is held already is not taken a second time.
#include "world/attachments.h"
#include "world/region.h"
#include "world/world.h"

#include "base/memory.h"
#include "base/result.h"
#include "geometry/distance.h"
#include "math/vec.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#define OWNER_SIZE (THAW_NAME_SIZE + 24)
#define SAME_TIME 1e-6     // substeps: times that differ by less are the same
#define FARTHEST 4194304.0 // cells that anything is moved from where it was taken

ThawAttachmentDef thaw_attachment_default(void) {
    return (ThawAttachmentDef){
        .name = "", .region = {.pose = {.rotation = {0, 0, 0, 1}}}, .from = 0, .to = INFINITY};
}

// ---------------------------------------------------------------- checks

static ThawResult check_key(const char *owner, const ThawKeyframe *keys, int k) {
    ThawQuat q = keys[k].rotation;
    double norm = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
    if (!isfinite(keys[k].time) || !thaw_vec_finite(keys[k].move)) {
        return thaw_fail(THAW_BAD_INPUT, "%s: time and move of motion[%d] must be finite", owner,
                         k);
    }
    if (!(fabs(norm - 1.0) < 1e-6)) {
        return thaw_fail(THAW_BAD_INPUT, "%s: motion[%d].rotation must be a unit quaternion", owner,
                         k);
    }
    if (k > 0 && keys[k].time <= keys[k - 1].time) {
        return thaw_fail(THAW_BAD_INPUT,
                         "%s: motion[%d].time must be above motion[%d].time, but %g follows %g",
                         owner, k, k - 1, keys[k].time, keys[k - 1].time);
    }
    return THAW_OK;
}

static ThawResult check_motion(const char *owner, const ThawAttachmentDef *def) {
    if (def->motion == NULL && def->motion_count == 0) return THAW_OK;
    if (def->motion == NULL || def->motion_count < 1) {
        return thaw_fail(THAW_BAD_INPUT, "%s: motion_count is %d but motion is %s", owner,
                         def->motion_count, def->motion == NULL ? "NULL" : "given");
    }
    if (def->collider.value != 0) {
        return thaw_fail(THAW_BAD_INPUT,
                         "%s: motion must not be given together with collider, whose own it takes",
                         owner);
    }
    ThawResult result = THAW_OK;
    for (int k = 0; k < def->motion_count && result == THAW_OK; k++) {
        result = check_key(owner, def->motion, k);
    }
    return result;
}

static ThawResult check_times(const char *owner, const ThawAttachmentDef *def) {
    if (!isfinite(def->from)) {
        return thaw_fail(THAW_BAD_INPUT, "%s: from must be finite, not %g", owner, def->from);
    }
    if (!(def->to > def->from)) {
        return thaw_fail(THAW_BAD_INPUT, "%s: to must be after from, %g s, not %g s", owner,
                         def->from, def->to);
    }
    return THAW_OK;
}

ThawResult thaw_attachment_check(const ThawWorld *world, const ThawAttachmentDef *def) {
    char owner[OWNER_SIZE] = "attachment";
    if (def->name != NULL && strnlen(def->name, THAW_NAME_SIZE) == THAW_NAME_SIZE) {
        return thaw_fail(THAW_BAD_INPUT, "attachment: name must have at most %d bytes",
                         THAW_NAME_SIZE - 1);
    }
    if (def->name != NULL && def->name[0] != '\0') {
        snprintf(owner, sizeof owner, "attachment \"%s\"", def->name);
    }
    ThawResult result;
    if ((result = thaw_shape_check(&def->region, owner)) || (result = check_motion(owner, def)) ||
        (result = check_times(owner, def))) {
        return result;
    }
    if (def->region.kind == THAW_SHAPE_MESH) {
        return thaw_fail(THAW_BAD_INPUT, "%s: a mesh cannot be an attachment's region", owner);
    }
    if (def->collider.value != 0 && thaw_world_collider(world, def->collider) == NULL) {
        return thaw_fail(THAW_NOT_FOUND, "%s: collider %u is not in this world", owner,
                         def->collider.value);
    }
    if (def->collider.value != 0 && thaw_world_collider(world, def->collider)->rigid != NULL) {
        return thaw_fail(THAW_BAD_INPUT,
                         "%s: collider %u is dynamic: nothing can be attached to it", owner,
                         def->collider.value);
    }
    return THAW_OK;
}

// ---------------------------------------------------------------- keeping

static void release(ThawAttachment *attachment) {
    thaw_free((void *)(uintptr_t)attachment->region.balls);
    thaw_free(attachment->motion);
    thaw_free(attachment->held);
}

void thaw_attachments_release(ThawWorld *world) {
    for (uint32_t k = 0; k < world->attachment_count; k++) release(&world->attachments[k]);
    thaw_free(world->attachments);
    thaw_free(world->held_block);
    thaw_free(world->fixed_block);
    thaw_free(world->held_moves);
}

// a block of its own for what a def points to; NULL of nothing
static bool copy_block(const void *from, size_t bytes, void **copy) {
    *copy = bytes == 0 ? NULL : thaw_alloc(bytes);
    if (*copy != NULL) memcpy(*copy, from, bytes);
    return bytes == 0 || *copy != NULL;
}

static ThawResult copy_def(const ThawAttachmentDef *def, ThawAttachment *fresh) {
    *fresh = (ThawAttachment){.region = def->region,
                              .motion_count = def->motion_count,
                              .body = def->body.value,
                              .collider = def->collider.value,
                              .from = def->from,
                              .to = def->to};
    if (def->name != NULL) memcpy(fresh->name, def->name, strlen(def->name));
    bool blend = def->region.kind == THAW_SHAPE_BLEND;
    size_t balls = blend ? (size_t)def->region.ball_count * sizeof(ThawBall) : 0;
    size_t keys = (size_t)def->motion_count * sizeof(ThawKeyframe);
    void *own_balls = NULL, *own_keys = NULL;
    bool fits = copy_block(def->region.balls, balls, &own_balls) &&
                copy_block(def->motion, keys, &own_keys);
    fresh->region.balls = own_balls;
    if (!blend) fresh->region.ball_count = 0;
    fresh->motion = own_keys;
    if (fits) return THAW_OK;
    release(fresh);
    return thaw_fail_memory(balls + keys);
}

ThawResult thaw_attachments_put(ThawWorld *world, const ThawAttachmentDef *def, uint32_t handle) {
    void *array = world->attachments;
    ThawResult result = thaw_world_grow(&array, &world->attachment_capacity,
                                        world->attachment_count, sizeof *world->attachments);
    world->attachments = array;
    if (result != THAW_OK) return result;
    ThawAttachment *fresh = &world->attachments[world->attachment_count];
    result = copy_def(def, fresh);
    if (result != THAW_OK) return result;
    fresh->handle = handle;
    world->attachment_count++;
    return THAW_OK;
}

ThawResult thaw_world_add_attachment(ThawWorld *world, const ThawAttachmentDef *def,
                                     ThawAttachmentId *attachment) {
    assert(world != NULL && def != NULL);
    ThawResult result = thaw_attachment_check(world, def);
    if (result != THAW_OK) return result;
    if (def->body.value != 0 && thaw_world_body(world, def->body) == NULL) {
        return thaw_fail(THAW_NOT_FOUND, "attachment: body %u is not in this world, or was removed",
                         def->body.value);
    }
    if (world->next_attachment > THAW_WORLD_HANDLES) {
        return thaw_fail(THAW_BAD_INPUT, "attachment: the world has no handles left");
    }
    result = thaw_attachments_put(world, def, world->next_attachment);
    if (result != THAW_OK) return result;
    if (attachment != NULL) attachment->value = world->next_attachment;
    world->next_attachment++;
    return THAW_OK;
}

static ThawAttachment *find_attachment(const ThawWorld *world, ThawAttachmentId attachment) {
    for (uint32_t k = 0; k < world->attachment_count; k++) {
        if (world->attachments[k].handle == attachment.value) return &world->attachments[k];
    }
    thaw_fail(THAW_NOT_FOUND, "attachment %u is not in this world, or was removed",
              attachment.value);
    return NULL;
}

ThawResult thaw_world_remove_attachment(ThawWorld *world, ThawAttachmentId attachment) {
    assert(world != NULL);
    ThawAttachment *gone = find_attachment(world, attachment);
    if (gone == NULL) return THAW_NOT_FOUND;
    release(gone);
    // close the gap and keep the order
    uint32_t index = (uint32_t)(gone - world->attachments);
    world->attachment_count--;
    memmove(gone, gone + 1, (world->attachment_count - index) * sizeof *gone);
    return THAW_OK;
}

ThawResult thaw_world_attached(const ThawWorld *world, ThawAttachmentId attachment,
                               uint32_t *count) {
    assert(world != NULL && count != NULL);
    const ThawAttachment *found = find_attachment(world, attachment);
    if (found == NULL) return THAW_NOT_FOUND;
    // some may have been removed since the last substep
    uint32_t alive = 0;
    for (uint32_t k = 0; k < found->held_count; k++) {
        alive += thaw_store_find(world->store, found->held[k].id) != UINT32_MAX;
    }
    *count = alive;
    return THAW_OK;
}

static void let_go(ThawAttachment *attachment) {
    attachment->phase = THAW_HOLD_OVER;
    thaw_free(attachment->held);
    attachment->held = NULL;
    attachment->held_count = 0;
}

void thaw_attachments_forget(ThawWorld *world, ThawColliderId collider) {
    for (uint32_t k = 0; k < world->attachment_count; k++) {
        ThawAttachment *attachment = &world->attachments[k];
        if (attachment->collider != collider.value) continue;
        attachment->collider = 0;
        let_go(attachment);
    }
}

// ---------------------------------------------------------------- where anchors are

static bool is_same_pose(const ThawPose *a, const ThawPose *b) {
    return a->position.x == b->position.x && a->position.y == b->position.y &&
           a->position.z == b->position.z && a->rotation.x == b->rotation.x &&
           a->rotation.y == b->rotation.y && a->rotation.z == b->rotation.z &&
           a->rotation.w == b->rotation.w;
}

static ThawPose anchor_pose(const ThawWorld *world, const ThawAttachment *attachment, double time) {
    if (attachment->collider != 0) {
        return thaw_collider_pose(
            thaw_world_collider(world, (ThawColliderId){attachment->collider}), time);
    }
    // a motion about the region's position is a collider's about its shape's
    ThawCollider mover = {.shape = attachment->region,
                          .motion = attachment->motion,
                          .motion_count = attachment->motion_count};
    return thaw_collider_pose(&mover, time);
}

// the region where its anchor has brought it
static ThawShape region_at(const ThawWorld *world, const ThawAttachment *attachment, double time) {
    ThawShape region = attachment->region;
    ThawPose now = anchor_pose(world, attachment, time);
    if (attachment->collider == 0) {
        if (attachment->motion_count > 0) region.pose = now;
        return region;
    }
    ThawPose first = anchor_pose(world, attachment, 0);
    if (is_same_pose(&now, &first)) return region;
    ThawQuat turn = thaw_quat_mul(now.rotation, thaw_quat_conjugate(first.rotation));
    ThawVec3 arm = thaw_sub(region.pose.position, first.position);
    region.pose.position = thaw_add(now.position, thaw_quat_rotate(turn, arm));
    region.pose.rotation = thaw_quat_normalize(thaw_quat_mul(turn, region.pose.rotation));
    return region;
}

// ---------------------------------------------------------------- taking

// by how many periods a region was moved to bring it into the domain
static void count_periods(const ThawRegion *region, const ThawShape *shape, int64_t periods[3]) {
    ThawVec3 off = thaw_sub(shape->pose.position, region->shape.pose.position);
    const double moved[3] = {off.x, off.y, off.z};
    for (int a = 0; a < 3; a++) {
        periods[a] = region->images[a] == 0 ? 0 : (int64_t)llrint(moved[a] / region->period[a]);
    }
}

// whether a region is near enough to the domain to hold anything
static bool is_near(const ThawDomain *domain, const ThawShape *shape) {
    ThawVec3 p = shape->pose.position;
    double farthest = FARTHEST * domain->cell;
    return fabs(p.x) < farthest && fabs(p.y) < farthest && fabs(p.z) < farthest;
}

// rows that are inside and free, by ascending id, in world->order
static ThawResult gather_free(ThawWorld *world, const ThawAttachment *attachment,
                              const ThawRegion *region, uint32_t *count) {
    ThawStore *store = world->store;
    ThawResult result = thaw_world_reserve_order(world);
    if (result != THAW_OK) return result;
    uint32_t found = 0;
    int image[3];
    for (uint32_t row = 0; row < store->count; row++) {
        if (attachment->body != 0 && store->object[row] != (int32_t)attachment->body) continue;
        if (world->held_block[row] != 0 || store->dead[row] != 0) continue;
        if (!thaw_region_holds(region, &store->cells[3 * (size_t)row], image)) continue;
        world->order[found++] = (ThawIdRow){store->id[row], row};
    }
    thaw_order_sort(world->order, world->order + store->count, found);
    *count = found;
    return THAW_OK;
}

static void take_row(ThawWorld *world, const ThawRegion *region, const int64_t periods[3],
                     const ThawIdRow *entry, ThawHeld *held) {
    const int64_t *cells = &world->store->cells[3 * (size_t)entry->row];
    int image[3] = {0};
    thaw_region_holds(region, cells, image);
    *held = (ThawHeld){.id = entry->id, .row = entry->row};
    for (int a = 0; a < 3; a++) {
        held->start[a] = cells[a] + (image[a] + periods[a]) * world->domain.length[a];
    }
    world->held_block[entry->row] = 1;
}

static ThawResult take(ThawWorld *world, ThawAttachment *attachment, double time) {
    ThawShape shape = region_at(world, attachment, time);
    ThawPose begin = anchor_pose(world, attachment, time);
    ThawHeld *held = NULL;
    uint32_t count = 0;
    if (is_near(&world->domain, &shape)) {
        ThawRegion region = thaw_region(&world->domain, &shape);
        int64_t periods[3];
        count_periods(&region, &shape, periods);
        ThawResult result = gather_free(world, attachment, &region, &count);
        if (result != THAW_OK) return result;
        if (count > 0) held = thaw_alloc(count * sizeof *held);
        if (count > 0 && held == NULL) return thaw_fail_memory(count * sizeof *held);
        for (uint32_t k = 0; k < count; k++) {
            take_row(world, &region, periods, &world->order[k], &held[k]);
        }
    }
    attachment->phase = THAW_HOLD_HOLDS;
    attachment->begin = begin;
    attachment->held = held;
    attachment->held_count = count;
    return THAW_OK;
}

// ---------------------------------------------------------------- rows and targets

// rows of the particles that are still there and free; the others drop out
static void find_rows(ThawWorld *world, ThawAttachment *attachment) {
    uint32_t left = 0;
    for (uint32_t k = 0; k < attachment->held_count; k++) {
        ThawHeld held = attachment->held[k];
        held.row = thaw_store_find(world->store, held.id);
        if (held.row == UINT32_MAX || world->held_block[held.row] != 0) continue;
        world->held_block[held.row] = 1;
        attachment->held[left++] = held;
    }
    attachment->held_count = left;
}

// how an anchor has moved since it began
typedef struct Carry {
    int64_t pivot[3]; // fixed-point cells, where it began
    int64_t move[3];
    ThawQuat turn;
    bool turns;
} Carry;

static int64_t fix_length(const ThawDomain *domain, double metres) {
    double cells = metres / domain->cell;
    if (!(cells > -FARTHEST)) cells = -FARTHEST; // not a number goes here too
    return thaw_fixed_from(cells < FARTHEST ? cells : FARTHEST);
}

static Carry find_carry(const ThawDomain *domain, const ThawPose *from, const ThawPose *to) {
    const double pivot[3] = {from->position.x, from->position.y, from->position.z};
    const double end[3] = {to->position.x, to->position.y, to->position.z};
    Carry carry = {.turn = thaw_quat_mul(to->rotation, thaw_quat_conjugate(from->rotation))};
    for (int a = 0; a < 3; a++) {
        carry.pivot[a] = fix_length(domain, pivot[a]);
        carry.move[a] = fix_length(domain, end[a] - pivot[a]);
    }
    ThawQuat p = from->rotation, q = to->rotation;
    carry.turns = p.x != q.x || p.y != q.y || p.z != q.z || p.w != q.w;
    return carry;
}

static void find_target(const Carry *carry, const ThawHeld *held, int64_t target[3]) {
    for (int a = 0; a < 3; a++) target[a] = held->start[a] + carry->move[a];
    if (!carry->turns) return;
    ThawVec3 arm = {thaw_fixed_cells(held->start[0] - carry->pivot[0]),
                    thaw_fixed_cells(held->start[1] - carry->pivot[1]),
                    thaw_fixed_cells(held->start[2] - carry->pivot[2])};
    ThawVec3 swing = thaw_sub(thaw_quat_rotate(carry->turn, arm), arm);
    target[0] += thaw_fixed_from(swing.x);
    target[1] += thaw_fixed_from(swing.y);
    target[2] += thaw_fixed_from(swing.z);
}

// the short way round on periodic axes
static int64_t shorten(const ThawDomain *domain, int axis, int64_t way) {
    if (!domain->periodic[axis]) return way;
    int64_t length = domain->length[axis];
    way %= length;
    if (way > length / 2) return way - length;
    return way < -length / 2 ? way + length : way;
}

static void aim_held(ThawWorld *world, const ThawAttachment *attachment, double time) {
    const ThawDomain *domain = &world->domain;
    ThawPose end = anchor_pose(world, attachment, time);
    Carry carry = find_carry(domain, &attachment->begin, &end);
    for (uint32_t k = 0; k < attachment->held_count; k++) {
        const ThawHeld *held = &attachment->held[k];
        const int64_t *cells = &world->store->cells[3 * (size_t)held->row];
        ThawHeldMove *move = &world->held_moves[world->held_count++];
        int64_t target[3];
        find_target(&carry, held, target);
        move->row = held->row;
        for (int a = 0; a < 3; a++) {
            bool fixed = a == 2 && domain->dimensions == 2;
            int64_t way = fixed ? 0 : shorten(domain, a, target[a] - cells[a]);
            move->shift[a] = (float)thaw_fixed_cells(way);
        }
    }
}

// ---------------------------------------------------------------- the substep

// moves on to the next phase by the clock; returns whether anything is held or about to be
static bool keep_time(ThawWorld *world, double now) {
    bool any = false;
    for (uint32_t k = 0; k < world->attachment_count; k++) {
        ThawAttachment *attachment = &world->attachments[k];
        if (attachment->phase != THAW_HOLD_OVER && now >= attachment->to) let_go(attachment);
        any |= attachment->phase == THAW_HOLD_HOLDS ||
               (attachment->phase == THAW_HOLD_WAITS && now >= attachment->from);
    }
    return any;
}

static ThawResult reserve_moves(ThawWorld *world, uint32_t frozen) {
    size_t rows = (size_t)thaw_emission_held(world) + frozen;
    for (uint32_t k = 0; k < world->attachment_count; k++) {
        rows += world->attachments[k].held_count;
    }
    size_t bytes = rows * sizeof *world->held_moves;
    void *block = world->held_moves;
    bool fits = thaw_scratch(&block, &world->held_moves_bytes, bytes);
    world->held_moves = block;
    return fits ? THAW_OK : thaw_fail_memory(bytes);
}

static ThawResult mark_rows(ThawWorld *world) {
    size_t rows = (size_t)world->store->count + THAW_STORE_PAD;
    void *block = world->held_block;
    bool fits = thaw_scratch(&block, &world->held_bytes, rows);
    world->held_block = block;
    if (!fits) return thaw_fail_memory(rows);
    memset(world->held_block, 0, rows);
    thaw_emission_mark(world);
    for (uint32_t k = 0; k < world->attachment_count; k++) find_rows(world, &world->attachments[k]);
    return THAW_OK;
}

// what rides on bodies is moved by them, not put in its place
static ThawResult mark_fixed(ThawWorld *world) {
    uint32_t riders = world->frost.rider_count;
    bool any = world->held_count > 0;
    if (any || riders > 0) world->held = world->held_block;
    if (riders == 0 || !any) {
        world->fixed = any ? world->held : NULL;
        return THAW_OK;
    }
    size_t rows = (size_t)world->store->count + THAW_STORE_PAD;
    void *block = world->fixed_block;
    bool fits = thaw_scratch(&block, &world->fixed_bytes, rows);
    world->fixed_block = block;
    if (!fits) return thaw_fail_memory(rows);
    memcpy(world->fixed_block, world->held_block, rows);
    for (uint32_t k = 0; k < riders; k++) world->fixed_block[world->frost.riders[k].row] = 0;
    world->fixed = world->fixed_block;
    return THAW_OK;
}

ThawResult thaw_attachments_begin(ThawWorld *world, double time, double dt) {
    double now = time + SAME_TIME * dt;
    world->held = world->fixed = NULL;
    world->held_count = 0;
    world->frost.rider_count = 0;
    bool any = keep_time(world, now);
    uint32_t frozen = thaw_frost_count(world);
    if (!any && frozen == 0 && thaw_emission_held(world) == 0) return THAW_OK;
    ThawResult result = mark_rows(world);
    for (uint32_t k = 0; k < world->attachment_count && result == THAW_OK; k++) {
        ThawAttachment *attachment = &world->attachments[k];
        bool due = attachment->phase == THAW_HOLD_WAITS && now >= attachment->from;
        if (due) result = take(world, attachment, time);
    }
    if (result == THAW_OK) result = reserve_moves(world, frozen);
    if (result != THAW_OK) return result;
    for (uint32_t k = 0; k < world->attachment_count; k++) {
        if (world->attachments[k].held_count > 0) {
            aim_held(world, &world->attachments[k], time + dt);
        }
    }
    thaw_emission_aim(world, time, dt);
    if (frozen > 0) result = thaw_frost_aim(world, frozen, time, dt);
    return result == THAW_OK ? mark_fixed(world) : result;
}

void thaw_attachments_hold(const ThawWorld *world) {
    const ThawDomain *domain = &world->domain;
    for (uint32_t k = 0; k < world->held_count; k++) {
        const ThawHeldMove *move = &world->held_moves[k];
        const int64_t *start = &world->store->cells[3 * (size_t)move->row];
        ThawPlace *place = &world->work.place[move->row];
        memcpy(&world->work.shift[3 * (size_t)move->row], move->shift, sizeof move->shift);
        // both records of the tentative position come from the same rounded shift
        place->x = thaw_place_follow(domain, 0, start[0] + thaw_fixed_from((double)move->shift[0]),
                                     place->x);
        place->y = thaw_place_follow(domain, 1, start[1] + thaw_fixed_from((double)move->shift[1]),
                                     place->y);
        place->z = thaw_place_follow(domain, 2, start[2] + thaw_fixed_from((double)move->shift[2]),
                                     place->z);
    }
    thaw_emission_bar(world);
}
