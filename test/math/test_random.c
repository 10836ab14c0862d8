// Counter-based random numbers: stable, even, and independent from one counter to the next.
#include "math/random.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static uint64_t word_of_counter(int word, uint64_t value) {
    uint64_t counter[4] = {1, 2, 3, 4};
    counter[word] = value;
    return thaw_random_bits(counter[0], counter[1], counter[2], counter[3]);
}

// scenes must look the same in every version: these values may never change
static void values_never_change(void **state) {
    (void)state;
    assert_int_equal(thaw_random_bits(0, 0, 0, 0), UINT64_C(0x2130748aaac80268));
    assert_int_equal(thaw_random_bits(1, 2, 3, 4), UINT64_C(0xd55ccd4aeb3ccafb));
    assert_int_equal(thaw_random_bits(1, UINT64_C(1) << 40, 0, THAW_RANDOM_JITTER_X),
                     UINT64_C(0xaf00e0754aa18305));
    assert_int_equal(thaw_random_bits(UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX),
                     UINT64_C(0x9c666618c8f279d7));
}

static void every_word_of_the_counter_matters(void **state) {
    (void)state;
    uint64_t words[5] = {thaw_random_bits(1, 1, 1, 1), thaw_random_bits(2, 1, 1, 1),
                         thaw_random_bits(1, 2, 1, 1), thaw_random_bits(1, 1, 2, 1),
                         thaw_random_bits(1, 1, 1, 2)};
    for (int i = 0; i < 5; i++) {
        for (int j = 0; j < i; j++) assert_true(words[i] != words[j]);
    }
}

static void unit_values_lie_in_the_half_open_interval(void **state) {
    (void)state;
    for (uint64_t id = 0; id < 100000; id++) {
        double u = thaw_random_unit(9, id, 0, 1);
        assert_true(u >= 0.0 && u < 1.0);
        assert_true(u == (double)(thaw_random_bits(9, id, 0, 1) >> 11) / 9007199254740992.0);
    }
}

// χ² with 255 degrees of freedom: mean 255, σ = √510 = 22.6; 5 σ above and below
static void check_chi_square(const uint32_t *bins, uint32_t draws) {
    double expected = draws / 256.0, sum = 0.0;
    for (int b = 0; b < 256; b++) sum += (bins[b] - expected) * (bins[b] - expected) / expected;
    if (!(fabs(sum - 255.0) < 113.0)) fail_msg("chi-square is %g, not 255 ± 113", sum);
}

static void every_byte_is_even_along_every_word(void **state) {
    (void)state;
    enum { DRAWS = 1 << 17 };
    for (int word = 0; word < 4; word++) {
        for (int byte = 0; byte < 8; byte++) {
            uint32_t bins[256] = {0};
            for (uint64_t n = 0; n < DRAWS; n++) {
                bins[(word_of_counter(word, n) >> (8 * byte)) & 255]++;
            }
            check_chi_square(bins, DRAWS);
        }
    }
}

// the pairs (high nibble now, high nibble of the next counter) fill their 256 cells evenly
static void neighbouring_counters_are_independent(void **state) {
    (void)state;
    enum { DRAWS = 1 << 17 };
    for (int word = 0; word < 4; word++) {
        uint32_t bins[256] = {0};
        double correlation = 0.0;
        for (uint64_t n = 0; n < DRAWS; n++) {
            uint64_t here = word_of_counter(word, 2 * n), next = word_of_counter(word, 2 * n + 1);
            bins[(here >> 60) << 4 | next >> 60]++;
            correlation += ((double)here * 0x1p-64 - 0.5) * ((double)next * 0x1p-64 - 0.5);
        }
        check_chi_square(bins, DRAWS);
        // product of two uniform deviates: σ = 1/12; 5 σ of the mean
        assert_true(fabs(correlation / DRAWS) < 5.0 / 12.0 / sqrt((double)DRAWS));
    }
}

// flipping any one of the counter's 256 bits flips half of the result's bits
static void one_flipped_bit_flips_half(void **state) {
    (void)state;
    enum { TRIES = 256 };
    for (int word = 0; word < 4; word++) {
        for (int bit = 0; bit < 64; bit++) {
            int flipped = 0;
            for (uint64_t n = 0; n < TRIES; n++) {
                uint64_t change =
                    word_of_counter(word, n) ^ word_of_counter(word, n ^ (UINT64_C(1) << bit));
                for (; change != 0; change &= change - 1) flipped++;
            }
            // binomial: mean 32, σ = 4 / √256 = 0.25 of the mean; 6 σ
            assert_true(fabs((double)flipped / TRIES - 32.0) < 1.5);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_never_change),
        cmocka_unit_test(every_word_of_the_counter_matters),
        cmocka_unit_test(unit_values_lie_in_the_half_open_interval),
        cmocka_unit_test(every_byte_is_even_along_every_word),
        cmocka_unit_test(neighbouring_counters_are_independent),
        cmocka_unit_test(one_flipped_bit_flips_half),
    };
    return cmocka_run_group_tests_name("random", tests, NULL, NULL);
}
