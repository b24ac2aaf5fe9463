"""Changes by dotted path."""

import pytest

from steersman.runs.documents.overrides import assigned, change, parsed, value_at


def sample():
    return {
        "dt": 0.1,
        "gates": [3, "in", [4]],
        "populations": [
            {"name": "hares", "n": 1, "steering": {"behavior": "Sum", "parts": [{"behavior": "A"}, {"behavior": "A"}]}},
            {"name": "dogs", "n": 2, "steering": {"behavior": "Sum", "parts": [{"behavior": "B", "radius": 1}]}},
        ],
    }


@pytest.mark.parametrize(
    ("assignment", "place", "value"),
    [
        ("dt=0.5", ("dt",), 0.5),
        ("domain.size=[3, 4]", ("domain", "size"), [3, 4]),
        ("populations.1.n=7", ("populations", 1, "n"), 7),
        (
            "populations.dogs.steering.parts.B.radius=inf",
            ("populations", 1, "steering", "parts", 0, "radius"),
            float("inf"),
        ),
        ("populations.dogs.color = red", ("populations", 1, "color"), "red"),
        (
            "populations.dogs.spawn={shape='disc', radius=2}",
            ("populations", 1, "spawn"),
            {"shape": "disc", "radius": 2},
        ),
    ],
)
def test_a_value_is_put_in_its_place(assignment, place, value):
    document = sample()
    assert change(document, *assigned(assignment)) == place
    for step in place:
        document = document[step]
    assert document == value


@pytest.mark.parametrize(
    ("assignment", "message"),
    [
        ("dt", "path.to.param=value"),
        ("=3", "path.to.param=value"),
        ("a..b=3", "path.to.param=value"),
        ("dt.x=3", "nothing below 'dt'"),
        ("populations.dog.n=3", r"did you mean 'dogs'\? \(items: hares, dogs"),
        ("populations.2.n=3", "no item '2'"),
        ("populations.9.n=3", "no item '9'"),
        ("populations.hares.steering.parts.A.x=3", "several items"),
        ("gates.name.x=3", "no item 'name'"),
    ],
)
def test_a_path_that_leads_nowhere(assignment, message):
    document = sample()
    with pytest.raises(ValueError, match=message):
        change(document, *assigned(assignment))
    assert document == sample()


def test_values_are_toml_or_words():
    assert parsed("true") is True
    assert parsed(" word ") == "word"
    assert parsed('"3"') == "3"
    assert parsed("1e3") == 1000.0


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("dt", 0.1),
        ("domain.size", None),
        ("populations.dogs.steering.parts.B.radius", 1),
        ("populations.dogs.spawn.shape", None),
    ],
)
def test_what_is_read_of_a_document_leaves_it_as_it_is(path, value):
    document = sample()
    assert value_at(document, path) == value
    assert document == sample()
