/* Arranges the taps of a row so that the taps of several pixels can be weighed at once. */
#include "rounding.h"

#include "CKernels.h"

#include <string.h>

/* The number of pairs of taps, without those at the end whose weights are all 0; at least 1. */
static int count_pairs(const int16_t *weights, int taps, size_t count) {
    int pairs = 1;
    for (size_t i = 0; i < count; i++, weights += taps)
        for (int k = 2 * pairs; k < taps; k++)
            if (weights[k] != 0) pairs = k / 2 + 1;
    return pairs;
}

static cr_span span_of(const int32_t *starts, int pairs) {
    cr_span span = {starts[0], starts[0]};
    for (int j = 1; j < CR_TAP_GROUP; j++) {
        if (starts[j] < span.first) span.first = starts[j];
        if (starts[j] > span.end) span.end = starts[j];
    }
    span.end += 2 * pairs;
    return span;
}

/* Writes the first two taps of each pixel; returns the beginning of the weights. */
static int16_t *put_places(const int32_t *starts, int32_t first, int16_t *group) {
    for (int j = 0; j < CR_TAP_GROUP; j++) {
        *group++ = (int16_t)(starts[j] - first);
        *group++ = (int16_t)(starts[j] - first + 1);
    }
    return group;
}

int cr_group_taps(
    const int32_t *starts, const int16_t *weights, int taps, cr_span *spans, int16_t *groups, size_t count) {
    const int pairs = count_pairs(weights, taps, count);
    for (size_t i = 0; i < count; i += CR_TAP_GROUP, spans++) {
        const size_t last = count - CR_TAP_GROUP, first = i < last ? i : last;
        *spans = span_of(starts + first, pairs);
        if (spans->end - spans->first > CR_TAP_SPAN) return 0;
        groups = put_places(starts + first, spans->first, groups);
        for (int pair = 0; pair < pairs; pair++)
            for (size_t j = 0; j < CR_TAP_GROUP; j++, groups += 2)
                memcpy(groups, weights + (first + j) * (size_t)taps + 2 * pair, 2 * sizeof *groups);
    }
    return pairs;
}
