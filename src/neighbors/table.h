// The sorted particles as levels, rows and clusters: what the list builder works on.
#ifndef THAW_NEIGHBORS_TABLE_H
#define THAW_NEIGHBORS_TABLE_H

#include "neighbors/neighbors.h"

#define THAW_LEVELS 9     // supports from 1/16 to 16 of the usual one
#define THAW_LEVEL_BASE 4 // the level of the usual support
#define THAW_IMAGES 27

// One size class. Its cells have the edge 2^shift base cells.
typedef struct ThawLevel {
    uint32_t rows; // number of particles in it
    int shift;
    float support;      // largest h in it, base cells
    int64_t origin[3];  // its lowest occupied cell
    int64_t last[3];    // its highest occupied cell
    uint32_t row_first; // its rows in the table
    uint32_t row_count;
} ThawLevel;

// Sorted keys are level | z | y | x | fraction of x, each cell counted from the level's origin.
typedef struct ThawTable {
    ThawLevel levels[THAW_LEVELS];
    int bits_x, bits_y, bits_z, bits_fraction;
    int bits_used;        // of level, z, y and x together
    int level_base;       // the lowest level in use: keys count from it
    const uint64_t *keys; // sorted, one a particle
    uint32_t particles;
    uint32_t *row_start; // first particle of each row, and the end of the last
    uint32_t row_count;
    ThawCluster *clusters;
    uint32_t cluster_count;
} ThawTable;

static inline uint64_t thaw_table_row_key(const ThawTable *table, uint64_t key) {
    return key >> (table->bits_x + table->bits_fraction);
}
static inline int64_t thaw_table_x(const ThawTable *table, uint64_t key) {
    return (int64_t)(key & (((uint64_t)1 << (table->bits_x + table->bits_fraction)) - 1));
}
static inline int64_t thaw_row_y(const ThawTable *table, uint64_t row_key) {
    return (int64_t)(row_key & (((uint64_t)1 << table->bits_y) - 1));
}
static inline int64_t thaw_row_z(const ThawTable *table, uint64_t row_key) {
    return (int64_t)(row_key >> table->bits_y & (((uint64_t)1 << table->bits_z) - 1));
}
static inline int thaw_row_level(const ThawTable *table, uint64_t row_key) {
    return (int)(row_key >> (table->bits_y + table->bits_z)) + table->level_base;
}

// the level of a particle whose spacing is `ratio` times the usual one: the least whose cells hold it
static inline int thaw_level_of(float ratio) {
    float edge = 0.0625f;
    int level = 0;
    while (ratio > edge * 1.000001f && level < THAW_LEVELS - 1) {
        edge *= 2.0f;
        level++;
    }
    return level;
}

#endif
