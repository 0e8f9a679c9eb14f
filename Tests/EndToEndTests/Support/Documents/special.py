"""The plan in documents of every sort that a reader must take, written out by hand."""

import io
import os
import subprocess
import zlib

import plan
from pdf import FONT, GLASS, Document, content, polygon, rgb
from registry import document

W, H = plan.WIDTH, plan.HEIGHT


def save(path, made, **options):
    """Writes a document to a file."""
    with open(path, "wb") as file:
        file.write(made.bytes(**options))


def simple(resources=GLASS, entries="", texts=False, box=(0, 0, W, H), pens=None):
    """A document of one page with the plan."""
    made = Document()
    made.page(content(texts, pens), resources, entries, box)
    return made


@document("plain")
def plain(path):
    """Nothing but the plan: what the others are compared with."""
    save(path, simple())


def turned_marks(turn, crop):
    """The marks of a page that is cropped to left, top, right, bottom, then turned clockwise."""
    left, top, right, bottom = crop
    marks = []
    for (x, y), colour in plan.MARKS:
        if left < x < right and top < y < bottom:
            x, y = x - left, y - top
            width, height = right - left, bottom - top
            place = {90: (height - y, x), 180: (width - x, height - y), 270: (y, width - x)}[turn]
            marks.append([list(place), list(colour)])
    return marks


def turned(turn):
    """A page with a Rotate and a CropBox that cuts 10 points on the left and 30 below."""

    def make(path):
        save(path, simple(entries=f"/Rotate {turn} /CropBox [10 30 {W} {H}]"))

    make.__doc__ = f"A page turned by {turn} degrees whose CropBox cuts 10 points on the left and 30 below."
    crop = (10, 0, W, H - 30)
    size = (H - 30, W - 10) if turn % 180 else (W - 10, H - 30)
    facts = {"width": size[0], "height": size[1], "marks": turned_marks(turn, crop)}
    document(f"rotate-{turn}", facts=facts)(make)


for quarter in (90, 180, 270):
    turned(quarter)


@document("shifted-box", facts={"marks": [[list(p), list(c)] for p, c in plan.MARKS]})
def shifted_box(path):
    """A MediaBox that begins at -100, 50, its corners in the other order."""
    made = Document()
    shifted = f"q 1 0 0 1 -100 50 cm {content()} Q"
    made.page(shifted, GLASS, box=(W - 100, H + 50, -100, 50))
    save(path, made)


@document("user-unit", facts={"width": 2 * W, "height": 2 * H, "marks": [
    [[2 * x, 2 * y], list(colour)] for (x, y), colour in plan.MARKS]})
def user_unit(path):
    """A UserUnit of 2: the page is twice as large as its numbers say."""
    save(path, simple(entries="/UserUnit 2"))


@document("layers", facts={"layers": [["Walls", True], ["Furniture", True], ["Survey", False]]})
def layers(path):
    """Three layers, one of them off: it would paint the lower middle red."""
    made = Document()
    groups = [made.add(f"<< /Type /OCG /Name ({name}) >>") for name in ("Walls", "Furniture", "Survey")]
    walls, furniture, survey = (f"/OC /L{index} BDC" for index in range(3))
    painted = "\n".join([
        f"{walls} {content()} EMC",
        f"{furniture} {rgb((90, 60, 30))} rg {polygon(plan.square((500, 280), 12))} f EMC",
        f"{survey} 1 0 0 rg {polygon(plan.square((300, 350), 20))} f EMC",
    ])
    names = " ".join(f"/L{index} {number} 0 R" for index, number in enumerate(groups))
    made.page(painted, f"{GLASS} /Properties << {names} >>")
    listed = " ".join(f"{number} 0 R" for number in groups)
    off = f"/D << /Order [{listed}] /ON [{groups[0]} 0 R {groups[1]} 0 R] /OFF [{groups[2]} 0 R] >>"
    made.catalogue = f"/OCProperties << /OCGs [{listed}] {off} >>".encode()
    save(path, made)


@document("annotations", facts={"annotations": {
    "printed": [[[300, 270], [255, 0, 255]]], "notPrinted": [[300, 300]], "field": [[450, 350]]}})
def annotations(path):
    """A stamp that is printed, a note that is not, and a field of a form with a value."""
    made = Document()

    def stamp(colour, place, entries):
        left, bottom = place[0] - 10, H - place[1] - 10
        form = "/Type /XObject /Subtype /Form /BBox [0 0 20 20]"
        look = made.stream(f"{rgb(colour)} rg 0 0 20 20 re f", form)
        box = f"/Rect [{left} {bottom} {left + 20} {bottom + 20}] /AP << /N {look} 0 R >>"
        return made.add(f"<< /Type /Annot {box} {entries} >>")

    stamps = [
        stamp((255, 0, 255), (300, 270), "/Subtype /Stamp /F 4"),
        stamp((0, 255, 255), (300, 300), "/Subtype /Square /F 0"),
        stamp((255, 160, 0), (450, 350), "/Subtype /Widget /FT /Tx /T (scale) /V (1:100) /F 4"),
    ]
    listed = " ".join(f"{number} 0 R" for number in stamps)
    made.page(content(), GLASS, f"/Annots [{listed}]")
    made.catalogue = f"/AcroForm << /Fields [{stamps[2]} 0 R] >>".encode()
    save(path, made)


def encrypted(name, user, facts):
    """A document that qpdf encrypts."""

    def make(path):
        save(path + ".open", simple())
        command = ["qpdf", "--encrypt", user, "owner", "256", "--print=none", "--", path + ".open", path]
        subprocess.run(command, check=True)
        os.remove(path + ".open")

    make.__doc__ = "Encrypted by AES with 256 bits; " + (
        f"the password is '{user}', the owner's is 'owner'." if user else "it opens without a password."
    )
    document(name, programs=["qpdf"], facts=facts)(make)


encrypted("encrypted-user", "geheim", {"password": "geheim"})
encrypted("encrypted-owner", "", {})


@document("pages-300", facts={"pages": 300})
def pages_300(path):
    """300 pages; the plan is the first, and every page has a square of its own place."""
    made = Document()
    made.page(content(), GLASS)
    for number in range(1, 300):
        made.page(f"0 g {polygon(plan.square((20 + number * 1.8, 200), 8))} f")
    save(path, made)


A0 = (3370.39, 2383.94)


@document("a0", facts={"width": A0[0], "height": A0[1], "marks": [
    [[x * A0[0] / W, y * A0[1] / H], list(colour)] for (x, y), colour in plan.MARKS]})
def a0(path):
    """A sheet of A0 with 50 000 strokes of 0.1 points."""
    made = Document()
    stretch = f"q {A0[0] / W:.6f} 0 0 {A0[1] / H:.6f} 0 0 cm {content()} Q"
    strokes = ["0.1 w 0.6 G"]
    for index in range(50_000):
        x, y = 1900 + index % 250 * 4, 200 + index // 250 * 1.5
        strokes.append(f"{x} {y:.1f} m {x + 3} {y + 3:.1f} l S")
    made.page(stretch + "\n" + "\n".join(strokes), GLASS, box=(0, 0, *A0))
    save(path, made)


@document("broken-xref")
def broken_xref(path):
    """Every offset of the table is 7 too large: readers look for the objects themselves."""
    data = simple().bytes()
    head, table = data.split(b"\nxref\n", 1)
    rows = table.split(b"\n")
    moved = [b"%010d%s" % (int(row[:10]) + 7, row[10:]) if row.endswith(b" n ") else row for row in rows]
    with open(path, "wb") as file:
        file.write(head + b"\nxref\n" + b"\n".join(moved))


@document("cut-off", facts={"opens": False})
def cut_off(path):
    """The first third of a file: the page's own contents are missing."""
    data = simple().bytes()
    with open(path, "wb") as file:
        file.write(data[: len(data) // 3])


@document("no-trailer", facts={"opens": False})
def no_trailer(path):
    """A file without its table and trailer, its objects all there: poppler gives up, qpdf finds them."""
    data = simple().bytes()
    with open(path, "wb") as file:
        file.write(data[: data.index(b"\nxref\n")])


@document("font-missing", facts={"missingFonts": ["Corporate-Sans"]})
def font_missing(path):
    """Texts in a font that the document does not bring along."""
    save(path, simple(GLASS + " " + FONT.replace("Helvetica", "Corporate-Sans"), texts=True))


@document("font-type3")
def font_type3(path):
    """Texts in a font of type 3: every letter is a little drawing, a box."""
    made = Document()
    glyph = made.stream("700 0 50 0 650 700 d1 50 0 600 700 re f")
    words = sorted({letter for _, _, _, text in plan.labels() for letter in text})
    names = " ".join(f"{ord(letter)} /box" for letter in words)
    font = made.add(
        "<< /Type /Font /Subtype /Type3 /FontBBox [0 0 700 700] /FontMatrix [0.001 0 0 0.001 0 0] "
        f"/CharProcs << /box {glyph} 0 R >> /Encoding << /Type /Encoding /Differences [{names}] >> "
        f"/FirstChar 32 /LastChar 126 /Widths [{' '.join(['700'] * 95)}] >>"
    )
    made.page(content(texts=True), f"{GLASS} /Font << /F {font} 0 R >>")
    save(path, made)


@document("transparency")
def transparency(path):
    """A transparency group that multiplies, and a soft mask that fades a fill from left to right."""
    made = Document()
    group = "/Type /XObject /Subtype /Form /Group << /S /Transparency /CS /DeviceRGB /I true >>"
    ramp = made.add(
        f"<< /ShadingType 2 /ColorSpace /DeviceGray /Coords [400 0 520 0] /Extend [true true] "
        "/Function << /FunctionType 2 /Domain [0 1] /C0 [0] /C1 [1] /N 1 >> >>"
    )
    mask = made.stream(
        "/Ramp sh", f"{group.replace('DeviceRGB', 'DeviceGray')} /BBox [0 0 {W} {H}] "
        f"/Resources << /Shading << /Ramp {ramp} 0 R >> >>")
    square = made.stream(f"1 0 0 rg {polygon(plan.square((470, 160), 30))} f", f"{group} /BBox [0 0 {W} {H}]")
    states = (
        f"/ExtGState << /Glass << /ca 0.5 >> /Times << /BM /Multiply >> "
        f"/Fade << /SMask << /Type /Mask /S /Luminosity /G {mask} 0 R >> >> >> "
        f"/XObject << /Square {square} 0 R >>"
    )
    faded = f"q /Fade gs 0 0 1 rg {polygon([(400, 240), (520, 240), (520, 280), (400, 280)])} f Q"
    made.page(f"{content()}\nq /Times gs /Square Do Q\n{faded}", states)
    save(path, made)


@document("colours", modules=["PIL"], facts={
    "inks": [[[260, 270], "CMYK 1 0 0 0"], [[300, 270], "CMYK 0 0 0 1"]]})
def colours(path):
    """Fills in CMYK, in a profile of ICC and in a separation."""
    from PIL import ImageCms

    made = Document()
    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    icc = made.stream(zlib.compress(profile), "/N 3 /Filter /FlateDecode")
    tint = "<< /FunctionType 2 /Domain [0 1] /C0 [0 0 0 0] /C1 [0 0.6 1 0] /N 1 >>"
    spaces = f"/ColorSpace << /Icc [/ICCBased {icc} 0 R] /Spot [/Separation /Orange /DeviceCMYK {tint}] >>"
    fills = ["1 0 0 0 k", "0 0 0 1 k", "/Icc cs 0.2 0.6 0.3 sc", "/Spot cs 1 scn"]
    places = [plan.square((260 + 40 * index, 270), 15) for index in range(len(fills))]
    squares = [f"q {fill} {polygon(place)} f Q" for fill, place in zip(fills, places)]
    made.page(content() + "\n" + "\n".join(squares), f"{GLASS} {spaces}")
    save(path, made)


@document("shadings")
def shadings(path):
    """An axial shading, a radial one, and a pattern of tiles."""
    made = Document()
    ramp = "/Function << /FunctionType 2 /Domain [0 1] /C0 [1 0.9 0] /C1 [0 0.3 0.6] /N 1 >>"
    axial = f"<< /ShadingType 2 /ColorSpace /DeviceRGB /Coords [380 0 520 0] {ramp} >>"
    centre = f"450 {H - 160}"
    radial = f"<< /ShadingType 3 /ColorSpace /DeviceRGB /Coords [{centre} 0 {centre} 25] {ramp} >>"
    tile = made.stream(
        "0.2 w 0 0 m 6 6 l S", "/Type /Pattern /PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 6 6] "
        "/XStep 6 /YStep 6 /Resources << >>")
    parts = [
        content(),
        f"q {polygon([(380, 260), (520, 260), (520, 300), (380, 300)])} W n /Axial sh Q",
        "/Radial sh",
        f"/Pattern cs /Tiles scn {polygon([(240, 220), (340, 220), (340, 310), (240, 310)])} f",
    ]
    resources = f"/Shading << /Axial {axial} /Radial {radial} >> /Pattern << /Tiles {tile} 0 R >>"
    made.page("\n".join(parts), f"{GLASS} {resources}")
    save(path, made)


@document("white-sheet", facts={"sheetColor": [255, 255, 255]})
def white_sheet(path):
    """A page that paints all of itself white before it begins."""
    made = Document()
    made.page(f"1 g 0 0 {W} {H} re f 0 g\n{content()}", GLASS)
    save(path, made)


@document("ivory-sheet", facts={"sheetColor": [255, 250, 230], "marks": [
    [list(place), list(colour)] for place, colour in plan.CORNERS + [((300, 350), (255, 250, 230))]]})
def ivory_sheet(path):
    """A page that paints all of itself ivory before it begins."""
    made = Document()
    made.page(f"{rgb((255, 250, 230))} rg 0 0 {W} {H} re f 0 g\n{content()}", GLASS)
    save(path, made)


@document("hairlines")
def hairlines(path):
    """All strokes of width 0: as thin as a device can draw them."""
    save(path, simple(pens=0))


def picture_page(path, picture, size, entries):
    """A page that is one picture and nothing else."""
    made = Document()
    head = f"/Type /XObject /Subtype /Image /Width {size[0]} /Height {size[1]}"
    number = made.stream(picture, f"{head} {entries}")
    made.page(f"q {W} 0 0 {H} 0 0 cm /Scan Do Q", f"/XObject << /Scan {number} 0 R >>")
    save(path, made)


@document("image-jpx", modules=["PIL"], facts={"picture": [1250, 833, 150]})
def image_jpx(path):
    """A page that is one picture in JPEG 2000, 150 to the inch."""
    from programs import raster

    scan, data = raster(150), io.BytesIO()
    scan.save(data, "JPEG2000", irreversible=True, quality_mode="rates", quality_layers=[20])
    picture_page(path, data.getvalue(), scan.size, "/Filter /JPXDecode")


def facsimile(dpi):
    """The plan in black and white as ITU-T T.6 codes it, and its size; white is 1."""
    from PIL import Image
    from programs import raster

    scan, data = raster(dpi, "L").point(lambda value: 255 if value > 160 else 0).convert("1"), io.BytesIO()
    scan.save(data, "TIFF", compression="group4")
    with Image.open(io.BytesIO(data.getvalue())) as tiff:
        starts, counts = tiff.tag_v2[273], tiff.tag_v2[279]
        # One strip is one picture: Pillow's rows of a strip hold 64 KB.
        assert len(starts) == 1, "the scan is too large for one strip"
        return data.getvalue()[starts[0]:starts[0] + counts[0]], scan.size, tiff.tag_v2[262] == 0


BITONAL = {"picture": [833, 555, 100], "marks": [[[20, 380], [0, 0, 0]], [[300, 350], [255, 255, 255]]]}


@document("image-ccitt", modules=["PIL"], facts=BITONAL)
def image_ccitt(path):
    """A fax of 100 to the inch: one picture in black and white by ITU-T T.6."""
    data, size, is_white_zero = facsimile(100)
    parameters = f"/K -1 /Columns {size[0]} /Rows {size[1]} /BlackIs1 false"
    decode = "" if is_white_zero else "/Decode [1 0]"
    coding = f"/Filter /CCITTFaxDecode /DecodeParms << {parameters} >>"
    entries = f"/ColorSpace /DeviceGray /BitsPerComponent 1 {coding} {decode}"
    picture_page(path, data, size, entries)


@document("image-jbig2", modules=["PIL"], facts=BITONAL)
def image_jbig2(path):
    """The same in JBIG2: a generic region that is coded as a fax is."""
    data, (width, height), is_white_zero = facsimile(100)

    def number(value, size=4):
        return value.to_bytes(size, "big")

    def segment(index, kind, body):
        return number(index) + bytes([kind, 0, 1]) + number(len(body)) + body

    page = number(width) + number(height) + bytes(8) + bytes([0, 0, 0])
    # Segment 38 is an immediate generic region; its flag 1 says that it is coded as T.6.
    region = number(width) + number(height) + bytes(8) + bytes([0]) + bytes([1]) + data
    stream = segment(0, 48, page) + segment(1, 38, region)
    # JBIG2's 1 is black, and the filter turns it to PDF's 0.
    decode = "" if is_white_zero else "/Decode [1 0]"
    entries = f"/ColorSpace /DeviceGray /BitsPerComponent 1 /Filter /JBIG2Decode {decode}"
    picture_page(path, stream, (width, height), entries)


def measure(ground, gcs, box):
    """A viewport."""
    numbers = " ".join(f"{value!r}" for value in ground)
    edges = " ".join(f"{edge:g}" for edge in box)
    return (
        f"<< /Type /Viewport /Name (Plan) /BBox [{edges}] /Measure << /Type /Measure /Subtype /GEO "
        f"/Bounds [0 0 0 1 1 1 1 0] /LPTS [0 0 0 1 1 1 1 0] /GPTS [{numbers}] /GCS {gcs} >> >>"
    )


@document("geospatial-turned", facts={
    "width": H, "height": W, "marks": turned_marks(90, (0, 0, W, H)),
    "lonLat": [[[0, 0], [9.98, 53.54]], [[0, W], [9.986, 53.54]], [[H, 0], [9.98, 53.5424]]]})
def geospatial_turned(path):
    """A viewport of longitudes and latitudes on a page that is turned by 90 degrees, and an inset map."""
    # From the lower left corner, anticlockwise as LPTS has it: latitude, longitude.
    ground = [53.54, 9.98, 53.5424, 9.98, 53.5424, 9.986, 53.54, 9.986]
    gcs = "<< /Type /GEOGCS /EPSG 4326 >>"
    plan_of_page = measure(ground, gcs, (0, 0, W, H))
    inset = measure([0, 0, 10, 0, 10, 10, 0, 10], gcs, (500, 300, 560, 360)).replace("(Plan)", "(Inset)")
    save(path, simple(entries=f"/Rotate 90 /VP [{inset} {plan_of_page}]"))


@document("not-a-pdf", facts={"opens": False, "marks": False})
def not_a_pdf(path):
    """A page of HTML under the name of a PDF, as a failed download leaves it."""
    with open(path, "w") as file:
        file.write("<!DOCTYPE html><html><body>404 Not Found</body></html>\n")


@document("no-pages", facts={"opens": False, "marks": False})
def no_pages(path):
    """A document without a page."""
    save(path, Document())


@document("texts", facts={"missingFonts": ["Helvetica"]})
def texts(path):
    """The plan with texts in Helvetica, one of the fourteen fonts that readers bring along."""
    save(path, simple(f"{GLASS} {FONT}", texts=True))
