#!/usr/bin/env python3
"""Tests the stored results of benchmark runs, and their chart."""

import contextlib
import io
import json
import pathlib
import tempfile
import unittest
import xml.etree.ElementTree as xml

import history

SVG = "{http://www.w3.org/2000/svg}"


def made_up(day, processor="AMD & Sons <9>", wall=0.8, titles=("Plan to PNG", "Photograph to JPEG")):
    tools = [{"name": "tilewright", "wall": wall, "cpu": 2 * wall, "peak": 130, "tiles": 10, "megabytes": 1},
             {"name": "tilewright, cubic", "wall": 1, "cpu": 1, "peak": 1, "tiles": 1, "megabytes": 1},
             {"name": "`vips dzsave` 8.14.1", "wall": 4.0, "cpu": 5, "peak": 180, "tiles": 10, "megabytes": 1},
             {"name": "`vips dzsave` 8.18.7", "wall": 2.0, "cpu": 5, "peak": 180, "tiles": 10, "megabytes": 1}]
    return {"date": f"2026-11-{day:02}T09:00:00Z", "commit": f"abc{day:04}", "version": "0.1.0", "tools": [],
            "goals": [], "machine": {"processor": processor, "cores": 2},
            "jobs": [{"title": title, "decode": 0.2, "encode": 0.6, "floor": 0.4, "tools": tools}
                     for title in titles]}


class HistoryTests(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.addCleanup(self.scratch.cleanup)
        self.folder = pathlib.Path(self.scratch.name) / "history"

    def chart(self):
        with contextlib.redirect_stderr(io.StringIO()):
            return xml.fromstring(history.draw(self.folder).read_text(encoding="utf-8"))

    def test_runs_come_back_in_order_with_their_ratios(self):
        for day in (3, 1, 2):
            history.keep(self.folder, made_up(day))
        runs, faults = history.load(self.folder)
        self.assertEqual([run.date[8:10] for run in runs], ["01", "02", "03"])
        self.assertEqual(faults, [])
        self.assertEqual(runs[0].jobs["Plan to PNG"], {
            "wall / codec floor": 2, "CPU / codecs' CPU": 1.6 / (0.2 + 0.6), "wall / vips dzsave": 0.4})

    def test_the_chart_is_xml_with_a_point_for_each_ratio_of_each_run(self):
        for day in range(1, 25):
            history.keep(self.folder, made_up(day, "Other" if day < 4 else "AMD & Sons <9>", 0.8 + day / 50))
        points = [point for point in self.chart().iter(f"{SVG}circle") if point.find(f"{SVG}title") is not None]
        self.assertEqual(len(points), 24 * 2 * 3)
        hollow = [point for point in points if "hollow" in point.get("class")]
        self.assertEqual(len(hollow), 3 * 2 * 3)
        for point in points:
            self.assertTrue(0 < float(point.get("cx")) < 390 and 0 < float(point.get("cy")) < 330)

    def test_labels_of_runs_do_not_overlap(self):
        for day in range(1, 29):
            history.keep(self.folder, made_up(day, titles=("Plan to PNG",)))
        places = sorted(float(text.get("x")) for text in self.chart().iter(f"{SVG}text")
                        if (text.text or "").startswith("26-11-"))
        self.assertGreater(len(places), 2)
        self.assertTrue(all(right - left >= 60 for left, right in zip(places, places[1:])))

    def test_what_is_damaged_or_older_is_passed_over(self):
        history.keep(self.folder, made_up(1))
        older = {**made_up(2), "form": 0}
        broken = {**made_up(3), "form": history.FORM, "jobs": [{"title": 5}]}
        odd = json.dumps({**made_up(4, wall=float("nan")), "form": history.FORM})
        for name, words in {"a": "", "b": '{"form": 1', "c": "[1]", "d": json.dumps(older),
                            "e": json.dumps(broken), "f": odd, "g": "[" * 100000, "h": '{"form": 1}',
                            "j": json.dumps({**made_up(5), "form": 1, "jobs": [{"title": "a", "tools": []}]})}.items():
            (self.folder / f"{name}.json").write_text(words)
        (self.folder / "i.json").write_bytes(b"\xff\xfe")
        runs, faults = history.load(self.folder)
        # In the odd file, ratios that are not numbers are left out.
        self.assertEqual((len(runs), len(faults)), (2, 9))
        self.assertEqual(runs[1].jobs["Plan to PNG"], {})
        self.assertIsNotNone(self.chart())

    def test_nothing_to_draw_is_no_chart(self):
        self.assertIsNone(history.draw(self.folder))


if __name__ == "__main__":
    unittest.main()
