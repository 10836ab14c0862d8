// The paper's two scenes at full size, as a page of Markdown: what cases.md 5.1 asks of them.
#include "paper_scenes.h"

static void report_goo(void **state) {
    (void)state;
    GooFigures f = goo_run(0.01, 144, 0);
    puts("## Goo on a cooled rod (scenes/goo_on_rod.yaml)\n");
    puts("| figure | measured | asked |\n|---|--:|---|");
    printf("| rod, goo, frozen, particles | %u, %u, %u | – |\n", f.rod, f.poured, f.frozen);
    printf("| every particle of the rod at 220 K in all frames | %s | yes |\n",
           f.cold ? "yes" : "no");
    printf("| frozen mass never shrinks | %s | yes |\n", f.grows ? "yes" : "no");
    printf("| number and mass exact | %s | yes |\n", f.kept ? "yes" : "no");
    printf("| in the first layer of what froze in the first 0.2 s | %.2f | > 0.8 |\n", f.first);
    printf("| mean time at which layers 1, 2, 3 froze, s | %.2f, %.2f, %.2f | one after the other "
           "|\n",
           f.when[0], f.when[1], f.when[2]);
    printf("| off the sites of the rod's lattice, median, D: first layer, all | %.3f, %.3f | < 0.1 "
           "|\n",
           f.median[0], f.median[1]);
    printf("| share less than 0.1 D off: first layer, all | %.3f, %.3f | > 0.9, > 0.7 |\n\n",
           f.near[0], f.near[1]);
    check_goo(&f);
}

static void report_bear(void **state) {
    (void)state;
    BearFigures f = bear_run(0.01, NULL, 216, 0);
    BearSpeeds s = bear_speeds(0.01, 84, 0);
    puts("## An elastic body falls and melts (scenes/melting_bear.yaml)\n");
    puts("In a tray of 0.36 m, so that its melt is a pool whose volume can be told.\n");
    puts("| figure | measured | asked |\n|---|--:|---|");
    printf("| particles | %u | 9,871 in the paper |\n", f.particles);
    printf("| fastest of its centre on its way up, m/s | %.2f | > 0.1, it falls at 1.6 |\n",
           f.bounce);
    printf("| molten by then | %.3f | < 0.05 |\n", f.soles);
    printf("| fastest of any particle since it melts, without the tray, m/s | %.2f | < %.2f |\n",
           s.fastest, 3 * s.fall);
    printf("| mean of each frame's fastest | %.2f | < %.2f |\n", s.mean, 1.2 * s.fall);
    printf("| nothing is solid after, s | %.2f | – |\n", f.gone);
    printf("| solid at the end | %u | 0 |\n", f.left);
    printf("| volume of the pool over N V0 | %.3f | 1 ± 0.05 |\n", f.volume);
    printf("| change of heat less what was taken, of that | %.1e | 1e-10 |\n", f.budget);
    printf("| number and mass exact | %s | yes |\n", f.kept ? "yes" : "no");
    check_bear(&f);
    check_speeds(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(report_goo), cmocka_unit_test(report_bear)};
    return cmocka_run_group_tests_name("paper_scenes", tests, NULL, NULL);
}
