// The columns of stats.csv in words.
#include "stats_columns.h"

#include <stddef.h>
#include <string.h>

static const StatsColumn columns[] = {
    {"frame", "frame", "", 1, "number of the frame"},
    {"time", "time", "s", 1, "simulated time at the end of the frame"},
    {"particles", "particles", "", 1, "particles there are"},
    {"solid", "solid particles", "", 1, "particles that are solid"},
    {"liquid", "liquid particles", "", 1, "particles that are liquid"},
    {"mass", "mass", "kg", 1, "mass of all matter"},
    {"px", "momentum x", "kg m/s", 1, "momentum along x"},
    {"py", "momentum y", "kg m/s", 1, "momentum along y"},
    {"pz", "momentum z", "kg m/s", 1, "momentum along z"},
    {"lx", "angular momentum x", "kg m^2/s", 1, "angular momentum about the origin, x"},
    {"ly", "angular momentum y", "kg m^2/s", 1, "angular momentum about the origin, y"},
    {"lz", "angular momentum z", "kg m^2/s", 1, "angular momentum about the origin, z"},
    {"kinetic", "kinetic energy", "J", 1, "kinetic energy"},
    {"potential", "potential energy", "J", 1,
     "energy of height, above the lowest particle of the start"},
    {"elastic", "elastic energy", "J", 1, "energy stored in strained solids"},
    {"heat", "heat", "J", 1, "enthalpy of all matter, from 0 K up; 0 without heat"},
    {"mean_density_error", "mean density error", "%", 100,
     "how far matter is compressed, on average"},
    {"max_density_error", "largest density error", "%", 100,
     "how far matter is compressed where it is worst"},
    {"max_speed", "largest speed", "m/s", 1, "speed of the fastest particle"},
    {"substeps", "substeps", "", 1, "substeps taken in the frame"},
    {"iterations", "iterations", "", 1, "solver iterations of all substeps"},
    {"melted", "melted", "", 1, "particles that melted in the frame"},
    {"frozen", "frozen", "", 1, "particles that froze in the frame"},
    {"bonds_broken", "bonds broken", "", 1, "bonds that broke in the frame"},
    {"ms", "wall time a frame", "ms", 1, "wall time that the frame took"},
    {"peak_rss_bytes", "memory", "MB", 1e-6, "largest memory of the process so far"},
    {"rebuilds", "rebuilds", "", 1, "neighbour lists built in the frame"},
    {"neighbours", "neighbours", "", 1, "neighbours of a particle, on average, itself included"},
    {"contacts", "contacts", "", 1, "particles that touch a collider"},
    {"removed", "removed", "", 1, "particles removed because of numerical trouble"},
    {"bonds", "bonds", "", 1, "bonds between solid particles"},
    {"bonds_made", "bonds made", "", 1, "bonds that grew in the frame"},
    {"solid_contacts", "solid contacts", "", 1, "pairs of solid particles that touch"},
    {"elastic_steps", "elastic steps", "", 1, "pieces that a substep was cut into for elasticity"},
    {"young_limit", "stiffness limit", "Pa", 1, "Young's modulus that the frame could carry"},
    {"born", "born", "", 1, "particles that emitters made in the frame"},
    {"died", "died", "", 1, "particles that sinks, age or number removed in the frame"},
    {"viscosity_passes", "viscosity passes", "", 1,
     "smoothing passes and steps of the implicit solve in the frame"},
    {"viscosity_limit", "viscosity limit", "m^2/s", 1,
     "viscosity that the frame could do as asked; 0: no viscous liquid"},
    {"tension_limit", "tension limit", "N/m", 1,
     "surface tension that the frame could do as asked; 0: none asks for it"},
    {"heat_taken", "heat taken", "J", 1,
     "heat that matter took from walls, air and sources in the frame"},
    {"coldest", "coldest", "K", 1, "temperature of the coldest particle; 0 without heat"},
    {"hottest", "hottest", "K", 1, "temperature of the hottest particle; 0 without heat"},
    {"heat_stages", "conduction passes", "", 1, "passes over all pairs that conduction took"},
    {"molten", "molten mass", "kg", 1, "mass of what is molten, by its share of the latent heat"},
};

StatsColumn stats_column(const char *name) {
    for (size_t k = 0; k < sizeof columns / sizeof columns[0]; k++) {
        if (strcmp(columns[k].name, name) == 0) return columns[k];
    }
    return (StatsColumn){name, name, "", 1, ""};
}
