"""What a kernel was compiled from: found from the imports, and every change of it is told."""

import os
import time

import pytest
from numba.core.dispatcher import Dispatcher

from steersman.geometry import kernel as kernel_module
from steersman.geometry import sources
from steersman.geometry.kernel import KERNELS, is_compiling
from steersman.geometry.sources import PACKAGE, direct_imports, imports_of, modules_in, roots_stamp, stamp_of


def in_package(*names):
    return {PACKAGE / name for name in names}


def test_every_form_of_an_import_is_seen():
    text = (
        "import numpy\nfrom steersman.a.b import c, d as e  # f\nfrom steersman.g import (\n    h,  # i\n    j,\n)\n"
        "import steersman.k\nif x:\n    from steersman.not_at_the_top import y\n"
    )
    seen = {".".join(names) for names in modules_in(text)}
    assert seen == {"a.b", "a.b.c", "a.b.d", "g", "g.h", "g.j", "k"}


def test_imports_lead_to_imports():
    frames = PACKAGE / "geometry/frames.py"
    assert in_package("geometry/vectors.py", "geometry/kernel.py") <= set(direct_imports(frames))
    assert in_package("geometry/frames.py", "geometry/vectors.py", "geometry/sources.py") <= imports_of(frames)
    assert not in_package("world/world.py", "steering/individual/seek.py") & imports_of(frames)


@pytest.mark.skipif(not is_compiling(), reason="kernels are not compiled")
def test_whatever_a_kernel_calls_is_among_its_sources():
    calls = 0
    for compiled in KERNELS:
        function = compiled.py_func
        if not function.__module__.startswith("steersman."):
            continue
        files = {
            str(path)
            for path in imports_of(PACKAGE / f"{function.__module__.removeprefix('steersman.').replace('.', '/')}.py")
        }
        for name in function.__code__.co_names:
            helper = function.__globals__.get(name)
            if isinstance(helper, Dispatcher):
                calls += 1
                assert helper.py_func.__code__.co_filename in files, (function, name)
    assert calls > 200


def test_a_function_of_another_package_is_stamped_with_all_of_both(tmp_path, monkeypatch):
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "__init__.py").write_text("def first():\n    return 1\n")
    (tmp_path / "other" / "deep.py").write_text("def second():\n    return 2\n")
    (tmp_path / "single.py").write_text("def third():\n    return 3\n")
    monkeypatch.syspath_prepend(tmp_path)
    from other import first
    from other.deep import second
    from single import third

    whole = roots_stamp(PACKAGE, (tmp_path / "other").resolve())
    assert stamp_of(first) == stamp_of(second) == whole
    assert stamp_of(third) == roots_stamp(PACKAGE, (tmp_path / "single.py").resolve()) != whole
    assert stamp_of(kernel_module.entry_point) != stamp_of(sources.stamp_of)


def test_a_file_that_was_edited_after_the_start_is_never_the_same(tmp_path):
    file = tmp_path / "a.py"
    file.write_text("x = 1")
    digests = set()
    for _ in range(3):
        sources.content_digest.cache_clear()
        digests.add(sources.content_digest(file))
    assert len(digests) == 3
    os.utime(file, ns=(0, sources.STARTED - 1))
    for _ in range(3):
        sources.content_digest.cache_clear()
        digests.add(sources.content_digest(file))
    assert len(digests) == 4


def test_the_stamp_tells_every_change(tmp_path, monkeypatch):
    monkeypatch.setattr(sources, "STARTED", time.time_ns() + 10**12)

    def stamp():
        roots_stamp.cache_clear()
        sources.content_digest.cache_clear()
        return roots_stamp(tmp_path)

    (tmp_path / "a.py").write_text("x = 1")
    stamps = [stamp(), stamp()]
    assert stamps[0] == stamps[1]
    (tmp_path / "a.py").write_text("x = 2")
    stamps.append(stamp())
    (tmp_path / "a.py").rename(tmp_path / "b.py")
    stamps.append(stamp())
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "c.py").write_text("")
    stamps.append(stamp())
    assert len(set(stamps)) == 4
    roots_stamp.cache_clear()
