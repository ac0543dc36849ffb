"""Finds circles of modules: Rust files of one crate that need each other by their `use`s and paths.

A name leads to the file that defines it, through re-exports. Neither `mod` nor a re-export makes a file need another,
unless the file itself uses the name. Tests do not count. Reads files as rustfmt lays them out."""
import re

FILE = re.compile(r"(crates/[^/]+/src|tests/e2e/src|tests/e2e/tests/[^/]+)/(.+)\.rs")
TESTS = re.compile(r"(^|/)(tests/|([^/]*_)?tests$)|^bin/")    # and commands of their own, which are no modules
NO_CODE = re.compile(r'''//[^\n]*|/\*.*?\*/|\bb?r(#*)".*?"\1|"(?:\\.|[^"\\])*"|'(?:\\'|\\[^']+|[^\\'])\'''', re.S)
TEST_ITEM = re.compile(
    r"^( *)#\[cfg\(test\)\]\n(?:\1#.*\n)*\1(?:.*[;,}]|.*\n(?:\1 .*\n| *\n|\1\).*\{\n)*\1[}\])].*)$", re.M)
USE = re.compile(r"^ *(pub(?:\([^)]*\))? )?use ([^;]+);", re.M)
MOD = re.compile(r"^ *(?:pub(?:\([^)]*\))? )?mod \w+;", re.M)
PATH = re.compile(r"(?<![\w:])[a-z_]\w*(?:::\w+)+")
DEFINED = re.compile(
    r"(?:^(?:[\w()]+ )*(?:fn|const|static|type)|\b(?:struct|enum|union|trait|macro_rules!)) (\w+)", re.M)


def paths(tree):
    """The paths of a `use` and the names that they get: `a::{b as c, d::*}` has (a, b) as c, and (a, d, *) as *."""
    head, groups = (), [()]
    for token in filter(str.strip, re.findall(r"[{}]|[^{},]+", tree)):
        if token == "{":
            groups.append(head)
        elif token == "}":
            groups.pop()
        else:
            head = (*groups[-1], *filter(None, map(str.strip, token.split("::"))))
            last, _, name = head[-1].partition(" as ")
            path = head[:-1] if last == "self" else (*head[:-1], last)
            if not token.endswith("::"):
                yield path, name or path[-1]


class Crate:
    """The modules of a crate: () is the crate itself, ("a", "b") is a/b.rs or a/b/mod.rs."""

    def __init__(self, texts):
        self.code, self.uses, self.defined = {}, {}, {}
        for module, text in texts.items():
            text = TEST_ITEM.sub("", NO_CODE.sub("", text))
            self.uses[module] = [(*use, bool(exported)) for exported, tree in USE.findall(text) for use in paths(tree)]
            self.code[module] = MOD.sub("", USE.sub("", text))
            self.defined[module] = set(DEFINED.findall(self.code[module]))
        self.names = {
            module: {name: path for path, name, _ in uses if name != "*"} for module, uses in self.uses.items()}

    def find(self, at, path, depth=0):
        """The module that a path in a module leads to, with the rest of the path; nothing for another crate's."""
        known = path[0] in ("crate", "self", "super") or (*at, path[0]) in self.code or path[0] in self.names[at]
        while known and path and depth < 20:
            first, rest = path[0], path[1:]
            if first in ("crate", "self", "super"):
                at, path = {"crate": (), "self": at, "super": at[:-1]}[first], rest
            elif (*at, first) in self.code and (rest or first not in self.names[at]):
                at, path = (*at, first), rest
            elif not rest and first in self.defined[at]:
                break
            elif first in self.names[at]:
                return self.find(at, (*self.names[at][first], *rest), depth + 1) or (at, path)
            else:
                globs = [way[:-1] for way, name, _ in self.uses[at] if name == "*" != first]
                ends = (self.find(at, (*way, *path), depth + 1) for way in globs)
                return next((end for end in ends if end and set(end[1][:1]) & self.defined[end[0]]), (at, path))
        return (at, path) if known else None

    def needs(self, module):
        """The modules that a module needs. A `use` of a module by itself needs nothing yet: the paths through it do."""
        code, uses = self.code[module], self.uses[module]
        words = set(re.findall(r"\w+", code)) if any(exported for *_, exported in uses) else ()
        used = [self.find(module, path) for path, name, exported in uses if not exported or name in words]
        inline = [self.find(module, tuple(path.split("::"))) for path in set(PATH.findall(code))]
        return {found[0] for found in used + inline if found and found[1]} - {module}


def reached(needs, module):
    seen, todo = set(), [module]
    while todo:
        new = needs[todo.pop()] - seen
        seen |= new
        todo += new
    return seen


def circles(root, names):
    """The circles of all crates, those of most files first: each with its crate and its files."""
    crates, found = {}, set()
    for name in names:
        part = FILE.fullmatch(name)
        if part and not TESTS.search(part[2]) and (root / name).is_file():
            module = tuple(part[2].removesuffix("/mod").split("/"))
            crates.setdefault(part[1], {})[() if module in (("lib",), ("main",)) else module] = part[2] + ".rs"
    for crate, files in crates.items():
        if () in files:
            known = Crate({module: (root / crate / file).read_text() for module, file in files.items()})
            needs = {module: known.needs(module) for module in files}
            reach = {module: reached(needs, module) for module in files}
            found |= {(crate, tuple(sorted(files[other] for other in reach[module] if module in reach[other])))
                      for module in files if module in reach[module]}
    return sorted(found, key=lambda circle: (-len(circle[1]), circle))
