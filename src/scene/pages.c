// Pages made from the table: help for a terminal, and the reference in Markdown.
#include "scene/heat_page.h"
#include "scene/keys.h"
#include "scene/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------- what introduces the keys

static const char introduction[] = "A scene is a YAML (or JSON) file that says what is simulated. "
                                   "Keys that are not known, values of the\n"
                                   "wrong kind and values out of range are errors: nothing is "
                                   "ignored. All lengths are metres, times\n"
                                   "seconds, masses kilograms, unless a unit is written: 10 cm, 25 "
                                   "ms, 20 deg (`thaw help units`).\n";

static const char example[] =
    "thaw: 1                         # version of the format, always first\n"
    "title: Two balls meet\n"
    "spacing: 2 cm                   # particle size; halve it for 8 times the particles\n"
    "frames: {count: 48, fps: 24}    # two seconds\n"
    "\n"
    "materials:\n"
    "  water:                        # the name is yours\n"
    "    density: 1000               # kg/m^3\n"
    "    liquid: {viscosity: 1e-6}   # m^2/s\n"
    "\n"
    "bodies:                         # filled with particles at the start\n"
    "  - name: left\n"
    "    material: water\n"
    "    shape: {sphere: {center: [-0.4, 0, 0.5], radius: 0.2}}\n"
    "    velocity: [2, 0, 1]\n"
    "  - name: right\n"
    "    material: water\n"
    "    shape: {box: {center: [0.4, 0, 0.5], size: [0.3, 0.3, 0.3],\n"
    "                  rotate: {axis: [0, 1, 0], angle: 30 deg}}}\n"
    "    velocity: [-2, 0, 1]\n"
    "\n"
    "colliders:                      # what matter cannot pass\n"
    "  - name: tank\n"
    "    container: yes              # keeps matter inside the box\n"
    "    shape: {box: {center: [0, 0, 0.5], size: [1.6, 0.8, 1]}}\n"
    "  - name: post                  # no container: keeps matter outside\n"
    "    shape: {cylinder: {from: [0, 0, 0], to: [0, 0, 0.2], radius: 0.1}}\n";

static const char after_example[] =
    "`thaw check scene.yaml` tells what it will come to, `thaw run scene.yaml` simulates it.\n";

// more scenes, each with what it shows
static const char *const examples[][2] = {
    {"A stirrer: it comes down, then turns six times",
     "thaw: 1\n"
     "spacing: 2 cm\n"
     "frames: {count: 96}\n"
     "materials: {water: {}}          # a liquid with the defaults, those of water\n"
     "bodies:\n"
     "  - name: pool\n"
     "    material: water\n"
     "    shape: {cylinder: {from: [0, 0, 0], to: [0, 0, 0.2], radius: 0.3}}\n"
     "colliders:\n"
     "  - name: glass\n"
     "    container: yes\n"
     "    shape: {cylinder: {from: [0, 0, 0], to: [0, 0, 0.6], radius: 0.3}}\n"
     "  - name: paddle\n"
     "    shape: {box: {center: [0, 0, 0.4], size: [0.4, 0.06, 0.2]}}\n"
     "    motion:\n"
     "      - {time: 0}\n"
     "      - {time: 1, move: [0, 0, -0.25]}\n"
     "      - {time: 4, move: [0, 0, -0.25], rotate: {axis: [0, 0, 1], angle: 2160 deg}}\n"},
    {"Two dimensions, with a gravity that turns",
     "thaw: 1\n"
     "dimensions: 2                   # vectors may have two numbers\n"
     "spacing: 2 cm\n"
     "gravity: [\"9.81*sin(t)\", \"-9.81*cos(t)\"]\n"
     "materials: {water: {color: blue}}\n"
     "bodies:\n"
     "  - name: pool\n"
     "    material: water\n"
     "    shape: {box: {center: [0, -0.25], size: [1, 0.5]}}\n"
     "colliders:\n"
     "  - name: tank\n"
     "    container: yes\n"
     "    shape: {box: {center: [0, 0], size: [1, 1]}}\n"},
    {"Solids: a jelly on a table, and a bar whose end is pulled until it breaks",
     "thaw: 1\n"
     "spacing: 1 cm\n"
     "materials:\n"
     "  jelly: {solid: {young: 2e4, poisson: 0.45}}   # Pa\n"
     "  biscuit: {density: 600, solid: {young: 1e5, fracture_strain: 0.05, fracture_spread: 0.3}}\n"
     "bodies:\n"
     "  - name: bear\n"
     "    material: jelly\n"
     "    state: solid\n"
     "    shape: {blend: {center: [0, 0, 0.15], smooth: 2 cm,\n"
     "                    balls: [[0, 0, 0, 0.1], [0, 0, 0.13, 0.06]]}}   # x, y, z, radius\n"
     "  - name: bar\n"
     "    material: biscuit\n"
     "    state: solid\n"
     "    shape: {box: {center: [0, 0.5, 0.2], size: [0.4, 0.1, 0.1]}}\n"
     "colliders:\n"
     "  - name: table\n"
     "    shape: {plane: {point: [0, 0, 0]}}\n"
     "attachments:                    # hold what is inside the region when they begin\n"
     "  - name: clamp\n"
     "    region: {box: {center: [-0.2, 0.5, 0.2], size: [0.1, 0.2, 0.2]}}\n"
     "  - name: hand\n"
     "    region: {box: {center: [0.2, 0.5, 0.2], size: [0.1, 0.2, 0.2]}}\n"
     "    motion: [{time: 0}, {time: 2, move: [0.1, 0, 0]}]\n"
     "    to: 3                       # s: then it lets go\n"},
    {"Liquids that come and go: a tap and a spout over a glass, and what takes the spilt drops",
     "thaw: 1\n"
     "spacing: 5 mm\n"
     "frames: {count: 96}\n"
     "materials:\n"
     "  water: {liquid: {surface_tension: 0.1}}        # 0 to 1, or 72 mN/m\n"
     "  syrup: {density: 1300, liquid: {viscosity: 2 Pa s}}   # or kinematic: 1.5e-3 m^2/s\n"
     "emitters:\n"
     "  - name: tap                   # a jet as wide as its opening\n"
     "    material: water\n"
     "    shape: {disc: {center: [-0.05, 0, 0.4], normal: [0, 0, -1], radius: 2 cm}}\n"
     "    speed: [[0, 1], [2, 0.5]]   # m/s, keys over time\n"
     "    to: 3                       # s\n"
     "  - name: spout                 # its speed follows from the rate\n"
     "    material: syrup\n"
     "    shape: {rectangle: {center: [0.08, 0, 0.3], normal: [-1, 0, -2], size: [3 cm, 1.5 cm]}}\n"
     "    rate: 0.1 L/s\n"
     "colliders:\n"
     "  - name: glass\n"
     "    container: yes\n"
     "    shape: {cylinder: {from: [0, 0, 0], to: [0, 0, 0.5], radius: 0.15}}\n"
     "    adhesion: 0.1               # drops stick to it a little\n"
     "sinks:\n"
     "  - name: spilt                 # all that falls below\n"
     "    shape: {plane: {point: [0, 0, -0.2]}}\n"
     "forces:\n"
     "  - name: breeze\n"
     "    wind: {direction: [1, 0, 0], strength: 2}    # m/s\n"
     "    ramp: 1                     # s until it blows fully\n"},
    {"Heat: butter melts in a hot pan, and sets when that cools", SCENE_HEAT_EXAMPLE},
    {"Meshes: a pool in a cup, a buoy that floats, a creature that changes its form",
     "thaw: 1\n"
     "spacing: 1 cm\n"
     "materials: {water: {}}\n"
     "bodies:\n"
     "  - name: pool\n"
     "    material: water\n"
     "    shape: {cylinder: {from: [0, 0, 0.05], to: [0, 0, 0.3], radius: 0.35}}\n"
     "colliders:\n"
     "  - name: cup                   # an open surface: a sheet of 2 cm\n"
     "    shape: {mesh: {file: cup.obj, mode: shell, thickness: 2 cm}}\n"
     "  - name: buoy                  # moves as the water moves it\n"
     "    shape: {mesh: {file: buoy.stl, scale: 0.001, center: [0.1, 0, 0.4]}}   # in mm\n"
     "    dynamic: {density: 300}\n"
     "  - name: creature              # creature_0001.obj, creature_0002.obj, ...\n"
     "    shape: {mesh: {sequence: {files: creature_####.obj, fps: 24, loop: yes}, up: y}}\n"},
};
#define EXAMPLES ((int)(sizeof examples / sizeof *examples))

// what values look like, one line of text and one of example each
static const char *const values[][2] = {
    {"a number with a unit", "spacing: 2 cm"},
    {"keys over time: [time, value], straight between (keys marked ~)",
     "viscosity: [[0, 1e-6], [2, 1e-3]]"},
    {"a vector's keys over time", "gravity: [[0, [0, 0, -9.81]], [1, [0, 0, 9.81]]]"},
    {"an expression of the time t (keys marked ~)", "gravity: [\"3*sin(2*pi*t)\", 0, -9.81]"},
    {"an expression of the place x, y, z (keys marked @)", "velocity: [\"-2*y\", \"2*x\", 0]"},
    {"a channel of your own, and its value in a body",
     "channels: {dye: {type: float}}   ...   channels: {dye: \"x > 0\"}"},
    {"a grid of 3 x 3 x 2 copies of a body", "repeat: {count: [3, 3, 2], step: [0.3, 0.3, 0.3]}"},
    {"a collider that moves",
     "motion: [{time: 0}, {time: 1, move: [0.3, 0, 0], rotate: {axis: [0, 0, 1], angle: 90 deg}}]"},
    {"a turn a second, as expressions of the time",
     "motion: {rotate: {axis: [0, 0, 1], angle: \"2*pi*t\"}}"},
    {"a door: a quarter turn about a point of the world",
     "motion: [{time: 0}, {time: 1, pivot: [0.5, 0, 0], rotate: {axis: [0, 0, 1], angle: 90 "
     "deg}}]"},
    {"parts of other scenes, in the same folder", "include: [materials.yaml, tank.yaml]"},
    {"a form of balls grown together, for bodies and regions",
     "shape: {blend: {balls: [[0, 0, 0.1, 0.1], [0, 0, 0.25, 0.06]], smooth: 3 cm}}"},
    {"a pin: what is inside when it begins stands still; with motion or collider it goes along",
     "attachments: [{name: pin, region: {sphere: {center: [0, 0, 1], radius: 5 cm}}}]"},
    {"a liquid's viscosity: kinematic, dynamic, or over time",
     "viscosity: 50 cSt   ...   viscosity: 10 Pa s   ...   viscosity: [[0, 1e-3], [2, 0.1]]"},
    {"a jet of one metre a second, two seconds long",
     "emitters: [{name: tap, material: water, shape: {disc: {center: [0, 0, 1], normal: [0, 0, "
     "-1], "
     "radius: 5 cm}}, to: 2}]"},
    {"a tap by its rate, whose particles live three seconds", "rate: 0.2 L/s   ...   life: 3"},
    {"a volume in which particles appear", "shape: {sphere: {center: [0, 0, 1], radius: 10 cm}}"},
    {"what leaves a box is removed",
     "sinks: [{name: far, outside: yes, shape: {box: {center: [0, 0, 0], size: [4, 4, 4]}}}]"},
    {"a force: one of directional, point, vortex, wind and turbulence",
     "forces: [{name: swirl, vortex: {position: [0, 0, 0], strength: 5, inflow: 0.3}, ramp: 1}]"},
    {"a form from a file: OBJ, PLY or STL, in the scene's folder",
     "shape: {mesh: {file: duck.obj, scale: 0.01, up: y, center: [0, 0, 1]}}"},
    {"a thin sheet with matter on both sides",
     "shape: {mesh: {file: leaf.ply, mode: shell, thickness: 1 cm}}"},
    {"a form that changes: numbered files, one at a time k / fps",
     "shape: {mesh: {sequence: {files: fish_####.obj, first: 1, fps: 24, loop: yes}}}"},
    {"friction painted on a mesh by an image",
     "shape: {mesh: {file: road.obj, paint: {friction: {image: ice.png, low: 0.02, high: 0.8}}}}"},
    {"a collider that floats, sinks and is pushed", "dynamic: {density: 500}"},
    {"a temperature; one that changes over time",
     "temperature: 25 C   ...   temperature: [[0, 20 C], [5, 90 C]]"},
    {"a factor over temperature, of stiffness, damping or viscosity",
     "stiffness: [[10 C, 1], [30 C, 0.01]]"},
    {"when matter melts or freezes, in your own words: a condition acts at once, a number is a "
     "rate "
     "in 1/s",
     "melts_when: \"z < 0.1 and t > 2\"   ...   freezes_when: \"speed < 0.1 ? 5 : 0\""},
    {"a heater of 2 kW in a region",
     "heat_sources: [{name: coil, power: 2 kW, shape: {sphere: {center: "
     "[0, 0, 0.1], radius: 5 cm}}}]"},
    {"another value for one run", "thaw run scene.yaml --set bodies.left.velocity=\"[3, 0, 1]\""},
};
#define VALUES ((int)(sizeof values / sizeof *values))

// ---------------------------------------------------------------- groups of keys

typedef struct Group {
    const char *prefix, *title;
} Group;

static const Group groups[] = {
    {"", "The scene"},
    {"frames", "frames: how long and how often"},
    {"materials", "materials: what matter is made of, by name"},
    {"channels", "channels: values of your own, by name"},
    {"bodies", "bodies: a list of what is filled with particles"},
    {"colliders", "colliders: a list of solids and containers"},
    {"attachments", "attachments: a list of what holds particles"},
    {"emitters", "emitters: a list of where particles come from"},
    {"sinks", "sinks: a list of where particles go"},
    {"forces", "forces: a list of what pulls besides gravity"},
    {"heat", "heat: the air, and whether there is heat at all"},
    {"heat_sources", "heat_sources: a list of what warms matter or cools it"},
    {"shape", "shape: {box: {...}} and the like, for bodies, colliders and regions"},
    {"rotate", "rotate: {axis, angle}"},
    {"solver", "solver: how a step is solved; the defaults suit nearly always"},
    {"camera", "camera: how pictures look"},
    {"output", "output: what a run writes"},
};
#define GROUPS ((int)(sizeof groups / sizeof *groups))

// whether the row belongs to the group: its first word, or none and no words below
static bool is_in(const SceneRow *row, const Group *group) {
    size_t length = strcspn(row->key.path, ".[");
    if (group->prefix[0] != '\0') {
        return strlen(group->prefix) == length && row->key.path[length] != '\0' &&
               strncmp(row->key.path, group->prefix, length) == 0;
    }
    return row->key.path[length] == '\0' || strncmp(row->key.path, "periodic.", 9) == 0;
}

// "number > 0 m", "one of x|y|z"
static void describe(const SceneRow *row, char *text, size_t size) {
    const ThawSceneKey *key = &row->key;
    const char *mark = key->animated ? " ~" : key->field ? " @" : "";
    // bounds that nobody meets are left to the reference
    bool wide = strncmp(key->range, "-1e", 3) == 0;
    const char *range = wide ? "" : key->range;
    snprintf(text, size, "%s%s%s%s%s%s", key->type, range[0] ? " " : "", range,
             key->unit[0] ? " " : "", key->unit, mark);
}

// ---------------------------------------------------------------- the terminal's page

// Keys by which resolved scenes say a pose to the last bit; people write the others.
static bool is_exact_form(const SceneRow *row) {
    static const char *const others[] = {"shape.capsule.center", "shape.capsule.height",
                                         "shape.cylinder.center", "shape.cylinder.height",
                                         "shape.cone.height"};
    for (size_t k = 0; k < sizeof others / sizeof *others; k++) {
        if (strcmp(row->key.path, others[k]) == 0) return true;
    }
    return row->kind == SCENE_KIND_QUAT;
}

// a meaning in lines that fit beside the keys
static void put_meaning(SceneText *text, const char *meaning) {
    const size_t most = 88;
    while (*meaning != '\0') {
        size_t length = strlen(meaning);
        if (length > most) {
            for (length = most; length > 1 && meaning[length] != ' ';) length--;
        }
        scene_text_put(text, "  %-26s   %.*s\n", "", (int)length, meaning);
        meaning += length;
        while (*meaning == ' ') meaning++;
    }
}

static void put_help_row(SceneText *text, const SceneRow *row, const Group *group) {
    char kind[120];
    describe(row, kind, sizeof kind);
    const char *path = row->key.path + (group->prefix[0] ? strlen(group->prefix) : 0);
    // "[].name" and ".*.density" start with what the group's title says
    while (*path != '\0' && strchr("[].*", *path) != NULL) path++;
    scene_text_put(text, "  %-26s %s", path, kind);
    const char *initial = row->key.initial;
    if (strcmp(initial, "required") == 0 || strcmp(initial, "(required)") == 0) {
        scene_text_put(text, ", required");
    } else if (initial[0] == '(') {
        scene_text_put(text, ", default %.*s", (int)strlen(initial) - 2, initial + 1);
    } else if (initial[0] != '\0') {
        scene_text_put(text, ", default %s", initial);
    }
    scene_text_put(text, "\n");
    put_meaning(text, row->key.meaning);
}

static void put_indented(SceneText *text, const char *lines) {
    for (const char *line = lines; *line != '\0'; line += strcspn(line, "\n") + 1) {
        int length = (int)strcspn(line, "\n");
        scene_text_put(text, "%s%.*s\n", length > 0 ? "    " : "", length, line);
    }
}

char *thaw_scene_help(void) {
    SceneText text = {0};
    scene_text_put(&text, "%s\nA whole scene:\n\n", introduction);
    put_indented(&text, example);
    scene_text_put(&text, "\n%s\nWays to write values:\n\n", after_example);
    for (int k = 0; k < VALUES; k++) {
        scene_text_put(&text, "  %s\n      %s\n", values[k][0], values[k][1]);
    }
    for (int k = 0; k < EXAMPLES; k++) {
        scene_text_put(&text, "\n%s:\n\n", examples[k][0]);
        put_indented(&text, examples[k][1]);
    }
    scene_text_put(&text, "\nAll keys (~ may change over time, @ may depend on the place):\n");
    const SceneRow *row;
    for (int g = 0; g < GROUPS; g++) {
        scene_text_put(&text, "\n%s\n", groups[g].title);
        for (int k = 0; (row = scene_row(k)) != NULL; k++) {
            if (!is_in(row, &groups[g]) || is_exact_form(row)) continue;
            put_help_row(&text, row, &groups[g]);
        }
    }
    return text.bytes;
}

// ---------------------------------------------------------------- the reference in Markdown

// a table's cell: | would end it
static void put_cell(SceneText *text, const char *cell) {
    for (const char *c = cell; *c != '\0'; c++) {
        if (*c == '|') scene_text_put(text, "\\");
        scene_text_bytes(text, c, 1);
    }
}

static void put_reference_row(SceneText *text, const SceneRow *row) {
    const ThawSceneKey *key = &row->key;
    scene_text_put(text, "| `%s` | ", key->path);
    put_cell(text, key->type);
    scene_text_put(text, " | %s | %s | ", key->unit, key->range);
    bool plain = scene_row_default(row) != NULL;
    scene_text_put(text, plain ? "`%s`" : "%s", key->initial);
    scene_text_put(text, " | %s | ", key->animated ? "time" : key->field ? "place" : "");
    put_cell(text, key->meaning);
    scene_text_put(text, " |\n");
}

char *thaw_scene_reference(void) {
    SceneText text = {0};
    scene_text_put(&text, "# Scenes\n\n%s\n```yaml\n", introduction);
    scene_text_bytes(&text, example, sizeof example - 1);
    scene_text_put(&text, "```\n\n%s\n## Ways to write values\n\n| what | how |\n|---|---|\n",
                   after_example);
    for (int k = 0; k < VALUES; k++) {
        scene_text_put(&text, "| %s | `%s` |\n", values[k][0], values[k][1]);
    }
    scene_text_put(&text, "\n## More scenes\n");
    for (int k = 0; k < EXAMPLES; k++) {
        scene_text_put(&text, "\n%s:\n\n```yaml\n", examples[k][0]);
        scene_text_bytes(&text, examples[k][1], strlen(examples[k][1]));
        scene_text_put(&text, "```\n");
    }
    scene_text_put(
        &text, "\n## Keys\n\nThis page is made from the table that checks scenes. *Varies* says "
               "whether a number may change over\ntime (keys or an expression of `t`) or depend on "
               "the place (an expression of `x`, `y`, `z`).\n");
    const SceneRow *row;
    for (int g = 0; g < GROUPS; g++) {
        scene_text_put(&text,
                       "\n### %s\n\n| key | type | unit | range | default | varies | meaning |\n",
                       groups[g].title);
        scene_text_put(&text, "|---|---|---|---|---|---|---|\n");
        for (int k = 0; (row = scene_row(k)) != NULL; k++) {
            if (is_in(row, &groups[g])) put_reference_row(&text, row);
        }
    }
    return text.bytes;
}
