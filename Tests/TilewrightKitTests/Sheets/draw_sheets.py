#!/usr/bin/env python3
"""Draws 20 sheets with floor plans in the styles of five offices, with the rectangles that a frame must respect.

usage: draw_sheets.py FOLDER

Writes FOLDER/sheet-01.pdf to sheet-20.pdf, and FOLDER/sheets.json: for each sheet its name, its size in
millimetres, the rectangle of all its walls, and the rectangles of title block and legends (left, top, right,
bottom in millimetres from the top left corner). The sheets are always the same: each has its own seed. Needs
python3-cairo.
"""
import json, math, sys
from plan_parts import Plan, ell, rectangle, ring, you
from sheet_parts import Sheet

ARABIC = ["مخطط الطابق الأرضي", "جدار خرساني", "جدار طوب", "باب حريق", "المقياس", "التاريخ"]
HINDI = ["भूतल योजना", "दीवार", "खिड़की", "द्वार", "पैमाना"]
JAPANESE = ["一階平面図", "壁", "窓", "縮尺", "日付"]
GERMAN = ["Stahlbeton", "Mauerwerk", "Trockenbau", "Dämmung", "Abbruch", "Neubau"]


def german_block(s, x, y, w=180, edge=10):
    """The title block of office A: a table at the bottom right, attached to the frame."""
    h = s.h - edge - y
    s.box(x, y, w, h, width=0.5)
    s.table(x, y, w, 5, 4, row=6)
    s.text(x + 4, y + 42, "Neubau Bürogebäude Musterstraße 12", 4, bold=True)
    s.text(x + 4, y + 52, "Grundriss Erdgeschoss", 6, bold=True)
    s.line((x, y + 58), (x + w, y + 58), width=0.35)
    s.table(x, y + 58, w, max(1, int((h - 58) / 9)), 3, row=9, texts=["Maßstab 1:100", "Datum 12.03.2021", "Plan-Nr. A-101", "gez. MK", "Bauherr", "Projekt 4711"])
    s.keep_out(x, y, x + w, s.h - edge)


def office_a(folder):
    """Frames with a filing margin, a title block at the bottom right, chains of dimensions, black walls."""
    def begin(number, size, portrait=False):
        s = Sheet(f"{folder}/sheet-{number:02}.pdf", size, portrait, seed=number)
        s.frame(left=20)
        return s

    s = begin(1, "A1")
    p = Plan(s, 90, 90, 100)
    p.building(*rectangle(44, 22))
    p.stairs(20, 8, 4, 3)
    p.dimensions(0, 0, 44, 22)
    german_block(s, s.w - 190, 440)
    s.legend(30, 470, GERMAN)
    s.north(590, 480)
    yield s.done("sheet-01")

    s = begin(2, "A1")
    p = Plan(s, 70, 70, 100)
    p.building(*ell(52, 40, 20, 14))
    p.dimensions(0, 0, 52, 40, sides="NW")
    german_block(s, s.w - 190, 400)
    s.legend(s.w - 190, 250, GERMAN)
    s.north(s.w - 60, 60)
    s.scale_bar(s.w - 185, 390)
    yield s.done("sheet-02")

    s = begin(3, "A2", True)
    p = Plan(s, 75, 90, 100, style="hatch")
    p.building(*rectangle(26, 28))
    p.grid([0, 6, 13, 20, 26], [0, 7, 14, 21, 28], 0, 0, 26, 28)
    german_block(s, s.w - 190, s.h - 120)
    s.legend(25, s.h - 80, GERMAN[:4], boxed=False)
    yield s.done("sheet-03")

    s = begin(4, "A0")
    p = Plan(s, 110, 100, 100)
    p.building(*you(78, 48, 30, 26), least=6)
    p.dimensions(0, 0, 78, 48, sides="NWS", rows=3)
    q = Plan(s, 110 + 300 + 60, 100 + 340, 100)
    q.building(*rectangle(14, 9))
    german_block(s, s.w - 190, 640)
    s.legend(s.w - 190, 500, GERMAN, boxed=False)
    s.key_plan(s.w - 190, 30, 100, 70)
    yield s.done("sheet-04")


def right_column(s, width=110, edge=14):
    """The title block of office B: a column at the right edge."""
    x = s.w - edge - width
    s.line((x, edge), (x, s.h - edge), width=1.0)
    y = edge
    s.logo(x + 15, y + 6, 80, 28)
    for height, text in ((42, ""), (60, "CONSULTANTS"), (50, "SEAL"), (90, "REVISIONS"), (60, "KEY PLAN")):
        s.line((x, y + height), (x + width, y + height), width=0.5)
        s.text(x + 3, y + 5, text, 2.2)
        if text == "CONSULTANTS": s.lines_of_text(x + 5, y + 8, ["STRUCTURAL: Beam & Partners", "MEP: Flow Engineers Ltd.", "12 Long Acre, London", "T +44 20 7946 0000"], 2.5)
        if text == "SEAL": s.circle(x + width / 2, y + 27, 18)
        if text == "REVISIONS": s.table(x, y + 10, width, 8, 3, row=9, texts=["A", "2021-03-12", "ISSUED FOR PERMIT", "B", "2021-05-02", "COORDINATION"])
        if text == "KEY PLAN": s.key_plan(x + 10, y + 8, 90, 48, boxed=False)
        y += height
    s.text(x + 30, s.h - edge - 20, "GROUND FLOOR PLAN", 6, angle=-math.pi / 2, bold=True)
    s.line((x, s.h - edge - 40), (x + width, s.h - edge - 40), width=0.5)
    s.text(x + 40, s.h - edge - 12, "A-101", 9, bold=True)
    s.keep_out(x, edge, s.w - edge, s.h - edge)
    return x


def office_b(folder):
    """Thick double frames, a column at the right, grid bubbles, walls as outlines or hatched."""
    def begin(number, size="D", portrait=False):
        s = Sheet(f"{folder}/sheet-{number:02}.pdf", size, portrait, seed=number)
        s.frame(12, 12, 12, 12, 0.25)
        s.frame(14, 14, 14, 14, 1.4)
        right_column(s)
        return s

    office = ("OFFICE", "STORAGE", "CORRIDOR", "WC")
    s = begin(5)
    p = Plan(s, 95, 95, 100, style="outline", wall=0.3)
    p.building(*rectangle(58, 36), names=office)
    p.grid([0, 8, 16, 24, 32, 40, 48, 58], [0, 9, 18, 27, 36], 0, 0, 58, 36, reach=22, radius=5)
    s.text(95, 520, "1  GROUND FLOOR PLAN   1:100", 5, bold=True)
    s.scale_bar(260, 518)
    yield s.done("sheet-05")

    s = begin(6)
    p = Plan(s, 130, 150, 200, style="hatch", wall=0.5, turn=0.26)
    p.building(*ell(110, 50, 40, 18), names=office, least=8)
    s.legend(30, 545, ["CONCRETE WALL", "CMU", "PARTITION", "FIRE RATED"], title="LEGEND", boxed=False, step=6)
    s.lines_of_text(170, 550, ["GENERAL NOTES", "1. DO NOT SCALE DRAWINGS.", "2. VERIFY ALL DIMENSIONS ON SITE.", "3. SEE STRUCTURAL DRAWINGS FOR BEAMS."], 2.5)
    s.keep_out(170, 550, 270, 573)
    s.north(s.w - 170, 60)
    yield s.done("sheet-06")

    s = begin(7, "A1")
    p = Plan(s, 80, 80, 100, style="outline", wall=0.3)
    p.building(*ring(50, 38, 10), names=office)
    p.walls([(10, 10), (10, 28), (40, 28), (40, 10)], 0.3, outer=False)
    p.dimensions(0, 0, 50, 38, sides="NW", rows=2)
    s.legend(50, 500, ["CONCRETE WALL", "CMU", "PARTITION", "FIRE RATED"], title="LEGEND", step=6)
    s.scale_bar(250, 540)
    yield s.done("sheet-07")

    s = begin(8, "A0")
    p = Plan(s, 120, 130, 100, style="grey", wall=0.4)
    p.building(*rectangle(60, 42), names=office, least=5)
    p.grid([0, 10, 20, 30, 40, 50, 60], [0, 14, 28, 42], 0, 0, 60, 42, reach=20)
    q = Plan(s, 830, 300, 100, style="grey", wall=0.4)
    q.building(*rectangle(14, 20), names=office)
    s.legend(120, 690, ["CONCRETE WALL", "CMU", "PARTITION"], title="LEGEND")
    s.lines_of_text(330, 690, ["NOTES"] + ["ALL WORK SHALL COMPLY WITH THE LOCAL BUILDING CODE AND ITS AMENDMENTS."] * 12, 2.5)
    s.keep_out(330, 690, 500, 750)
    yield s.done("sheet-08")


def bottom_strip(s, height=60, edge=8, texts=None):
    """The title block of office C: a strip along the bottom."""
    y = s.h - edge - height
    s.line((edge, y), (s.w - edge, y), width=0.7)
    width = s.w - 2 * edge
    s.logo(edge + 5, y + 8, 50, 25)
    for share in (0.2, 0.45, 0.7, 0.85): s.line((edge + width * share, y), (edge + width * share, s.h - edge), width=0.35)
    texts = texts or ["Maître d'ouvrage: Ville de Lyon", "Maître d'œuvre: Atelier Rive", "BET structure: ABC", "Phase: DCE"]
    s.lines_of_text(edge + width * 0.2 + 3, y + 3, texts, 2.5)
    s.lines_of_text(edge + width * 0.45 + 3, y + 3, texts[:2], 4, bold=True)
    s.table(edge + width * 0.7, y, width * 0.15, int(height / 6), 2, row=6, texts=["A", "03/21", "B", "05/21"])
    s.text(edge + width * 0.87, y + height * 0.6, "PL-02", 6, bold=True)
    s.keep_out(edge, y, s.w - edge, s.h - edge)


def office_c(folder):
    """Single frames, a strip along the bottom, grey or red walls, texts in several scripts."""
    def begin(number, size, portrait=False, texts=None, frame=True):
        s = Sheet(f"{folder}/sheet-{number:02}.pdf", size, portrait, seed=number)
        if frame: s.frame(8, 8, 8, 8, 0.5)
        bottom_strip(s, texts=texts)
        return s

    rooms = ("Bureau", "Dépôt", "Hall", "San.")
    s = begin(9, "A2", True)
    p = Plan(s, 60, 60, 100, style="grey")
    p.building(*ell(30, 36, 12, 10), names=rooms)
    p.dimensions(0, 0, 30, 36, sides="NE")
    s.north(s.w - 40, 45, 8)
    s.legend(30, 455, ["Béton", "Maçonnerie", "Cloison"], title="Légende", step=6)
    yield s.done("sheet-09")

    s = begin(10, "A1", texts=ARABIC[:4])
    p = Plan(s, 200, 90, 100, style="grey", wall=0.4)
    p.building(*ring(46, 36, 9), names=ARABIC[1:4])
    p.walls([(9, 9), (9, 27), (37, 27), (37, 9)], 0.4, outer=False)
    s.legend(25, 60, ARABIC, title="المفتاح", boxed=False)
    s.scale_bar(30, 430)
    yield s.done("sheet-10")

    s = begin(11, "A3")
    p = Plan(s, 60, 45, 200, style="brick")
    p.building(*you(56, 30, 20, 14), names=rooms, least=7)
    s.scale_bar(40, 214, 5)
    s.legend(s.w - 75, 40, ["Béton", "Maçonnerie", "Cloison", "Isolant"], title="Légende", boxed=False)
    yield s.done("sheet-11")

    s = begin(12, "A1", texts=HINDI[:4])
    p = Plan(s, 330, 60, 100, style="solid", turn=0.6)
    p.building(*rectangle(36, 18), names=HINDI[1:4])
    q = Plan(s, 140, 140, 100, style="solid", turn=0.6)
    q.building(*rectangle(9, 8), names=HINDI[1:4])
    s.legend(s.w - 120, 40, HINDI, title="संकेत")
    s.north(60, 60)
    yield s.done("sheet-12")


def office_d(folder):
    """No frames: a title as text or in a box of its own, loose legends, thin walls."""
    def begin(number, size, portrait=False):
        return Sheet(f"{folder}/sheet-{number:02}.pdf", size, portrait, seed=number)

    s = begin(13, "A3")
    p = Plan(s, 70, 60, 200, style="outline", wall=0.3)
    p.building(*rectangle(52, 32), least=6)
    s.text(20, 25, "Haus am See · Obergeschoss · 1:200", 5, bold=True)
    s.keep_out(20, 18, 150, 27)
    s.logo(s.w - 70, 15, 50, 22)
    s.keep_out(s.w - 70, 15, s.w - 20, 37)
    s.legend(20, 240, GERMAN[:4], boxed=False, step=6)
    s.scale_bar(200, 270, 5)
    yield s.done("sheet-13")

    s = begin(14, "A2")
    p = Plan(s, 60, 50, 100, style="outline", wall=0.24)
    p.building(*ell(34, 28, 14, 10))
    p.dimensions(0, 0, 34, 28, sides="NESW", rows=1, gap=6)
    s.table(s.w - 130, s.h - 100, 115, 12, 2, row=7)
    s.keep_out(s.w - 130, s.h - 100, s.w - 15, s.h - 16)
    s.key_plan(s.w - 120, 40, 90, 60, boxed=False)
    yield s.done("sheet-14")

    s = begin(15, "A3", True)
    p = Plan(s, 50, 110, 200, style="solid", wall=0.3)
    p.building(*rectangle(38, 44), least=6)
    s.table(15, 15, s.w - 30, 6, 4, row=8)
    s.keep_out(15, 15, s.w - 15, 63)
    s.lines_of_text(20, 350, ["Alle Maße sind am Bau zu prüfen.", "Brandschutz nach Gutachten.", "Unstimmigkeiten sind sofort zu melden.", "Höhen über NHN."], 2.5)
    s.keep_out(20, 350, 120, 372)
    s.north(s.w - 40, 380, 8)
    yield s.done("sheet-15")

    s = begin(16, "A1")
    p = Plan(s, 230, 200, 200, style="solid", turn=-0.35, wall=0.4)
    p.building(*you(90, 60, 34, 30), least=9)
    s.box(25, 25, 150, 110, width=0.35)
    s.text(32, 40, "Lageplan / Grundriss EG", 5, bold=True)
    s.table(25, 60, 150, 7, 3, row=9)
    s.keep_out(25, 25, 175, 135)
    s.logo(30, 138, 60, 25)
    s.legend(40, 420, GERMAN, boxed=True)
    s.scale_bar(s.w - 150, s.h - 40)
    yield s.done("sheet-16")


def office_e(folder):
    """Double frames with zones, title blocks at the top or at the bottom, boxes anywhere on the sheet."""
    def begin(number, size, portrait=False):
        s = Sheet(f"{folder}/sheet-{number:02}.pdf", size, portrait, seed=number)
        s.zones(6, 6)
        return s

    def block(s, x, y, w, h, texts=JAPANESE):
        s.box(x, y, w, h, width=0.5)
        s.table(x, y, w, 4, 3, row=7, texts=texts)
        s.text(x + 5, y + 40, texts[0], 6, bold=True)
        s.logo(x + w - 50, y + 32, 40, 20)
        s.table(x, y + h - 21, w, 3, 4, row=7, texts=texts)
        s.keep_out(x, y, x + w, y + h)

    s = begin(17, "A1")
    p = Plan(s, 60, 150, 100, style="solid")
    p.building(*rectangle(50, 30), names=JAPANESE[1:4])
    p.grid([0, 10, 20, 30, 40, 50], [0, 10, 20, 30], 0, 0, 50, 30, reach=14)
    block(s, s.w - 12 - 170, 12, 170, 90)
    s.legend(s.w - 140, 200, JAPANESE, title="凡例")
    s.key_plan(s.w - 140, 300, 100, 70)
    yield s.done("sheet-17")

    s = begin(18, "A0")
    p = Plan(s, 330, 130, 100, style="hatch", turn=0.4, wall=0.4)
    p.building(*ell(56, 34, 20, 12), names=JAPANESE[1:4], least=5)
    q = Plan(s, 820, 230, 100, style="hatch", turn=0.4, wall=0.4)
    q.building(*rectangle(12, 10), names=JAPANESE[1:4])
    block(s, s.w - 12 - 200, s.h - 12 - 110, 200, 110)
    s.legend(40, 40, JAPANESE + JAPANESE, title="凡例")
    s.key_plan(40, 640, 150, 110)
    s.keep_out(40, 640, 190, 750)
    s.north(1100, 80, 15)
    yield s.done("sheet-18")

    s = begin(19, "A2")
    p = Plan(s, 50, 130, 100, style="brick", wall=0.36)
    p.building(*ell(44, 22, 16, 8), names=JAPANESE[1:4])
    p.stairs(8, 10, 4, 2.6)
    p.dimensions(0, 0, 44, 22, sides="SW", rows=2)
    block(s, 12, 12, s.w - 24, 80)
    s.legend(s.w - 85, 130, JAPANESE[:3], title="凡例", boxed=False, step=6)
    yield s.done("sheet-19")

    s = begin(20, "A1", True)
    p = Plan(s, 70, 120, 100, style="solid", wall=0.3)
    p.building(*rectangle(40, 24), names=JAPANESE[1:4])
    q = Plan(s, 70, 440, 100, style="solid", wall=0.3)
    q.building(*rectangle(30, 14), names=JAPANESE[1:4])
    p.dimensions(0, 0, 40, 24, sides="NW")
    s.table(60, 660, 200, 14, 5, row=7, texts=JAPANESE)
    s.keep_out(60, 660, 260, 758)
    block(s, s.w - 12 - 150, s.h - 12 - 100, 150, 100)
    yield s.done("sheet-20")


def main():
    folder = sys.argv[1]
    offices = (office_a, office_b, office_c, office_d, office_e)
    sheets = [sheet for office in offices for sheet in office(folder)]
    with open(f"{folder}/sheets.json", "w") as file: json.dump(sheets, file, indent=1)


if __name__ == "__main__": main()
