// Text of a mesh file: where the reader is, numbers, and sentences that name the line.
#ifndef THAW_MESHIO_TEXT_H
#define THAW_MESHIO_TEXT_H

#include "base/result.h"

// Numbers are read as in the C locale: meshio_parse sets it.
typedef struct MeshText {
    const char *name; // of the file
    const char *at, *end;
    uint64_t line; // from 1
} MeshText;

// "NAME:LINE: …", THAW_BAD_INPUT.
ThawResult meshio_text_fail(const MeshText *text, const char *format, ...) THAW_PRINTF(2, 3);

// To the next word of this line; false when there is none. A # ends the line; a backslash before the line's
// end joins the next.
bool meshio_next_word(MeshText *text);
// To the next word of this or any later line; false at the end of the file. No comments.
bool meshio_next_word_anywhere(MeshText *text);
// Behind the end of the line; joined lines are one where `joined`.
void meshio_skip_line(MeshText *text, bool joined);
// Whether the next word is this one, in any case; the reader moves behind it then.
bool meshio_take_word(MeshText *text, const char *word);
// How long the next word is.
int meshio_word_length(const MeshText *text);

// The next word as a finite number; `what` names it when it is none, or when the line ends before it.
ThawResult meshio_take_number(MeshText *text, const char *what, double *number);
// Digits with a sign, up to the first character that is none; false when there is no digit or too many.
bool meshio_take_whole(MeshText *text, int64_t *number);

#endif
