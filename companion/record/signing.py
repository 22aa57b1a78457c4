"""A match that has ended is signed by its table: by whom it was kept, and that nobody changed it.

Seals show damage, but anybody can seal lines anew. A signature needs the table's key, which is made
on first use and never leaves the machine. What is signed is the closing's seal: it covers every
line.
"""

from __future__ import annotations

import os
import platform
import tomllib
from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import platformdirs
from nacl.exceptions import BadSignatureError
from nacl.signing import SigningKey, VerifyKey

from companion.core.errors import BadCall, BadFile, CompanionError
from companion.core.files import text_of, written
from companion.record.lines import seal

UNSIGNED = "unsigned"
CHANGED = "changed after signing"
NOT_OURS = "not this table's key"
LONGEST_NAME = 40
_USE = "dogfight-companion match"
"""Signed with every seal, so that the signature serves for nothing else."""


@dataclass(frozen=True, slots=True)
class Signature:
    """Who signed a match: the table's name, its public key and the signature, both hexadecimal."""

    table: str
    public: str
    value: str

    @classmethod
    def read(cls, said: object) -> Signature | None:
        """What a file tells of a signature; None if that is none."""
        if not isinstance(said, Mapping):
            return None
        known = cast("Mapping[str, Any]", said)
        parts: list[Any] = [known.get(name) for name in ("table", "public", "signature")]
        is_one = _is_name(parts[0]) and all(isinstance(part, str) for part in parts)
        return cls(*parts) if is_one else None

    def to_json(self) -> dict[str, str]:
        """As it stands in an exported file."""
        return {"table": self.table, "public": self.public, "signature": self.value}

    @property
    def fingerprint(self) -> str:
        """The key in so few figures that two people can compare them aloud."""
        return fingerprint(self.public)

    def holds(self, sealed: str) -> bool:
        """Whether this key has signed a match whose closing bears that seal."""
        try:
            key = VerifyKey(bytes.fromhex(self.public))
            key.verify(_text(self.table, sealed), bytes.fromhex(self.value))
        except (BadSignatureError, ValueError, TypeError):
            return False
        return True

    def __str__(self) -> str:
        return f"signed by {self.table} (key {self.fingerprint})"


def fingerprint(public: str) -> str:
    """A public key in four groups of four figures.

    >>> fingerprint("00" * 32)
    'd6f8-cf7a-dfaa-600d'
    """
    figures = seal("", public)
    return "-".join(figures[at : at + 4] for at in range(0, 16, 4))


def told(signature: Signature | None, key: Path | None = None) -> str:
    """By whom a match is signed, as this table sees it: another table's key is told as one."""
    if signature is None:
        return UNSIGNED
    own = TableKey.known_at(usual_key() if key is None else key)
    is_foreign = own is not None and signature.public not in own
    return f"{signature}, {NOT_OURS}" if is_foreign else str(signature)


def _text(table: str, sealed: str) -> bytes:
    return f"{_USE}\n{table}\n{sealed}".encode()


class TableKey:
    """The key of this table, in a file that its user alone can read."""

    def __init__(self, name: str, seed: bytes) -> None:
        self.name = name
        self._key = SigningKey(seed)

    @property
    def public(self) -> str:
        """The public half, hexadecimal."""
        return self._key.verify_key.encode().hex()

    def sign(self, sealed: str) -> Signature:
        """The signature of a match whose closing bears that seal."""
        value = self._key.sign(_text(self.name, sealed)).signature
        return Signature(self.name, self.public, value.hex())

    @classmethod
    def at(cls, path: Path) -> TableKey:
        """The key at a path, made there if there is none; BadFile, OSError."""
        try:
            return cls._read(path)
        except FileNotFoundError:
            with suppress(FileExistsError):  # another program has just made it
                return cls.make(path)
            return cls._read(path)

    @classmethod
    def make(cls, path: Path, name: str | None = None) -> TableKey:
        """Make a new key under a name, else this machine's; FileExistsError where there is one."""
        usual = platform.node()[:LONGEST_NAME] or "table"
        key = cls(_checked(usual if name is None else name), bytes(SigningKey.generate()))
        path.parent.mkdir(parents=True, exist_ok=True)
        text = f"# Whoever has this file can sign matches as this table.\n{key._as_toml()}"
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            try:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            except OSError:  # a torn one would stand in the way of the next try
                path.unlink(missing_ok=True)
                raise
        return key

    @classmethod
    def renew(cls, path: Path, name: str | None = None) -> tuple[TableKey, str]:
        """Another key in the old one's place, and what to tell people of that one.

        What the old one has signed stays signed. BadCall, OSError: then it stays in its place.
        """
        aside = path.with_name(f"{path.name}.next")
        aside.unlink(missing_ok=True)
        key = cls.make(aside, name)
        told = _put_aside(path)
        aside.rename(path)
        return key, told

    @classmethod
    def known_at(cls, path: Path) -> Collection[str] | None:
        """The public halves of the key there and of those put aside; None: one cannot be read."""
        try:
            older = path.parent.glob(f"{path.stem}-old-*{path.suffix}")
            return {cls._read(file).public for file in (path, *older) if file.exists()}
        except (CompanionError, OSError):
            return None

    @classmethod
    def _read(cls, path: Path) -> TableKey:
        try:
            said = tomllib.loads(text_of(path))
            return cls(_checked(said["name"]), bytes.fromhex(said["seed"]))
        except (KeyError, TypeError, ValueError) as wrong:
            way_out = "this is no table's key; `companion key --renew` puts it aside"
            raise BadFile(str(path), "", way_out) from wrong

    def _as_toml(self) -> str:
        return f"name = {written(self.name)}\nseed = {written(bytes(self._key).hex())}\n"


def _put_aside(path: Path) -> str:
    """Keep an old key under another name; what to tell people."""
    if not path.exists():
        return "There was no key yet."
    ordinals = (f"{path.stem}-old-{n}{path.suffix}" for n in range(1, 1000))
    aside = next(place for name in ordinals if not (place := path.with_name(name)).exists())
    path.rename(aside)
    return f"The old key is kept as {aside}; what it has signed stays signed by it."


def _checked(name: object) -> str:
    if not isinstance(name, str) or not _is_name(name.strip()):
        raise BadCall(f"a table's name has 1 to {LONGEST_NAME} letters, not {name!r}")
    return name.strip()


def _is_name(name: object) -> bool:
    """Whether it can stand in a line that people read: no line break, no order to a terminal."""
    if not isinstance(name, str) or not name.strip():
        return False
    return len(name) <= LONGEST_NAME and name.isprintable()


def usual_key() -> Path:
    """Where this user's key lies."""
    return platformdirs.user_data_path("companion") / "table-key.toml"
