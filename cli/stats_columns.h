// The columns of stats.csv in words.
#ifndef THAW_CLI_STATS_COLUMNS_H
#define THAW_CLI_STATS_COLUMNS_H

typedef struct StatsColumn {
    const char *name;
    const char *title;   // short, for an axis
    const char *unit;    // "" = a plain number
    double scale;        // what the table's numbers are multiplied by to have this unit
    const char *meaning; // one line
} StatsColumn;

// What is known of a column; one that is not known has its name for a title.
StatsColumn stats_column(const char *name);

#endif
