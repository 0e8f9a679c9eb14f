#!/usr/bin/env python3
"""Writes the page of all options and the man pages from what the program says of its options.

    reference.py PROGRAM [FOLDER]

FOLDER, the project's by default, gets OPTIONS_PAGE and a man page for each command in MAN_PAGES.
The program's `--experimental-dump-help` is the only source of options; the table of statuses comes
from the article Automation. `make reference` runs this, and `make lint` compares.
"""

import json
import re
import subprocess
import sys
import textwrap
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
ARTICLES = "Sources/TilewrightKit/TilewrightKit.docc/Users"
OPTIONS_PAGE = f"{ARTICLES}/Options.md"
STATUS_PAGE = PROJECT / ARTICLES / "Automation.md"
MAN_PAGES = ".documentation/man"

# Of the words in this file that reach a man page: change it with them.
DATE = "November 22, 2026"


class Option:
    """An argument or option, as the program declares it."""

    def __init__(self, declaration):
        self.kind = declaration["kind"]
        self.section = declaration.get("sectionTitle")
        self.value = declaration.get("valueName", "")
        self.required = not declaration["isOptional"]
        # A name may say by itself what repeats: THING... Z/X/Y.
        self.repeats = declaration["isRepeating"] and "..." not in self.value
        names = declaration.get("names", [])
        self.short = next((n["name"] for n in names if n["kind"] == "short"), None)
        self.long = next((n["name"] for n in names if n["kind"] != "short"), None)
        self.default = declaration.get("defaultValue")
        self.meaning = declaration.get("abstract", "")
        # A default that needs words stands in the text.
        in_words = re.search(r"\s*\(default: (.*)\)$", self.meaning)
        if in_words:
            self.meaning = self.meaning[: in_words.start()]
            self.default = in_words[1]
        values = declaration.get("allValues", [])
        told = re.split(r"[^A-Za-z0-9-]+", f"{self.value} {self.meaning}")
        if values and not all(value in told for value in values):
            self.meaning += f" One of {', '.join(values)}."

    @property
    def is_positional(self):
        return self.kind == "positional"

    @property
    def argument(self):
        """The value's name, in capitals where the declaration has an identifier of Swift."""
        return self.value.upper() if self.value.islower() and self.is_positional else self.value

    @property
    def is_common(self):
        """Whether every command has it."""
        return self.long in ("help", "version")


class Command:
    """A command with its options in the order of their declarations."""

    def __init__(self, declaration, parent=None):
        self.name = declaration["commandName"]
        self.parent = parent
        self.abstract = declaration["abstract"]
        self.discussion = declaration.get("discussion", "")
        self.options = [
            Option(argument)
            for argument in declaration.get("arguments", [])
            if argument.get("shouldDisplay", True)
        ]
        self.default = declaration.get("defaultSubcommand")
        self.commands = [
            Command(command, self.name)
            for command in declaration.get("subcommands", [])
            if command["commandName"] != "help" and command.get("shouldDisplay", True)
        ]

    @property
    def is_default_of_parent(self):
        return "default command" in self.abstract

    @property
    def page(self):
        """The name of the man page, without its section."""
        return f"{self.parent}-{self.name}" if self.parent else self.name

    def sections(self, common):
        """Pairs of a title, None for options without one, and options; positional ones first."""
        result = {}
        for option in self.options:
            if common or not option.is_common:
                title = option.section if not option.is_positional else None
                result.setdefault((option.is_positional, title), []).append(option)
        return [
            (title, options)
            for (positional, title), options in sorted(
                result.items(), key=lambda entry: not entry[0][0]
            )
        ]


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    program = sys.argv[1]
    folder = Path(sys.argv[2]) if len(sys.argv) == 3 else PROJECT
    command = Command(json.loads(said(program, "--experimental-dump-help"))["command"])

    write(folder / OPTIONS_PAGE, options_page(command))
    for old in (folder / MAN_PAGES).glob("*.1"):
        old.unlink()
    for each in [command, *command.commands]:
        write(folder / MAN_PAGES / f"{each.page}.1", man_page(each, command))


def said(program, option):
    return subprocess.run(
        [str(Path(program).resolve()), option], check=True, capture_output=True, text=True
    ).stdout


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


# The page of options, in Markdown


def options_page(command):
    lines = [
        "# Options",
        "",
        "Every command with all of its arguments and options.",
        "",
        "<!-- Written by `make reference` from the program's declarations: change those, not this page. -->",
        "",
        "An option that means nothing together with the others is an error; none is ignored. Only `--dry-run` passes over",
        "options that say how to write, after a check that lists could be written to their places. A value may begin with a",
        "minus sign. Every command also has `-h`, `--help` and `--version`. Statuses stand in",
        "[Automation](Automation.md#exit-status).",
        "",
    ]
    for each in command.commands:
        lines += [f"- [`{usage(each)}`](#{each.name})"]
    for each in command.commands:
        lines += ["", f"## {each.name}", "", f"    {usage(each)}", "", markdown(each.abstract)]
        if each.discussion:
            lines += ["", markdown(each.discussion)]
        sections = each.sections(common=False)
        titled = any(title for title, _ in sections)
        for title, options in sections:
            positional = options[0].is_positional
            if titled and not positional:
                lines += ["", f"### {title or 'Other options'}"]
            head = "argument" if positional else "option"
            lines += ["", f"| {head} | default | meaning |", "| --- | --- | --- |"]
            lines += [row(option) for option in options]
    return "\n".join(lines) + "\n"


def row(option):
    if option.is_positional:
        name = option.argument + ("..." if option.repeats else "")
    else:
        names = [f"-{option.short}"] if option.short else []
        names += [f"--{option.long}"] if option.long else []
        name = ", ".join(names)
        if option.kind == "option":
            name += f" {option.value}"
    if option.default is not None:
        default = option.default
        is_value = " " not in default and default != "none"
        default = f"`{default}`" if is_value else markdown(default)
    else:
        default = "required" if option.required else ""
    return f"| `{cell(name)}` | {cell(default)} | {cell(markdown(option.meaning))} |"


def cell(text):
    return text.replace("|", "\\|")


def markdown(text):
    """Text of the program, with options as code and without accidental markup."""
    text = " ".join(text.split())
    text = re.sub(r"([*_<>\\`])", r"\\\1", text)
    text = re.sub(r"(?<![\w-])(--[a-z][a-z-]*[a-z])", r"`\1`", text)
    # Placeholders of addresses, one or several.
    return re.sub(r"(\{-?\w+\}(?:[ /.]\{-?\w+\})*)", r"`\1`", text)


def usage(command):
    """One line: what must be there, and that there are options."""
    words = [command.parent, command.name]
    if command.is_default_of_parent:
        words[1] = f"[{command.name}]"
    for option in command.options:
        if option.is_positional:
            word = option.argument + ("..." if option.repeats else "")
            words.append(word if option.required else f"[{word}]")
    required = [o for o in command.options if o.required and not o.is_positional]
    words += [f"--{option.long} {option.value}" for option in required]
    if any(not (o.required or o.is_positional or o.is_common) for o in command.options):
        words += ["[OPTIONS]"]
    return " ".join(words)


# Man pages, in mdoc(7)


def man_page(command, program):
    lines = [
        '.\\" Written by `make reference` from the program\'s declarations.',
        f".Dd {DATE}",
        f".Dt {command.page.upper()} 1",
        ".Os",
        ".Sh NAME",
        f".Nm {command.page}",
        f".Nd {roff(description(command))}",
        ".Sh SYNOPSIS",
        *synopsis(command),
        ".Sh DESCRIPTION",
        *paragraph(command.abstract),
    ]
    for part in command.discussion.split("\n"):
        if part.startswith("  "):
            lines += [".Bd -literal -offset indent", roff(part.strip()), ".Ed", ".Pp"]
        elif part:
            lines += [*([".Pp"] if not lines[-1].startswith(".") else []), *paragraph(part)]
    if command.commands:
        lines += [
            ".Pp",
            "The commands, each with a page of its own:",
            ".Bl -tag -width snippet",
        ]
        for each in command.commands:
            lines += [f".It Xr {each.page} 1", *paragraph(each.abstract)]
        lines += [".El"]
    for title, options in command.sections(common=True):
        if options[0].is_positional:
            lines += [".Sh ARGUMENTS"]
        elif title is None:
            lines += [".Sh OPTIONS"]
        else:
            lines += [f".Sh {title.upper()}"]
        lines += [".Bl -tag -width Ds", *(line for o in options for line in item(o)), ".El"]
    lines += environment() if not command.parent else []
    lines += exit_status(command, program)
    others = [each for each in [program, *program.commands] if each is not command]
    lines += [".Sh SEE ALSO"]
    pages = sorted(each.page for each in others)
    lines += [f".Xr {page} 1{' ,' if page != pages[-1] else ''}" for page in pages]
    return "\n".join(lines) + "\n"


def description(command):
    """The abstract as a part of a list: in lower case, without its full stop and its remarks."""
    text = re.sub(r" \([^)]*\)(?=\.$)", "", command.abstract).rstrip(".")
    return text[0].lower() + text[1:]


def synopsis(command):
    lines = [f".Nm {' '.join(filter(None, [command.parent, command.name]))}"]
    if command.is_default_of_parent:
        lines = [f".Nm {command.parent}", f".Op Cm {command.name}"]
    if command.commands:
        return lines + [".Ar command", ".Op Ar options"]
    for option in command.options:
        if option.is_positional:
            word = f"Ar {roff_argument(option.argument)}{' ...' if option.repeats else ''}"
            lines += [f".{word}" if option.required else f".Op {word}"]
    for option in command.options:
        if option.required and not option.is_positional:
            lines += [f".Fl Fl {roff_argument(option.long)} Ar {roff_argument(option.value)}"]
    return lines + [".Op Ar options"]


def item(option):
    if option.is_positional:
        head = f".It Ar {roff_argument(option.argument)}{' ...' if option.repeats else ''}"
    else:
        value = f" Ar {roff_argument(option.value)}" if option.kind == "option" else ""
        names = [f"Fl {option.short}"] if option.short else []
        names += [f"Fl Fl {roff_argument(option.long)}"] if option.long else []
        head = f".It {' , '.join(names)}{value}"
    text = option.meaning
    if option.default is not None:
        text += f" Default: {option.default}."
    elif option.required and not option.is_positional:
        text += " Required."
    return [head, *paragraph(text)]


def environment():
    return [
        ".Sh ENVIRONMENT",
        ".Bl -tag -width Ds",
        ".It Ev TILEWRIGHT_SIMD",
        *paragraph(
            "Which kernels to take: portable, avx2, avx512 or neon, to compare them, or to rule the others "
            "out as a cause. Every kernel gives the same bytes. A name that the machine does not have is an error."
        ),
        ".El",
    ]


def exit_status(command, program):
    if command.parent:
        return [".Sh EXIT STATUS", "See", f".Xr {program.page} 1 ."]
    lines = [".Sh EXIT STATUS", ".Bl -tag -width 129,"]
    text = STATUS_PAGE.read_text(encoding="utf-8").split("## Exit status")[1].split("\n## ")[0]
    rows = re.findall(r"^\| ([\d, ]+) \| (.*) \|$", text, re.MULTILINE)
    if not rows:
        sys.exit(f"error: cannot read '{STATUS_PAGE}': it has no table of statuses")
    for status, when in rows:
        when = (when[0].upper() + when[1:] + ".").replace("`", "")
        lines += [f".It {status}", *paragraph(when)]
    return lines + [".El"]


def paragraph(text):
    """Each sentence on lines of its own, as mdoc wants it."""
    sentences = re.split(r"(?<=[.;:]) (?=[A-Z@])", " ".join(text.split()))
    return [
        roff(line)
        for sentence in sentences
        for line in textwrap.wrap(sentence, 72, break_long_words=False, break_on_hyphens=False)
    ]


def roff(text):
    """Text as roff reads it: with the minus signs of options and numbers, and hyphens in words."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    text = re.sub(r"(?<![\w-])(\\-[\w\\-]+)|(?<=[a-z])\\-(?=[a-z])", lambda m: m[1] or "-", text)
    return "\\&" + text if text[0] in ".'" else text


def roff_argument(text):
    """One argument of a macro, which is not to be read as a macro's name."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    if " " in text:
        return f'"{text}"'
    return "\\&" + text if len(text) <= 3 or text[0] in "[(|." else text


if __name__ == "__main__":
    main()
