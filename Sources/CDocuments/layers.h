#ifndef TILEWRIGHT_CD_LAYERS_H
#define TILEWRIGHT_CD_LAYERS_H

#include "CDocuments.h"

#include <poppler.h>

/// The layers of a document that it offers to show and hide, each name once: an array of cd_layer.
GArray *cd_layers_read(PopplerDocument *document);

void cd_layers_free(GArray *layers);

/// Shows and hides layers as their usages say.
void cd_layers_use(PopplerDocument *document, GArray *layers, const cd_layer *usages, size_t count);

/// Shows the layers of some names, and hides all others. If there is none of a name, the message says which
/// there are.
cd_status cd_layers_choose(
    PopplerDocument *document, GArray *layers, const cd_opening *opening, cd_message *message);

#endif
