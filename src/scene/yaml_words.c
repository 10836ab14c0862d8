// The parser's complaints, each by a part of its text, and what we say instead.
#include "scene/yaml_words.h"

#include <stddef.h>
#include <string.h>

#define INDENTATION                                                                                \
    "the indentation is off here: keys of one map stand in one column, and list items start with " \
    "'- '"

typedef struct Words {
    const char *part; // of the complaint
    const char *words;
} Words;

// the first that fits counts
static const Words table[] = {
    {"tab", "a tab cannot indent a scene: use blanks"},
    {"multiline plain key", INDENTATION},
    {"expected '-' indicator", INDENTATION},
    {"did not find expected key", INDENTATION},
    {"at the end of block sequence", INDENTATION},
    {"indentation in mapping", INDENTATION},
    {"indendation in sequence", INDENTATION},
    {"wrongly indented sequence", INDENTATION},
    {"indent for", INDENTATION},
    {"mapping in plain multiline", INDENTATION},
    {"block sequence entries not allowed", INDENTATION},
    {"could not find expected ':'",
     "a key, a colon and a blank are wanted here, like 'spacing: 0.02'"},
    {"missing ':'", "a key, a colon and a blank are wanted here, like 'spacing: 0.02'"},
    {"nested block mapping on the same line",
     "there are two ': ' on this line: text with ': ' in it must be in quotes"},
    {"on the same line as a mapping key",
     "a list begins on a line of its own: write its '- ' items below the key"},
    {"without closing quote", "the quotes that open here are not closed"},
    {"wrongly indented double-quoted",
     "the quotes that open here are not closed, or what is in them is not indented"},
    {"wrongly indented single-quoted",
     "the quotes that open here are not closed, or what is in them is not indented"},
    {"trailing content after", "there is something left after the closing quotes"},
    {"without a closing bracket", "a '[' is not closed before this"},
    {"without a closing brace", "a '{' is not closed before this"},
    {"missing comma in flow mapping", "a ',' or the closing '}' is missing before this"},
    {"missing comma in flow sequence", "a ',' or the closing ']' is missing before this"},
    {"extra closing bracket", "there is one ']' too many"},
    {"extra closing brace", "there is one '}' too many"},
    {"wrongly indented flow", "a '{' or '[' above is not closed, or what is in it is not indented"},
    {"plain scalar cannot start with",
     "a value cannot start with this character: put the text in quotes"},
    {"invalid escape",
     "this \\ in double quotes means nothing; write \\\\ for the character itself"},
    {"invalid alias", "'*' must be followed by an anchor's name; text that starts so needs quotes"},
    {"invalid anchor", "'&' must be followed by a name; text that starts so needs quotes"},
    {"single quoted scalars not supported", "JSON wants double quotes"},
    {"trailing comma", "JSON has no comma before a closing bracket"},
    {"empty values in a mapping", "a value is missing here"},
    {"double quoted scalar keys", "JSON wants keys in double quotes"},
    {"Invalid JSON plain scalar",
     "JSON wants text and keys in double quotes and commas between values; a .yaml file does not"},
    {"Multi line plain scalars",
     "JSON wants text and keys in double quotes and commas between values; a .yaml file does not"},
};

static bool is_comment(const char *at) {
    return at[0] == '#' || strncmp(at, "//", 2) == 0 || strncmp(at, "/*", 2) == 0;
}

const char *scene_yaml_words(const char *complaint, bool json, const char *at, bool *next_line) {
    *next_line = strstr(complaint, "multiline plain key") != NULL;
    if (json && is_comment(at)) {
        return "JSON has no comments: name the file .yaml to write them, after a '#'";
    }
    for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
        if (strstr(complaint, table[k].part) != NULL) return table[k].words;
    }
    return NULL;
}
