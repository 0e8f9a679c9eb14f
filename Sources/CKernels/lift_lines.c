/* The ink of lines, even of lines that are thinner than a pixel.
 *
 * Such a line covers no pixel completely, so even its darkest pixel is a mixture. But how it crosses the
 * pixels shows its width. Let it be w pixels thick, measured along columns, and rise by m per column. The
 * strengths of the pixels of a column add up to w times that of the ink. The line touches 1 + w + m of them
 * on average: a column of the image is a strip, in which the line spans w + m, and a span of that length
 * meets 1 + w + m rows. So w, and with it the ink, follow from counting pixels. This works only if the line
 * crosses from row to row often enough. For a line along the rows, the strongest pixel is taken as the ink.
 */
#include "lift.h"

#include <math.h>

enum {
    /* How far a line is followed, and how far it may deviate from the pixel. */
    ALONG = 10,
    ACROSS = CR_LIFT_RADIUS - 1,
    /* A line thicker than this, in pixels, is not thin. */
    THICKEST = 4,
    /* The minimum number of columns whose pixels are counted. */
    FEWEST_CUTS = 8,
};

/* A line two pixels thick covers some pixel completely: the strengths in a cut add up to at least this
 * multiple of the strongest one. A diagonal line half a pixel thick reaches only 1.22. */
static const float least_solid = 1.35f;

/* For thinner lines, counting pixels is not accurate enough. */
static const float least_width = 0.2f;

/* A cut across a line: its pixels, their sum and centre, and the strongest of them. */
typedef struct {
    int32_t first, last;
    float sum, center, peak;
} line_cut;

/* A line to follow: the starting pixel, the direction, and the colour in which strengths are measured. */
typedef struct {
    const mixture *pixel;
    const float *color;
    float square;
    bool runs_down;
} line;

static inline int32_t column_of(const line *line, int32_t along, int32_t across) {
    return line->pixel->x + (line->runs_down ? across : along);
}

static inline int32_t row_along(const line *line, int32_t along, int32_t across) {
    return line->pixel->y + (line->runs_down ? along : across);
}

static inline bool is_gap(const line *line, int32_t along, int32_t across) {
    return is_paper(line->pixel->sheet, column_of(line, along, across), row_along(line, along, across));
}

static bool is_in_image(const line *line, int32_t along) {
    const int32_t place = line->runs_down ? row_along(line, along, 0) : column_of(line, along, 0);
    return place >= 0 && place < (line->runs_down ? line->pixel->sheet->height : line->pixel->sheet->width);
}

/* Finds the pixels of a cut that touch those of the cut before; false if there are none, or too many. */
static bool find_cut(const line *line, int32_t along, line_cut *cut) {
    int32_t first = cut->first - 1 > -ACROSS ? cut->first - 1 : -ACROSS;
    int32_t last = cut->last + 1 < ACROSS ? cut->last + 1 : ACROSS;
    while (first <= last && is_gap(line, along, first)) first++;
    while (first <= last && is_gap(line, along, last)) last--;
    if (first > last) { return false; }
    while (first > -ACROSS && last - first <= THICKEST && !is_gap(line, along, first - 1)) first--;
    while (last < ACROSS && last - first <= THICKEST && !is_gap(line, along, last + 1)) last++;
    cut->first = first, cut->last = last;
    return last - first < THICKEST && first > -ACROSS && last < ACROSS;
}

/* Measures the next cut of a line; false if the line ends there, branches, or has another ink. */
static bool measure_cut(const line *line, int32_t along, line_cut *cut) {
    if (!is_in_image(line, along) || !find_cut(line, along, cut)) { return false; }
    float moment = 0;
    cut->sum = cut->peak = 0;
    for (int32_t across = cut->first; across <= cut->last; across++) {
        if (is_gap(line, along, across)) { return false; }
        float color[3];
        color_at(line->pixel->sheet, column_of(line, along, across), row_along(line, along, across), color);
        const float strength = length_along(color, line->color, line->square, line->pixel->noise);
        if (strength < 0) { return false; }
        cut->sum += strength;
        moment += strength * (float)across;
        if (strength > cut->peak) { cut->peak = strength; }
    }
    cut->center = moment / cut->sum;
    return true;
}

/* The sums and limits of all cuts of a line. */
typedef struct {
    int32_t count, pixels;
    float sum, peak;
    int32_t ends[2];
    float centers[2];
} line_cuts;

static void add_cut(line_cuts *cuts, const line_cut *cut, int32_t along) {
    cuts->count++;
    cuts->pixels += cut->last - cut->first + 1;
    cuts->sum += cut->sum;
    if (cut->peak > cuts->peak) { cuts->peak = cut->peak; }
    cuts->ends[along > 0] = along;
    cuts->centers[along > 0] = cut->center;
}

/* Follows a line to one side. The cut at an end of the line is left out: the line fills it in part. */
static void follow(const line *line, line_cut cut, int32_t step, line_cuts *cuts) {
    for (int32_t along = step;; along += step) {
        const line_cut before = cut;
        const bool goes_on = abs(along) <= ALONG && measure_cut(line, along, &cut);
        if (along != step && (goes_on || abs(along) > ALONG)) { add_cut(cuts, &before, along - step); }
        if (!goes_on) { return; }
    }
}

/* Pixels without paper between them, in a row or in a column. */
static int32_t extent(const mixture *pixel, int32_t right, int32_t down) {
    int32_t count = 0;
    for (int32_t side = -1; side <= 1; side += 2)
        for (int32_t i = 1; i <= ALONG; i++) {
            if (is_paper(pixel->sheet, pixel->x + side * i * right, pixel->y + side * i * down)) { break; }
            count++;
        }
    return count;
}

float cr_line_strength(const mixture *pixel, const float *color, float square) {
    const line line = {pixel, color, square, extent(pixel, 0, 1) > extent(pixel, 1, 0)};
    line_cut middle = {0};
    if (!measure_cut(&line, 0, &middle)) { return 1; }
    line_cuts cuts = {.centers = {middle.center, middle.center}};
    add_cut(&cuts, &middle, 0);
    follow(&line, middle, -1, &cuts);
    follow(&line, middle, 1, &cuts);
    const float peak = cuts.peak > 1 ? cuts.peak : 1;
    const float mean = cuts.sum / (float)cuts.count;
    const float climb = fabsf(cuts.centers[1] - cuts.centers[0]);
    if (cuts.count < FEWEST_CUTS || mean > least_solid * peak) { return peak; }
    const float slope = climb / (float)(cuts.ends[1] - cuts.ends[0]);
    if (slope * (float)cuts.count < 1) { return peak; }
    const float width = (float)cuts.pixels / (float)cuts.count - 1 - slope;
    const float strength = mean / (width < least_width ? least_width : width);
    return strength > peak ? strength : peak;
}
