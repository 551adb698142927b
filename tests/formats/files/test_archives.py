"""ZIP files of folders: unpacked, or refused in words."""

import stat
import zipfile

import pytest

from tests.formats.given_files import refused
from unround.formats.files import archives
from unround.formats.files.archives import unpack
from unround.formats.importer import import_files


def packed(path, entries, **options):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in entries.items():
            archive.writestr(name, content, **options)
    return path


def test_a_folder_of_tables_is_read_as_if_it_had_been_given(tmp_path):
    rows = "reviewer,paper,score\nr%d,1,3\n"
    entries = {f"venue/train/reviews/{n}.csv": rows % n for n in range(3)}
    entries["__MACOSX/venue/._x"] = "left out"
    archive = packed(tmp_path / "venue.zip", entries)
    assert import_files([archive]).reviews.height == 3
    assert unpack(archive, tmp_path / "out").name == "venue"


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        *(
            (name, b"x" * 100, "leads out of it")
            for name in ("../outside.csv", "/outside.csv", "a/../../b.csv", "a\\..\\b.csv")
        ),
        ("a.csv", b"0" * 10_000_000, "more than is taken"),
        ("__MACOSX/a.csv", b"x", "holds no files"),
    ],
)
def test_archives_that_are_refused(tmp_path, name, content, words):
    with refused(words):
        unpack(packed(tmp_path / "bad.zip", {name: content}), tmp_path / "out")
    assert not (tmp_path / "outside.csv").exists()


def test_links_are_refused(tmp_path):
    link = zipfile.ZipInfo("link.csv")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    with zipfile.ZipFile(tmp_path / "bad.zip", "w") as archive:
        archive.writestr(link, "/etc/hostname")
    with refused("leads out of it"):
        unpack(tmp_path / "bad.zip", tmp_path / "out")


def test_too_many_files_are_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(archives, "MOST_FILES", 1)
    with refused("2 files"):
        unpack(packed(tmp_path / "many.zip", {"a": "1", "b": "2"}), tmp_path / "out")


def test_a_broken_archive_is_refused(tmp_path):
    whole = packed(tmp_path / "whole.zip", {"a.csv": "reviewer,paper,score\n" * 100}).read_bytes()
    broken = tmp_path / "broken.zip"
    broken.write_bytes(whole.replace(whole[40:60], bytes(20), 1))
    with refused(r"broken\.zip cannot be unpacked"):
        unpack(broken, tmp_path / "out")
    truth = len("reviewer,paper,score\n" * 100).to_bytes(4, "little")
    lies = tmp_path / "lies.zip"
    lies.write_bytes(whole.replace(truth, (50).to_bytes(4, "little")))
    with refused(r"lies\.zip cannot be unpacked: Bad CRC-32"):
        unpack(lies, tmp_path / "out2")
