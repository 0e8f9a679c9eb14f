"""The plan by programs that people export their drawings with."""

import json
import math
import os
import shutil
import subprocess
import tempfile

import plan
from registry import document


def run(*command, **options):
    """Runs a program; what it says is shown if it fails."""
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, **options)
    if done.returncode != 0:
        said = (done.stderr or done.stdout)[-500:]
        raise RuntimeError(f"{command[0]} ended with {done.returncode}: {said}")


def hexadecimal(colour):
    """#rrggbb."""
    return "#%02x%02x%02x" % tuple(colour)


@document("cairo", modules=["cairo"])
def cairo(path):
    """cairo's own surface: what GTK programs, Inkscape and R print with."""
    import cairo as library

    surface = library.PDFSurface(path, plan.WIDTH, plan.HEIGHT)
    draw_with_cairo(library.Context(surface))
    surface.finish()


def draw_with_cairo(context):
    """Draws the plan on a surface of cairo."""
    for points, colour, opacity in plan.areas():
        for x, y in points:
            context.line_to(x, y)
        context.close_path()
        context.set_source_rgba(*[value / 255 for value in colour], opacity)
        context.fill()
    context.set_source_rgb(0, 0, 0)
    for start, end, width in plan.lines():
        context.set_line_width(width)
        context.move_to(*start)
        context.line_to(*end)
        context.stroke()
    context.select_font_face("sans-serif")
    for place, size, angle, words in plan.labels():
        context.save()
        context.translate(*place)
        context.rotate(-math.radians(angle))
        context.move_to(0, 0)
        context.set_font_size(size)
        context.show_text(words)
        context.restore()


@document("matplotlib", modules=["matplotlib"], facts={"sheetColor": [255, 255, 255]})
def matplotlib(path):
    """matplotlib: fonts of type 3, a page that paints itself white first."""
    draw_with_matplotlib(path, "pdf")


def draw_with_matplotlib(path, backend):
    """Draws the plan by one of the writers of matplotlib."""
    import matplotlib as library

    library.use(backend)
    from matplotlib import pyplot

    figure = pyplot.figure(figsize=(plan.WIDTH / 72, plan.HEIGHT / 72))
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set(xlim=(0, plan.WIDTH), ylim=(plan.HEIGHT, 0))
    axes.axis("off")
    for points, colour, opacity in plan.areas():
        axes.fill(*zip(*points), facecolor=hexadecimal(colour), alpha=opacity, linewidth=0)
    for start, end, width in plan.lines():
        axes.plot(*zip(start, end), color="black", linewidth=width, solid_capstyle="butt")
    for place, size, angle, words in plan.labels():
        axes.text(*place, words, fontsize=size, rotation=angle, rotation_mode="anchor", va="baseline")
    figure.savefig(path, format=backend)
    pyplot.close(figure)


@document("reportlab", modules=["reportlab"], facts={"missingFonts": ["Helvetica"]})
def reportlab(path):
    """reportlab: Helvetica that is not embedded, compressed in ASCII 85."""
    from reportlab.pdfgen import canvas

    sheet = canvas.Canvas(path, pagesize=(plan.WIDTH, plan.HEIGHT))
    sheet.translate(0, plan.HEIGHT)
    for points, colour, opacity in plan.areas():
        shape = sheet.beginPath()
        shape.moveTo(points[0][0], -points[0][1])
        for x, y in points[1:]:
            shape.lineTo(x, -y)
        shape.close()
        sheet.setFillColorRGB(*[value / 255 for value in colour], alpha=opacity)
        sheet.drawPath(shape, stroke=0, fill=1)
    sheet.setFillColorRGB(0, 0, 0, alpha=1)
    for (x0, y0), (x1, y1), width in plan.lines():
        sheet.setLineWidth(width)
        sheet.line(x0, -y0, x1, -y1)
    for (x, y), size, angle, words in plan.labels():
        sheet.saveState()
        sheet.translate(x, -y)
        sheet.rotate(angle)
        sheet.setFont("Helvetica", size)
        sheet.drawString(0, 0, words)
        sheet.restoreState()
    sheet.save()


def svg():
    """The plan as SVG, in points."""
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{plan.WIDTH}pt" height="{plan.HEIGHT}pt" '
        f'viewBox="0 0 {plan.WIDTH} {plan.HEIGHT}">'
    ]
    for points, colour, opacity in plan.areas():
        corners = " ".join(f"{x:g},{y:g}" for x, y in points)
        parts.append(f'<polygon points="{corners}" fill="{hexadecimal(colour)}" fill-opacity="{opacity}"/>')
    for (x0, y0), (x1, y1), width in plan.lines():
        ends = f'x1="{x0:g}" y1="{y0:g}" x2="{x1:g}" y2="{y1:g}"'
        parts.append(f'<line {ends} stroke="black" stroke-width="{width}"/>')
    for (x, y), size, angle, words in plan.labels():
        turn = f'transform="translate({x} {y}) rotate({-angle})"'
        parts.append(f'<text {turn} font-family="sans-serif" font-size="{size}">{words}</text>')
    return "\n".join(parts + ["</svg>"])


@document("inkscape", programs=["inkscape"])
def inkscape(path):
    """Inkscape, from SVG."""
    with tempfile.TemporaryDirectory() as folder:
        source = os.path.join(folder, "plan.svg")
        with open(source, "w") as file:
            file.write(svg())
        options = ["--export-type=pdf", "--export-filename=" + path]
        run("inkscape", source, *options, env=os.environ | {"HOME": folder})


def drawing():
    """The plan as a flat document of OpenDocument Draw."""
    names = ["office", "style", "draw", "svg", "fo", "text"]
    spaces = {name: f"urn:oasis:names:tc:opendocument:xmlns:{name}:1.0" for name in names}
    spaces["draw"] = "urn:oasis:names:tc:opendocument:xmlns:drawing:1.0"
    spaces["svg"] = "urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0"
    spaces["fo"] = "urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0"
    declarations = " ".join(f'xmlns:{name}="{space}"' for name, space in spaces.items())
    styles, shapes = [], []

    def style(properties):
        styles.append(
            f'<style:style style:name="s{len(styles)}" style:family="graphic">'
            f"<style:graphic-properties {properties}/></style:style>"
        )
        return f'draw:style-name="s{len(styles) - 1}"'

    for points, colour, opacity in plan.areas():
        fill = f'draw:stroke="none" draw:fill="solid" draw:fill-color="{hexadecimal(colour)}"'
        name = style(f'{fill} draw:opacity="{opacity:.0%}"')
        (left, top), (right, bottom) = points[0], points[2]
        size = f'svg:width="{right - left}pt" svg:height="{bottom - top}pt"'
        shapes.append(f'<draw:rect {name} svg:x="{left}pt" svg:y="{top}pt" {size}/>')
    pens = {}
    for (x0, y0), (x1, y1), width in plan.lines():
        stroke = f'draw:stroke="solid" svg:stroke-width="{width}pt" svg:stroke-color="#000000"'
        pens[width] = pens.get(width) or style(stroke)
        ends = f'svg:x1="{x0}pt" svg:y1="{y0}pt" svg:x2="{x1}pt" svg:y2="{y1}pt"'
        shapes.append(f"<draw:line {pens[width]} {ends}/>")
    for (x, y), size, angle, words in plan.labels():
        letters = f'<style:text-properties fo:font-size="{size}pt" fo:font-family="Liberation Sans"/>'
        styles.append(f'<style:style style:name="p{size}" style:family="paragraph">{letters}</style:style>')
        name = style('draw:stroke="none" draw:fill="none" fo:padding="0pt"')
        place = f'draw:transform="rotate({math.radians(angle):.6f}) translate({x}pt {y - size}pt)"'
        box = f'svg:width="200pt" svg:height="{size * 1.2}pt"'
        line = f'<text:p text:style-name="p{size}">{words}</text:p>'
        shapes.append(f"<draw:frame {name} {place} {box}><draw:text-box>{line}</draw:text-box></draw:frame>")
    page = f'fo:page-width="{plan.WIDTH}pt" fo:page-height="{plan.HEIGHT}pt"'
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<office:document {declarations} office:version="1.2"
    office:mimetype="application/vnd.oasis.opendocument.graphics"><office:styles/>
<office:automatic-styles><style:style style:name="page" style:family="drawing-page"/>
<style:page-layout style:name="sheet"><style:page-layout-properties {page}/></style:page-layout>
{"".join(styles)}</office:automatic-styles>
<office:master-styles><style:master-page style:name="all" style:page-layout-name="sheet"
    draw:style-name="page"/></office:master-styles>
<office:body><office:drawing><draw:page draw:master-page-name="all">{"".join(shapes)}</draw:page>
</office:drawing></office:body></office:document>"""


@document("libreoffice", programs=["soffice"], facts={"sheetColor": [255, 255, 255]})
def libreoffice(path):
    """LibreOffice Draw, from a flat drawing; it counts in hundredths of a millimetre."""
    with tempfile.TemporaryDirectory() as folder:
        source = os.path.join(folder, "plan.fodg")
        with open(source, "w") as file:
            file.write(drawing())
        profile = "-env:UserInstallation=file://" + os.path.join(folder, "profile")
        run("soffice", profile, "--headless", "--convert-to", "pdf", "--outdir", folder, source)
        shutil.move(os.path.join(folder, "plan.pdf"), path)


def postscript():
    """The plan as PostScript, which has no transparency: glass is painted in its mixed colours."""
    parts = ["%!PS-Adobe-3.0", f"<< /PageSize [{plan.WIDTH} {plan.HEIGHT}] >> setpagedevice"]
    parts += [f"0 {plan.HEIGHT} translate", "/Helvetica findfont 1 scalefont /F exch def"]
    for points, colour, opacity in plan.areas():
        path = " lineto ".join(f"{x:g} {-y:g}" for x, y in points).replace("lineto", "moveto", 1)
        mixed = colour if opacity == 1 else plan.GLASS_ON_PAPER
        operands = " ".join(f"{value / 255:.4f}" for value in mixed)
        parts.append(f"{operands} setrgbcolor newpath {path} lineto closepath fill")
        if opacity < 1:
            operands = " ".join(f"{value / 255:.4f}" for value in plan.GLASS_ON_ROOM)
            parts.append(f"{operands} setrgbcolor 160 -150 60 40 rectfill")
    parts.append("0 setgray")
    for (x0, y0), (x1, y1), width in plan.lines():
        parts.append(f"{width:g} setlinewidth newpath {x0:g} {-y0:g} moveto {x1:g} {-y1:g} lineto stroke")
    for (x, y), size, angle, words in plan.labels():
        parts.append(f"gsave {x:g} {-y:g} translate {angle} rotate F {size} scalefont setfont")
        parts.append(f"0 0 moveto ({words}) show grestore")
    return "\n".join(parts + ["showpage", ""])


@document("ghostscript", programs=["gs"], facts={"missingFonts": ["Helvetica"]})
def ghostscript(path):
    """Ghostscript, from PostScript, as ps2pdf and printers' queues have it."""
    run("gs", "-q", "-dBATCH", "-dNOPAUSE", "-sDEVICE=pdfwrite", "-o", path, "-", input=postscript())


@document("tex", programs=["pdflatex"], files=["tex/generic/pgf/frontendlayer/tikz/tikz.code.tex"])
def tex(path):
    """pdfTeX with TikZ."""
    size = f"{plan.WIDTH}bp,{plan.HEIGHT}bp"
    parts = [
        r"\documentclass{article}", r"\usepackage{tikz}",
        r"\usepackage[paperwidth=%sbp,paperheight=%sbp,margin=0bp]{geometry}" % (plan.WIDTH, plan.HEIGHT),
        r"\pagestyle{empty}\begin{document}\noindent",
        r"\begin{tikzpicture}[remember picture,overlay,x=1bp,y=-1bp,shift={(current page.north west)}]",
    ]
    for points, colour, opacity in plan.areas():
        corners = " -- ".join(f"({x:g},{y:g})" for x, y in points)
        parts.append(r"\definecolor{c}{RGB}{%d,%d,%d}" % tuple(colour))
        parts.append(r"\fill[color=c,fill opacity=%g] %s -- cycle;" % (opacity, corners))
    for (x0, y0), (x1, y1), width in plan.lines():
        parts.append(r"\draw[line width=%gbp] (%g,%g) -- (%g,%g);" % (width, x0, y0, x1, y1))
    for (x, y), size, angle, words in plan.labels():
        font = r"\fontsize{%gbp}{%gbp}\selectfont" % (size, size)
        node = r"\node[anchor=base west,inner sep=0,rotate=%g]" % angle
        parts.append(node + r" at (%g,%g) {%s %s};" % (x, y, font, words))
    parts += [r"\end{tikzpicture}", r"\end{document}"]
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "plan.tex"), "w") as file:
            file.write("\n".join(parts))
        # The place of the page is known in the second run.
        for _ in range(2):
            run("pdflatex", "-interaction=nonstopmode", "-halt-on-error", "plan.tex", cwd=folder)
        shutil.move(os.path.join(folder, "plan.pdf"), path)


def raster(dpi, mode="RGB"):
    """The plan as a picture by Pillow, four times sampled: a scan has no sharp edges."""
    from PIL import Image, ImageChops, ImageDraw

    scale = dpi / 72 * 4
    size = (round(plan.WIDTH * dpi / 72) * 4, round(plan.HEIGHT * dpi / 72) * 4)
    image = Image.new("RGB", size, "white")
    for points, colour, opacity in plan.areas():
        above = image.copy()
        box = [points[0][0] * scale, points[0][1] * scale, points[2][0] * scale - 1, points[2][1] * scale - 1]
        ImageDraw.Draw(above).rectangle(box, fill=tuple(colour))
        image = above if opacity == 1 else ImageChops.blend(image, above, opacity)
    pen = ImageDraw.Draw(image)
    for (x0, y0), (x1, y1), width in plan.lines():
        ends = [x0 * scale, y0 * scale, x1 * scale, y1 * scale]
        pen.line(ends, fill="black", width=max(1, round(width * scale)))
    return image.resize((size[0] // 4, size[1] // 4), Image.BOX).convert(mode)


@document(
    "scan", modules=["img2pdf", "PIL"],
    facts={"width": 600.12, "height": 399.96, "picture": [1667, 1111, 200]},
)
def scan(path):
    """A scan of 200 to the inch by img2pdf: one JPEG, and nothing else on the page."""
    import img2pdf

    with tempfile.TemporaryDirectory() as folder:
        picture = os.path.join(folder, "scan.jpg")
        raster(200).save(picture, quality=92, dpi=(200, 200))
        with open(path, "wb") as file:
            file.write(img2pdf.convert(picture))


# Where the plan lies in Hamburg: half a metre a point, its upper left corner.
ORIGIN = (565000, 5932000)


def georaster(path, dpi, system):
    """The scan as a GeoTIFF."""
    import numpy
    from osgeo import gdal, osr

    gdal.UseExceptions()
    pixels = numpy.asarray(raster(dpi))
    rows, columns, _ = pixels.shape
    image = gdal.GetDriverByName("GTiff").Create(path, columns, rows, 3)
    for band in range(3):
        image.GetRasterBand(band + 1).WriteArray(pixels[:, :, band])
    reference = osr.SpatialReference()
    reference.SetFromUserInput(system)
    image.SetProjection(reference.ExportToWkt())
    step = 0.5 * 72 / dpi
    image.SetGeoTransform((ORIGIN[0], step, 0, ORIGIN[1], 0, -step))


def geospatial(path, system, *options):
    """The scan by GDAL's writer."""
    with tempfile.TemporaryDirectory() as folder:
        source = os.path.join(folder, "plan.tif")
        georaster(source, 150, system)
        run("gdal_translate", "-q", "-of", "PDF", "-co", "DPI=150", *options, source, path)


# What a test expects of such a page; its picture has whole pixels.
ON_SITE = {
    "height": 399.84, "picture": [1250, 833, 150],
    "position": {"crs": "EPSG:25832", "topLeft": ORIGIN, "metresPerPoint": 0.5},
}


@document(
    "geospatial", programs=["gdal_translate"], modules=["numpy", "osgeo", "PIL"],
    facts=ON_SITE,
)
def geospatial_iso(path):
    """A geospatial page by GDAL: ISO 32000, by the number of EPSG."""
    geospatial(path, "EPSG:25832", "-co", "GEO_ENCODING=ISO32000")


@document(
    "geospatial-lgi", programs=["gdal_translate"], modules=["numpy", "osgeo", "PIL"],
    facts=ON_SITE,
)
def geospatial_lgi(path):
    """A geospatial page by GDAL: OGC 08-139."""
    geospatial(path, "EPSG:25832", "-co", "GEO_ENCODING=OGC_BP")


# ETRS89 / UTM zone 32N in words, under a name that no database has.
WKT = (
    'PROJCS["Site grid",GEOGCS["ETRS89",DATUM["European_Terrestrial_Reference_System_1989",'
    'SPHEROID["GRS 1980",6378137,298.257222101]],PRIMEM["Greenwich",0],UNIT["degree",0.0174532925199433]],'
    'PROJECTION["Transverse_Mercator"],PARAMETER["latitude_of_origin",0],PARAMETER["central_meridian",9],'
    'PARAMETER["scale_factor",0.9996],PARAMETER["false_easting",500000],PARAMETER["false_northing",0],'
    'UNIT["metre",1]]'
)


# The outer walls.
RING = [(60, 60), (540, 60), (540, 320), (60, 320)]


@document(
    "geospatial-wkt", programs=["gdal_translate"], modules=["numpy", "osgeo", "PIL"],
    facts=ON_SITE | {"neatline": RING},
)
def geospatial_wkt(path):
    """A geospatial page by GDAL: ISO 32000, by WKT alone, with a neatline."""
    west, north = ORIGIN
    ring = [(west + x / 2, north - y / 2) for x, y in RING + RING[:1]]
    neatline = "POLYGON((" + ",".join(f"{x} {y}" for x, y in ring) + "))"
    geospatial(path, WKT, "-co", "NEATLINE=" + neatline)


@document("gdal-vectors", programs=["ogr2ogr"], facts={
    "width": 1024, "height": 332, "marks": False, "layers": [["walls", True]]})
def gdal_vectors(path):
    """GDAL's writer of vectors: the walls as a layer of lines, in degrees."""
    west, north = 9.98, 53.54
    features = [
        {
            "type": "Feature",
            "properties": {"width": width},
            "geometry": {
                "type": "LineString",
                "coordinates": [[west + x * 1e-5, north - y * 6e-6] for x, y in (start, end)],
            },
        }
        for start, end, width in plan.lines()
    ]
    with tempfile.TemporaryDirectory() as folder:
        source = os.path.join(folder, "walls.geojson")
        with open(source, "w") as file:
            json.dump({"type": "FeatureCollection", "features": features}, file)
        run("ogr2ogr", "-f", "PDF", path, source)
