// The man page thaw(1), in the man macros of troff.
#include "page.h"

#include <stdio.h>
#include <string.h>
#include <thaw/base.h>

// text with what troff would act upon made harmless; two newlines begin a paragraph
static void print_troff(const char *text) {
    bool line_start = true;
    for (; *text != '\0'; text++) {
        if (text[0] == '\n' && text[1] == '\n') {
            printf("\n.PP\n");
            line_start = true;
            text++;
            continue;
        }
        if (line_start && (*text == '.' || *text == '\'')) printf("\\&");
        line_start = *text == '\n';
        if (*text == '\\')
            printf("\\e");
        else if (*text == '-')
            printf("\\-");
        else
            putchar(*text);
    }
}

static void print_option(const Option *option) {
    printf(".TP\n\\fB");
    if (option->letter != 0) printf("\\-%c\\fR, \\fB", option->letter);
    printf("\\-\\-");
    print_troff(option->name);
    printf("\\fR");
    if (option->value != NULL) {
        printf(" \\fI");
        print_troff(option->value);
        printf("\\fR");
    }
    printf("\n");
    print_troff(option->meaning);
    if (option->initial != NULL) {
        printf(" (default: ");
        print_troff(option->initial);
        printf(")");
    }
    printf(".\n");
}

static void print_command(const Command *command) {
    printf(".SS \"thaw %s %s\"\n", command->name, command->operands);
    print_troff(command->about);
    printf("\n");
    for (const Option *option = command->options; option != NULL && option->name != NULL;
         option++) {
        print_option(option);
    }
    printf(".PP\n.nf\n");
    for (const Example *example = command->examples; example->line != NULL; example++) {
        printf("\\fB");
        print_troff(example->line);
        printf("\\fR\n    ");
        print_troff(example->meaning);
        printf("\n");
    }
    printf(".fi\n");
}

void page_print_man(void) {
    printf(".TH THAW 1 \"\" \"thaw %s\" \"User Commands\"\n", thaw_version());
    printf(".SH NAME\nthaw \\- particles that flow, melt, freeze and break\n");
    printf(".SH SYNOPSIS\n.B thaw\n.I COMMAND\n.RI [ ARGUMENTS ]\n");
    printf(".SH DESCRIPTION\nSimulates scenes written in YAML or JSON, one HDF5 file a frame, and "
           "makes pictures, movies,\nplots and files for other programs of them.\n"
           "A run that was stopped, by Ctrl\\-C or by a crash, goes on exactly with "
           "\\fBthaw run \\-\\-resume\\fR.\n");
    printf(".SH COMMANDS\n");
    for (int k = 0; commands[k] != NULL; k++) print_command(commands[k]);
    printf(".SH EXIT STATUS\n.TP\n0\ndone\n.TP\n1\nfailed while running\n.TP\n2\n"
           "bad usage or input\n.TP\n130\ninterrupted, after saving\n");
    printf(".SH ENVIRONMENT\n.TP\n.B NO_COLOR\nwhen set, messages are not coloured\n");
    printf(".SH FILES\n.TP\n.I DIR/scene.yaml\nthe scene as resolved\n"
           ".TP\n.I DIR/frames/frame_000000.h5\nthe initial state; one file a frame\n"
           ".TP\n.I DIR/frames.xdmf\nthe series, for ParaView\n"
           ".TP\n.I DIR/stats.csv\none row a frame\n"
           ".TP\n.I DIR/checkpoint.h5\nthe whole world, to go on from\n"
           ".TP\n.I DIR/images/\npictures\n");
}
