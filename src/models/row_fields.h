// Numbers of a particle by their names: fields of the store, channels, and what follows from what a solid and heat keep
// (strain, stress, bonds, molten share). The world makes views of the latter, and rules of melting and freezing look at
// all.
#ifndef THAW_MODELS_ROW_FIELDS_H
#define THAW_MODELS_ROW_FIELDS_H

#include "lattice/state.h"
#include "models/heat_state.h"

#define THAW_ROW_FIELDS 7    // that follow from others
#define THAW_ROW_VON_MISES 3 // the number of one of them

// Where they are worked out from; pointers hold as long as the store's rows stay where they are.
typedef struct ThawRows {
    const ThawStore *store;
    const ThawMaterial *materials;
    int dimensions;
    ThawLatticeState lattice; // all NULL while nothing is or was solid
    ThawThermalState heat;    // all NULL without heat
} ThawRows;

// A field that is worked out.
typedef struct ThawRowField {
    const char *name;
    void (*write)(const ThawRows *rows, uint32_t row, void *out);
    ThawType type; // of four bytes
    uint32_t components;
    bool any; // of liquids too
} ThawRowField;

const ThawRowField *thaw_row_field(int index); // NULL past the last
// Writes its components; 0 where it has no meaning.
void thaw_row_field_write(const ThawRowField *field, const ThawRows *rows, uint32_t row, void *out);

// One number: a scalar, a component of a vector ("flow.3", "velocity.x") or of a tensor ("stress.xy"), or a tensor as a
// whole: von Mises' stress, or the norm of a strain.
typedef struct ThawRowNumber {
    const ThawRowField *field; // NULL: it stands in an array
    const void *data;          // that array; it holds as long as rows stay where they are
    ThawType type;
    uint32_t components;
    int component; // -1: as a whole
} ThawRowNumber;

// False where there is nothing of that name.
bool thaw_row_number_find(const ThawStore *store, const char *name, ThawRowNumber *number);
double thaw_row_number(const ThawRowNumber *number, const ThawRows *rows, uint32_t row);

#endif
