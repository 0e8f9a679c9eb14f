#include "message.h"

#include <stdarg.h>
#include <stdio.h>

cd_status cd_fail(cd_message *message, cd_status status, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message->text, sizeof message->text, format, arguments);
    va_end(arguments);
    return status;
}
