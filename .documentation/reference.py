#!/usr/bin/env python3
"""Writes the page of all options and the man pages from what the program says of its options.

    reference.py PROGRAM [FOLDER]

FOLDER, the project's by default, gets OPTIONS_PAGE and a man page for each command in MAN_PAGES.
The program's `--experimental-dump-help` is the only source of options, and `--experimental-dump-aliases` of
those of other programs; the tables of statuses, variables and files come from the article Automation, examples
from examples.md. `make reference` runs this, and `make lint` compares.
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
TABLES_PAGE = PROJECT / ARTICLES / "Automation.md"
EXAMPLES_PAGE = PROJECT / ".documentation/examples.md"
MAN_PAGES = ".documentation/man"

# Whom the tables mean by these words.
GROUPS = {
    "those that read images": "build info fit camera snapshot tile open place serve split shard merge",
    "those that use stores": "build info fit camera snapshot tile open place publish serve split shard merge",
    "those that draw": "build snapshot tile open serve shard merge",
    "those that show progress": "build convert verify publish snapshot shard merge",
    "those that write": "build convert merge tile snapshot split shard",
}

# Of the words in this file that reach a man page: change it with them.
DATE = "November 29, 2026"


class Option:
    """An argument or option, as the program declares it."""

    def __init__(self, declaration):
        self.kind = declaration["kind"]
        self.section = declaration.get("sectionTitle")
        self.value = declaration.get("valueName", "")
        self.required = not declaration["isOptional"]
        # A name may say by itself what repeats: INPUT... Z/X/Y.
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
        self.values = values = declaration.get("allValues", [])
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
    check_words(command)

    others = json.loads(said(program, "--experimental-dump-aliases"))
    write(folder / OPTIONS_PAGE, options_page(command, others))
    for old in (folder / MAN_PAGES).glob("*.1"):
        old.unlink()
    for each in [command, *command.commands]:
        write(folder / MAN_PAGES / f"{each.page}.1", man_page(each, command))


def check_words(program):
    """Fails if what is written by hand names commands that do not exist, or leaves out a variable."""
    names = {program.name, *(each.name for each in program.commands)}
    named = set(" ".join(GROUPS.values()).split())
    for title in ("Environment", "Files"):
        for _, commands, _ in table(title):
            named |= set() if commands in GROUPS or commands == "all" else set(commands.split(", "))
    for page in examples().values():
        named |= {other for other in page.others if "(" not in other}
    faults = [f"there is no command '{name}'" for name in sorted((named | set(examples())) - names)]
    faults += [f"no example of '{name}'" for name in sorted(names - set(examples()))]
    told = {name for names, _, _ in table("Environment") for name in re.findall(r"\w+", names)}
    faults += [f"the table of variables has no '{name}'" for name in sorted(variables_read() - told)]
    if faults:
        sys.exit("error: " + "; ".join(faults))


def variables_read():
    """The variables that the sources ask the environment for."""
    paths = [path for path in (PROJECT / "Sources").rglob("*.*") if path.suffix in (".swift", ".c", ".cpp")]
    code = "\n".join(path.read_text(encoding="utf-8") for path in paths)
    # The second form is that of the variables of job arrays.
    pairs = re.findall(r'(?:getenv\(|environment\[|environment\()"(\w+)"|\("([A-Z_]{5,})", [01]\)', code)
    return {first or second for first, second in pairs}


def said(program, option):
    return subprocess.run(
        [str(Path(program).resolve()), option], check=True, capture_output=True, text=True
    ).stdout


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


# The page of options, in Markdown


def options_page(command, others):
    lines = [
        "# Options",
        "",
        "Every command with all of its arguments and options.",
        "",
        "<!-- Written by `make reference` from the program's declarations: change those, not this page. -->",
        "",
        "An option that conflicts with the others, or has no effect with them, is an error. Only `--dry-run` accepts",
        "options for writing, and only checks that their files could be written. A value may begin with a minus sign.",
        "Every command also has `-h`, `--help` and `--version`. Exit statuses are listed in",
        "[Automation](Automation.md#exit-status).",
        "",
    ]
    for each in command.commands:
        lines += [f"- [`{usage(each)}`](#{each.name})"]
    lines += ["- [Options of other programs](#options-of-other-programs)"]
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
    return "\n".join(lines + other_programs(others, command)) + "\n"


def other_programs(others, command):
    """A table for each program: its options, and what to write instead."""
    values = {f"--{option.long}": option.values for each in command.commands for option in each.options}
    lines = ["", "## Options of other programs", "", "What to write instead of them. Errors say the same."]
    for program in others:
        lines += ["", f"### {program['name']}", "", f"{program['versions']}.", ""]
        lines += ["| option | write here |", "| --- | --- |"]
        for option in program["options"]:
            rows = [(option["names"], option["equivalent"])]
            for value in option["values"]:
                names = [f"{option['names'][-1]} {name}" for name in value["names"]]
                rows.append((names, value["equivalent"]))
            for names, equivalent in rows:
                lines += [f"| {', '.join(f'`{name}`' for name in names)} | {instead(equivalent, values)} |"]
    return lines


def instead(equivalent, values):
    """What to write; `values` has the words that each option takes, which become code with it."""

    def code(match):
        option, word = match[1], match[2] or ""
        value = word.rstrip(",;")
        is_value = value in values.get(option, []) or re.fullmatch(r"'.*'|[A-Z][A-Z,:-]*(\.\w+)?|[\d.,]+", value)
        return f"`{option} {value}`{word[len(value):]}" if is_value else f"`{option}` {word}".rstrip()

    # Every other part is a command in quotes, with options of its own.
    parts = re.split(r"'(tilewright[^']*)'", equivalent["text"])
    parts[::2] = [re.sub(r"(--[a-z-]+)(?: (\S+))?", code, part) for part in parts[::2]]
    parts[1::2] = [f"`{part}`" for part in parts[1::2]]
    begin = {"same": "the same", "option": "", "command": "run ", "unneeded": "not needed: ", "missing": "none: "}
    return cell(begin[equivalent["kind"]] + "".join(parts))


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
    if command.discussion:
        lines += prose(command.discussion)
    if command.commands:
        lines += [
            ".Pp",
            "The commands, each with its own page:",
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
    lines += listed("ENVIRONMENT", "Ev", "Environment", command)
    lines += listed("FILES", "Pa", "Files", command)
    lines += exit_status()
    page = examples()[command.name]
    lines += [".Sh EXAMPLES", *prose(page.text)[1:]]
    lines += see_also(page, command, program)
    return "\n".join(lines) + "\n"


def prose(text):
    """Paragraphs, each after a `.Pp`, and indented lines as they are."""
    lines = []
    for block in re.findall(r"(?:^ +.*\n?)+|^\S.*$|(?<=\n)\S.*$", text.strip("\n"), re.MULTILINE):
        if block.startswith(" "):
            code = textwrap.dedent(block).rstrip("\n").split("\n")
            lines += [".Bd -literal -offset indent", *(verbatim(line) for line in code), ".Ed"]
        else:
            lines += [".Pp", *paragraph(block)]
    return lines


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


class Examples:
    """What examples.md has for a command."""

    def __init__(self, text):
        also = re.search(r"\n*^See also: (.*)$", text, re.MULTILINE)
        self.others = also[1].split(", ") if also else []
        self.text = (text[: also.start()] if also else text).strip("\n")

    @property
    def commands(self):
        """The command lines, each with what it goes on with."""
        lines = re.findall(r"^ {4}(.*)$", self.text, re.MULTILINE)
        joined = "\n".join(lines)
        return re.split(r"(?<![|\\])\n", joined)


def examples():
    """By the name of a command."""
    parts = EXAMPLES_PAGE.read_text(encoding="utf-8").split("\n## ")[1:]
    return {name: Examples(text) for name, text in (part.split("\n", 1) for part in parts)}


def table(title):
    """The rows of a table of the article, each a list of its cells."""
    text = TABLES_PAGE.read_text(encoding="utf-8").split(f"\n## {title}\n")[1].split("\n## ")[0]
    rows = [line[2:-2].split(" | ") for line in text.split("\n") if line.startswith("| ")][2:]
    if not rows:
        sys.exit(f"error: cannot read '{TABLES_PAGE}': it has no table of {title.lower()}")
    return rows


def listed(heading, macro, title, command):
    """The rows of a table that are about a command; about the program, all."""
    rows = [row for row in table(title) if not command.parent or is_about(command, row[1])]
    if not rows:
        return []
    lines = [f".Sh {heading}", ".Bl -tag -width Ds"]
    for names, _, meaning in rows:
        words = [roff(name) for name in names.replace("`", "").split(", ")]
        head = [f"{macro} {word}" for word in words]
        lines += [f".It {' , '.join(head)}", *paragraph(plain(meaning))]
    return lines + [".El"]


def is_about(command, commands):
    return commands == "all" or command.name in GROUPS.get(commands, commands).replace(",", "").split()


def plain(meaning):
    """A cell of a table as a sentence, without marks and addresses; code keeps its first letter."""
    meaning = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", meaning)
    return (meaning[0].upper() + meaning[1:]).replace("`", "") + "."


def exit_status():
    lines = [".Sh EXIT STATUS", ".Bl -tag -width 129,"]
    for status, meaning in table("Exit status"):
        lines += [f".It {status}", *paragraph(plain(meaning))]
    return lines + [".El"]


def see_also(page, command, program):
    """The pages that are named for a command, and the program's; the program's page names all commands."""
    own = [each.page for each in program.commands] if command is program else [program.page]
    names = {each.name: each.page for each in program.commands}
    own += [names[other] for other in page.others if other in names]
    others = [tuple(re.findall(r"[\w-]+", other)) for other in page.others if "(" in other]
    pages = sorted([(each, "1") for each in own] + others, key=lambda page: (page[1], page[0]))
    ends = [" ,"] * (len(pages) - 1) + [""]
    return [".Sh SEE ALSO", *(f".Xr {name} {section}{end}" for (name, section), end in zip(pages, ends))]


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


def verbatim(line):
    """A line of code, whose backslashes, minus signs and quotes stay what they are."""
    line = line.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq").replace("`", "\\(ga")
    line = line.replace("~", "\\(ti").replace("^", "\\(ha")
    return "\\&" + line if line[:1] in (".", "'", "\\") else line


def roff_argument(text):
    """One argument of a macro, which is not to be read as a macro's name."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    if " " in text:
        return f'"{text}"'
    return "\\&" + text if len(text) <= 3 or text[0] in "[(|." else text


if __name__ == "__main__":
    main()
