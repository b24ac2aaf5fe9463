"""Counter-based random numbers: known answers, distributions, independence, keys."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from steersman.core.kernels.kernel import kernel
from steersman.core.maths.random import (
    draw,
    generator,
    key_of,
    normals,
    philox,
    signed_uniform,
    uniform,
    uniform_positive,
    unit_vector,
)

N = 40_000
ONES = 0xFFFFFFFF
KEY_OF_ZERO = [1378908544, 2616253418]
KEY_OF_BOIDS = [799284305, 3667965818]


@kernel
def fill_words(key, step, number, out):
    for i in range(out.shape[1]):
        out[0, i], out[1, i], out[2, i], out[3, i] = draw(key, i, step, number)


@kernel
def fill_numbers(words, uniforms, positives, signed, first, second):
    for i in range(words.shape[1]):
        uniforms[i] = uniform(words[0, i], uniforms)
        positives[i] = uniform_positive(words[0, i], uniforms)
        signed[i] = signed_uniform(words[0, i], uniforms)
        first[i], second[i] = normals(words[1, i], words[2, i], uniforms)


@kernel
def fill_directions(words, columns):
    for i in range(words.shape[1]):
        v = unit_vector(words[0, i], words[1, i], columns)
        for k in range(len(columns)):
            columns[k][i] = v[k]


def some_words(key=None, step=3, number=0, n=N):
    out = np.zeros((4, n), np.uint32)
    fill_words(key_of(7, "test") if key is None else key, np.uint64(step), number, out)
    return out


def some_numbers(dtype, words=None):
    words = some_words() if words is None else words
    columns = [np.zeros(words.shape[1], dtype) for _ in range(5)]
    fill_numbers(words, *columns)
    return columns


def distance_to(cumulative, sample):
    """Largest distance of a sample's distribution to the expected one, times sqrt(n): above 1.95 once in a thousand."""
    n = len(sample)
    expected = cumulative(np.sort(sample.astype(np.float64)))
    below, above = np.arange(n) / n, np.arange(1, n + 1) / n
    return math.sqrt(n) * max(np.max(above - expected), np.max(expected - below))


def normal_cumulative(x):
    return np.array([0.5 * math.erfc(-value / math.sqrt(2)) for value in x])


@pytest.mark.parametrize(
    ("counter", "key", "answer"),
    [
        ((0, 0, 0, 0), (0, 0), (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)),
        ((ONES,) * 4, (ONES,) * 2, (0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD)),
        (
            (0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344),
            (0xA4093822, 0x299F31D0),
            (0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1),
        ),
    ],
)
def test_philox_gives_the_published_answers(counter, key, answer):
    assert philox(*(np.uint32(word) for word in (*counter, *key))) == answer


@settings(deadline=None, derandomize=True, max_examples=50)
@given(st.integers(0, 2**40), st.integers(0, 2**64 - 1), st.integers(0, 2**31))
def test_draw_is_philox_of_id_step_and_number(id, step, number):
    key = np.array([5, ONES], np.uint32)
    counter = (id & ONES, step & ONES, step >> 32, number)
    expected = philox(*(np.uint32(word) for word in (*counter, 5, ONES)))
    assert draw(key, np.int64(id), np.uint64(step), np.int64(number)) == expected


def test_repeated_calls_give_the_same_bits():
    for dtype in (np.float32, np.float64):
        for one, other in zip(some_numbers(dtype), some_numbers(dtype), strict=True):
            assert one.tobytes() == other.tobytes()


def test_words_are_uniform_bit_by_bit_and_byte_by_byte():
    words = some_words()
    for word in words:
        bits = np.unpackbits(word.view(np.uint8).reshape(-1, 4), axis=1).mean(axis=0)
        assert np.all(np.abs(bits - 0.5) < 4.5 * 0.5 / math.sqrt(N))
        counts = np.bincount(word.view(np.uint8), minlength=256)
        expected = 4 * N / 256
        chi2 = np.sum((counts - expected) ** 2 / expected)
        assert abs(chi2 - 255) < 4 * math.sqrt(2 * 255)


def test_neighboring_counters_are_independent():
    here = some_words()
    others = {
        "next id": np.roll(here, 1, axis=1),
        "next step": some_words(step=4),
        "step far away": some_words(step=3 + 2**32),
        "next number": some_words(number=1),
        "next key": some_words(key=key_of(8, "test")),
    }
    center = 2.0**31
    for name, other in others.items():
        for a, b in itertools.product(here, other):
            correlation = np.corrcoef(a - center, b - center)[0, 1]
            assert abs(correlation) < 4.5 / math.sqrt(N), name
            differing = np.unpackbits((a ^ b).view(np.uint8)).mean()
            assert abs(differing - 0.5) < 4.5 * 0.5 / math.sqrt(32 * N), name
    for a, b in itertools.combinations(here, 2):
        assert abs(np.corrcoef(a - center, b - center)[0, 1]) < 4.5 / math.sqrt(N)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_uniform_numbers(dtype):
    uniforms, positives, signed, *_ = some_numbers(dtype)
    assert uniforms.min() >= 0
    assert uniforms.max() < 1
    assert positives.min() > 0
    assert positives.max() <= 1
    assert signed.min() >= -1
    assert signed.max() < 1
    for sample, low, high in ((uniforms, 0, 1), (positives, 0, 1), (signed, -1, 1)):
        wide = sample.astype(np.float64)
        assert distance_to(lambda x, a=low, b=high: (x - a) / (b - a), sample) < 1.95
        assert wide.mean() == pytest.approx((low + high) / 2, abs=4 * (high - low) / math.sqrt(12 * N))
        assert wide.var() == pytest.approx((high - low) ** 2 / 12, rel=0.02)


@pytest.mark.parametrize(("dtype", "step"), [(np.float32, 2.0**-24), (np.float64, 2.0**-32)])
def test_the_extreme_words(dtype, step):
    words = np.array([[0, ONES]] * 4, np.uint32)
    uniforms, positives, signed, first, second = some_numbers(dtype, words)
    assert uniforms.tolist() == [0, 1 - step]
    assert positives.tolist() == [step, 1]
    assert signed.tolist() == [-1, 1 - 2 * step]
    largest = math.sqrt(-2 * math.log(step))
    assert first[0] == pytest.approx(-largest)
    assert first[1] == second[1] == 0
    assert largest < (5.8 if dtype == np.float32 else 6.7)


def test_both_types_draw_nearly_the_same_numbers():
    for narrow, wide in zip(some_numbers(np.float32)[:3], some_numbers(np.float64)[:3], strict=True):
        assert np.max(np.abs(narrow - wide)) <= 2.0**-23


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_normal_numbers(dtype):
    *_, first, second = some_numbers(dtype)
    for sample in (first, second):
        wide = sample.astype(np.float64)
        assert distance_to(normal_cumulative, sample) < 1.95
        assert wide.mean() == pytest.approx(0, abs=4 / math.sqrt(N))
        assert wide.var() == pytest.approx(1, abs=4 * math.sqrt(2 / N))
        assert np.mean(wide**3) == pytest.approx(0, abs=4 * math.sqrt(15 / N))
        assert np.mean(wide**4) == pytest.approx(3, abs=4 * math.sqrt(96 / N))
    assert abs(np.corrcoef(first, second)[0, 1]) < 4.5 / math.sqrt(N)
    assert abs(np.corrcoef(first**2, second**2)[0, 1]) < 4.5 / math.sqrt(N)


@pytest.mark.parametrize("dimensions", [2, 3])
def test_unit_vectors_are_uniform(dimensions):
    columns = tuple(np.zeros((dimensions, N), np.float32))
    fill_directions(some_words(), columns)
    points = np.stack(columns, axis=1).astype(np.float64)
    assert np.allclose(np.linalg.norm(points, axis=1), 1, atol=3e-7)
    assert np.all(np.abs(points.mean(axis=0)) < 4.5 / math.sqrt(dimensions * N))
    covariance = points.T @ points / N
    assert np.allclose(covariance, np.eye(dimensions) / dimensions, atol=4.5 / math.sqrt(N) / 2)
    around = np.arctan2(points[:, 1], points[:, 0])
    assert distance_to(lambda a: (a + math.pi) / (2 * math.pi), around) < 1.95
    if dimensions == 3:  # Archimedes: heights on a sphere are uniform.
        assert distance_to(lambda z: (z + 1) / 2, points[:, 2]) < 1.95


def test_unit_vectors_at_the_poles_are_numbers():
    words = np.array([[0, ONES], [0, ONES], [0, 0], [0, 0]], np.uint32)
    columns = tuple(np.zeros((3, 2), np.float32))
    fill_directions(words, columns)
    assert np.allclose(np.linalg.norm(np.stack(columns), axis=0), 1)
    assert columns[2][0] == -1


def test_a_key_is_two_words():
    key = key_of(7, "boids", 3)
    assert key.shape == (2,)
    assert key.dtype == np.uint32
    assert np.array_equal(key, key_of(np.int64(7), "boids", np.int32(3)))


def test_a_key_is_the_same_in_every_process_and_version():
    assert key_of(0).tolist() == KEY_OF_ZERO
    assert key_of(7, "boids", 3).tolist() == KEY_OF_BOIDS


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ((7, "a", "bc"), (7, "ab", "c")),
        ((7, "abc"), (7, "a", "bc")),
        ((7, "1"), (7, 1)),
        ((7, 1, 23), (7, 12, 3)),
        ((7, 1), (71,)),
        ((7,), (-7,)),
        ((7,), (7, "")),
        ((7, "a"), (8, "a")),
        ((7, "a", "b"), (7, "b", "a")),
        ((7, "text 1 a"), (7, "text", "a")),
        ((2**64 + 7,), (7,)),
    ],
)
def test_different_names_have_different_keys(one, other):
    assert not np.array_equal(key_of(*one), key_of(*other))


names = st.lists(st.one_of(st.text(max_size=5), st.integers()), max_size=4)


@settings(deadline=None, derandomize=True, max_examples=100)
@given(names, names)
def test_keys_are_equal_only_for_equal_names(one, other):
    assert np.array_equal(key_of(1, *one), key_of(1, *other)) == (one == other)


@pytest.mark.parametrize("seed", [1.5, "7", None, True])
def test_a_seed_is_a_whole_number(seed):
    with pytest.raises(TypeError, match="seed must be a whole number, got"):
        key_of(seed)


@pytest.mark.parametrize("name", [1.5, None, True, b"a"])
def test_a_name_is_text_or_a_whole_number(name):
    with pytest.raises(TypeError, match="every name must be text or a whole number, got"):
        key_of(7, name)


@pytest.mark.parametrize("high", [0x12345678, 0xFFFFFFFF])
def test_a_generator_keeps_every_bit_of_its_key(high):
    key = np.array([0x9ABCDEF1, high], np.uint32)
    state = generator(key, 7).bit_generator.state["state"]["key"]
    np.testing.assert_array_equal(state, np.array([high << 32 | 0x9ABCDEF1, 7], np.uint64))


def test_a_generator_has_numbers_of_its_own_for_every_key_and_step():
    drawn = [generator(key_of(3, name), step).random(4) for name in ("a", "b") for step in (0, 1)]
    assert len({tuple(numbers) for numbers in drawn}) == 4
    np.testing.assert_array_equal(drawn[0], generator(key_of(3, "a")).random(4))
