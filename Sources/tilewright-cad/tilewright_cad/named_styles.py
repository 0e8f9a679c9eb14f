"""Plot styles with names, which a drawing gives to its layers and entities."""

from __future__ import annotations

from ezdxf.addons.acadctb import OBJECT_LINEWEIGHT, NamedPlotStyles, PlotStyle
from ezdxf.addons.drawing.properties import Properties, layer_key
from ezdxf.document import Drawing
from ezdxf.entities import Dictionary, DXFGraphic


class NamedStyles:
    """Finds the style of an entity: its own, or that of its layer."""

    def __init__(self, doc: Drawing, table: NamedPlotStyles) -> None:
        self._weights = table.lineweights
        styles = {name.lower(): style for name, style in table.items()}
        names = doc.rootdict.get("ACAD_PLOTSTYLENAME")
        self._by_handle: dict[str, PlotStyle] = {}
        for name, entry in names.items() if isinstance(names, Dictionary) else ():
            if name.lower() in styles:
                handle = entry if isinstance(entry, str) else entry.dxf.handle
                self._by_handle[handle] = styles[name.lower()]
        self._by_layer = {
            layer_key(layer.dxf.name): self._by_handle.get(layer.dxf.get("plotstyle_handle")) for layer in doc.layers
        }

    def apply(self, entity: DXFGraphic, properties: Properties) -> None:
        """Gives properties the colour and the weight of the entity's style, as far as it has them."""
        own = entity.dxf.plotstyle_handle if entity.dxf.hasattr("plotstyle_handle") else None
        style = self._by_handle.get(own) or self._by_layer.get(layer_key(properties.layer))
        if style is None:
            return
        if style.color is not None:
            properties.color = "#%02x%02x%02x" % style.color + properties.color[7:]
        if style.lineweight != OBJECT_LINEWEIGHT and 0 <= style.lineweight < len(self._weights):
            properties.lineweight = self._weights[style.lineweight]
