// From text to code: a lexer of one token and a parser by binding power (Pratt, "Top down operator
// precedence", 1973). An operator whose operands are all constants is worked out at once.
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/result.h"
#include "scene/expression_code.h"
#include "scene/expression_names.h"
#include "scene/units.h"

#define LONGEST_NAME 64

typedef enum TokenKind { END, NUMBER, NAME, SYMBOL } TokenKind;

typedef struct Token {
    TokenKind kind;
    size_t offset, length;
    double number;
    char word[LONGEST_NAME]; // a name or a symbol
} Token;

typedef struct Parser {
    const char *text;
    size_t length;
    Token token; // the one looked at
    const char *const *variables;
    int variable_count;
    ThawExpression *expression;
    int nesting;
    int waiting; // values on the stack at this place of the code
    ThawExpressionError *error;
} Parser;

// how tightly an operator holds what is beside it
enum { CHOICE = 1, OR, AND, NOT, COMPARE, SUM, PRODUCT, SIGN, POWER };

typedef struct Operator {
    const char *word;
    int power;
    ExpressionApply apply;
} Operator;

static const Operator operators[] = {
    {"or", OR, expression_or},           {"and", AND, expression_and},
    {"<", COMPARE, expression_less},     {"<=", COMPARE, expression_less_equal},
    {">", COMPARE, expression_greater},  {">=", COMPARE, expression_greater_equal},
    {"==", COMPARE, expression_equal},   {"!=", COMPARE, expression_unequal},
    {"+", SUM, expression_add},          {"-", SUM, expression_subtract},
    {"*", PRODUCT, expression_multiply}, {"/", PRODUCT, expression_divide},
    {"%", PRODUCT, expression_modulo},   {"^", POWER, expression_power},
};

static bool complain(Parser *parser, size_t offset, const char *format, ...) THAW_PRINTF(3, 4);
static bool complain(Parser *parser, size_t offset, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(parser->error->text, sizeof parser->error->text, format, arguments);
    va_end(arguments);
    parser->error->offset = offset;
    return false;
}

// ---------------------------------------------------------------- tokens

static bool starts_name(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static bool read_number(Parser *parser, size_t at) {
    Token *token = &parser->token;
    token->kind = NUMBER;
    token->length = scene_scan_number(parser->text + at, parser->length - at, &token->number);
    if (token->length == 0) return complain(parser, at, "a number has digits beside its point");
    if (!isfinite(token->number)) return complain(parser, at, "the number is too large");
    return true;
}

static bool is_of_name(char c) {
    return starts_name(c) || is_digit(c);
}

// a name, and what a point in it names a component of: stress.xy, flow.3
static bool read_name(Parser *parser, size_t at) {
    Token *token = &parser->token;
    const char *text = parser->text;
    size_t end = at, length = parser->length;
    while (end < length && (is_of_name(text[end]) ||
                            (text[end] == '.' && end + 1 < length && is_of_name(text[end + 1])))) {
        end++;
    }
    token->kind = NAME;
    token->length = end - at;
    if (token->length >= LONGEST_NAME) return complain(parser, at, "the name is too long");
    memcpy(token->word, parser->text + at, token->length);
    token->word[token->length] = '\0';
    return true;
}

// what other languages write for an operator, and how it is written here
static const char *find_foreign_symbol(const char *at, size_t *length) {
    static const char *const rows[][2] = {{"&&", "and"}, {"||", "or"}, {"**", "^"}, {"!", "not"},
                                          {"&", "and"},  {"|", "or"},  {"=", "=="}, {"~", "not"}};
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        *length = strlen(rows[k][0]);
        if (strncmp(at, rows[k][0], *length) == 0) return rows[k][1];
    }
    return NULL;
}

static bool refuse_symbol(Parser *parser, size_t at) {
    const char *text = parser->text + at;
    size_t length = 0;
    const char *here = find_foreign_symbol(text, &length);
    if (here != NULL) {
        return complain(parser, at, "'%.*s' is written '%s' here", (int)length, text, here);
    }
    unsigned char first = (unsigned char)text[0];
    if (first < 32 || first == 127) {
        return complain(parser, at, "character %d is not part of an expression", first);
    }
    // all bytes of a letter beyond ASCII
    length = 1;
    while (first >= 0x80 && length < 4 && ((unsigned char)text[length] & 0xc0) == 0x80) length++;
    return complain(parser, at, "'%.*s' is not part of an expression", (int)length, text);
}

static bool read_symbol(Parser *parser, size_t at) {
    static const char *const symbols[] = {"<=", ">=", "==", "!=", "<", ">", "+", "-", "*",
                                          "/",  "%",  "^",  "(",  ")", ",", "?", ":"};
    Token *token = &parser->token;
    if (strncmp(parser->text + at, "**", 2) == 0) return refuse_symbol(parser, at);
    for (size_t k = 0; k < sizeof symbols / sizeof symbols[0]; k++) {
        size_t length = strlen(symbols[k]);
        if (strncmp(parser->text + at, symbols[k], length) != 0) continue;
        token->kind = SYMBOL;
        token->length = length;
        strcpy(token->word, symbols[k]);
        return true;
    }
    return refuse_symbol(parser, at);
}

// goes on to the next token
static bool advance(Parser *parser) {
    size_t at = parser->token.offset + parser->token.length;
    while (at < parser->length && is_blank(parser->text[at])) at++;
    parser->token = (Token){.kind = END, .offset = at};
    if (at == parser->length) return true;
    char c = parser->text[at];
    if (is_digit(c) || c == '.') return read_number(parser, at);
    if (starts_name(c)) return read_name(parser, at);
    return read_symbol(parser, at);
}

static bool sees(const Parser *parser, const char *word) {
    const Token *token = &parser->token;
    return (token->kind == NAME || token->kind == SYMBOL) && strcmp(token->word, word) == 0;
}

// ---------------------------------------------------------------- code

static bool push(Parser *parser, ExpressionOp op) {
    ThawExpression *expression = parser->expression;
    if (parser->waiting >= EXPRESSION_STACK || expression->count >= expression->capacity) {
        return complain(parser, parser->token.offset, "the expression is nested too deeply");
    }
    parser->waiting++;
    expression->code[expression->count++] = op;
    return true;
}

static bool push_constant(Parser *parser, double value) {
    return push(parser, (ExpressionOp){.constant = value, .kind = EXPRESSION_CONSTANT});
}

// an operand that is a constant is one operation, so `count` constants at the end are all operands
static bool ends_in_constants(const ThawExpression *expression, int count) {
    for (int k = expression->count - count; k < expression->count; k++) {
        if (expression->code[k].kind != EXPRESSION_CONSTANT) return false;
    }
    return true;
}

static bool push_apply(Parser *parser, ExpressionApply apply, int count) {
    ThawExpression *expression = parser->expression;
    ExpressionOp op = {.apply = apply, .kind = EXPRESSION_APPLY, .count = (uint16_t)count};
    bool constant = ends_in_constants(expression, count);
    parser->waiting -= count;
    if (!constant) return push(parser, op);
    double arguments[EXPRESSION_STACK];
    expression->count -= count;
    for (int k = 0; k < count; k++) {
        arguments[k] = expression->code[expression->count + k].constant;
    }
    return push_constant(parser, apply(arguments, count));
}

// ---------------------------------------------------------------- operands

static bool parse(Parser *parser, int power);

// what stands where an operand should
static bool refuse_operand(Parser *parser) {
    const Token *token = &parser->token;
    if (token->kind == END && parser->expression->count == 0 && parser->nesting == 1) {
        return complain(parser, token->offset, "the expression is empty");
    }
    if (token->kind == END)
        return complain(parser, token->offset, "the expression stops too early");
    return complain(parser, token->offset, "a value is missing before '%s'", token->word);
}

static bool expect(Parser *parser, const char *symbol, size_t opened) {
    if (sees(parser, symbol)) return advance(parser);
    const Token *token = &parser->token;
    if (token->kind == NUMBER ||
        (token->kind == NAME && !sees(parser, "and") && !sees(parser, "or"))) {
        return complain(parser, token->offset, "an operator is missing here");
    }
    return complain(parser, token->offset, "a '%s' is missing for the '%c' of byte %zu", symbol,
                    parser->text[opened], opened);
}

static bool parse_arguments(Parser *parser, int *count) {
    size_t opened = parser->token.offset;
    *count = 0;
    if (!advance(parser)) return false;
    while (!sees(parser, ")") || *count > 0) {
        if (!parse(parser, CHOICE)) return false;
        ++*count;
        if (!sees(parser, ",")) break;
        if (!advance(parser)) return false;
    }
    return expect(parser, ")", opened);
}

static bool parse_call(Parser *parser, const ExpressionFunction *function, size_t offset) {
    int count;
    if (!sees(parser, "(")) {
        return complain(parser, offset, "%s is a function and needs brackets: %s", function->name,
                        function->signature);
    }
    if (!parse_arguments(parser, &count)) return false;
    if (count < function->fewest || count > function->most) {
        return complain(parser, offset, "%s does not take %d argument%s; it is %s", function->name,
                        count, count == 1 ? "" : "s", function->signature);
    }
    return push_apply(parser, function->apply, count);
}

static int find_variable(const Parser *parser, const char *name) {
    int k = parser->variable_count - 1;
    while (k >= 0 && strcmp(parser->variables[k], name) != 0) k--;
    return k;
}

// a variable, a constant or a function, in this order
static bool parse_name(Parser *parser) {
    Token name = parser->token;
    int variable = find_variable(parser, name.word);
    const ExpressionFunction *function = expression_find_function(name.word);
    double constant;
    if (sees(parser, "and") || sees(parser, "or")) return refuse_operand(parser);
    if (!advance(parser)) return false;
    if (variable < 0 && function != NULL) return parse_call(parser, function, name.offset);
    if (variable >= 0 || expression_find_constant(name.word, &constant)) {
        if (sees(parser, "(")) {
            return complain(parser, name.offset,
                            "'%s' is not a function; to multiply write '%s * ('", name.word,
                            name.word);
        }
        if (variable < 0) return push_constant(parser, constant);
        return push(parser, (ExpressionOp){.variable = variable, .kind = EXPRESSION_VARIABLE});
    }
    parser->error->offset = name.offset;
    expression_describe_unknown(name.word, parser->variables, parser->variable_count,
                                parser->error->text, sizeof parser->error->text);
    return false;
}

static bool parse_bracket(Parser *parser) {
    size_t opened = parser->token.offset;
    return advance(parser) && parse(parser, CHOICE) && expect(parser, ")", opened);
}

// `not` holds loosely: within tighter operators its reach would surprise
static bool parse_not(Parser *parser, int power) {
    if (power > NOT) {
        return complain(parser, parser->token.offset, "put 'not ...' in brackets here");
    }
    return advance(parser) && parse(parser, NOT) && push_apply(parser, expression_not, 1);
}

static bool parse_operand(Parser *parser, int power) {
    double number = parser->token.number;
    switch (parser->token.kind) {
    case NUMBER: return advance(parser) && push_constant(parser, number);
    case NAME: return sees(parser, "not") ? parse_not(parser, power) : parse_name(parser);
    case SYMBOL: break;
    case END: return refuse_operand(parser);
    }
    if (sees(parser, "(")) return parse_bracket(parser);
    // a sign holds what follows less tightly than a power does: -2^2 is -4
    if (sees(parser, "+")) return advance(parser) && parse(parser, SIGN);
    if (sees(parser, "-")) {
        return advance(parser) && parse(parser, SIGN) && push_apply(parser, expression_negate, 1);
    }
    return refuse_operand(parser);
}

// ---------------------------------------------------------------- operators

static const Operator *find_operator(const Parser *parser) {
    for (size_t k = 0; k < sizeof operators / sizeof operators[0]; k++) {
        if (sees(parser, operators[k].word)) return &operators[k];
    }
    return NULL;
}

static bool parse_choice(Parser *parser) {
    size_t opened = parser->token.offset;
    return advance(parser) && parse(parser, CHOICE) && expect(parser, ":", opened) &&
           parse(parser, CHOICE) && push_apply(parser, expression_choose, 3);
}

// one operator and what is to its right
static bool parse_operator(Parser *parser, const Operator *operator) {
    if (!advance(parser)) return false;
    // powers group from the right, and their right side may have a sign; all others from the left
    int right = operator->power == POWER ? SIGN : operator->power + 1;
    if (!parse(parser, right) || !push_apply(parser, operator->apply, 2)) return false;
    const Operator *next = find_operator(parser);
    if (operator->power == COMPARE && next != NULL && next->power == COMPARE) {
        return complain(parser, parser->token.offset,
                        "comparisons do not chain; write a < b and b < c");
    }
    return true;
}

static bool parse_operators(Parser *parser, int power) {
    for (;;) {
        const Operator *operator= find_operator(parser);
        if (operator!= NULL && operator->power >= power) {
            if (!parse_operator(parser, operator)) return false;
        } else if (power <= CHOICE && sees(parser, "?")) {
            if (!parse_choice(parser)) return false;
        } else {
            return true;
        }
    }
}

// an operand and every operator after it that holds at least as tightly as `power`
static bool parse(Parser *parser, int power) {
    if (++parser->nesting > EXPRESSION_NESTING) {
        return complain(parser, parser->token.offset, "the expression is nested too deeply");
    }
    if (!parse_operand(parser, power) || !parse_operators(parser, power)) return false;
    parser->nesting--;
    return true;
}

bool expression_parse(const char *text, size_t length, const char *const *variables, int count,
                      ThawExpression *expression, ThawExpressionError *error) {
    Parser parser = {.text = text,
                     .length = length,
                     .variables = variables,
                     .variable_count = count,
                     .expression = expression,
                     .error = error};
    if (!advance(&parser) || !parse(&parser, CHOICE)) return false;
    if (parser.token.kind == END) return true;
    size_t at = parser.token.offset;
    if (sees(&parser, ")")) return complain(&parser, at, "there is a ')' too many");
    if (parser.token.kind == SYMBOL && !sees(&parser, "(")) {
        return complain(&parser, at, "'%s' does not belong here", parser.token.word);
    }
    return complain(&parser, at, "an operator is missing here");
}
