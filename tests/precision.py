"""A check that a float32 kernel stays in float32."""

import hashlib
import json
import re
from contextlib import suppress
from pathlib import Path
from typing import Any

import numba
import pytest

from steersman.core.kernels.cache import _options, _write_whole, cache_folder, compiler_settings, content_of, type_name
from steersman.core.kernels.internals import PLAIN
from steersman.core.kernels.kernel import is_compiling


def promotions(compiled: Any, arguments: tuple[Any, ...]) -> list[str]:
    """The instructions of a kernel, compiled for these float32 arguments, that turn a float32 to a float64 or back.

    The kernel is compiled once more, as other kernels call it: what Python calls has no text in the cache. Only its own
    body and the bodies of what it calls are looked at: a wrapper would box a float32 result as a Python float, which is a
    promotion that nobody is to blame for. The result is kept beside the kernels, by the same content.
    """
    flags = {name: compiled.targetoptions[name] for name in ("nogil", "fastmath", "error_model")}
    signature = tuple(numba.typeof(argument) for argument in arguments)
    own = Path(__file__).read_text("utf-8")
    types = [type_name(each) for each in signature]
    told = (content_of(compiled.py_func).hex(), compiler_settings(), _options(flags), types, own)
    digest = hashlib.blake2b(repr(told).encode(), digest_size=20).hexdigest()
    kept = cache_folder() / digest[:2] / f"promotions-{digest[2:]}.kernel"
    with suppress(OSError, ValueError):
        return list(json.loads(kept.read_text("utf-8")))
    found = promotions_anew(compiled, flags, signature)
    with suppress(OSError):
        _write_whole(kept, json.dumps(found).encode())
    return found


def promotions_anew(compiled: Any, flags: dict[str, Any], signature: tuple[Any, ...]) -> list[str]:
    """The same instructions, of a kernel that is compiled now, or read from the cache."""
    bodies = [
        body
        for body in re.finditer(
            r"^define [^\n]*?@\"?([^\n(]+)\(.*?^}", text_of(compiled, flags, signature), flags=re.MULTILINE | re.DOTALL
        )
        if not body.group(1).startswith(("_ZN7cpython", "cfunc."))
    ]
    name = compiled.py_func.__name__
    assert any(name in body.group(1) for body in bodies), f"no body of {name} was found in its LLVM text"
    return [
        line.strip() for body in bodies for line in body.group().splitlines() if re.search(r"= fp(ext|trunc) ", line)
    ]


def text_of(compiled: Any, flags: dict[str, Any], signature: tuple[Any, ...]) -> str:
    """The code of a kernel in LLVM's language: of the form that other kernels call, which is the cheapest to compile."""
    if not PLAIN:
        helper = compiled.entry.helper
        helper.compile(signature)
        return str(helper.overloads[signature].library._get_module_for_linking())
    fresh = numba.njit(compiled.py_func, **flags)  # noqa: TID251
    fresh.compile(signature)
    return str(fresh.inspect_llvm(signature))


def assert_single_precision(compiled: Any, *arguments: Any) -> None:
    """Assert that a kernel, called with these (float32) arguments, computes nothing in float64."""
    if not is_compiling():
        pytest.skip("kernels are not compiled")
    found = promotions(compiled, arguments)
    assert not found, f"{compiled.py_func.__name__} promotes float32 to float64: {found[:3]}"
