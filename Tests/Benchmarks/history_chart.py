"""Draws benchmark results as an SVG: a small chart for each job, on a logarithmic scale.

The charts are in one column, or in two or three if there is room. Style sheets in the picture decide this, so its
letters have the same size on a phone and on a desktop. Colours follow the reader's light or dark scheme. Without
support for style sheets, the picture is one light column.
"""

import math
import re
from xml.sax.saxutils import escape

WIDTH, HEIGHT = 390, 350  # of a small chart with its margins
LEFT, RIGHT, TOP, BOTTOM = 44, 374, 44, 200  # of the plot in it
HEAD = 40  # above all charts
MOST_RUNS = 40  # the latest ones: more would be too close to each other
MOST_COLUMNS = 3
LABEL = 66  # pixels that a label below the plot needs
ROW = 15  # pixels from line to line of the legend

# Colours of the ratios, in order: from Okabe and Ito, "Color Universal Design", which are suitable for colour-blind
# readers. The second of each pair is for a black background.
COLORS = [("#0072b2", "#56b4e9"), ("#d55e00", "#ff9d4d"), ("#008060", "#2fc79a"), ("#a8578a", "#e59fc9"),
          ("#7a6a00", "#e6d34a"), ("#555555", "#bbbbbb")]


def chart(runs):
    """The picture of runs. A run has a date, a commit, a machine, and ratios by job and by name."""
    titles = list(dict.fromkeys(title for run in runs for title in run.jobs if run.jobs[title]))
    latest = runs[-1].machine
    charts = [small(title, [run for run in runs if run.jobs.get(title)][-MOST_RUNS:], latest)
              for title in titles]
    columns = min(MOST_COLUMNS, len(charts))
    height = HEAD + HEIGHT * len(charts)
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" role="img" '
             f'aria-label="History of benchmarks">', f"<style>{style(len(charts), columns)}</style>",
             '<rect class="paper" width="100%" height="100%" fill="#fff"/>',
             label(16, 24, clean(f"Lower is better. On {latest}"), "head", size=13, most=52)]
    for index, drawn in enumerate(charts):
        parts.append(f'<g class="c{index}" transform="translate(0 {HEAD + HEIGHT * index})">{drawn}</g>')
    return "\n".join(parts) + "\n</svg>\n"


def style(count, columns):
    """Fonts, colours, and the positions of charts in several columns."""
    # The window around the picture has the same background.
    rules = ["text{font-family:system-ui,sans-serif}svg{background:#fff}"]
    dark = ["svg{background:#16181c}", ".paper{fill:#16181c}", ".ink{fill:#e8e8e8}", ".pale{fill:#a8adb5}", ".rule{stroke:#3a3f47}",
            ".mark{stroke:#a8adb5}"]
    dark += [f".f{index}{{fill:{color}}}.s{index}{{stroke:{color}}}" for index, (_, color) in enumerate(COLORS)]
    dark.append(".hollow{fill:#16181c}")
    rules.append(f"@media(prefers-color-scheme:dark){{{''.join(dark)}}}")
    for across in range(2, columns + 1):
        height = HEAD + HEIGHT * math.ceil(count / across)
        places = [f".c{index}{{transform:translate({WIDTH * (index % across)}px,"
                  f"{HEAD + HEIGHT * (index // across)}px)}}" for index in range(count)]
        rules.append(f"@media(min-width:{WIDTH * across}px){{"
                     f"svg{{width:{WIDTH * across}px;height:{height}px}}{''.join(places)}}}")
    return "".join(rules)


def small(title, runs, latest):
    """The chart of a job."""
    names = list(dict.fromkeys(name for run in runs for name in run.jobs[title]))[:len(COLORS)]
    values = [run.jobs[title][name] for run in runs for name in names if name in run.jobs[title]]
    scale = Scale(min(values), max(values))
    step = (RIGHT - LEFT) / max(1, len(runs) - 1)
    columns = [LEFT + step * index if len(runs) > 1 else (LEFT + RIGHT) / 2 for index in range(len(runs))]
    parts = [label(16, 26, title, "ink", size=13, most=52, bold=True), grid(scale), dates(runs, columns)]
    for index, name in enumerate(names):
        parts.append(line(index, name, title, runs, columns, scale, latest))
        value = next(run.jobs[title][name] for run in reversed(runs) if name in run.jobs[title])
        y = BOTTOM + 48 + ROW * index
        parts.append(f'<circle class="f{index}" cx="{LEFT}" cy="{y - 4}" r="4" fill="{COLORS[index][0]}"/>'
                     + label(LEFT + 10, y, f"{number(value)}  {name}", "ink", size=11, most=46))
    if any(run.machine != latest for run in runs):
        y = BOTTOM + 48 + ROW * len(names)
        parts.append(f'<circle class="mark hollow" cx="{LEFT}" cy="{y - 4}" r="3.5" fill="#fff" '
                     f'stroke="#888" stroke-width="1.5"/>' + label(LEFT + 10, y, "another machine", "pale", size=11))
    return "".join(parts)


class Scale:
    """A logarithmic axis with some room above and below."""

    def __init__(self, least, most):
        self.low, self.high = math.log10(least) - 0.06, math.log10(most) + 0.06
        if self.high - self.low < 0.3:
            middle = (self.high + self.low) / 2
            self.low, self.high = middle - 0.15, middle + 0.15

    def place(self, value):
        share = (math.log10(value) - self.low) / (self.high - self.low)
        return BOTTOM - share * (BOTTOM - TOP)

    def ticks(self):
        """Round numbers, at most seven: the powers of ten, with 2 and 5 between them, or finer ones."""
        for digits in ((1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8), (1, 1.5, 2, 3, 5, 7), (1, 2, 5), (1, 3), (1,)):
            values = [digit * 10.0 ** power for power in range(math.floor(self.low), math.ceil(self.high) + 1)
                      for digit in digits if self.low <= math.log10(digit * 10.0 ** power) <= self.high]
            if len(values) <= 7:
                return values
        return values[::math.ceil(len(values) / 7)]


def grid(scale):
    parts = []
    for value in scale.ticks():
        y = scale.place(value)
        parts.append(f'<path class="rule" d="M{LEFT} {y:.1f}H{RIGHT}" stroke="#d5d8dc"/>'
                     + label(LEFT - 6, y + 4, f"{value:.4g}", "pale", size=11, anchor="end"))
    return "".join(parts)


def dates(runs, columns):
    """Days and commits below the plot, for as many runs as there is room for, including the latest."""
    parts, free = [], math.inf
    for run, x in reversed(list(zip(runs, columns))):
        # The outermost labels are aligned with the plot's edges.
        middle = min(max(x, LEFT + LABEL / 2 - 20), RIGHT - LABEL / 2 + 12)
        if middle + LABEL / 2 > free:
            continue
        free = middle - LABEL / 2
        parts.append(f'<path class="rule" d="M{x:.1f} {BOTTOM}v4" stroke="#888"/>'
                     + label(middle, BOTTOM + 15, run.date[2:10], "pale", size=10, anchor="middle")
                     + label(middle, BOTTOM + 27, short(run.commit), "pale", size=10, anchor="middle"))
    return "".join(parts)


def short(commit):
    """Seven letters of a commit from `git describe`, and a plus if files were changed."""
    found = re.search(r"(?:^|-g)([0-9a-f]{7,})(-dirty)?$", commit)
    return found.group(1)[:7] + ("+" if found.group(2) else "") if found else commit[:9]


def line(index, name, title, runs, columns, scale, latest):
    """A ratio from run to run. The line has gaps where the machine changes; points of other machines are hollow."""
    color, path, points, before = COLORS[index][0], [], [], None
    for run, x in zip(runs, columns):
        value = run.jobs[title].get(name)
        if value is None:
            before = None
            continue
        y = scale.place(value)
        path.append(f"{'L' if before == run.machine else 'M'}{x:.1f} {y:.1f}")
        before = run.machine
        is_own = run.machine == latest
        tip = clean(f"{run.date[:10]} {run.commit}: {number(value)} {name}, {run.machine}")
        look = f'class="f{index}" fill="{color}"' if is_own else (
            f'class="s{index} hollow" fill="#fff" stroke="{color}" stroke-width="1.5"')
        points.append(f'<circle {look} cx="{x:.1f}" cy="{y:.1f}" r="2.8"><title>{escape(tip)}</title></circle>')
    return (f'<path class="s{index}" d="{"".join(path)}" fill="none" stroke="{color}" stroke-width="1.6"/>'
            + "".join(points))


def label(x, y, words, kind, size, most=99, anchor="start", bold=False):
    """A line of text, truncated after `most` characters."""
    kind, color = ("ink", "#222") if kind in ("ink", "head") else ("pale", "#5f6670")
    words = clean(words)
    words = words if len(words) <= most else words[:most - 1] + "…"
    weight = ' font-weight="600"' if bold else ""
    return (f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}" font-size="{size}" font-family="sans-serif" '
            f'fill="{color}" text-anchor="{anchor}"{weight}>{escape(words)}</text>')


def number(value):
    return f"{value:.2f}" if value >= 0.1 else f"{value:.3f}"


def clean(words):
    """The text without characters that XML does not allow."""
    return "".join(letter if letter.isprintable() else " " for letter in words)
