"""The plan as SVG, by programs and by hand."""

import gzip
import math
import os
import shutil
import tempfile

import plan
from programs import drawing, hexadecimal, run, svg
from registry import document


def scaled(factor):
    """What a drawing that is so many times as large must show."""
    return {
        "width": plan.WIDTH * factor, "height": plan.HEIGHT * factor,
        "marks": [[[x * factor, y * factor], list(colour)] for (x, y), colour in plan.MARKS],
    }


def write(path, text):
    """Writes a text."""
    with open(path, "w") as file:
        file.write(text)


@document("svg-points", ending="svg")
def svg_points(path):
    """SVG whose size is in points."""
    write(path, svg())


# A pixel of CSS is a 96th of an inch.
@document("svg-pixels", ending="svg", facts=scaled(0.75) | {"resolution": 96})
def svg_pixels(path):
    """SVG whose size has no unit: 96 to the inch."""
    write(path, svg().replace('pt"', '"'))


@document("svg-view-box", ending="svg", facts=scaled(0.75) | {"resolution": 96})
def svg_view_box(path):
    """SVG without a size: its viewBox is one, 96 to the inch."""
    write(path, svg().replace(f' width="{plan.WIDTH}pt" height="{plan.HEIGHT}pt"', ""))


@document("svg-millimetres", ending="svg", facts=scaled(1.5))
def svg_millimetres(path):
    """SVG whose size is in millimetres, half as large again as its viewBox."""
    width, height = (f"{length * 1.5 / 72 * 25.4:.6f}mm" for length in (plan.WIDTH, plan.HEIGHT))
    write(path, svg().replace(f"{plan.WIDTH}pt", width).replace(f"{plan.HEIGHT}pt", height))


@document("svg-compressed", ending="svgz")
def svg_compressed(path):
    """SVG that is compressed by gzip."""
    with gzip.open(path, "wt") as file:
        file.write(svg())


@document("svg-inkscape", ending="svg", programs=["inkscape"])
def svg_inkscape(path):
    """Inkscape's own SVG."""
    with tempfile.TemporaryDirectory() as folder:
        source = os.path.join(folder, "plan.svg")
        write(source, svg())
        options = ["--export-type=svg", "--export-filename=" + path]
        run("inkscape", source, *options, env=os.environ | {"HOME": folder})


@document("svg-cairo", ending="svg", modules=["cairo"])
def svg_cairo(path):
    """cairo's surface of SVG: its letters are shapes that are used by name."""
    import cairo
    from programs import draw_with_cairo

    surface = cairo.SVGSurface(path, plan.WIDTH, plan.HEIGHT)
    draw_with_cairo(cairo.Context(surface))
    surface.finish()


@document("svg-matplotlib", ending="svg", modules=["matplotlib"])
def svg_matplotlib(path):
    """matplotlib's SVG: styles in CSS, letters as shapes."""
    from programs import draw_with_matplotlib

    draw_with_matplotlib(path, "svg")


@document("svg-libreoffice", ending="svg", programs=["soffice"])
def svg_libreoffice(path):
    """LibreOffice Draw's SVG: in hundredths of a millimetre, slides and all."""
    with tempfile.TemporaryDirectory() as folder:
        source = os.path.join(folder, "plan.fodg")
        write(source, drawing())
        profile = "-env:UserInstallation=file://" + os.path.join(folder, "profile")
        run("soffice", profile, "--headless", "--convert-to", "svg", "--outdir", folder, source)
        shutil.move(os.path.join(folder, "plan.svg"), path)


@document("svg-styles", ending="svg")
def svg_styles(path):
    """SVG as for the web: classes, a pattern, a gradient, a mask, a symbol, a turned group."""
    hatch = (
        '<pattern id="h" width="6" height="6" patternUnits="userSpaceOnUse">'
        '<path d="M0 0 6 6" class="pen"/></pattern>'
    )
    fade = (
        '<linearGradient id="f"><stop offset="0" stop-color="#000"/><stop offset="1" stop-color="#fff"/>'
        '</linearGradient><mask id="m"><rect x="400" y="240" width="120" height="40" fill="url(#f)"/></mask>'
    )
    arc = '<path d="M0 20 A20 20 0 0 1 20 0" class="pen" fill="none"/>'
    door = f'<symbol id="d" viewBox="0 0 20 20">{arc}</symbol>'
    head = f'<style>.pen{{stroke:#000;stroke-width:.3px}}</style><defs>{hatch}{fade}{door}</defs>'
    body = (
        '<rect x="240" y="220" width="100" height="90" fill="url(#h)"/>'
        '<rect x="400" y="240" width="120" height="40" fill="#00f" mask="url(#m)"/>'
        '<use href="#d" x="480" y="140" width="40" height="40"/>'
        f'<g transform="rotate(-30 430 290)">{"".join(ticks())}</g>'
    )
    text = svg()
    start = text.index(">") + 1
    write(path, text[:start] + head + text[start:].replace("</svg>", body + "</svg>"))


def ticks():
    """Marks of a scale, round about."""
    for step in range(12):
        angle = math.radians(step * 30)
        x, y = 430 + 12 * math.cos(angle), 290 + 12 * math.sin(angle)
        yield f'<circle cx="{x:.2f}" cy="{y:.2f}" r="1" fill="{hexadecimal(plan.GLASS)}"/>'


@document("svg-broken", ending="svg", facts={"opens": False})
def svg_broken(path):
    """SVG that ends in the middle of an element."""
    text = svg()
    write(path, text[: len(text) // 2])
