"""One line between the box and the companion: `!12 laid slot=1.3 at=18263512 *F1A4C0DE`.

A mark (what kind of line), a number, a word, fields, and the CRC-32 of all that stands before ` *`.
Plain ASCII, so that a person reads it in a terminal. PROTOCOL.md says what the words mean.

This file runs on the box (MicroPython) and in the companion (CPython): built-ins only.
"""

from binascii import crc32

EVENT, REQUEST, REPLY, TELLING = "!", "?", "=", "~"
MARKS = EVENT + REQUEST + REPLY + TELLING

LINE_MAX = 240
"""Bytes of the longest line, its end included."""

NUMBER_MAX = 0x3FFFFFFF
"""Numbers stay small integers on the box."""

_WORD = "abcdefghijklmnopqrstuvwxyz"
_KEY = _WORD + "-"


class BadFrame(ValueError):
    """A line that is no frame, with the reason; nothing in it may be believed."""


class Frame:
    """One line that was read: `mark`, `number`, `word`, and `fields` as texts."""

    def __init__(self, mark: str, number: int, word: str, fields: dict[str, str]) -> None:
        self.mark = mark
        self.number = number
        self.word = word
        self.fields = fields

    def text(self, key: str) -> str:
        """A field as it stands; BadFrame where it is missing."""
        try:
            return self.fields[key]
        except KeyError:
            raise BadFrame(f"{self.word}: {key} is missing") from None

    def whole(self, key: str, low: int, high: int) -> int:
        """A field as a whole number within limits; BadFrame otherwise."""
        text = self.text(key)
        number = _digits(text[1:] if text[:1] == "-" else text)
        if number is not None and text[:1] == "-":
            number = -number
        if number is None or not low <= number <= high:
            raise BadFrame(f"{self.word}: {key}={text} is no whole number from {low} to {high}")
        return number


def encode(mark: str, number: int, word: str, fields: list[tuple[str, object]]) -> bytes:
    """A frame as a line, its end included; BadFrame where it cannot be one."""
    said = mark + str(number) + " " + word
    for key, value in fields:
        said += " " + key + "=" + str(value)
    line = f"{said} *{checksum(said.encode()):08X}\n".encode()
    decode(line[:-1])
    return line


def decode(line: bytes) -> Frame:
    """The frame of a line (without its end, a carriage return aside); BadFrame says why not."""
    text = _plain(line)
    cut = text.rfind(" *")
    if cut < 0:
        raise BadFrame("no checksum")
    said, told = text[:cut], text[cut + 2 :]
    if told != f"{checksum(said.encode()):08X}":
        raise BadFrame("the checksum does not fit")
    parts = said.split(" ")
    if len(parts) < 2 or said[0] not in MARKS:
        raise BadFrame("neither event, request, reply nor telling")
    number = _digits(parts[0][1:])
    if number is None or number > NUMBER_MAX:
        raise BadFrame("its number is none")
    if not _made_of(parts[1], _WORD):
        raise BadFrame("its word is none")
    return Frame(said[0], number, parts[1], _fields(parts[2:]))


def checksum(said: bytes) -> int:
    """CRC-32 as zlib has it."""
    return crc32(said) & 0xFFFFFFFF


def _plain(line: bytes) -> str:
    if line[-1:] == b"\r":
        line = line[:-1]
    if len(line) >= LINE_MAX:
        raise BadFrame("too long")
    for byte in line:
        if not 0x20 <= byte <= 0x7E:
            raise BadFrame("not plain text")
    return line.decode()


def _fields(parts: list[str]) -> dict[str, str]:
    fields: dict[str, str] = {}
    for part in parts:
        cut = part.find("=")
        key, value = part[: max(cut, 0)], part[cut + 1 :]
        if not _made_of(key, _KEY) or not value or key in fields:
            raise BadFrame("a field is no KEY=VALUE, or stands twice")
        fields[key] = value
    return fields


def _made_of(text: str, letters: str) -> bool:
    for letter in text:
        if letter not in letters:
            return False
    return text != ""


def _digits(text: str) -> int | None:
    """A number written the one way there is to write it."""
    if not _made_of(text, "0123456789") or len(text) > 18 or (len(text) > 1 and text[0] == "0"):
        return None
    return int(text)


class Lines:
    """Bytes to lines. What is longer than any frame is thrown away up to the next line's end."""

    def __init__(self) -> None:
        self.cut = 0  # how many were thrown away
        self._rest = b""
        self._cutting = False

    def feed(self, data: bytes) -> list[bytes]:
        """The lines that are complete now, without their ends and without the empty ones."""
        parts = (self._rest + data).split(b"\n")
        self._rest = parts.pop()
        if parts and self._cutting:
            parts.pop(0)  # the tail of what was thrown away
            self._cutting = False
        if len(self._rest) >= LINE_MAX:
            self._rest = b""
            if not self._cutting:
                self.cut += 1
            self._cutting = True
        elif self._cutting:
            self._rest = b""
        return [part for part in parts if part and part != b"\r"]
