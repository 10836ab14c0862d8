// stats.csv: one row a frame, appended and flushed.
#ifndef THAW_CACHE_STATS_H
#define THAW_CACHE_STATS_H

#include <thaw/cache.h>

typedef struct ThawStatsFile {
    char *path;
    int descriptor; // below 0: not open
} ThawStatsFile;

// Opens the table for more rows. Rows of frames after `last` are dropped first, and so is a torn row at the
// end; with last < 0 the table begins anew.
ThawResult thaw_stats_open(const char *directory, int last, ThawStatsFile *file);
ThawResult thaw_stats_append(ThawStatsFile *file, const ThawStats *stats);
void thaw_stats_close(ThawStatsFile *file);

#endif
