/* Removes the paper from a drawing: a pixel is a mixture of paper and ink, and the share of the paper becomes
 * transparency.
 *
 * A rasteriser computes C = w P + (1 - w) K: w is the uncovered part of the pixel, where the paper P shows.
 * If w is known, ink and alpha follow, even if the rest is a mixture of several inks. w is found as follows:
 *
 *   - Paper is transparent. Pixels far from paper, and those of an area of one colour, are opaque. These are
 *     nearly all pixels.
 *   - For any other pixel, a nearby colour can be its ink if it is on the ray from the paper's colour through
 *     the pixel's colour, beyond the pixel's. The candidates are the nearest fill (colour of an area), and of
 *     the others the last on the ray, used if one of these beyond the fill's colour is as near as the fill.
 *   - If two inks explain the pixel without paper, and no paper touches it, it is opaque. If paper touches
 *     it, and no single ink explains it, the shares of paper, an adjacent fill and another ink are computed.
 *   - A line may be too thin to show its ink anywhere: see lift_lines.c.
 *
 * A pale fill is opaque, although it could be a thin layer of a dark ink on the paper: it fills an area.
 * Pixels at the fill's edge count as mixtures with the fill, which is nearer than a dark outline next to it.
 */
#include "lift.h"

#include <math.h>
#include <string.h>

enum {
    /* Pixels that have no paper this close are opaque. */
    NEAR = 5,
    /* An edge in any direction is at most this wide. Only in corners of letters, and in blurred letters, inks
     * mix with paper that is farther away. */
    EDGE = 2,
    /* If a pale colour has at least this many pixels, it is a fill, even if lines cut it up so that no 3 x 3
     * square is left. */
    FILL_PIXELS = 6,
    /* Pixels that are examined together. */
    RUN = 64,
};

/* If two colours on one ray are rounded to 8 bits, the one nearer to the paper stays within this distance of
 * the other's ray. */
static const float rounding_noise = 2.5f;

/* Two inks whose colours are nearer to each other than this are not used to explain a pixel. */
static const float least_contrast = 16;

static inline bool is_alike(const uint8_t *a, const uint8_t *b, int tolerance) {
    return abs(a[0] - b[0]) <= tolerance && abs(a[1] - b[1]) <= tolerance && abs(a[2] - b[2]) <= tolerance;
}

/* Whether a pixel is ink of a given colour. */
static inline bool is_ink(const cr_sheet *sheet, int32_t x, int32_t y, const uint8_t *color) {
    const int tolerance = sheet->paper.tolerance > 1 ? sheet->paper.tolerance : 1;
    return !is_paper(sheet, x, y) && is_alike(color, pixel_at(sheet, x, y), tolerance);
}

/* Whether a pixel belongs to a square of 3 x 3 pixels of its colour. */
static bool fills_area(const cr_sheet *sheet, int32_t x, int32_t y) {
    const uint8_t *center = pixel_at(sheet, x, y);
    /* In such a square, the left or right neighbour is equal, and the upper or lower one; in mixed colours,
     * seldom. */
    if (!is_ink(sheet, x - 1, y, center) && !is_ink(sheet, x + 1, y, center)) { return false; }
    if (!is_ink(sheet, x, y - 1, center) && !is_ink(sheet, x, y + 1, center)) { return false; }
    unsigned threes[5];
    for (int32_t j = 0; j < 5; j++) {
        unsigned alike = 0;
        for (int32_t i = 0; i < 5; i++) alike |= (unsigned)is_ink(sheet, x + i - 2, y + j - 2, center) << i;
        threes[j] = alike & alike >> 1 & alike >> 2;
    }
    return (threes[0] & threes[1] & threes[2]) | (threes[1] & threes[2] & threes[3])
        | (threes[2] & threes[3] & threes[4]);
}

/* Adds the colour of a pixel. If it is known, counts it, and updates its nearest place. */
static void add_ink(mixture *pixel, int32_t x, int32_t y, int32_t distance) {
    ink found = {.distance = distance, .x = x, .y = y, .count = 1};
    color_at(pixel->sheet, x, y, found.color);
    for (size_t i = 0; i < pixel->count; i++) {
        ink *known = &pixel->inks[i];
        if (memcmp(known->color, found.color, sizeof found.color) != 0) { continue; }
        known->count++;
        if (distance < known->distance) { known->distance = distance, known->x = x, known->y = y; }
        return;
    }
    found.square = dot(found.color, found.color);
    pixel->inks[pixel->count++] = found;
}

/* Collects the colours around a pixel. */
static void look_around(mixture *pixel) {
    for (int32_t j = -LIFT_REACH; j <= LIFT_REACH; j++)
        for (int32_t i = -LIFT_REACH; i <= LIFT_REACH; i++) {
            const int32_t x = pixel->x + i, y = pixel->y + j;
            const int32_t distance = abs(i) > abs(j) ? abs(i) : abs(j);
            if (is_paper(pixel->sheet, x, y)) {
                if (distance == 1) { pixel->touches_paper = true; }
            } else if (distance > 0 && pixel_at(pixel->sheet, x, y)[3] != 0) {
                add_ink(pixel, x, y, distance);
            }
        }
    for (size_t i = 0; i < pixel->count; i++)
        pixel->inks[i].fills_area = fills_area(pixel->sheet, pixel->inks[i].x, pixel->inks[i].y);
}

/* Whether a pixel's colour lies between two others, neither of which is paper. */
static bool lies_between(const mixture *pixel, const ink *one, const ink *other) {
    float span[3], part[3], rest[3];
    subtract(other->color, one->color, 1, span);
    subtract(pixel->color, one->color, 1, part);
    const float square = dot(span, span);
    if (square < least_contrast * least_contrast) { return false; }
    const float share = dot(part, span) / square;
    if (share < 0 || share > 1) { return false; }
    subtract(part, span, share, rest);
    return dot(rest, rest) <= pixel->noise * pixel->noise;
}

/* The combined share of two inks in a pixel, if the pixel is a mixture of them and paper; else -1. */
static float share_of(const mixture *pixel, const ink *one, const ink *other) {
    const float both = dot(one->color, other->color);
    const float determinant = one->square * other->square - both * both;
    /* Inks on one ray cannot be told apart. */
    if (determinant < 0.02f * one->square * other->square) { return -1; }
    const float first = dot(pixel->color, one->color), second = dot(pixel->color, other->color);
    const float a = (first * other->square - second * both) / determinant;
    const float b = (second * one->square - first * both) / determinant;
    if (a < 0.02f || b < 0 || a + b > 1.02f) { return -1; }
    float rest[3];
    subtract(pixel->color, one->color, a, rest);
    subtract(rest, other->color, b, rest);
    return dot(rest, rest) > pixel->noise * pixel->noise ? -1 : a + b;
}

/* Whether a colour may be a partial share of an ink, and is too rare to be a separate ink. */
static bool is_pale_part(const mixture *pixel, const ink *color, const ink *of) {
    if (color->fills_area || color->count >= FILL_PIXELS || color->square >= of->square) { return false; }
    return length_along(color->color, of->color, of->square, pixel->noise) >= 0;
}

/* The share of all inks if a fill next to the pixel and another ink explain the pixel; else -1.
 *
 * `has_ink` says whether a single ink explains the pixel too. */
static float share_of_inks(const mixture *pixel, bool has_ink) {
    float share = -1;
    const int32_t reach = pixel->touches_paper ? 1 : 2;
    for (const ink *fill = pixel->inks; fill < pixel->inks + pixel->count; fill++) {
        if (!fill->fills_area || fill->distance > reach) { continue; }
        for (const ink *other = pixel->inks; other < pixel->inks + pixel->count; other++) {
            if (other == fill || other->distance > 2 || is_pale_part(pixel, other, fill)) { continue; }
            if (!pixel->touches_paper) {
                if (lies_between(pixel, fill, other)) { return 1; }
            } else if (!has_ink) {
                const float found = share_of(pixel, fill, other);
                if (found > share) { share = found; }
            }
        }
    }
    return share;
}

/* The nearest ink that fills an area, and of which the pixel may show a part, or NULL. */
static const ink *nearest_fill(const mixture *pixel) {
    const ink *best = NULL;
    for (const ink *ink = pixel->inks; ink < pixel->inks + pixel->count; ink++) {
        if (!ink->fills_area || ink->square < pixel->square) { continue; }
        if (length_along(pixel->color, ink->color, ink->square, pixel->noise) < 0) { continue; }
        const bool is_better = !best || ink->distance < best->distance
            || (ink->distance == best->distance && ink->square > best->square);
        if (is_better) { best = ink; }
    }
    return best;
}

/* The ink of a line of which the pixel may show a part, or NULL: the colour farthest from the paper. NULL
 * also if `fill` is nearer to the pixel than every colour that is farther from the paper than `fill`. */
static const ink *strongest_line(const mixture *pixel, const ink *fill) {
    const ink *best = NULL;
    int32_t distance = LIFT_REACH + 1;
    for (const ink *ink = pixel->inks; ink < pixel->inks + pixel->count; ink++) {
        if (ink->fills_area || ink->square < pixel->square) { continue; }
        if (length_along(pixel->color, ink->color, ink->square, pixel->noise) < 0) { continue; }
        if (!best || ink->square > best->square) { best = ink; }
        if ((!fill || ink->square > fill->square) && ink->distance < distance) { distance = ink->distance; }
    }
    if (best && fill && (best->square <= fill->square || distance > fill->distance)) { return NULL; }
    return best;
}

/* The share of a pixel that one ink covers, or -1 if none explains it. */
static float share_of_one_ink(const mixture *pixel) {
    const ink *fill = nearest_fill(pixel);
    const ink *stroke = strongest_line(pixel, fill);
    if (fill && !stroke) { return dot(pixel->color, fill->color) / fill->square; }
    if (!stroke) {
        const float strength = cr_line_strength(pixel, pixel->color, pixel->square);
        return strength > 1 ? 1 / strength : -1;
    }
    const float strength = cr_line_strength(pixel, stroke->color, stroke->square);
    return dot(pixel->color, stroke->color) / (stroke->square * strength);
}

/* Whether there is paper within some columns and rows. */
static bool has_paper(const mixture *pixel, int32_t reach) {
    for (int32_t j = -reach; j <= reach; j++)
        for (int32_t i = -reach; i <= reach; i++)
            if (is_paper(pixel->sheet, pixel->x + i, pixel->y + j)) { return true; }
    return false;
}

/* Whether there is a fill of a different ink around a pixel. The remainder of a fill between lines also
 * counts: a frequent colour less than half as far from the paper as the strongest ink. */
static bool has_fill(const mixture *pixel) {
    float strongest = pixel->square;
    for (size_t i = 0; i < pixel->count; i++)
        if (pixel->inks[i].square > strongest) { strongest = pixel->inks[i].square; }
    for (const ink *ink = pixel->inks; ink < pixel->inks + pixel->count; ink++) {
        const bool is_its_ink = ink->square >= pixel->square
            && length_along(pixel->color, ink->color, ink->square, pixel->noise) >= 0;
        if (ink->fills_area && !is_its_ink) { return true; }
        if (ink->count >= FILL_PIXELS && 4 * ink->square < strongest) { return true; }
    }
    return false;
}

/* The share of a pixel that is not paper. */
static float share_at(const cr_sheet *sheet, int32_t x, int32_t y) {
    if (fills_area(sheet, x, y)) { return 1; }
    mixture pixel = {.sheet = sheet, .x = x, .y = y, .noise = rounding_noise + sheet->paper.tolerance};
    pixel.count = 0;
    color_at(sheet, x, y, pixel.color);
    pixel.square = dot(pixel.color, pixel.color);
    look_around(&pixel);
    if (!has_paper(&pixel, EDGE) && has_fill(&pixel)) { return 1; }
    const float one = share_of_one_ink(&pixel);
    const float several = share_of_inks(&pixel, one >= 0);
    if (several >= 0) { return several; }
    return one >= 0 ? one : 1;
}

/* The smallest alpha with which some ink over the paper gives a colour. */
static float least_share(const uint8_t *pixel, cr_paper paper) {
    float least = 0;
    for (int i = 0; i < 3; i++) {
        const float difference = (float)(pixel[i] - paper.channels[i]);
        const float room = (float)(difference < 0 ? paper.channels[i] : 255 - paper.channels[i]);
        const float share = difference == 0 ? 0 : fabsf(difference) / room;
        if (share > least) { least = share; }
    }
    return least;
}

/* Removes the paper from a pixel. */
static void lift_pixel(const cr_sheet *sheet, int32_t x, int32_t y, uint8_t *result) {
    const uint8_t *pixel = pixel_at(sheet, x, y);
    const float least = least_share(pixel, sheet->paper);
    float share = share_at(sheet, x, y);
    if (share < least) { share = least; }
    if (share >= 1) { return; }
    for (int i = 0; i < 3; i++) {
        const float paper = sheet->paper.channels[i];
        const float value = paper + ((float)pixel[i] - paper) / share;
        result[i] = (uint8_t)(value < 0 ? 0 : value > 255 ? 255 : value + 0.5f);
    }
    result[3] = (uint8_t)((float)pixel[3] * share + 0.5f);
}

void cr_widen_row(const uint8_t *pixels, int samples, uint8_t *result, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const uint8_t *pixel = pixels + i * (size_t)samples;
        result[4 * i] = pixel[0];
        result[4 * i + 1] = pixel[samples == 1 ? 0 : 1];
        result[4 * i + 2] = pixel[samples == 1 ? 0 : 2];
        result[4 * i + 3] = 255;
    }
}

void cr_mark_paper(const uint8_t *pixels, cr_paper paper, uint8_t *marks, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const uint8_t *pixel = pixels + 4 * i;
        uint8_t farthest = 0;
        for (int j = 0; j < 3; j++) {
            const uint8_t a = pixel[j], b = paper.channels[j];
            const uint8_t difference = a > b ? (uint8_t)(a - b) : (uint8_t)(b - a);
            farthest = difference > farthest ? difference : farthest;
        }
        marks[i] = (uint8_t)((farthest <= paper.tolerance) & (pixel[3] != 0));
    }
}

/* Properties of a run of at most `RUN` pixels. */
typedef struct {
    bool has_paper;       /* among its pixels */
    bool has_edges;       /* whether some may be mixtures */
    uint8_t is_edge[RUN]; /* which pixels: not paper, but near paper */
} run_marks;

/* Examines the marks of a run and around it, up to `NEAR` rows and columns away. */
static void mark_run(const cr_sheet *sheet, int32_t x, int32_t y, int32_t count, run_marks *run) {
    uint8_t columns[RUN + 2 * NEAR] = {0};
    const bool is_inside = x >= NEAR && x + RUN + NEAR <= sheet->width;
    for (int32_t row = y - NEAR; row <= y + NEAR; row++) {
        const uint8_t *marks = sheet->marks + index_at(sheet, 0, row);
        if (is_inside) {
            for (int32_t i = 0; i < RUN + 2 * NEAR; i++) columns[i] |= marks[x - NEAR + i];
        } else {
            for (int32_t i = 0; i < count + 2 * NEAR; i++)
                columns[i] |= marks[clamped(x - NEAR + i, sheet->width)];
        }
    }
    uint8_t papers = 0, edges = 0;
    const uint8_t *center = sheet->marks + index_at(sheet, x, y);
    for (int32_t i = 0; i < count; i++) {
        uint8_t near = 0;
        for (int32_t j = 0; j <= 2 * NEAR; j++) near |= columns[i + j];
        run->is_edge[i] = near & (center[i] ^ 1);
        papers |= center[i];
        edges |= run->is_edge[i];
    }
    run->has_paper = papers;
    run->has_edges = edges;
}

/* Makes pixels of paper transparent. */
static void clear_paper(const uint8_t *restrict marks, uint8_t *restrict result, int32_t count) {
    static const uint8_t bytes_of_alpha[4] = {0, 0, 0, 255};
    uint32_t alpha;
    memcpy(&alpha, bytes_of_alpha, sizeof alpha);
    for (int32_t i = 0; i < count; i++) {
        uint32_t pixel;
        memcpy(&pixel, result + 4 * i, sizeof pixel);
        pixel &= ~(alpha & (0 - (uint32_t)marks[i]));
        memcpy(result + 4 * i, &pixel, sizeof pixel);
    }
}

void cr_lift_row(const cr_sheet *sheet, int32_t x, int32_t y, uint8_t *result, size_t count) {
    memcpy(result, sheet->pixels + 4 * index_at(sheet, x, y), 4 * count);
    for (size_t first = 0; first < count; first += RUN) {
        const int32_t length = (int32_t)(count - first < RUN ? count - first : RUN);
        const int32_t column = x + (int32_t)first;
        uint8_t *pixels = result + 4 * first;
        run_marks run;
        mark_run(sheet, column, y, length, &run);
        if (run.has_paper) { clear_paper(sheet->marks + index_at(sheet, column, y), pixels, length); }
        if (!run.has_edges) { continue; }
        for (int32_t i = 0; i < length; i++)
            if (run.is_edge[i] && pixels[4 * i + 3] != 0) {
                lift_pixel(sheet, column + i, y, pixels + 4 * i);
            }
    }
}
