// OpenVDB behind a C face. Every exception ends here as a sentence.
//
// A field is asked at the points of its own lattice in the blocks of 8 × 8 × 8 that its mesh can reach: the
// blocks are the leaves of OpenVDB's tree, so that memory follows the surface there too.
#include "vdb/vdb.h"

extern "C" {
#include "base/result.h"
}

#include <openvdb/io/Stream.h>
#include <openvdb/openvdb.h>
#include <openvdb/tools/Prune.h>
#include <openvdb/tools/SignedFloodFill.h>
#include <openvdb/tools/VolumeToMesh.h>

#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <fcntl.h>
#include <fstream>
#include <mutex>
#include <new>
#include <sstream>
#include <string>
#include <unistd.h>
#include <vector>

namespace {

using openvdb::Coord;
using openvdb::FloatGrid;
using openvdb::Vec3d;
using Leaf = FloatGrid::TreeType::LeafNodeType;

constexpr std::size_t POINTS_MOST = 400000000; // of a mesh that is read

void start_openvdb() {
    static std::once_flag once;
    std::call_once(once, [] { openvdb::initialize(); });
}

// one line of what a library says
ThawResult fail_as(const char *doing, const char *path, const char *what) {
    std::string text(what);
    for (char &c : text) {
        if (c == '\n' || c == '\r') c = ' ';
    }
    return thaw_fail(THAW_BAD_INPUT, "cannot %s \"%s\": %s", doing, path, text.c_str());
}

// runs work() and turns whatever it throws into a result
template <class Work> ThawResult guard(const char *doing, const char *path, Work work) {
    try {
        start_openvdb();
        return work();
    } catch (const std::bad_alloc &) {
        return thaw_fail(THAW_OUT_OF_MEMORY, "cannot %s \"%s\": there is no memory left", doing,
                         path);
    } catch (const std::exception &e) {
        return fail_as(doing, path, e.what());
    } catch (...) {
        return fail_as(doing, path, "OpenVDB failed");
    }
}

// ---------------------------------------------------------------- writing

// Blocks that a triangle's band can reach: it is halved along its longest edge until it is no larger than
// a block, so that a slanting one does not claim the box about it.
struct Blocks {
    openvdb::MaskTree tree{false};
    double cell, reach; // m

    void add(const Vec3d &a, const Vec3d &b, const Vec3d &c) {
        Vec3d low = openvdb::math::minComponent(a, openvdb::math::minComponent(b, c));
        Vec3d high = openvdb::math::maxComponent(a, openvdb::math::maxComponent(b, c));
        double size = (high - low)[openvdb::math::MaxIndex(high - low)];
        if (size > Leaf::DIM * cell) {
            halve(a, b, c);
            return;
        }
        Coord first = Coord::floor((low - Vec3d(reach)) / cell) & ~(Leaf::DIM - 1);
        Coord last = Coord::ceil((high + Vec3d(reach)) / cell);
        Coord at;
        for (at[0] = first[0]; at[0] <= last[0]; at[0] += Leaf::DIM)
            for (at[1] = first[1]; at[1] <= last[1]; at[1] += Leaf::DIM)
                for (at[2] = first[2]; at[2] <= last[2]; at[2] += Leaf::DIM) tree.touchLeaf(at);
    }

    void halve(const Vec3d &a, const Vec3d &b, const Vec3d &c) {
        double ab = (b - a).lengthSqr(), bc = (c - b).lengthSqr(), ca = (a - c).lengthSqr();
        if (bc >= ab && bc >= ca) return split(b, c, a);
        if (ca >= ab) return split(c, a, b);
        split(a, b, c);
    }

    void split(const Vec3d &a, const Vec3d &b, const Vec3d &c) {
        Vec3d middle = 0.5 * (a + b);
        add(a, middle, c);
        add(middle, b, c);
    }
};

void find_blocks(const ThawMesh &mesh, Blocks &blocks) {
    auto point = [&](uint32_t k) {
        const double *p = mesh.points[k];
        return Vec3d(p[0], p[1], p[2]);
    };
    for (uint32_t k = 0; k < mesh.triangle_count; k++) {
        const uint32_t *t = mesh.triangles[k];
        blocks.add(point(t[0]), point(t[1]), point(t[2]));
    }
}

void fill_leaf(const ThawField *field, double cell, Leaf &leaf) {
    float band = leaf.getFirstValue(); // the background, until something is set
    for (openvdb::Index n = 0; n < Leaf::SIZE; n++) {
        Coord at = leaf.offsetToGlobalCoord(n);
        ThawVec3 p = {at[0] * cell, at[1] * cell, at[2] * cell};
        float d = static_cast<float>(thaw_field_distance(field, p));
        if (std::fabs(d) < band)
            leaf.setValueOn(n, d);
        else
            leaf.setValueOff(n, d < 0 ? -band : band);
    }
}

FloatGrid::Ptr make_grid(const ThawField *field) {
    ThawFieldReport info = thaw_field_report(field);
    Blocks blocks;
    blocks.cell = info.cell;
    blocks.reach = info.band * info.cell + std::fabs(info.offset);
    find_blocks(thaw_field_mesh(field), blocks);
    float band = static_cast<float>(info.band * info.cell);
    FloatGrid::Ptr grid = FloatGrid::create(band);
    std::vector<Leaf *> leaves;
    for (auto leaf = blocks.tree.cbeginLeaf(); leaf; ++leaf)
        leaves.push_back(grid->tree().touchLeaf(leaf->origin()));
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, leaves.size(), 16),
                      [&](const auto &range) {
                          for (std::size_t k = range.begin(); k < range.end(); k++)
                              fill_leaf(field, info.cell, *leaves[k]);
                      });
    openvdb::tools::pruneLevelSet(grid->tree(), band, -band);
    openvdb::tools::signedFloodFill(grid->tree());
    grid->setName("surface");
    grid->setGridClass(openvdb::GRID_LEVEL_SET);
    grid->setCreator(std::string("thaw ") + thaw_version());
    grid->setTransform(openvdb::math::Transform::createLinearTransform(info.cell));
    return grid;
}

ThawResult flush_aside(const std::string &aside, const char *path) {
    int descriptor = open(aside.c_str(), O_RDONLY);
    bool good = descriptor >= 0 && fsync(descriptor) == 0;
    if (descriptor >= 0) close(descriptor);
    if (good && std::rename(aside.c_str(), path) == 0) return THAW_OK;
    return fail_as("write", path, std::strerror(errno));
}

ThawResult write_grid(const FloatGrid::Ptr &grid, const char *path) {
    std::string aside = std::string(path) + ".tmp";
    ThawResult result = guard("write", path, [&] {
        openvdb::io::File file(aside);
        // every reader knows it, and it is smaller than what OpenVDB would choose
        file.setCompression(openvdb::io::COMPRESS_ZIP | openvdb::io::COMPRESS_ACTIVE_MASK);
        file.write({grid});
        file.close();
        return flush_aside(aside, path);
    });
    if (result != THAW_OK) unlink(aside.c_str());
    return result;
}

// ---------------------------------------------------------------- reading

FloatGrid::Ptr as_float(const openvdb::GridBase::Ptr &grid) {
    if (FloatGrid::Ptr same = openvdb::gridPtrCast<FloatGrid>(grid)) return same;
    openvdb::DoubleGrid::Ptr wide = openvdb::gridPtrCast<openvdb::DoubleGrid>(grid);
    return wide ? FloatGrid::Ptr(new FloatGrid(*wide)) : nullptr;
}

// The grid `surface`, or the first level set. Read as a stream that throws when it ends too early: OpenVDB itself
// goes on with zeros.
FloatGrid::Ptr find_grid(std::istream &stream) {
    stream.exceptions(std::ios::failbit | std::ios::badbit);
    openvdb::io::Stream archive(stream, false);
    openvdb::GridPtrVecPtr grids = archive.getGrids();
    openvdb::GridBase::Ptr chosen;
    for (const openvdb::GridBase::Ptr &grid : *grids) {
        bool number = grid->isType<FloatGrid>() || grid->isType<openvdb::DoubleGrid>();
        if (!number) continue;
        if (grid->getName() == "surface") return as_float(grid);
        if (!chosen && grid->getGridClass() == openvdb::GRID_LEVEL_SET) chosen = grid;
    }
    return chosen ? as_float(chosen) : nullptr;
}

bool is_sound(const openvdb::Vec3s &p) {
    return std::isfinite(p[0]) && std::isfinite(p[1]) && std::isfinite(p[2]);
}

// quads become two triangles; what refers to points that are not there is a damaged file's
bool fits(uint32_t index, const ThawMesh &mesh) {
    return index < mesh.point_count;
}

struct Soup {
    std::vector<openvdb::Vec3s> points;
    std::vector<openvdb::Vec3I> triangles;
    std::vector<openvdb::Vec4I> quads;
};

ThawResult copy_soup(const Soup &soup, const char *path, ThawMesh *mesh) {
    std::size_t triangles = soup.triangles.size() + 2 * soup.quads.size();
    if (triangles == 0) return fail_as("read", path, "its level set has no surface");
    if (soup.points.size() > POINTS_MOST || triangles > POINTS_MOST)
        return fail_as("read", path, "its surface has too many points");
    auto points = static_cast<double(*)[3]>(std::malloc(soup.points.size() * sizeof(double[3])));
    auto corners = static_cast<uint32_t(*)[3]>(std::malloc(triangles * sizeof(uint32_t[3])));
    mesh->points = points;
    mesh->triangles = corners;
    mesh->point_count = static_cast<uint32_t>(soup.points.size());
    mesh->triangle_count = static_cast<uint32_t>(triangles);
    if (points == nullptr || corners == nullptr) throw std::bad_alloc();
    bool sound = true;
    for (std::size_t k = 0; k < soup.points.size(); k++) {
        sound = sound && is_sound(soup.points[k]);
        for (int axis = 0; axis < 3; axis++) points[k][axis] = soup.points[k][axis];
    }
    std::size_t next = 0;
    auto put = [&](uint32_t a, uint32_t b, uint32_t c) {
        sound = sound && fits(a, *mesh) && fits(b, *mesh) && fits(c, *mesh);
        // OpenVDB's polygons go clockwise seen from outside
        corners[next][0] = a;
        corners[next][1] = c;
        corners[next][2] = b;
        next++;
    };
    for (const openvdb::Vec3I &t : soup.triangles) put(t[0], t[1], t[2]);
    for (const openvdb::Vec4I &q : soup.quads) {
        put(q[0], q[1], q[2]);
        put(q[0], q[2], q[3]);
    }
    return sound ? THAW_OK
                 : fail_as("read", path, "its level set holds values that are no distances");
}

ThawResult read_mesh(std::istream &stream, const char *path, ThawMesh *mesh) {
    FloatGrid::Ptr grid = find_grid(stream);
    if (!grid) return fail_as("read", path, "there is no level set in it");
    Soup soup;
    openvdb::tools::volumeToMesh(*grid, soup.points, soup.triangles, soup.quads, 0.0, 0.0);
    return copy_soup(soup, path, mesh);
}

} // namespace

// ---------------------------------------------------------------- the C face

bool thaw_vdb_present(void) {
    return true;
}

ThawResult thaw_vdb_write(const ThawField *field, const char *path) {
    FloatGrid::Ptr grid;
    ThawResult result = guard("write", path, [&] {
        grid = make_grid(field);
        return THAW_OK;
    });
    return result == THAW_OK ? write_grid(grid, path) : result;
}

ThawResult thaw_vdb_load_mesh(const char *path, ThawMesh *mesh) {
    *mesh = ThawMesh{};
    ThawResult result = guard("read", path, [&] {
        std::ifstream stream(path, std::ios::binary);
        if (!stream) return fail_as("read", path, std::strerror(errno));
        return read_mesh(stream, path, mesh);
    });
    if (result != THAW_OK) thaw_vdb_free_mesh(mesh);
    return result;
}

ThawResult thaw_vdb_parse_mesh(const void *bytes, size_t size, const char *name, ThawMesh *mesh) {
    *mesh = ThawMesh{};
    ThawResult result = guard("read", name, [&] {
        std::istringstream stream(std::string(static_cast<const char *>(bytes), size));
        return read_mesh(stream, name, mesh);
    });
    if (result != THAW_OK) thaw_vdb_free_mesh(mesh);
    return result;
}

ThawResult thaw_vdb_read_cells(const char *path, ThawVdbCell *cells, uint32_t most, uint32_t *count,
                               double *background) {
    *count = 0;
    return guard("read", path, [&] {
        std::ifstream stream(path, std::ios::binary);
        if (!stream) return fail_as("read", path, std::strerror(errno));
        FloatGrid::Ptr grid = find_grid(stream);
        if (!grid) return fail_as("read", path, "there is no level set in it");
        *background = static_cast<double>(grid->background());
        openvdb::Index64 stride = grid->activeVoxelCount() / most + 1, k = 0;
        for (auto value = grid->cbeginValueOn(); value && *count < most; ++value) {
            if (k++ % stride != 0) continue;
            Vec3d p = grid->indexToWorld(value.getCoord());
            cells[(*count)++] = ThawVdbCell{{p[0], p[1], p[2]}, *value};
        }
        return THAW_OK;
    });
}

void thaw_vdb_free_mesh(ThawMesh *mesh) {
    std::free(const_cast<double(*)[3]>(mesh->points));
    std::free(const_cast<uint32_t(*)[3]>(mesh->triangles));
    *mesh = ThawMesh{};
}
