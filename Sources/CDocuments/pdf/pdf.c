#include "../document.h"
#include "../message.h"

#include <poppler.h>

typedef struct pdf_page {
    PopplerDocument *document;
    PopplerPage *page;
} pdf_page;

static cd_status draw(void *data, cairo_t *context, cd_message *message) {
    (void)message;
    pdf_page *pdf = data;
    poppler_page_render_for_printing(pdf->page, context);
    return CD_OK;
}

static void close_page(void *data) {
    pdf_page *pdf = data;
    if (pdf->page) g_object_unref(pdf->page);
    if (pdf->document) g_object_unref(pdf->document);
    g_free(pdf);
}

static const cd_library poppler = {true, draw, close_page};

static cd_status read_failure(const GError *error, const cd_opening *opening, cd_message *message) {
    if (g_error_matches(error, POPPLER_ERROR, POPPLER_ERROR_ENCRYPTED))
        return opening->password
            ? cd_fail(message, CD_ENCRYPTED, "it is encrypted, and the password does not open it")
            : cd_fail(message, CD_ENCRYPTED, "it is encrypted");
    return cd_fail(message, CD_DAMAGED, "it is damaged, or is no PDF");
}

static cd_status read_document(pdf_page *pdf, const cd_opening *opening, cd_message *message) {
    GBytes *bytes = g_bytes_new_static(opening->bytes, opening->size);
    GError *error = 0;
    pdf->document = poppler_document_new_from_bytes(bytes, opening->password, &error);
    g_bytes_unref(bytes);
    if (pdf->document) return CD_OK;
    cd_status status = read_failure(error, opening, message);
    g_clear_error(&error);
    return status;
}

static cd_status read_page(pdf_page *pdf, const cd_opening *opening, cd_message *message) {
    int count = poppler_document_get_n_pages(pdf->document);
    if (opening->page < 1 || opening->page > count)
        return cd_fail(
            message, CD_NO_PAGE, "there is no page %d: it has %d page%s", opening->page, count,
            count == 1 ? "" : "s");
    pdf->page = poppler_document_get_page(pdf->document, opening->page - 1);
    if (pdf->page) return CD_OK;
    return cd_fail(message, CD_DAMAGED, "page %d is damaged", opening->page);
}

cd_status cd_open_pdf(const cd_opening *opening, cd_document **result, cd_message *message) {
    pdf_page *pdf = g_new0(pdf_page, 1);
    cd_status status = read_document(pdf, opening, message);
    if (!status) status = read_page(pdf, opening, message);
    if (status) {
        close_page(pdf);
        return status;
    }
    cd_page description = {
        .page_count = poppler_document_get_n_pages(pdf->document), .points_from_units = {1, 0, 0, 0, 1, 0}};
    poppler_page_get_size(pdf->page, &description.width, &description.height);
    return cd_document_make(&poppler, pdf, &description, result, message);
}
