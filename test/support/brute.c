// Brute-force neighbours; see brute.h.
#include "support/brute.h"

#include <assert.h>

#define MOST_IMAGES 64 // along one axis

// squares of distances below 2^53 need more than 64 bits
__extension__ typedef __int128 Wide;

bool brute_within(const Brute *brute, const BrutePair *pair, BruteReach reach) {
    Wide sum = 0;
    for (int a = 0; a < 3; a++) {
        Wide d = (Wide)brute->at[pair->i][a] - pair->image[a] - brute->at[pair->j][a];
        sum += d * d;
    }
    // both sides times 2048
    Wide h = (Wide)brute->support[pair->i] + brute->support[pair->j];
    Wide most = reach.scale * h + (Wide)reach.slack * 2048;
    return most >= 0 && sum * 2048 * 2048 <= most * most;
}

// images along one axis that bring i within `most` of j; returns how many
static int find_images(const Brute *brute, int axis, int64_t d, int64_t most, int64_t *images) {
    int64_t length = brute->domain->periodic[axis] ? brute->domain->length[axis] : 0;
    int64_t turns = length > 0 ? most / length + 2 : 0;
    int count = 0;
    for (int64_t turn = -turns; turn <= turns; turn++) {
        int64_t seen = d - turn * length;
        if (seen < -most || seen > most) continue;
        assert(count < MOST_IMAGES);
        images[count++] = turn * length;
    }
    return count;
}

// visits the images of one pair
static void visit_pair(const Brute *brute, BrutePair pair, BruteReach reach, BruteVisit *visit,
                       void *context) {
    int64_t h = (brute->support[pair.i] + brute->support[pair.j]) / 2;
    int64_t most = h / 1024 * reach.scale + 1024 + reach.slack + reach.scale;
    int64_t images[3][MOST_IMAGES];
    int count[3];
    for (int a = 0; a < 3; a++) {
        int64_t d = brute->at[pair.i][a] - brute->at[pair.j][a];
        count[a] = find_images(brute, a, d, most, images[a]);
        if (count[a] == 0) return;
    }
    for (int n = 0; n < count[0] * count[1] * count[2]; n++) {
        pair.image[0] = images[0][n % count[0]];
        pair.image[1] = images[1][n / count[0] % count[1]];
        pair.image[2] = images[2][n / count[0] / count[1]];
        if (brute_within(brute, &pair, reach)) visit(context, &pair);
    }
}

void brute_visit(const Brute *brute, uint32_t i, BruteReach reach, BruteVisit *visit,
                 void *context) {
    for (uint32_t j = 0; j < brute->count; j++) {
        visit_pair(brute, (BrutePair){i, j, {0, 0, 0}}, reach, visit, context);
    }
}
