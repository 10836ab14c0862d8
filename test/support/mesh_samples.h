// Small meshes for tests, made or read.
#ifndef TEST_SUPPORT_MESH_SAMPLES_H
#define TEST_SUPPORT_MESH_SAMPLES_H

#include <thaw/mesh.h>

// A mesh that owns its arrays and grows.
typedef struct Sample {
    double (*points)[3];
    uint32_t (*triangles)[3];
    uint32_t point_count, triangle_count, point_room, triangle_room;
} Sample;

void sample_free(Sample *sample);
ThawMesh sample_mesh(const Sample *sample);

uint32_t sample_point(Sample *sample, double x, double y, double z);
void sample_triangle(Sample *sample, uint32_t a, uint32_t b, uint32_t c);

// Closed, wound so that normals point outwards; each is added to what the sample holds.
void sample_box(Sample *sample, ThawVec3 lower, ThawVec3 upper);
// A ball of about 2 n² triangles whose radius waves by the share `bumps`.
void sample_ball(Sample *sample, ThawVec3 center, double radius, int n, double bumps);
// About the z axis.
void sample_torus(Sample *sample, double ring, double tube, int n);
// Triangles anywhere in the unit cube, about `size` large; the same for the same seed.
void sample_soup(Sample *sample, uint32_t count, double size, uint64_t seed);

// Points and faces of an OBJ file; false where there is none. Polygons become fans.
bool sample_obj(Sample *sample, const char *path);

// uniform in [low, high), a step of *seed each
double sample_uniform(uint64_t *seed, double low, double high);

#endif
