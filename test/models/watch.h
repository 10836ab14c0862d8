// A table of models whose stages are watched: what they write beyond their declarations is noted, and
// what they do not declare to read may be spoilt while they run.
#ifndef TEST_MODELS_WATCH_H
#define TEST_MODELS_WATCH_H

#include "models/model.h"

#define WATCH_MODELS 2

extern bool watch_spoils;           // undeclared fields hold rubbish while a stage runs
extern const char *watch_complaint; // what the first wrong stage did; empty when all were right
extern uint32_t watch_runs[WATCH_MODELS][THAW_STAGE_COUNT];
extern uint32_t watch_written[WATCH_MODELS][THAW_STAGE_COUNT]; // fields that were seen to change

// Fills the table; before any world is made.
void watch_begin(void);

#endif
