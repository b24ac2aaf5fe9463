"""Random numbers from counters: no state, so the same numbers for any number of threads and any order of work.

Philox4x32-10 turns a counter of four words and a key of two into four random words (Salmon, Moraes, Dror and Shaw 2011,
"Parallel random numbers: as easy as 1, 2, 3"). Here the key names the purpose of a draw, and the counter holds the id,
the step and the number of the draw:

    words = draw(key, id, step, 0)
    x = uniform(words[0], like)
    a, b = normals(words[1], words[2], like)

`like` is any array: numbers have its type, and its content is not read. One word makes one number: a float32 from its upper
24 bits, which are all that a float32 can hold, or a float64 from all 32 bits. The two differ by less than 2**-24.
"""

import functools
import hashlib
import math
import operator
from typing import Any

import numpy as np

from steersman.core.kernels.kernel import kernel
from steersman.core.maths.vectors import ONE, TWO
from steersman.core.parameters.brief import brief
from steersman.core.typing import Array, Columns, Vector

LOW = np.uint64(0xFFFFFFFF)
WORD = np.uint64(32)
MULTIPLIER_0 = np.uint64(0xD2511F53)
MULTIPLIER_1 = np.uint64(0xCD9E8D57)
WEYL_0 = np.uint64(0x9E3779B9)
WEYL_1 = np.uint64(0xBB67AE85)

SPARE = np.uint32(8)
"""Bits of a word that a float32 cannot hold."""

ULP_24 = np.float32(2.0**-24)
ULP_32 = np.float32(2.0**-32)

Words = tuple[Any, Any, Any, Any]
"""Four random words, uint32."""


@kernel
def philox(c0: Any, c1: Any, c2: Any, c3: Any, k0: Any, k1: Any) -> Words:
    """Philox4x32-10: four random words of a counter (c0, c1, c2, c3) and a key (k0, k1), all of 32 bits."""
    a, b, c, d = np.uint64(c0), np.uint64(c1), np.uint64(c2), np.uint64(c3)
    k, m = np.uint64(k0), np.uint64(k1)
    for _ in range(10):
        p = a * MULTIPLIER_0
        q = c * MULTIPLIER_1
        a, b, c, d = (q >> WORD) ^ b ^ k, q & LOW, (p >> WORD) ^ d ^ m, p & LOW
        k, m = (k + WEYL_0) & LOW, (m + WEYL_1) & LOW
    return np.uint32(a), np.uint32(b), np.uint32(c), np.uint32(d)


@kernel
def draw(key: Array, id: Any, step: Any, number: Any) -> Words:
    """Four random words for one vehicle and step.

    Args:
        key: The purpose of the draw, shape (2,), uint32: see `key_of`.
        id: The vehicle's id, of which the lower 32 bits count.
        step: The number of the step, 64 bits.
        number: Which draw of the vehicle in this step, from 0.

    Returns:
        Four words, each uniform over all 32-bit numbers, and independent of those of any other arguments.
    """
    when = np.uint64(step)
    return philox(np.uint64(id) & LOW, when & LOW, when >> WORD, np.uint64(number) & LOW, key[0], key[1])


@kernel
def uniform(word: Any, like: Array) -> Any:
    """A number in [0, 1): a multiple of 2**-24 in float32, of 2**-32 in float64."""
    T = like.dtype.type
    if like.itemsize == 4:
        return T(word >> SPARE) * T(ULP_24)
    return T(word) * T(ULP_32)


@kernel
def uniform_positive(word: Any, like: Array) -> Any:
    """A number in (0, 1], fit for a logarithm: a multiple of 2**-24 in float32, of 2**-32 in float64."""
    T = like.dtype.type
    if like.itemsize == 4:
        return (T(word >> SPARE) + T(ONE)) * T(ULP_24)
    return (T(word) + T(ONE)) * T(ULP_32)


@kernel
def signed_uniform(word: Any, like: Array) -> Any:
    """A number in [-1, 1): a multiple of 2**-23 in float32, of 2**-31 in float64."""
    return uniform(word, like) * TWO - ONE


@kernel
def turn(word: Any, like: Array) -> Vector:
    """Cosine and sine of a random angle in [-pi, pi): 24 bits of angle in float32, 32 in float64."""
    angle = signed_uniform(word, like) * like.dtype.type(math.pi)
    return math.cos(angle), math.sin(angle)


@kernel
def normals(word: Any, other: Any, like: Array) -> Vector:
    """Two independent standard normal numbers from two words (Box and Muller 1958).

    No number is larger than 5.8 in float32 (24 bits of radius and angle) and 6.7 in float64 (32 bits).
    """
    radius = math.sqrt(-TWO * math.log(uniform_positive(word, like)))
    c, s = turn(other, like)
    return radius * c, radius * s


@kernel
def unit_vector(word: Any, other: Any, like: Columns) -> Vector:
    """A direction, uniform on the circle (of one word) or on the sphere (of two words).

    Args:
        word: A random word, for the angle.
        other: Another one, for the height.
        like: Two or three arrays; their number chooses 2D or 3D, and the result has their type.

    Returns:
        A unit vector, with 24 bits to the angle and to the height in float32, 32 in float64.
    """
    if len(like) == 2:
        return turn(word, like[0])
    c, s = turn(word, like[0])
    height = signed_uniform(other, like[0])
    across = math.sqrt((ONE - height) * (ONE + height))
    return across * c, across * s, height


def key_of(seed: int, *names: str | int) -> Array:
    """The key of a stream of random numbers: the same for the same seed and names, on every machine, in every version.

    Args:
        seed: Any whole number.
        *names: The purpose of the numbers: texts and whole numbers. Different names give independent streams; the text
            "1" and the number 1 are different, and so are ("a", "bc") and ("ab", "c").

    Returns:
        Shape (2,), uint32: 64 bits of a BLAKE2b digest.
    """
    return np.frombuffer(_digest(seed, *names), dtype="<u4").astype(np.uint32)


@functools.lru_cache(maxsize=4096, typed=True)
def _digest(seed: int, *names: str | int) -> bytes:
    """The bytes that `key_of` reads."""
    digest = hashlib.blake2b(digest_size=8, person=b"steersman.random")
    for role, part in (("seed", seed), *(("every name", name) for name in names)):
        if isinstance(part, str) and role != "seed":
            kind, content = "text", part.encode("utf-8", "surrogatepass")
        elif isinstance(part, (bool, np.bool_)) or not hasattr(part, "__index__"):
            allowed = "a whole number" if role == "seed" else "text or a whole number"
            raise TypeError(f"{role} must be {allowed}, got {brief(part)}")
        else:
            kind, content = "number", str(operator.index(part)).encode()
        digest.update(f"{kind} {len(content)} ".encode() + content)
    return digest.digest()


def generator(key: Array, step: int = 0) -> np.random.Generator:
    """NumPy's random numbers of a stream, for code outside of kernels: the same for the same key and step.

    Args:
        key: The stream, see `key_of`.
        step: The number of the step; every step has numbers of its own.
    """
    low, high = (int(word) for word in key)
    # From a list, NumPy would make a float64 of a key of 64 bits, and lose some of its bits.
    return np.random.Generator(np.random.Philox(key=np.array([low | high << 32, step], np.uint64)))
