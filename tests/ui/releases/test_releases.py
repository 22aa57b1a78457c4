"""`companion update`: a newer release is tried, put in place, and gone back from.

The wheels are real ones, as small as pip takes them; the environments are real too.
"""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

from companion.core.errors import BadCall
from ui.releases import starter
from ui.releases.releases import Releases, found_wheel
from ui.terminal.app import run

SERVED = {"NOTIFY_SOCKET": "/run/systemd/notify"}
SAYS = "import sys\nprint('companion 0.2.0', *sys.argv[1:])\n"


def wheel(folder: Path, version: str = "0.2.0", main: str = SAYS, needs: str = "") -> Path:
    """A wheel of a companion that does nothing but `main`."""
    folder.mkdir(exist_ok=True)
    info = f"dogfight_companion-{version}.dist-info"
    wanted = f"Requires-Dist: {needs}\n" if needs else ""
    named = f"Metadata-Version: 2.1\nName: dogfight-companion\nVersion: {version}\n{wanted}"
    parts = {
        "companion/__init__.py": f"RELEASE = {version!r}\n",
        "companion/__main__.py": main,
        f"{info}/METADATA": named,
        f"{info}/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        f"{info}/RECORD": "",
    }
    path = folder / f"dogfight_companion-{version}-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as packed:
        for name, text in parts.items():
            packed.writestr(name, text)
    return path


@pytest.fixture
def releases(tmp_path: Path) -> Releases:
    """An environment's releases, of which there are none yet."""
    site = tmp_path / "site"
    site.mkdir()
    return Releases(tmp_path / "releases", site)


def test_a_release_is_made_tried_and_put_on_trial(releases: Releases, tmp_path: Path) -> None:
    """The one before is kept, and comes back when it is asked for; others go."""
    names = []
    for version in ("0.2.0", "0.3.0", "0.4.0"):
        name = releases.make(found_wheel(wheel(tmp_path / "stick", version), tmp_path))
        releases.try_out(name, "")
        releases.put_on_trial(name)
        assert releases.on_trial
        starter.proven(releases.folder)
        names.append(name)
    assert (releases.current, releases.previous) == (names[2], names[1])
    assert not (releases.folder / names[0]).exists()
    assert releases.go_back() == names[1]
    assert releases.on_trial, "nobody has seen how it stands with what is there now"
    assert releases.go_back() == names[2]
    assert not releases.on_trial, "it was on the screen"


def test_the_last_release_that_was_on_the_screen_is_kept(
    releases: Releases, tmp_path: Path
) -> None:
    """Whatever is put on trial after another that nobody saw start; a failed one is gone."""
    versions = ("0.2.0", "0.3.0")
    good, torn = (releases.make(wheel(tmp_path / one, one)) for one in versions)
    releases.put_on_trial(good)
    starter.proven(releases.folder)
    releases.put_on_trial(torn)
    worse = releases.make(wheel(tmp_path / "0.4.0", "0.4.0"))
    releases.put_on_trial(worse)
    assert (releases.current, releases.previous) == (worse, good)
    for _ in range(starter.STARTS + 1):
        starter.chosen(releases.folder, SERVED)
    starter.give_up(releases.folder)  # as if the plug had been pulled in the midst of it
    assert releases.current == good
    with pytest.raises(BadCall, match="no update is there"):
        releases.go_back()


def test_one_goes_back_only_to_what_reads_the_record(releases: Releases, tmp_path: Path) -> None:
    """An older release refuses what a newer one has kept, in its words; nothing is changed."""
    record = tmp_path / "a 100 % record?.sqlite"
    record.write_bytes(b"")
    main = (
        "import sys\nif 'matches' in sys.argv: raise SystemExit('written by a newer companion')\n"
    )
    older = releases.make(wheel(tmp_path / "old", main=main))
    releases.put_on_trial(older)
    starter.proven(releases.folder)
    newer = releases.make(wheel(tmp_path / "new", "0.3.0"))
    releases.put_on_trial(newer)
    with pytest.raises(BadCall, match="written by a newer"):
        releases.go_back(str(record))
    assert releases.current == newer


def test_a_library_of_another_release_is_not_there(
    releases: Releases, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What came with the release that runs goes with it."""
    other = releases.folder / "0.1.9" / "tail_gunner-2.1.dist-info"
    other.mkdir(parents=True)
    (other / "METADATA").write_text("Metadata-Version: 2.1\nName: tail-gunner\nVersion: 2.1\n")
    monkeypatch.syspath_prepend(str(other.parent.resolve()))
    with pytest.raises(BadCall, match="tail-gunner>=2"):
        releases.make(wheel(tmp_path / "stick", needs="tail-gunner>=2"))


def test_an_environment_runs_its_current_release(tmp_path: Path) -> None:
    """From the next start of its Python on; without one, what it was made with."""
    home = tmp_path / "env"
    call = [sys.executable, "-m", "venv", "--without-pip", "--system-site-packages", str(home)]
    subprocess.run(call, check=True)
    site = Path(sysconfig.get_path("purelib", vars={"base": str(home)}))
    releases = Releases(home / starter.FOLDER, site)
    name = releases.make(wheel(tmp_path / "stick"))
    releases.put_on_trial(name)

    def loaded(environ: dict[str, str]) -> str:
        asked = "import companion; print(companion.__file__)"
        words = (home / "bin" / "python", "-c", asked)
        said = subprocess.run(
            words, capture_output=True, text=True, check=False, cwd=tmp_path, env=environ
        )
        return said.stdout

    assert name in loaded({})
    for _ in range(starter.STARTS):
        assert name in loaded(SERVED)
    assert name not in loaded(SERVED), "it was started so often and never ready"
    assert name not in loaded({})


def test_a_release_that_was_on_the_screen_stays(releases: Releases, tmp_path: Path) -> None:
    """However often it is started after that."""
    name = releases.make(wheel(tmp_path / "stick"))
    releases.put_on_trial(name)
    assert starter.chosen(releases.folder, SERVED) == releases.folder / name
    starter.proven(releases.folder)
    for _ in range(2 * starter.STARTS):
        assert starter.chosen(releases.folder, SERVED) == releases.folder / name


def test_a_release_that_does_not_run_is_refused_with_its_words(
    releases: Releases, tmp_path: Path
) -> None:
    """Nothing is put in its place."""
    main = "raise SystemExit('no such thing as a Sun')"
    name = releases.make(wheel(tmp_path / "stick", main=main))
    with pytest.raises(BadCall, match="no such thing as a Sun"):
        releases.try_out(name, "")
    assert (releases.current, releases.previous) == ("", "")


def test_a_release_is_tried_on_a_copy_of_the_record(releases: Releases, tmp_path: Path) -> None:
    """It may change the copy; the record itself it never sees."""
    import sqlite3

    record = tmp_path / "matches.sqlite"
    with sqlite3.connect(record) as made:
        made.execute("create table matches (name)")
    made.close()
    before = record.read_bytes()
    main = "import sys\nif 'matches' in sys.argv: open(sys.argv[-1], 'w').close()\n"
    releases.try_out(releases.make(wheel(tmp_path / "stick", main=main)), str(record))
    assert record.read_bytes() == before


def test_a_library_that_lacks_comes_from_beside_the_wheel(
    releases: Releases, tmp_path: Path
) -> None:
    """Or it is named, and nothing is left of the release."""
    stick = tmp_path / "stick"
    wanting = wheel(stick, needs="tail-gunner>=2")
    with pytest.raises(BadCall, match="tail-gunner>=2"):
        releases.make(wanting)
    assert list(releases.folder.iterdir()) == []
    with zipfile.ZipFile(stick / "tail_gunner-2.1-py3-none-any.whl", "w") as packed:
        info = "tail_gunner-2.1.dist-info"
        packed.writestr("tail_gunner.py", "")
        packed.writestr(
            f"{info}/METADATA", "Metadata-Version: 2.1\nName: tail-gunner\nVersion: 2.1\n"
        )
        packed.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nTag: py3-none-any\n")
        packed.writestr(f"{info}/RECORD", "")
    assert (releases.folder / releases.make(wanting) / "tail_gunner.py").exists()


def test_what_is_no_wheel_of_the_companion_is_refused(releases: Releases, tmp_path: Path) -> None:
    """In words, whatever lies on the stick."""
    stick = tmp_path / "stick"
    stick.mkdir()
    with pytest.raises(BadCall, match="is no source tree"):
        found_wheel(stick, tmp_path)
    with pytest.raises(BadCall, match="is not there"):
        found_wheel(tmp_path / "nowhere.whl", tmp_path)
    os.mkfifo(stick / "dogfight_companion-0.2.0-pipe.whl")
    with pytest.raises(BadCall, match="no wheel, no folder"):
        found_wheel(stick / "dogfight_companion-0.2.0-pipe.whl", tmp_path)
    with pytest.raises(BadCall, match="is no source tree"):
        found_wheel(stick, tmp_path)
    whole = wheel(stick)
    torn = stick / "dogfight_companion-0.3.0-py3-none-any.whl"
    torn.write_bytes(whole.read_bytes()[:-60])
    with pytest.raises(BadCall, match="cannot be read as a wheel"):
        releases.make(torn)
    other = whole.rename(stick / "kivy-2.3.1-py3-none-any.whl")
    with pytest.raises(BadCall, match="no wheel of the companion"):
        releases.make(other)
    with pytest.raises(BadCall, match="no update is there"):
        releases.go_back()


def test_the_command_names_what_it_lacks(capsys: pytest.CaptureFixture[str]) -> None:
    """One line, exit status 2."""
    assert run(["update", "/nowhere"]) == 2
    assert run(["update", "--back"]) == 2
    assert "no update is there" in capsys.readouterr().err
