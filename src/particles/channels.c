// The user's own channels: arrays beside the fields that follow their particles.
#include "base/memory.h"
#include "base/result.h"
#include "particles/layout.h"

#include <string.h>

#define MOST_COMPONENTS 16

// letters and digits of the C locale, whatever the host has set
static bool is_name_character(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

static bool is_field_name(const char *name) {
    const ThawFieldInfo *info;
    for (uint32_t k = 0; (info = thaw_field_info(k)) != NULL; k++) {
        // what is kept beyond the store's own fields is a channel itself
        if (k > THAW_FIELD_COUNT && info->saved) continue;
        if (strcmp(info->name, name) == 0) return true;
    }
    return false;
}

static ThawResult check_name(ThawStore *store, const char *name) {
    if (name == NULL || name[0] == '\0') {
        return thaw_fail(THAW_BAD_INPUT, "channel.name must not be empty");
    }
    const size_t most = sizeof store->channels[0].name - 1;
    for (size_t k = 0; name[k] != '\0'; k++) {
        if (k >= most) {
            return thaw_fail(THAW_BAD_INPUT,
                             "channel.name \"%.31s...\" is longer than %zu characters", name, most);
        }
        if (!is_name_character(name[k])) {
            return thaw_fail(
                THAW_BAD_INPUT,
                "channel.name may have letters, digits and _, not character %zu of \"%.40s\"",
                k + 1, name);
        }
    }
    if (is_field_name(name)) {
        return thaw_fail(THAW_BAD_INPUT, "channel.name \"%s\" is a field's", name);
    }
    if (thaw_store_channel(store, name) != NULL) {
        return thaw_fail(THAW_BAD_INPUT, "channel.name \"%s\" is taken already", name);
    }
    return THAW_OK;
}

static ThawResult check_channel(ThawStore *store, const ThawChannelDef *def) {
    ThawResult result = check_name(store, def->name);
    if (result != THAW_OK) return result;
    if (def->type != THAW_F32 && def->type != THAW_I32 && def->type != THAW_F64) {
        return thaw_fail(THAW_BAD_INPUT,
                         "channel.type of \"%s\" must be THAW_F32, THAW_F64 or THAW_I32",
                         def->name);
    }
    if (def->components < 1 || def->components > MOST_COMPONENTS) {
        return thaw_fail(THAW_BAD_INPUT, "channel.components of \"%s\" must be 1 to %d, not %lu",
                         def->name, MOST_COMPONENTS, (unsigned long)def->components);
    }
    if (store->channel_count == THAW_STORE_CHANNELS) {
        return thaw_fail(THAW_BAD_INPUT, "channel \"%s\" is one more than the %d a world carries",
                         def->name, THAW_STORE_CHANNELS);
    }
    return THAW_OK;
}

ThawResult thaw_store_add_channel(ThawStore *store, const ThawChannelDef *def) {
    ThawResult result = check_channel(store, def);
    if (result != THAW_OK) return result;
    ThawChannel channel = {.type = def->type, .components = def->components};
    size_t bytes = thaw_layout_rows(store->capacity) * thaw_channel_row_bytes(&channel);
    channel.data = thaw_alloc(bytes);
    if (channel.data == NULL) return thaw_fail_memory(bytes);
    memcpy(channel.name, def->name, strlen(def->name) + 1);
    store->channels[store->channel_count++] = channel;
    return THAW_OK;
}

ThawChannel *thaw_store_channel(ThawStore *store, const char *name) {
    for (uint32_t c = 0; c < store->channel_count; c++) {
        if (strcmp(store->channels[c].name, name) == 0) return &store->channels[c];
    }
    return NULL;
}
