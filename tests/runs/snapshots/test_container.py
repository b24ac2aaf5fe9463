"""A file that is no snapshot, or was one: a clear error each time, nothing is executed, and no memory is taken for it."""

import hashlib
import io
import json
import os
import pickle
import random
import re
import tracemalloc
import zipfile

import numpy as np
import pytest

import steersman as sm
from steersman.runs.snapshots.container import LAST_LINE, read_container, write_container


class Trap:
    """Tells when it is unpickled."""

    def __reduce__(self):
        return (os.mkdir, ("executed",))


@pytest.fixture(autouse=True)
def _nothing_is_executed(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    yield
    assert not (tmp_path / "executed").exists()


@pytest.fixture
def file(tmp_path):
    return tmp_path / "world.steersman"


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The bytes of a snapshot of a world in mid-run."""
    rng = np.random.default_rng(3)
    world = sm.World(domain=sm.Torus([50, 50]), seed=4, threads=1)
    vehicles = sm.Vehicles(rng.uniform(0, 50, (120, 2)), rng.normal(0, 1, (120, 2)), max_speed=4)
    world.add(vehicles, name="ants", steering=sm.Wander() + sm.Separation(), flows=[sm.Spawner(rate=1, where=[[1, 1]])])
    world.watch("ants", "mean_speed")
    world.run(steps=20)
    file = tmp_path_factory.mktemp("whole") / "world"
    world.save(file)
    return file.read_bytes()


def refused(file, data, told=""):
    """The message with which a file of these bytes is refused."""
    file.write_bytes(data)
    with pytest.raises(sm.SnapshotError, match=f"^{re.escape(str(file))}: .*{told}") as error:
        sm.World.load(file)
    return str(error.value)


def test_a_whole_one_is_read(whole, file):
    file.write_bytes(whole)
    assert len(sm.World.load(file)["ants"]) == 120


def test_a_file_that_was_cut_off_is_refused_wherever(whole, file):
    n = len(whole)
    lengths = {0, 1, 2, 3, 4, 21, 22, 30, 64, 100, 127, 128, 129, n // 3, n // 2, *range(n - 130, n)}
    lengths |= {data.start() for data in re.finditer(b"PK", whole)}
    for length in sorted(lengths):
        message = refused(file, whole[:length])
        assert any(words in message for words in ("is empty", "is no snapshot", "its end is missing"))


def test_something_behind_the_end_is_refused(whole, file):
    for more in (b"\n", b"\0", b"more"):
        refused(file, whole + more, "its end is missing")
    refused(file, b"\0" + whole, "is no snapshot|is damaged")
    refused(file, whole + whole, "is damaged")


def test_a_flipped_bit_is_refused_wherever(whole, file):
    """2,000 of them, among them all in the last line; a file with any bit flipped is told to be damaged."""
    chance = random.Random(7)
    ends = range(8 * (len(whole) - 110), 8 * len(whole))
    told = set()
    for bit in [*ends, *(chance.randrange(8 * len(whole)) for _ in range(2000 - len(ends)))]:
        data = bytearray(whole)
        data[bit // 8] ^= 1 << bit % 8
        file.write_bytes(data)
        with pytest.raises(sm.SnapshotError) as error:
            read_container(file)
        told.add(str(error.value).split(": ", 1)[1])
    assert {words.split(":")[0] for words in told} <= {"is damaged", "is no snapshot, or its end is missing"}


def test_swapped_and_zeroed_blocks_are_refused(whole, file):
    chance = random.Random(8)
    for _ in range(200):
        start, size = chance.randrange(len(whole)), chance.choice([1, 16, 512, 4096])
        data = bytearray(whole)
        data[start : start + size] = bytes(len(data[start : start + size]))
        if data != whole:
            file.write_bytes(data)
            with pytest.raises(sm.SnapshotError):
                read_container(file)


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"", "is empty"),
        (b"\x89PNG\r\n\x1a\n" + bytes(500), "is no snapshot, but a PNG picture"),
        (pickle.dumps([Trap()] * 30), "is no snapshot, but a pickle"),
        (b"seed = 3\n[[populations]]\n", "is no snapshot$"),
        (bytes(10_000), "is no snapshot$"),
        (b"PK\x03\x04" + bytes(100), "is no snapshot, or its end is missing"),
    ],
)
def test_other_files_are_refused(data, told, file):
    refused(file, data, told)


def test_what_is_no_file_is_refused(tmp_path):
    with pytest.raises(sm.SnapshotError, match="cannot be read: No such file"):
        sm.World.load(tmp_path / "nowhere")
    with pytest.raises(sm.SnapshotError, match="is no file"):
        sm.World.load(tmp_path)
    if os.path.exists("/dev/zero"):
        with pytest.raises(sm.SnapshotError, match="is no file"):
            sm.World.load("/dev/zero")


# --------------------------------------------------------------------------------------- files that somebody made with intent


def sealed(data, version=1):
    """The bytes of a ZIP with a last line that is right."""
    data = data[: -len(LAST_LINE.search(data)[0])] if LAST_LINE.search(data) else data
    line = f"\nsteersman snapshot {version} sha256 {'0' * 64}\n".encode()
    end = data.rindex(b"PK\x05\x06")
    data = bytearray(data[: end + 20] + len(line).to_bytes(2, "little") + line)
    data[-65:-1] = hashlib.sha256(data[:-65]).hexdigest().encode()
    return bytes(data)


def zipped(members, compression=zipfile.ZIP_STORED):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", compression) as archive:
        for name, data in members:
            archive.writestr(zipfile.ZipInfo(name), data, compress_type=compression)
    return sealed(buffer.getvalue())


def opened(whole):
    """The members of a snapshot: its text as a table, and the rest."""
    with zipfile.ZipFile(io.BytesIO(whole)) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    return json.loads(members.pop("snapshot.json")), members


def changed(whole, change=lambda text, members: None):
    text, members = opened(whole)
    text = change(text, members) or text
    return zipped([("snapshot.json", text if isinstance(text, bytes) else json.dumps(text)), *members.items()])


def array_file(head, data=b""):
    head = head.encode() + b"\n"
    return b"\x93NUMPY\x01\x00" + len(head).to_bytes(2, "little") + head + data


def test_a_sealed_one_is_read(whole, file):
    """Else the tests below would refuse for another reason."""
    file.write_bytes(changed(whole))
    assert len(sm.World.load(file)["ants"]) == 120


def test_a_newer_form_is_refused(whole, file):
    refused(file, sealed(whole, version=2), "was written by a newer steersman, in form 2; this one reads forms up to 1")


def test_another_version_of_the_library_is_told(whole, file):
    file.write_bytes(changed(whole, lambda text, _: text.update(steersman="99.0")))
    with pytest.warns(UserWarning, match=r"was written by steersman 99\.0, this is") as caught:
        sm.World.load(file)
    assert [each.filename for each in caught] == [__file__]


@pytest.mark.parametrize(
    "members",
    [
        [("hello.txt", b"hello")],
        [("snapshot.json", b"{}"), ("snapshot.json", b"{}")],
        [("snapshot.json", b"{}"), ("../arrays/0.npy", b"")],
        [("snapshot.json", b"{}"), ("/etc/passwd", b"")],
        [("snapshot.json", b"{}"), ("arrays/1.npy", b"")],
        [("snapshot.json", b"{}"), ("arrays/0.npy", pickle.dumps(Trap()))],
        [("snapshot.json", b"{}"), ("arrays/0.npy", b"")],
        [("snapshot.json", b"")],
        [("snapshot.json", b"\xff\xfe")],
        [("snapshot.json", b"[1, 2]")],
        [("snapshot.json", b"{}")],
        [("snapshot.json", b"[" * 100_000)],
        [("snapshot.json", b'{"a":' * 100_000 + b"1" + b"}" * 100_000)],
        [("snapshot.json", b'{"format": ' + b"9" * 10_000 + b"}")],
        [("snapshot.json", b'{"$array": 0}')],
        [],
    ],
    ids=range(16),
)
@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_other_archives_are_refused(members, file):
    refused(file, zipped(members), "is no snapshot that steersman wrote")


def test_bombs_are_refused_before_they_go_off(whole, file):
    text, members = opened(whole)
    bomb = zipped([("snapshot.json", json.dumps(text)), ("arrays/0.npy", bytes(100_000_000))], zipfile.ZIP_DEFLATED)
    assert len(bomb) < 1_000_000
    with Within(30_000_000):
        refused(file, bomb, "there is more in it than there is room for")
    small = zipped([("snapshot.json", json.dumps(text)), *members.items()], zipfile.ZIP_DEFLATED)
    refused(file, small, "is compressed|more in it")


class Within:
    """What is inside allocates no more than so many bytes at once."""

    def __init__(self, most):
        self.most = most

    def __enter__(self):
        tracemalloc.start()

    def __exit__(self, *_):
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < self.most, peak


@pytest.mark.parametrize(
    "member",
    [
        array_file("{'descr': '<f4', 'fortran_order': False, 'shape': (1000000000000,), }"),
        array_file("{'descr': '<f4', 'fortran_order': False, 'shape': (1000000000000, 0), }"),
        array_file("{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }", bytes(8)),
        array_file("{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }", bytes(16)),
        array_file("{'descr': '<f4', 'fortran_order': False, 'shape': (-3,), }"),
        array_file("{'descr': '>f4', 'fortran_order': False, 'shape': (3,), }", bytes(12)),
        array_file("{'descr': '<f4', 'fortran_order': True, 'shape': (3,), }", bytes(12)),
        array_file("{'descr': '|O', 'fortran_order': False, 'shape': (1,), }", pickle.dumps(Trap())),
        array_file("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (3,), }", bytes(12)),
        array_file("{'descr': '<U3', 'fortran_order': False, 'shape': (1,), }", bytes(12)),
        array_file("__import__('os').mkdir('executed')"),
        array_file("(" * 5000),
        array_file("{'descr': '<f4', 'fortran_order': False, 'shape': (" + "1, " * 80 + "), }", bytes(4)),
        b"\x93NUMPY\x02\x00" + bytes(100),
        b"\x93NUMPY",
    ],
    ids=range(15),
)
def test_other_arrays_are_refused(member, whole, file):
    with Within(30_000_000):
        refused(
            file, changed(whole, lambda _, members: members.update({"arrays/0.npy": member})), "array|reshape|dimension"
        )


def population(text):
    return text["document"]["populations"][0]


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text.update(document={"scenario": "boids", "n": 10**9}),
        lambda text: population(text).update(spawn={"shape": "disc", "radius": 5}, n=10**12),
        lambda text: population(text).update(n=10**12),
        lambda text: population(text).update(position={"file": "/etc/passwd", "array": "x"}),
        lambda text: text["document"].update(surfaces=[{"name": "x", "heights": "/etc/passwd", "low": 0, "high": 1}]),
        lambda text: text["document"].update(obstacles=[{"name": "x", "kind": "mesh_file", "file": "/etc/passwd"}]),
        lambda text: text["document"].update(fields=[{"name": "x", "kind": "image", "image": "/etc/passwd"}]),
        lambda text: population(text).pop("position"),
        lambda text: population(text).update(mass=-1.0),
        lambda text: population(text).update(steering={"behavior": "os.system"}),
        lambda text: population(text).update(steering={"$python": "nobody"}),
        lambda text: population(text)["remembered"].update(keys=[0]),
        lambda text: population(text)["remembered"].update(memory=[{"key": 1, "columns": {"x": [1, 2]}}]),
        lambda text: population(text)["remembered"].update(memory=7),
        lambda text: text["document"].update(steps=-1),
        lambda text: text["document"].update(steps=21),
        lambda text: text["document"].update(time="now"),
        lambda text: text["document"].update(seed=-1),
        lambda text: text.update(observers=[{"calls": 3, "every": "EverySteps"}]),
        lambda text: text.update(observers=[{"reads": ["nobody"], "every": "os.system"}]),
        lambda text: text.update(observers=[3]),
        lambda text: text["meters"].update({"ants.mean_speed": {}}),
        lambda text: text["meters"].update({"nobody": {}}),
        lambda text: text.update(python=[{"name": "x"}]),
        lambda text: text.update(python=[3]),
        lambda text: text.update(hash="0" * 32),
        lambda text: text.pop("hash"),
        lambda text: text.update(document=[]),
    ],
    ids=range(28),
)
def test_texts_that_somebody_changed_are_refused(change, whole, file):
    def changing(text, _):
        change(text)

    with Within(30_000_000):
        refused(file, changed(whole, changing))


def test_no_file_is_read_that_a_snapshot_names(whole, file):
    """Not even one that a scenario in this folder could name."""
    np.savez("there.npz", x=np.zeros((120, 2)))
    data = changed(whole, lambda text, _: population(text).update(position={"file": "there.npz", "array": "x"}))
    told = refused(file, data)
    assert f"{file.name}: 1 problem" in told
    assert "no file may be named here, got 'there.npz'" in told


def test_text_without_end_is_refused(whole, file):
    def long(text, _):
        text["long"] = "x" * (16 * 2**20)

    refused(file, changed(whole, long), "its text is longer than 16,777,216 bytes")


def test_texts_changed_at_random_are_refused_or_make_a_world(whole, file):
    """No other exception, and no world that is another one than its hash says."""
    chance = random.Random(3)
    text, members = opened(whole)
    line = json.dumps(text)
    tokens = re.findall(r'"[^"]*"|[\d.e-]+|[\[\]{}:,]|true|false|null|\s+', line)
    worlds = 0
    for _ in range(400):
        changed_tokens = list(tokens)
        for _ in range(chance.randint(1, 3)):
            k = chance.randrange(len(tokens))
            changed_tokens[k] = chance.choice(
                [chance.choice(tokens), "1e999", "-1", "[]", "{}", '"x"', "null", str(10**30)]
            )
        file.write_bytes(zipped([("snapshot.json", "".join(changed_tokens)), *members.items()]))
        try:
            sm.World.load(file)
            worlds += 1
        except sm.SnapshotError:
            pass
    assert worlds < 200


def test_numbers_of_every_kind_come_back_bit_for_bit(file):
    rng = np.random.default_rng(1)
    content = {
        f"{dtype} {shape}": rng.integers(0, 100, shape).astype(dtype)
        for dtype in ("f4", "f8", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "?", ">f4")
        for shape in ((), (0,), (5,), (3, 2), (0, 3), (2, 3, 4))
    }
    content["odd"] = [np.array([np.nan, np.inf, -0.0]), np.float32(0.1), float("nan"), {"": None, "a": [True, "ä\0"]}]
    content["transposed"] = rng.normal(size=(4, 5)).T
    write_container(file, content)
    again = read_container(file)
    for key, value in content.items():
        if isinstance(value, np.ndarray):
            assert again[key].dtype == value.dtype.newbyteorder("=")
            assert again[key].shape == value.shape
            assert np.array_equal(again[key], value)
            assert again[key].flags.writeable
    assert again["odd"][0].tobytes() == content["odd"][0].tobytes()
    assert again["odd"][3] == content["odd"][3]


@pytest.mark.parametrize("value", [{1: 2}, {"$array": 3}, {1, 2}, b"x", object(), np.array(["a"]), np.array([{}]), 1j])
def test_what_has_no_form_is_refused(value, file):
    with pytest.raises(sm.SnapshotError, match=r"a\.b\[0\]: .*(form for|must be texts)"):
        write_container(file, {"a": {"b": [value]}})
    assert not file.exists()
