"""The documents by name, and what each needs."""

import importlib.util
import shutil
import subprocess

import plan

DOCUMENTS = {}


class Recipe:
    """How a document is made."""

    def __init__(self, make, ending, programs, modules, files, facts):
        self.make, self.ending = make, ending
        self.programs, self.modules, self.files = programs, modules, files
        # What a test may expect: the size of the first page as it is seen, in points, the count of pages, the
        # places and colours on it.
        self.facts = {"width": plan.WIDTH, "height": plan.HEIGHT, "pages": 1, "marks": True} | facts
        self.about = " ".join((make.__doc__ or "").split())

    def missing(self):
        """What it needs and this machine lacks."""
        lacking = [name for name in self.programs if not shutil.which(name)]
        lacking += [f"python3 with {name}" for name in self.modules if not importlib.util.find_spec(name)]
        return lacking + [name for name in self.files if not lacking and not is_in_tex(name)]


def is_in_tex(name):
    """Whether TeX finds a file."""
    found = subprocess.run(["kpsewhich", name.split("/")[-1]], capture_output=True, text=True)
    return bool(found.stdout.strip())


def document(name, ending="pdf", programs=(), modules=(), files=(), facts=None):
    """Registers a function that writes the document to a path."""

    def register(make):
        DOCUMENTS[name] = Recipe(make, ending, list(programs), list(modules), list(files), facts or {})
        return make

    return register
