"""`companion install` and `uninstall`: into a folder that stands for a machine's root.

What only a running systemd does (enabling on the spot, lingering, groups) is told and left; the
units themselves are judged by systemd's own `systemd-analyze verify`.
"""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.core.errors import BadCall
from ui.terminal.app import run
from ui.terminal.appliance import (
    SIGN,
    Doer,
    Write,
    bytecode_steps,
    has_desktop,
    limits,
    person_named,
    service_of_machine,
)

UNIT = "etc/systemd/system/companion.service"
WANTED = "etc/systemd/system/multi-user.target.wants/companion.service"


def somebody() -> str:
    """A user of this machine who is not root, with a home of their own."""
    people = [entry for entry in pwd.getpwall() if entry.pw_uid >= 1000 and entry.pw_uid < 60000]
    return people[0].pw_name if people else "daemon"


USER = somebody()
HOME = Path(pwd.getpwnam(USER).pw_dir).relative_to("/")


def call(root: Path, *words: str) -> int:
    verb, *more = words
    return run([verb, "--user", USER, "--into", str(root), *more])


def tree(root: Path) -> dict[str, str]:
    """Every file below a root, with its text."""
    return {
        str(path.relative_to(root)): path.read_text("utf-8")
        for path in sorted(root.rglob("*"))
        if path.is_file() and not path.is_symlink()
    }


needs_systemctl = pytest.mark.skipif(
    shutil.which("systemctl") is None, reason="systemctl, which enables units, is not installed"
)
needs_verify = pytest.mark.skipif(
    shutil.which("systemd-analyze") is None,
    reason="systemd-analyze, which judges units, is not installed",
)


def test_the_program_is_translated_before_its_first_start(tmp_path: Path) -> None:
    """All of it, and the folders belong to whoever owns the program, whoever made them."""
    owner = pwd.getpwnam(USER) if os.geteuid() == 0 else pwd.getpwuid(os.geteuid())
    os.chown(tmp_path, owner.pw_uid, owner.pw_gid)
    for room in ("companion/core", "hardware", "vision", "ui/window"):
        (tmp_path / room).mkdir(parents=True)
        (tmp_path / room / "part.py").write_text("PART = 1\n", "utf-8")
    for step in bytecode_steps(tmp_path):
        subprocess.run(step.command, check=True)
    folders = list(tmp_path.rglob("__pycache__"))
    assert len(list(tmp_path.rglob("part.*.pyc"))) == len(folders) == 4
    for path in (*folders, *tmp_path.rglob("*.pyc")):
        assert path.stat().st_uid == owner.pw_uid


@needs_systemctl
def test_a_bare_system_gets_a_service_that_is_watched_and_starts_by_itself(tmp_path: Path) -> None:
    """Watchdog, restart, real-time, the console's own screen; and the buzzer survives a stop."""
    assert call(tmp_path, "install", "--on", "lite") == 0
    unit = tree(tmp_path)[UNIT].splitlines()
    for line in (
        "Type=notify", "WatchdogSec=20", "Restart=always", "KillMode=process", "LimitRTPRIO=20",
        f"User={USER}", "TTYPath=/dev/tty1", "Environment=SDL_VIDEODRIVER=kmsdrm",
        "Environment=XDG_RUNTIME_DIR=/run/user/{0} TMPDIR=/run/user/{0}".format(
            pwd.getpwnam(USER).pw_uid
        ),
    ):  # fmt: skip
        assert line in unit
    assert (tmp_path / WANTED).is_symlink()


@needs_verify
def test_the_service_of_the_bare_screen_reaches_no_more_than_it_needs(tmp_path: Path) -> None:
    """Judged by systemd itself: 9.6 is a service without any wall, 4 and less is closed enough."""
    unit = tmp_path / "companion.service"
    unit.write_text(service_of_machine(person_named(USER)), "utf-8")
    judged = subprocess.run(
        ["systemd-analyze", "security", "--offline=yes", "--threshold=42", "--no-pager", str(unit)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert judged.returncode == 0, judged.stdout[-300:]


def test_what_is_plugged_in_after_the_start_may_be_opened() -> None:
    """By number: a name that no driver has yet when the unit starts is passed over by systemd."""
    unit = service_of_machine(person_named(USER)).splitlines()
    for number in (81, 116, 166, 188):  # video4linux, alsa, ttyACM, ttyUSB in devices.txt
        assert f"DeviceAllow=char-{number} rw" in unit
    for name in ("video4linux", "alsa", "ttyACM", "ttyUSB"):
        assert f"DeviceAllow=char-{name} rw" not in unit


def test_the_service_of_the_bare_screen_may_keep_a_record_wherever_settings_name_a_place() -> None:
    """A club's /srv/finals is no place of the system: only that user's own rights decide."""
    unit = dict(
        line.split("=", 1)
        for line in service_of_machine(person_named(USER)).splitlines()
        if "=" in line
    )
    assert unit["ProtectSystem"] == "full", "strict closes all that ReadWritePaths does not name"
    assert not {"ReadOnlyPaths", "InaccessiblePaths", "TemporaryFileSystem"} & set(unit)


@needs_systemctl
@pytest.mark.parametrize("on", ["lite", "desktop"])
def test_installing_twice_changes_nothing_the_second_time(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], on: str
) -> None:
    call(tmp_path, "install", "--on", on)
    before = tree(tmp_path)
    capsys.readouterr()
    assert call(tmp_path, "install", "--on", on) == 0
    assert tree(tmp_path) == before
    lines = capsys.readouterr().out.splitlines()
    assert [line for line in lines if "write" in line]
    assert not [line for line in lines if line.startswith("doing write")]


def test_a_desktop_gets_a_service_of_its_session(tmp_path: Path) -> None:
    """The desktop's own screen; its entry hands that screen to the service it starts."""
    assert call(tmp_path, "install", "--on", "desktop") == 0
    files = tree(tmp_path)
    assert UNIT not in files
    unit = files[str(HOME / ".config/systemd/user/companion.service")]
    assert "WatchdogSec=20" in unit
    assert "User=" not in unit
    entry = files[str(HOME / ".config/autostart/companion.desktop")]
    assert "import-environment DISPLAY WAYLAND_DISPLAY" in entry
    assert "LimitRTPRIO=20" in files["etc/systemd/system/user@.service.d/companion.conf"]


@needs_systemctl
@pytest.mark.parametrize("on", ["lite", "desktop"])
def test_uninstall_leaves_nothing_of_ours_and_everything_of_theirs(tmp_path: Path, on: str) -> None:
    """Records and settings stay, and so does what somebody else wrote."""
    theirs = {
        HOME / ".local/share/companion/matches.sqlite": "matches",
        HOME / ".config/companion/settings.toml": "volume = 30\n",
        Path("etc/systemd/system/other.service"): "[Service]\n",
    }
    for path, text in theirs.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text, "utf-8")
    before = tree(tmp_path)
    assert call(tmp_path, "install", "--on", on) == 0
    assert tree(tmp_path) != before
    assert call(tmp_path, "uninstall") == 0
    assert tree(tmp_path) == before
    assert not (tmp_path / WANTED).is_symlink()
    assert call(tmp_path, "uninstall") == 0


@needs_systemctl
def test_a_system_that_changes_is_left_with_one_way_to_start(tmp_path: Path) -> None:
    """A desktop came, or went: two apps must not fight for one screen."""
    session = str(HOME / ".config/systemd/user/companion.service")
    assert call(tmp_path, "install", "--on", "lite") == 0
    assert call(tmp_path, "install", "--on", "desktop") == 0
    assert (UNIT in tree(tmp_path), session in tree(tmp_path)) == (False, True)
    assert not (tmp_path / WANTED).is_symlink()
    assert call(tmp_path, "install", "--on", "lite") == 0
    assert (UNIT in tree(tmp_path), session in tree(tmp_path)) == (True, False)


def test_a_dry_run_tells_everything_and_does_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whoever wants to know sees each file's text and each command first."""
    assert call(tmp_path, "install", "--on", "lite", "--rotate", "90", "--dry-run") == 0
    told = capsys.readouterr().out
    assert tree(tmp_path) == {}
    assert "would write /etc/systemd/system/companion.service" in told
    assert "      | WatchdogSec=20" in told
    assert "systemctl enable companion.service" in told
    assert "rotation = 90" in told


def test_the_screens_rotation_is_a_setting_of_that_user(tmp_path: Path) -> None:
    """Written beside what they have set; a rotation that no screen has is refused."""
    settings = tmp_path / HOME / ".config/companion/settings.toml"
    settings.parent.mkdir(parents=True)
    settings.write_text("volume = 30  # mine\n", "utf-8")
    assert call(tmp_path, "install", "--on", "desktop", "--rotate", "270") == 0
    assert settings.read_text("utf-8") == "volume = 30  # mine\nrotation = 270\n"
    assert call(tmp_path, "install", "--on", "desktop", "--rotate", "45") == 2


def test_a_service_of_somebody_else_is_not_written_over(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / UNIT
    path.parent.mkdir(parents=True)
    path.write_text("[Service]\nExecStart=/bin/true\n", "utf-8")
    assert call(tmp_path, "install", "--on", "lite") == 2
    assert "is not of `companion install`: move it away first" in capsys.readouterr().err
    assert path.read_text("utf-8") == "[Service]\nExecStart=/bin/true\n"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--user", "root"), "not root's"),
        (("--user", "nobody-of-that-name"), "no user 'nobody-of-that-name'"),
        (("--user", USER, "--on", "phone"), "--on phone: it is lite or desktop"),
    ],
)
def test_a_bad_call_is_refused_in_words(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], told: str
) -> None:
    assert run(["install", "--into", str(tmp_path), *words]) == 2
    assert told in capsys.readouterr().err
    assert tree(tmp_path) == {}


@pytest.mark.parametrize(
    ("target", "desktop"), [("graphical.target", True), ("multi-user.target", False), (None, False)]
)
def test_the_system_says_whether_it_has_a_desktop(
    tmp_path: Path, target: str | None, *, desktop: bool
) -> None:
    if target is not None:
        link = tmp_path / "lib/systemd/system/default.target"
        link.parent.mkdir(parents=True)
        link.symlink_to(target)
    assert has_desktop(tmp_path) is desktop


@needs_verify
@pytest.mark.parametrize("on", ["lite", "desktop"])
def test_systemd_finds_nothing_wrong_with_the_units(tmp_path: Path, on: str) -> None:
    """Every key known, every program there, every value one that systemd takes."""
    user = () if on == "lite" else ("--user",)
    call(tmp_path, "install", "--on", on)
    (unit,) = tmp_path.rglob("companion.service")
    judged = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", *user, str(unit)],
        capture_output=True,
        text=True,
        env={**os.environ, "XDG_RUNTIME_DIR": str(tmp_path)},
        check=False,
    )
    assert (judged.returncode, judged.stderr) == (0, "")


@needs_verify
def test_systemd_would_find_what_is_wrong(tmp_path: Path) -> None:
    """The judge above can say no."""
    unit = tmp_path / "companion.service"
    text = service_of_machine(person_named(USER)).replace("KillMode=process", "KillMode=gently")
    unit.write_text(text, "utf-8")
    judged = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", str(unit)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert "gently" in judged.stderr


def test_a_file_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    """A folder that is a file: named, with what the system said."""
    (tmp_path / "etc").touch()
    doer = Doer(tmp_path)
    step = Write(Path("/etc/security/limits.d/companion.conf"), limits(), "limits")
    with pytest.raises(BadCall, match="failed"):
        doer.do(step)


@pytest.mark.parametrize("make", [limits, lambda: service_of_machine(person_named(USER))])
def test_every_file_says_whose_it_is(make: Callable[[], str]) -> None:
    """By its first line `uninstall` knows what it may take away."""
    assert make().startswith(SIGN)
