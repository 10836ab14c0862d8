// The course of one step: what its substeps hand on to each other, and the parts of the recipe that more
// than one file uses.
#ifndef THAW_WORLD_COURSE_H
#define THAW_WORLD_COURSE_H

#include "world/world.h"

typedef struct ThawCourse {
    ThawWorld *world;
    ThawStep step;
    ThawWallStep wall_step;
    ThawSearch search;
    ThawSurvey survey;
    double surveyed; // dt of that survey while it is about the particles as they are, else −1
    double pushed;   // m/s: how much forces besides gravity may change velocities in the step
    double drift;    // cells that any particle may have moved since the lists were made
    bool listed;     // lists exist
    bool fresh;      // they were made for the tentative positions of this substep
} ThawCourse;

// Runs one stage of every model.
ThawResult thaw_course_stage(ThawCourse *course, ThawStage stage);

// Looks at the particles as they would be after dt, unless the last look was the same.
ThawResult thaw_course_survey(ThawCourse *course, double dt);

// Surveys the particles as they will be in dt, settles trouble, then makes new lists or, where those of
// an earlier substep still hold, only new tentative positions. `again`: lists may serve once more.
ThawResult thaw_course_place(ThawCourse *course, double dt, bool again);

// What comes between lists and iterations: attachments, forces that need neighbours, walls, preparations.
ThawResult thaw_course_aim(ThawCourse *course);

// Makes room for particles that were added since the last step: see settle.c.
ThawResult thaw_course_settle(ThawCourse *course);

// Goes on with the lists of the step before, where they may still hold; and leaves them to the step after.
void thaw_course_take_lists(ThawCourse *course);
void thaw_course_keep_lists(ThawCourse *course);

#endif
