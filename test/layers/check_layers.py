#!/usr/bin/env python3
"""Fails on any #include that layers.txt does not allow.

usage: check_layers.py ROOT        check include/, src/ and cli/ below ROOT
       check_layers.py --self-test plant bad includes in a tree and see that each is caught
"""

import fnmatch
import pathlib
import re
import sys
import tempfile

INCLUDE = re.compile(r"^\s*#\s*include\s*(.*)$")
TARGET = re.compile(r'^(?:"([^"]+)"|<([^>]+)>)')
SOURCES = (".c", ".h", ".cu", ".cuh", ".inc")


def read_table(path):
    """Returns {room: (rooms, header patterns)}; a row may be continued by naming it again."""
    table = {}
    for number, line in enumerate(path.read_text().splitlines(), 1):
        line = line.split("#")[0].strip()
        if not line:
            continue
        room, colon, words = line.partition(":")
        if not colon:
            sys.exit(f"{path}:{number}: a row is 'room: rooms it may include'")
        rooms, headers = table.setdefault(room.strip(), (set(), set()))
        for word in words.split():
            if word.startswith("<"):
                headers.add(word.strip("<>"))
            else:
                rooms.add(word)
    for room, (rooms, _) in table.items():
        for other in rooms - set(table):
            sys.exit(f"{path}: room {room} may include {other}, which has no row")
    return table


def room_of(path, table):
    """The room of a path given from the root of its tree, e.g. base/memory.h; None when unknown."""
    parts = path.split("/")
    if len(parts) >= 3 and f"{parts[0]}/*" in table:
        return f"{parts[0]}/{parts[1]}"
    return parts[0] if len(parts) >= 2 and parts[0] in table else None


def row_of(room, table):
    return table[room] if room in table else table[room.split("/")[0] + "/*"]


def judge(room, text, siblings, table):
    """Says what is wrong with one include of a file in `room`, or None."""
    match = TARGET.match(text)
    if not match:
        return "computed includes are not allowed"
    quoted, angled = match.groups()
    rooms, headers = row_of(room, table)
    if angled and not angled.startswith("thaw/"):
        libc = set() if room == "thaw" else table["libc"][1]
        if any(fnmatch.fnmatch(angled, pattern) for pattern in headers | libc):
            return None
        return f"<{angled}> is not a header that {room} may use"
    if angled or (room == "thaw" and "/" not in quoted):
        return None if angled or quoted in siblings else f'"{quoted}" is not a public header'
    target = room_of(quoted, table)
    if target is None and room == "cli" and quoted in siblings:
        return None
    if target is None:
        return f'"{quoted}" names no room: write the path from src/'
    if target == room or target in rooms:
        return None
    return f"{room} may not include {target}"


def rooms_and_files(root, table):
    """Yields (file, room or None) for every source that the table governs."""
    for tree, fixed in (("include/thaw", "thaw"), ("cli", "cli"), ("src", None)):
        base = root / tree
        for path in sorted(base.rglob("*")) if base.is_dir() else []:
            if path.suffix in SOURCES:
                yield path, fixed or room_of(path.relative_to(base).as_posix(), table)


def check(root, table):
    """Returns (files seen, list of complaints)."""
    seen, complaints = 0, []
    for path, room in rooms_and_files(root, table):
        seen += 1
        where = path.relative_to(root)
        if room is None:
            complaints.append(f"{where}:1: error: its folder has no row in layers.txt")
            continue
        siblings = {other.name for other in path.parent.iterdir()}
        for number, line in enumerate(path.read_text().splitlines(), 1):
            match = INCLUDE.match(line)
            wrong = judge(room, match.group(1), siblings, table) if match else None
            if wrong:
                complaints.append(f"{where}:{number}: error: {wrong}")
    return seen, complaints


GOOD = {
    "include/thaw/base.h": "#include <stdint.h>\n",
    "include/thaw/world.h": '#include "base.h"\n',
    "src/base/memory.h": "#include <stddef.h>\n#include <thaw/base.h>\n",
    "src/math/vec.h": '#include "base/memory.h"\n#include "math/other.h"\n',
    "src/models/model.h": '#include "particles/store.h"\n',
    "src/models/liquid/density.c": '#include "models/liquid/density.h"\n#include "models/model.h"\n',
    "cli/main.c": "#include <thaw/world.h>\n#include <getopt.h>\n#include \"main.h\"\n",
    "cli/main.h": "",
}
BAD = {
    "include/thaw/bad.h": "#include <string.h>\n",
    "include/thaw/worse.h": '#include "../../src/base/memory.h"\n',
    "src/base/bad.c": '#include "math/vec.h"\n',
    "src/math/bad.c": '#include "parallel/parallel.h"\n',
    "src/math/spaced.c": ' # include  "world/step.h"\n',
    "src/neighbors/bad.c": '#include "collision/walls.h"\n',
    "src/models/bad.c": '#include "models/liquid/density.h"\n',
    "src/models/solid/bad.c": '#include "models/liquid/density.h"\n',
    "src/materials/short.c": '#include "material.h"\n',
    "src/world/system.c": "#include <hdf5.h>\n",
    "src/math/intrinsics.c": "#include <immintrin.h>\n",
    "src/world/computed.c": "#include NAME\n",
    "src/unknown/file.c": "",
    "src/loose.c": "",
    "cli/bad.c": '#include "world/step.h"\n',
}


def plant(root, files):
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def self_test(table):
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        plant(root, GOOD)
        seen, complaints = check(root, table)
        assert seen == len(GOOD) and not complaints, complaints
        plant(root, BAD)
        _, complaints = check(root, table)
        caught = {line.split(":")[0] for line in complaints}
        assert caught == set(BAD), caught ^ set(BAD)
    print(f"{len(BAD)} planted includes caught, {len(GOOD)} good files passed")


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    table = read_table(pathlib.Path(__file__).with_name("layers.txt"))
    if sys.argv[1] == "--self-test":
        self_test(table)
        return
    seen, complaints = check(pathlib.Path(sys.argv[1]), table)
    print("\n".join(complaints + [f"{seen} files checked, {len(complaints)} bad includes"]))
    sys.exit(1 if complaints or seen == 0 else 0)


if __name__ == "__main__":
    main()
