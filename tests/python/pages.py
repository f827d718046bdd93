"""Reads the examples of the documents: indented blocks."""

import re

from serving import ROOT


def blocks_of(page):
    """The indented blocks, each with the paragraph before it."""
    before, block, after_blank = "", [], True
    for line in [*(ROOT / page).read_text(encoding="utf8").splitlines(), "end"]:
        if line.startswith("    "):
            block.append(line[4:])
        elif block and not line:
            block.append("")
        else:
            if block:
                yield before, "\n".join(block).strip("\n")
                block = []
            if line:
                before = line if after_blank else f"{before} {line}"
            after_blank = not line


def file_named_in(before):
    """The name under which the paragraph before an example saves it."""
    names = re.findall(r"`([\w.]+\.yaml)`", before)
    return names[-1] if names else None
