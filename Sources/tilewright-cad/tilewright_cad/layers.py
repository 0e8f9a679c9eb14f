"""Layers: which a drawing has, which plot, and which a page shows."""

from __future__ import annotations

from typing import Sequence

from ezdxf.addons.drawing.properties import LayerProperties, layer_key
from ezdxf.document import Drawing
from ezdxf.entities import DXFGraphic, Layer

from .conversation import Refusal

# CAD never plots this layer, whatever its flag says.
_NEVER_PLOTTED = "defpoints"


class Layers:
    """The layers of a drawing, and those that are shown.

    Layers that plot count for the size of the page even if others are chosen: its pixels then have the same
    coordinates, whatever is chosen.
    """

    def __init__(self, doc: Drawing, chosen: list[str] | None) -> None:
        _add_missing(doc)
        self._states = {layer_key(layer.dxf.name): (layer.dxf.name, _state(layer)) for layer in doc.layers}
        self._chosen = None if chosen is None else self._found(chosen)

    def _found(self, names: list[str]) -> set[str]:
        keys = {layer_key(_shown(name)): key for key, (name, _) in self._states.items()}
        for name in names:
            if layer_key(name) not in keys:
                known = ", ".join(f"'{_shown(name)}'" for name, _ in self._states.values())
                raise Refusal("no_layer", f"there is no layer '{name}': it has {known}")
        return {keys[layer_key(name)] for name in names}

    def override(self, layers: Sequence[LayerProperties]) -> None:
        """Shows and hides layers of ezdxf, which may already be hidden in a viewport."""
        for layer in layers:
            key = layer_key(layer.layer)
            if not self._plots(key):
                layer.is_visible = self._chosen is not None and key in self._chosen

    def is_drawn(self, name: str) -> bool:
        """Whether what is visible on a layer is drawn, and does not only count for the size of the page."""
        return self._chosen is None or layer_key(name) in self._chosen

    def is_frozen(self, name: str) -> bool:
        """Whether a layer also hides what blocks on it hold on other layers."""
        return self._chosen is None and self._states.get(layer_key(name), ("", ""))[1] == "frozen"

    def described(self) -> list[dict[str, object]]:
        """The layers for tilewright."""
        return [
            {
                "name": _shown(name),
                "state": state,
                "is_shown": key in self._chosen if self._chosen is not None else state == "shown",
            }
            for key, (name, state) in self._states.items()
        ]

    def _plots(self, key: str) -> bool:
        return self._states.get(key, ("", "shown"))[1] == "shown"


def _state(layer: Layer) -> str:
    if layer.is_frozen():
        return "frozen"
    if layer.is_off():
        return "off"
    plots = bool(layer.dxf.get("plot", 1)) and layer_key(layer.dxf.name) != _NEVER_PLOTTED
    return "shown" if plots else "not plotted"


def _add_missing(doc: Drawing) -> None:
    """Adds layers that entities name but the table lacks: CAD does so, too."""
    names = {
        entity.dxf.get("layer", "0")
        for entity in doc.entitydb.values()
        if isinstance(entity, DXFGraphic) and entity.is_alive
    }
    for name in sorted(names):
        if name and name not in doc.layers:
            doc.layers.add(name)


def _shown(name: str) -> str:
    """The name as CAD shows it: ezdxf writes `$0$` between a drawing and the layer that comes from it."""
    return name.replace("$0$", "|")
