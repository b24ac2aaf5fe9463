"""The lines of a TOML file: the line of every key, table and list item.

The parser of the standard library does not give lines. This scanner goes through a text that the parser has accepted; it
reads the structure only, and never fails on valid TOML.
"""

import re
import tomllib
from bisect import bisect_left

from steersman.runs.documents.problems import Place

SPACE = re.compile(r"(?:[ \t\r\n]+|#[^\n]*)*")
BARE = re.compile(r"[A-Za-z0-9_-]+")
TEXT = re.compile(r'"""(?:\\.|[^\\])*?"{3,5}|\'\'\'.*?\'{3,5}|"(?:\\.|[^"\\\n])*"|\'[^\'\n]*\'', re.DOTALL)
PLAIN = re.compile(r"[^,\]}#\n]+")


def lines_of(text: str) -> dict[Place, int]:
    """The line, from 1, of every key, table and list item of a TOML document that parses."""
    text = text.replace("\r\n", "\n")
    return _Scanner(text).scan()


class _Scanner:
    """Goes through the text once."""

    def __init__(self, text: str) -> None:
        self.text, self.at = text, 0
        self.ends = [match.start() for match in re.finditer("\n", text)]
        self.lines: dict[Place, int] = {}
        self.items: dict[Place, int] = {}  # how many tables a list of tables has so far

    def scan(self) -> dict[Place, int]:
        table: Place = ()
        while self.skip() < len(self.text):
            if self.text.startswith("[[", self.at):
                table = self.header("]]", repeated=True)
            elif self.text[self.at] == "[":
                table = self.header("]", repeated=False)
            else:
                self.pair(table)
        return self.lines

    def skip(self) -> int:
        """Go past space and comments."""
        match = SPACE.match(self.text, self.at)
        self.at = match.end() if match else self.at
        return self.at

    def note(self, place: Place) -> None:
        self.lines.setdefault(place, bisect_left(self.ends, self.at) + 1)

    def header(self, end: str, *, repeated: bool) -> Place:
        start = self.at
        self.at += len(end)
        keys = self.keys()
        place: Place = ()
        for index, key in enumerate(keys):
            place = (*place, key)
            if repeated and index == len(keys) - 1:
                self.items[place] = self.items.get(place, -1) + 1
            if place in self.items:
                place = (*place, self.items[place])
        self.skip()
        past, self.at = self.at + len(end), start
        self.note(place)
        self.at = past
        return place

    def keys(self) -> list[str]:
        """A dotted key."""
        parts = []
        while True:
            self.skip()
            text = TEXT.match(self.text, self.at)
            match = text or BARE.match(self.text, self.at)
            assert match is not None
            parts.append(str(tomllib.loads("k = " + match.group())["k"]) if text else match.group())
            self.at = match.end()
            self.skip()
            if not self.text.startswith(".", self.at):
                return parts
            self.at += 1

    def pair(self, table: Place) -> None:
        """A key and its value."""
        start = self.at
        place = (*table, *self.keys())
        self.at, end = start, self.at
        self.note(place)
        self.at = end + 1  # past the sign of equality
        self.value(place)

    def value(self, place: Place) -> None:
        self.skip()
        text = TEXT.match(self.text, self.at)
        if text:
            self.at = text.end()
        elif self.text[self.at] == "[":
            self.sequence(place)
        elif self.text[self.at] == "{":
            self.inline_table(place)
        else:
            match = PLAIN.match(self.text, self.at)
            self.at = match.end() if match else self.at + 1

    def sequence(self, place: Place) -> None:
        self.at += 1
        index = 0
        while self.text[self.skip()] != "]":
            self.note((*place, index))
            self.value((*place, index))
            index += 1
            if self.text[self.skip()] == ",":
                self.at += 1
        self.at += 1

    def inline_table(self, place: Place) -> None:
        self.at += 1
        while self.text[self.skip()] != "}":
            self.pair(place)
            if self.text[self.skip()] == ",":
                self.at += 1
        self.at += 1
