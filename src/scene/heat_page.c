// The page that teaches heat: one scene, and what there is besides.
#include "scene/heat_page.h"

#include "scene/text.h"

#include <string.h>
#include <thaw/scene.h>

// clang-format off
static const char before[] =
    "Heat, melting, freezing\n"
    "\n"
    "  Heat is on as soon as a scene says anything of it: a temperature of a body, an emitter or a\n"
    "  collider, a material's melts_at, a heat source, or heat: {...}. heat: {on: no} leaves it aside.\n"
    "  Temperatures are kelvins; write 25 C for degrees Celsius.\n\n";

static const char after[] =
    "\n"
    "  Where heat comes from\n"
    "      colliders:    temperature; heat_transfer makes the contact worse; frosts: yes lets cold\n"
    "                    matter freeze to it. Without a temperature no heat passes.\n"
    "      heat:         ambient and convection, the air at free surfaces; emissivity, radiation\n"
    "      heat_sources: power in W, or a temperature that what is inside its shape is held at;\n"
    "                    motion moves the shape, as a collider's does\n"
    "      emitters, bodies: matter brings its own heat, by its temperature\n"
    "\n"
    "  How fast it goes: by conductivity / (density x specific_heat). True matter of ten centimetres\n"
    "  takes minutes to hours; a larger conductivity makes the same happen in seconds.\n"
    "  `thaw check` tells how far heat goes in a run.\n"
    "\n"
    "  Melting: above melts_at a solid's particles turn liquid as they take up the latent heat.\n"
    "  Below freezes_at (melts_at, where it is not given) liquid particles join solids of the same\n"
    "  spacing that they touch. nucleation lets them freeze by themselves, sintering lets solids that\n"
    "  touch grow together. melting_range spreads the change over some kelvins; stiffness, damping and\n"
    "  viscosity over temperature make matter soften before it runs.\n"
    "\n"
    "  In your own words: melts_when and freezes_when take the place of temperatures. A condition\n"
    "  acts at once where it holds, any other formula is a rate in 1/s. Where one is given alone, the\n"
    "  other change still goes by temperature.\n"
    "      thermal: {melts_when: \"z < 0.05 and t > 1\", freezes_when: \"temperature < 280 ? 2 : 0\"}\n"
    "  They may use x y z t vx vy vz speed temperature molten spacing object, the scene's own\n"
    "  channels (dye, or flow.2 of several), and what solids have: bonds, von_mises, strain, stress.xy,\n"
    "  plastic_strain ...\n"
    "\n"
    "  What it shows: frames hold the temperature; output.channels: [velocity, state, molten] adds how\n"
    "  molten each particle is. stats.csv has heat, heat_taken, coldest, hottest, molten, melted, frozen.\n"
    "      thaw render DIR --color celsius     (or temperature, molten, state)\n"
    "      thaw plot DIR coldest hottest       (or molten, heat)\n"
    "\n"
    "  All keys are in `thaw help scene`, under materials.*.thermal, heat and heat_sources.\n";
// clang-format on

char *thaw_heat_help(void) {
    SceneText text = {0};
    scene_text_bytes(&text, before, sizeof before - 1);
    for (const char *line = SCENE_HEAT_EXAMPLE; *line != '\0'; line += strcspn(line, "\n") + 1) {
        scene_text_put(&text, "    %.*s\n", (int)strcspn(line, "\n"), line);
    }
    scene_text_bytes(&text, after, sizeof after - 1);
    return text.bytes;
}
