// Grids of points and the triangles between them.
#include "support/forms.h"

#include "world/helpers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846

static Form form_with(uint32_t points, uint32_t triangles) {
    Form form = {.point_count = points, .triangle_count = triangles};
    form.points = calloc(points, sizeof *form.points);
    form.triangles = calloc(triangles, sizeof *form.triangles);
    assert_non_null(form.points);
    assert_non_null(form.triangles);
    return form;
}

void form_free(Form *form) {
    free(form->points);
    free(form->triangles);
    memset(form, 0, sizeof *form);
}

ThawMesh form_mesh(const Form *form) {
    return (ThawMesh){.points = (const double(*)[3])form->points,
                      .point_count = form->point_count,
                      .triangles = (const uint32_t(*)[3])form->triangles,
                      .triangle_count = form->triangle_count};
}

static void put_triangle(Form *form, uint32_t *at, uint32_t a, uint32_t b, uint32_t c) {
    uint32_t *t = form->triangles[(*at)++];
    t[0] = a, t[1] = b, t[2] = c;
}

static void put_square(Form *form, uint32_t *at, uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
    put_triangle(form, at, a, b, c);
    put_triangle(form, at, a, c, d);
}

Form form_turned(const double (*profile)[2], int count, int sides) {
    Form form = form_with((uint32_t)(count * sides), (uint32_t)(2 * (count - 1) * sides));
    uint32_t n = (uint32_t)sides, at = 0;
    for (int k = 0; k < count; k++) {
        for (int s = 0; s < sides; s++) {
            double *p = form.points[k * sides + s], angle = 2 * PI * s / sides;
            p[0] = profile[k][0] * cos(angle);
            p[1] = profile[k][0] * sin(angle);
            p[2] = profile[k][1];
        }
    }
    for (uint32_t k = 0; k + 1 < (uint32_t)count; k++) {
        for (uint32_t s = 0; s < n; s++) {
            uint32_t t = (s + 1) % n;
            put_square(&form, &at, k * n + s, k * n + t, (k + 1) * n + t, (k + 1) * n + s);
        }
    }
    return form;
}

Form form_ball(double radius, int detail) {
    double(*profile)[2] = calloc((size_t)detail + 1, sizeof *profile);
    for (int k = 0; k <= detail; k++) {
        double angle = PI * k / detail;
        profile[k][0] = k == 0 || k == detail ? 0 : radius * sin(angle);
        profile[k][1] = -radius * cos(angle);
    }
    Form form = form_turned((const double(*)[2])profile, detail + 1, 2 * detail);
    free(profile);
    return form;
}

Form form_torus(double radius, double tube, int sides) {
    double(*profile)[2] = calloc((size_t)sides + 1, sizeof *profile);
    for (int k = 0; k <= sides; k++) {
        double angle = 2 * PI * (k % sides) / sides;
        profile[k][0] = radius + tube * cos(angle);
        profile[k][1] = tube * sin(angle);
    }
    Form form = form_turned((const double(*)[2])profile, sides + 1, 2 * sides);
    free(profile);
    return form;
}

Form form_box(ThawVec3 center, ThawVec3 size) {
    static const uint32_t faces[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4},
                                         {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
    Form form = form_with(8, 12);
    uint32_t at = 0;
    for (int k = 0; k < 8; k++) {
        form.points[k][0] = center.x + (k & 1 ? 0.5 : -0.5) * size.x;
        form.points[k][1] = center.y + (k & 2 ? 0.5 : -0.5) * size.y;
        form.points[k][2] = center.z + (k & 4 ? 0.5 : -0.5) * size.z;
    }
    for (int k = 0; k < 6; k++) {
        put_square(&form, &at, faces[k][0], faces[k][1], faces[k][2], faces[k][3]);
    }
    return form;
}

Form form_sheet(double a, double b, int n) {
    uint32_t row = (uint32_t)n + 1, at = 0;
    Form form = form_with(row * row, 4 * (uint32_t)(n * n));
    for (uint32_t j = 0; j < row; j++) {
        for (uint32_t i = 0; i < row; i++) {
            double *p = form.points[j * row + i];
            p[1] = a * (2.0 * i / n - 1);
            p[2] = b * (2.0 * j / n - 1);
        }
    }
    for (uint32_t j = 0; j + 1 < row; j++) {
        for (uint32_t i = 0; i + 1 < row; i++) {
            uint32_t k = j * row + i;
            put_square(&form, &at, k, k + 1, k + row + 1, k + row);
            put_square(&form, &at, k, k + row, k + row + 1, k + 1);
        }
    }
    return form;
}

Form form_cup(double radius, double height, int sides) {
    enum { RINGS = 8, WALL = 8 };
    double profile[RINGS + WALL + 1][2];
    for (int k = 0; k <= RINGS; k++) {
        profile[k][0] = radius * k / RINGS;
        profile[k][1] = 0;
    }
    for (int k = 1; k <= WALL; k++) {
        profile[RINGS + k][0] = radius;
        profile[RINGS + k][1] = height * k / WALL;
    }
    return form_turned((const double(*)[2])profile, RINGS + WALL + 1, sides);
}

void form_join(Form *a, const Form *b) {
    uint32_t points = a->point_count, triangles = a->triangle_count;
    Form both = form_with(points + b->point_count, triangles + b->triangle_count);
    memcpy(both.points, a->points, points * sizeof *a->points);
    memcpy(both.points + points, b->points, b->point_count * sizeof *b->points);
    memcpy(both.triangles, a->triangles, triangles * sizeof *a->triangles);
    for (uint32_t k = 0; k < b->triangle_count; k++) {
        for (int c = 0; c < 3; c++) {
            both.triangles[triangles + k][c] = b->triangles[k][c] + points;
        }
    }
    form_free(a);
    *a = both;
}

Form form_paddle(double radius, double width, double thickness, int blades) {
    Form form = form_box((ThawVec3){0, 0, 0}, (ThawVec3){thickness, 1.1 * width, thickness});
    for (int k = 0; k < blades; k++) {
        double angle = 2 * PI * k / blades;
        Form blade = form_box((ThawVec3){0.5 * radius, 0, 0}, (ThawVec3){radius, width, thickness});
        for (uint32_t i = 0; i < blade.point_count; i++) {
            double *p = blade.points[i], x = p[0], z = p[2];
            p[0] = cos(angle) * x - sin(angle) * z;
            p[2] = sin(angle) * x + cos(angle) * z;
        }
        form_join(&form, &blade);
        form_free(&blade);
    }
    return form;
}

ThawField *form_field(const Form *form, ThawFieldMode mode, double cell, double offset) {
    ThawMesh mesh = form_mesh(form);
    ThawFieldDef def = thaw_field_default();
    ThawField *field = NULL;
    def.mode = mode;
    def.cell = cell;
    def.offset = offset;
    if (thaw_field_create(&mesh, &def, &field) != THAW_OK) {
        fail_msg("a field could not be built: %s", thaw_error_text());
    }
    return field;
}
