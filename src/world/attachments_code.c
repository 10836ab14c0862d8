// Attachments as bytes, both ways. Loading trusts nothing, as in snapshot.c.
#include "world/parts.h"
#include "world/world.h"

#include "base/memory.h"
#include "base/result.h"

#include <math.h>

// fewest bytes that each takes, for thaw_code_count
#define ATTACHMENT_LEAST 214u
#define BALL_LEAST 32u
#define HELD_LEAST 32u

#define HELD_FARTHEST ((int64_t)1 << (THAW_FIXED_BITS + 23)) // where a held particle may have begun

// all but the balls, keys and held particles, which need memory
static void code_attachment(ThawCodec *codec, ThawAttachment *attachment) {
    thaw_code_u32(codec, &attachment->handle);
    thaw_code_name(codec, attachment->name, sizeof attachment->name);
    thaw_part_shape(codec, &attachment->region);
    thaw_code_f64(codec, &attachment->region.smooth);
    thaw_code_u32(codec, &attachment->body);
    thaw_code_u32(codec, &attachment->collider);
    thaw_code_f64(codec, &attachment->from);
    thaw_code_f64(codec, &attachment->to);
    uint8_t phase = (uint8_t)attachment->phase;
    thaw_code_u8(codec, &phase);
    attachment->phase = (ThawHoldPhase)phase;
    thaw_part_vec(codec, &attachment->begin.position);
    thaw_part_quat(codec, &attachment->begin.rotation);
}

static void code_ball(ThawCodec *codec, ThawBall *ball) {
    thaw_part_vec(codec, &ball->center);
    thaw_code_f64(codec, &ball->radius);
}

static void code_held(ThawCodec *codec, ThawHeld *held) {
    thaw_code_u64(codec, &held->id);
    for (int a = 0; a < 3; a++) thaw_code_element(codec, &held->start[a], sizeof held->start[a]);
}

static void save_attachment(ThawCodec *codec, ThawAttachment *attachment) {
    uint32_t balls = (uint32_t)attachment->region.ball_count;
    uint32_t keys = (uint32_t)attachment->motion_count;
    code_attachment(codec, attachment);
    thaw_code_count(codec, &balls, BALL_LEAST);
    for (uint32_t k = 0; k < balls; k++) {
        ThawBall ball = attachment->region.balls[k];
        code_ball(codec, &ball);
    }
    thaw_code_count(codec, &keys, THAW_KEY_LEAST);
    for (uint32_t k = 0; k < keys; k++) thaw_part_key(codec, &attachment->motion[k]);
    thaw_code_count(codec, &attachment->held_count, HELD_LEAST);
    for (uint32_t k = 0; k < attachment->held_count; k++) code_held(codec, &attachment->held[k]);
}

void thaw_attachments_save(ThawCodec *codec, ThawWorld *world) {
    thaw_code_count(codec, &world->attachment_count, ATTACHMENT_LEAST);
    for (uint32_t k = 0; k < world->attachment_count; k++) {
        save_attachment(codec, &world->attachments[k]);
    }
}

static ThawResult load_balls(ThawCodec *codec, ThawBall balls[THAW_BALLS], ThawShape *shape) {
    uint32_t count = 0;
    thaw_code_count(codec, &count, BALL_LEAST);
    if (codec->failed || count > THAW_BALLS) return thaw_fail_damaged(codec, "a region's balls");
    for (uint32_t k = 0; k < count; k++) code_ball(codec, &balls[k]);
    shape->balls = balls;
    shape->ball_count = (int)count;
    return THAW_OK;
}

// what an attachment holds, into `attachment`
static ThawResult load_held(ThawCodec *codec, const ThawWorld *world, ThawAttachment *attachment) {
    uint32_t count = 0;
    thaw_code_count(codec, &count, HELD_LEAST);
    bool fits = !codec->failed && (count == 0 || attachment->phase == THAW_HOLD_HOLDS);
    if (!fits) return thaw_fail_damaged(codec, "what an attachment holds");
    if (count == 0) return THAW_OK;
    attachment->held = thaw_alloc(count * sizeof *attachment->held);
    if (attachment->held == NULL) return thaw_fail_memory(count * sizeof *attachment->held);
    uint64_t last = 0;
    for (uint32_t k = 0; k < count; k++) {
        ThawHeld *held = &attachment->held[k];
        code_held(codec, held);
        bool good = held->id > last && held->id >> THAW_ID_SOURCE_SHIFT < world->next_source;
        for (int a = 0; a < 3; a++) {
            good &= held->start[a] > -HELD_FARTHEST && held->start[a] < HELD_FARTHEST;
        }
        good &= world->def.dimensions == 3 || held->start[2] == 0;
        if (codec->failed || !good) return thaw_fail_damaged(codec, "a held particle");
        last = held->id;
    }
    attachment->held_count = count;
    return THAW_OK;
}

static bool is_good_pose(const ThawPose *pose) {
    ThawQuat q = pose->rotation;
    double norm = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
    return isfinite(pose->position.x) && isfinite(pose->position.y) && isfinite(pose->position.z) &&
           fabs(norm - 1.0) < 1e-6;
}

// what the public functions do not check: handles and the state it is in
static bool is_good_attachment(const ThawWorld *world, const ThawAttachment *read) {
    uint32_t count = world->attachment_count;
    uint32_t last = count == 0 ? 0 : world->attachments[count - 1].handle;
    return read->handle > last && read->handle < world->next_attachment &&
           read->body < world->next_body && read->phase <= THAW_HOLD_OVER &&
           (read->phase != THAW_HOLD_HOLDS || is_good_pose(&read->begin));
}

static ThawResult load_attachment(ThawCodec *codec, ThawWorld *world) {
    ThawAttachment read = {0};
    ThawBall balls[THAW_BALLS];
    code_attachment(codec, &read);
    if (codec->failed || !is_good_attachment(world, &read)) {
        return thaw_fail_damaged(codec, "an attachment");
    }
    ThawKeyframe *motion;
    uint32_t keys;
    ThawResult result = load_balls(codec, balls, &read.region);
    if (result != THAW_OK) return result;
    result = thaw_part_load_motion(codec, &motion, &keys);
    if (result != THAW_OK) return result;
    ThawAttachmentDef def = {.name = read.name,
                             .region = read.region,
                             .body = {read.body},
                             .collider = {read.collider},
                             .motion = motion,
                             .motion_count = (int)keys,
                             .from = read.from,
                             .to = read.to};
    result = codec->failed ? thaw_fail_damaged(codec, "an attachment") : THAW_OK;
    if (result == THAW_OK) result = thaw_attachment_check(world, &def);
    if (result == THAW_NOT_FOUND) result = thaw_fail_damaged(codec, "an attachment's collider");
    if (result == THAW_OK) result = thaw_attachments_put(world, &def, read.handle);
    thaw_free(motion);
    if (result != THAW_OK) return result;
    ThawAttachment *fresh = &world->attachments[world->attachment_count - 1];
    fresh->phase = read.phase;
    fresh->begin = read.begin;
    return load_held(codec, world, fresh);
}

ThawResult thaw_attachments_load(ThawCodec *codec, ThawWorld *world) {
    uint32_t count = 0;
    thaw_code_count(codec, &count, ATTACHMENT_LEAST);
    if (codec->failed) return thaw_fail_damaged(codec, "attachments");
    ThawResult result = THAW_OK;
    for (uint32_t k = 0; k < count && result == THAW_OK; k++) {
        result = load_attachment(codec, world);
    }
    return result;
}
