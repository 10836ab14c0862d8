// Meshes that tests make themselves.
#ifndef TEST_SUPPORT_FORMS_H
#define TEST_SUPPORT_FORMS_H

#include <thaw/mesh.h>

typedef struct Form {
    double (*points)[3];
    uint32_t (*triangles)[3];
    uint32_t point_count, triangle_count;
} Form;

void form_free(Form *form);
ThawMesh form_mesh(const Form *form); // arrays are the form's

// A profile of (radius, height) turned about z in `sides` pieces: open where the profile's ends are off the axis.
Form form_turned(const double (*profile)[2], int count, int sides);
Form form_ball(double radius, int detail);
Form form_box(ThawVec3 center, ThawVec3 size);
Form form_torus(double radius, double tube, int sides);
// A sheet of zero thickness in the plane x = 0, |y| <= a, |z| <= b, in n × n squares; its back is a second layer of
// triangles at the same place, wound the other way.
Form form_sheet(double a, double b, int n);
// An open cup: a flat bottom at z = 0 and a round wall up to `height`, of zero thickness.
Form form_cup(double radius, double height, int sides);
// A hub along y with `blades` blades, which cross each other in its middle.
Form form_paddle(double radius, double width, double thickness, int blades);
// Adds b's triangles to a.
void form_join(Form *a, const Form *b);

// Builds a field and fails the test if it cannot.
ThawField *form_field(const Form *form, ThawFieldMode mode, double cell, double offset);

#endif
