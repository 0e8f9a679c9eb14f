#include "objects.h"
#include "../message.h"

#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <qpdf/Buffer.hh>
#include <qpdf/QPDF.hh>
#include <qpdf/QPDFExc.hh>
#include <qpdf/QPDFWriter.hh>
#include <qpdf/QUtil.hh>

static void write(QPDF &document, void **copy, size_t *size) {
    QPDFWriter writer(document);
    writer.setOutputMemory();
    writer.setPreserveEncryption(false);
    // What is in streams stays as it is.
    writer.setStreamDataMode(qpdf_s_preserve);
    writer.write();
    std::unique_ptr<Buffer> buffer(writer.getBuffer());
    *size = buffer->getSize();
    *copy = std::malloc(*size);
    if (!*copy) throw std::bad_alloc();
    std::memcpy(*copy, buffer->getBuffer(), *size);
}

/* Whether a password opened the document. */
static bool attempt(const cd_opening *opening, const std::string &password, void **copy, size_t *size) {
    try {
        QPDF document;
        document.setSuppressWarnings(true);
        document.processMemoryFile(
            "document", static_cast<const char *>(opening->bytes), opening->size, password.c_str());
        write(document, copy, size);
        return true;
    } catch (const QPDFExc &error) {
        if (error.getErrorCode() == qpdf_e_password) return false;
        throw;
    }
}

cd_status cd_unlock(const cd_opening *opening, void **copy, size_t *size, cd_message *message) {
    try {
        // Older documents take the bytes of Latin letters, newer ones UTF-8.
        for (const auto &password : QUtil::possible_repaired_encodings(opening->password))
            if (attempt(opening, password, copy, size)) return CD_OK;
        return cd_fail(message, CD_ENCRYPTED, "it is encrypted, and the password does not open it");
    } catch (const std::bad_alloc &) {
        return cd_fail(message, CD_OUT_OF_MEMORY, "there is no memory for a copy that is not encrypted");
    } catch (const std::exception &) { return cd_fail(message, CD_DAMAGED, "it is encrypted, and damaged"); }
}
