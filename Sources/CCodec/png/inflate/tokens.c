#include "tokens.h"

#include "codes.h"

/// Reads bytes as they are. Returns how many.
static size_t read_stored(cc_inflater *inflater, cc_token *tokens) {
    const size_t count = inflater->stored_left;
    for (size_t i = 0; i < count; i++) { tokens[i] = *inflater->input.next++; }
    cc_end_block(inflater);
    return count;
}

/// Reads one code, of which a literal or a match is a token. Returns how many tokens.
static size_t read_code(cc_inflater *inflater, cc_token *token) {
    cc_bit_reader *input = &inflater->input;
    cc_refill(input);
    cc_prefix_entry entry = cc_look_up_literal(inflater, input);
    entry = cc_look_further_for_literal(inflater, input, entry);
    if (cc_is_end(inflater, input, entry)) { return 0; }
    if ((entry & CC_IS_LITERAL) != 0) {
        entry = cc_first_literal(entry);
        cc_skip_bits(input, cc_bits_of(entry));
        *token = entry >> CC_VALUE_SHIFT & 0xFF;
        return 1;
    }
    const uint32_t length = cc_use_value(input, entry);
    *token = cc_match(length, cc_use_value(input, cc_look_up_distance(inflater, input)));
    return 1;
}

size_t cc_read_tokens(
    cc_inflater *inflater, const uint8_t *stream, size_t size, cc_token *tokens, size_t room) {
    cc_inflater_begin(inflater);
    inflater->input.next = stream;
    inflater->input.end = stream + size;
    inflater->input_is_last = true;
    size_t count = 0;
    for (;;) {
        switch (inflater->state) {
        case CC_INFLATE_HEAD:
            if (!cc_begin_block(inflater)) { return 0; }
            break;
        case CC_INFLATE_STORED:
            if (inflater->stored_left > room - count) { return 0; }
            count += read_stored(inflater, tokens + count);
            break;
        case CC_INFLATE_CODED:
            if (count == room) { return 0; }
            count += read_code(inflater, tokens + count);
            break;
        case CC_INFLATE_END: return count;
        default: return 0;
        }
    }
}
