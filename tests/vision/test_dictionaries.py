"""Marker dictionaries by OpenCV's names, or from a JSON file of codes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from companion.core.errors import BadCall, BadFile
from vision.markers.dictionaries import dictionary_names, load_dictionary
from vision.markers.reading import MarkerReader

CODES = {
    "bits_per_side": 3,
    "max_correction_bits": 0,
    "codes_row_by_row": ["110100010", "101101110"],
}


@pytest.mark.parametrize("name", dictionary_names())
def test_every_dictionary_of_opencv_draws_what_it_reads(name: str) -> None:
    """Its first and last marker, drawn with a white rim, are found under their own ids."""
    dictionary = load_dictionary(name)
    for marker in (0, dictionary.size - 1):
        side = 12 * dictionary.cells
        page = np.full((2 * side, 2 * side), 255, np.uint8)
        page[side // 2 : side // 2 + side, side // 2 : side // 2 + side] = dictionary.picture(
            marker, side
        )
        (seen,) = MarkerReader(dictionary).read(page)
        assert (seen.id, seen.dictionary) == (marker, name)


@pytest.mark.parametrize("name", ["DICT_4X4_50", "4x4_50", "aruco_mip_36H12"])
def test_names_are_taken_as_people_write_them(name: str) -> None:
    """With OpenCV's prefix or without, in either case."""
    assert load_dictionary(name).name in {"4X4_50", "ARUCO_MIP_36h12"}


def test_an_unknown_name_is_refused_with_names_like_it() -> None:
    """The message names near ones."""
    with pytest.raises(BadCall, match=r"no marker dictionary '4X4_51'.*4X4_50"):
        load_dictionary("4X4_51")


def test_codes_from_a_file_are_read_back_from_a_picture(tmp_path: Path) -> None:
    """The file's name without .json is the dictionary's."""
    dictionary = load_dictionary(_written(tmp_path, CODES))
    page = np.full((120, 120), 255, np.uint8)
    page[30:90, 30:90] = dictionary.picture(1, 60)
    (seen,) = MarkerReader(dictionary).read(page)
    assert (seen.id, seen.dictionary) == (1, "codes")


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"codes_row_by_row": ["110100010", "1011"]}, r"codes_row_by_row\[1\]: not 9 characters"),
        ({"codes_row_by_row": ["11010001x"]}, r"codes_row_by_row\[0\]: not 9 characters"),
        ({"codes_row_by_row": ["110100010", "110100010"]}, "a code stands there twice"),
        ({"codes_row_by_row": []}, "codes_row_by_row: .*at least 1"),
        ({"bits_per_side": 99}, "bits_per_side: .*less than or equal to 8"),
        ({"bits_per_side": "many"}, "bits_per_side: .*whole number"),
        ({"max_correction_bits": 2**31}, "max_correction_bits: 2147483648 of 9 bits"),
        ({"max_correction_bits": 4}, "max_correction_bits: 4 of 9 bits: give fewer than half"),
        ({"colour": "red"}, "colour: there is no such key; there are bits_per_side"),
    ],
)
def test_a_bad_file_of_codes_is_refused_by_place(
    change: dict[str, Any], place: str, tmp_path: Path
) -> None:
    """File and key are named, and what is allowed there."""
    path = _written(tmp_path, CODES | change)
    with pytest.raises(BadFile, match=place) as refused:
        load_dictionary(path)
    assert path in str(refused.value)


@pytest.mark.parametrize("content", [b"", b"\x00\xff", b"[1, 2]", b"{"])
def test_what_is_no_json_is_refused(content: bytes, tmp_path: Path) -> None:
    """One line, with the file's name."""
    path = tmp_path / "codes.json"
    path.write_bytes(content)
    with pytest.raises(BadFile, match=r"codes\.json"):
        load_dictionary(str(path))


def test_a_file_that_is_not_there_is_named() -> None:
    """Ending in .json it is meant as a file."""
    with pytest.raises(BadFile, match=r"nowhere\.json.*No such file"):
        load_dictionary("nowhere.json")


def test_a_marker_that_the_dictionary_lacks_is_refused() -> None:
    """The limit is named."""
    with pytest.raises(BadCall, match="0 to 49, not 50"):
        load_dictionary("4X4_50").picture(50, 60)


def _written(folder: Path, codes: dict[str, Any]) -> str:
    path = folder / "codes.json"
    path.write_text(json.dumps(codes), "utf-8")
    return str(path)


@pytest.mark.parametrize("name", ["x" * 300, "a\0b"])
def test_what_no_file_can_be_called_is_refused_as_a_name(name: str) -> None:
    """The system's own refusal is no fault of ours."""
    with pytest.raises(BadCall, match="no marker dictionary"):
        load_dictionary(name)
