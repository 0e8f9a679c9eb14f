#include "message.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* One line: libraries end theirs, and break them. */
static void straighten(char *text) {
    size_t length = strlen(text);
    while (length && (unsigned char)text[length - 1] <= ' ') text[--length] = 0;
    for (; *text; text++)
        if ((unsigned char)*text < ' ') *text = ' ';
}

cd_status cd_fail(cd_message *message, cd_status status, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message->text, sizeof message->text, format, arguments);
    va_end(arguments);
    straighten(message->text);
    return status;
}
