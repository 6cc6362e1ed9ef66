"""The Markdown that is read: CommonMark with tables and strikethrough, changed so that nothing written gets lost.

Where plain Markdown would hide or drop what someone typed, this grammar shows it instead:

* raw HTML is text;
* `[name]: address` definitions, which normally vanish, are text, and so are links that refer to them;
* table cells beyond the head's columns, normally ignored, are kept;
* nesting deeper than `DEEPEST`, normally skipped to the end, is shown as typed from there on.
"""

from __future__ import annotations

from typing import Final

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.rules_block import table as head_of_table
from markdown_it.rules_block.table import escapedSplit, getLine

from blocks.markdown.links import link

DEEPEST: Final = 16  # block levels: a quote is one, a list and its item are two


def markdown() -> MarkdownIt:
    """Build the reader's grammar. It keeps no state between texts."""
    # The bound on nesting of markdown-it itself skips text silently, so it stays out of reach of both rules here.
    md = MarkdownIt("commonmark", {"html": False, "linkify": False, "maxNesting": 10 * DEEPEST})
    md.enable("strikethrough")
    md.disable(["reference", "image", "autolink"])
    md.inline.ruler.at("link", link)
    md.block.ruler.before("code", "too_deep", _too_deep)
    md.block.ruler.before("code", "whole_table", _whole_table, {"alt": ["paragraph"]})
    return md


def _too_deep(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """At the deepest level, take all lines of the container as one paragraph."""
    if silent or state.level < DEEPEST:
        return False
    line = last = start
    while line < end and (state.isEmpty(line) or state.sCount[line] >= state.blkIndent):
        line += 1
        if not state.isEmpty(line - 1):
            last = line
    state.line = last
    state.push("paragraph_open", "p", 1).map = [start, last]
    inline = state.push("inline", "", 0)
    inline.content = state.getLines(start, last, state.blkIndent, False).strip()
    inline.children = []
    state.push("paragraph_close", "p", -1)
    return True


def _whole_table(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """A table whose rows keep all their cells, and get none that were not written."""
    if not head_of_table(state, start, end, True):
        return False
    if silent:
        return True
    around, state.parentType = state.parentType, "table"
    terminators = state.md.block.ruler.getRules("blockquote")
    state.push("table_open", "table", 1)
    _row(state, start)
    line = start + 2
    while (
        line < end
        and state.sCount[line] >= state.blkIndent
        and not state.isEmpty(line)
        and not state.is_code_block(line)
        and not any(rule(state, line, end, True) for rule in terminators)
    ):
        _row(state, line)
        line += 1
    state.push("table_close", "table", -1)
    state.parentType = around
    state.line = line
    return True


def _row(state: StateBlock, line: int) -> None:
    cells = escapedSplit(getLine(state, line).strip())
    if cells and not cells[0]:
        del cells[0]
    if cells and not cells[-1]:
        del cells[-1]
    state.push("tr_open", "tr", 1)
    for cell in cells:
        inline = state.push("inline", "", 0)
        inline.content = cell.strip()
        inline.children = []
    state.push("tr_close", "tr", -1)
