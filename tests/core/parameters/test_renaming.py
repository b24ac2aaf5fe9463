"""Names of before: they work for one release, and the warning names the new one."""

import numpy as np
import pytest

import steersman as sm
from steersman import laws


def world():
    made = sm.World()
    made.add(sm.Vehicles([[0.0, 0.0], [3.0, 0.0]], [[1.0, 0.0], [0.0, 1.0]]), name="two", steering=sm.Seek([9.0, 9.0]))
    return made


def explanation():
    return world().explain("two")["Seek"]


class Count(sm.Keeping):
    saved_attributes = ("n",)

    def __init__(self):
        self.n = 3


def counted_by_the_old_name():
    class Old(sm.Keeping):
        kept = ("n",)

    old = Old()
    old.resume({"n": 3})
    return old.saved()


PLACES = np.array([[0.0, 0.0], [3.0, 0.0]])
WAYS = np.array([[1.0, 0.0], [0.0, 1.0]])
SHARED = {"lookahead": 2.0, "max_acceleration": 9.0}
MASK = np.array([[False, True], [True, False]])


def documented(call, folder):
    """The text of the document that a call has written."""
    call(folder / "document.toml")
    return (folder / "document.toml").read_text()


OLD_NAMES = {
    "the argument who of World.explain is called vehicles now": (
        lambda folder: world().explain(who="two", id=1).raw,
        lambda folder: world().explain(vehicles="two", id=1).raw,
    ),
    "the argument who of World.sketch is called vehicles now": (
        lambda folder: len(world().sketch(who="two")),
        lambda folder: len(world().sketch(vehicles="two")),
    ),
    "the argument who of World.drawn is called vehicles now": (
        lambda folder: world().drawn(0.5, who="two").position,
        lambda folder: world().drawn(0.5, vehicles="two").position,
    ),
    "the argument what of to_document is called item now": (
        lambda folder: sm.to_document(what=sm.Seek([1, 2])),
        lambda folder: sm.to_document(item=sm.Seek([1, 2])),
    ),
    "the argument what of write_document is called item now": (
        lambda folder: documented(lambda file: sm.write_document(what=sm.Seek([1, 2]), file=file), folder),
        lambda folder: documented(lambda file: sm.write_document(item=sm.Seek([1, 2]), file=file), folder),
    ),
    "the argument what of draw is called item now": (
        lambda folder: type(sm.draw(what=world(), file=folder / "old.png")),
        lambda folder: type(sm.draw(item=world(), file=folder / "new.png")),
    ),
    "the argument wanted of Resources.take is called demand now": (
        lambda folder: sm.Resources(PLACES, 2.0).take(np.array([0, 0, 1]), wanted=1.5),
        lambda folder: sm.Resources(PLACES, 2.0).take(np.array([0, 0, 1]), demand=1.5),
    ),
    **{
        f"the argument seen of {law.__name__} is called visible now": (
            lambda folder, law=law, args=args, more=more: law(*args, seen=MASK, **more),
            lambda folder, law=law, args=args, more=more: law(*args, visible=MASK, **more),
        )
        for law, args, more in (
            (laws.neighbor_mean, (PLACES,), {}),
            (laws.separation, (PLACES, PLACES), {}),
            (laws.inverse_square_separation, (PLACES, PLACES), {}),
            (laws.mean_site_separation, (PLACES, PLACES, PLACES, 2.0), {}),
            (laws.cohesion, (PLACES, PLACES, PLACES, 2.0), {}),
            (laws.cohesion_offset, (PLACES, PLACES), {}),
            (laws.alignment, (PLACES, PLACES), {}),
            (laws.heading_alignment, (PLACES, PLACES, PLACES, 2.0), {}),
            (laws.vicsek_heading, (WAYS, WAYS), {}),
            (laws.avoid_neighbors, (PLACES, WAYS, 1.0, PLACES + 4.0, -WAYS, 1.0), SHARED),
        )
    },
    "Explanation.kept is called contribution now": (
        lambda folder: explanation().kept,
        lambda folder: explanation().contribution,
    ),
    "Explanation.asked is called evaluated now": (
        lambda folder: explanation().asked,
        lambda folder: explanation().evaluated,
    ),
    "Explanation.kept_turning is called turning_contribution now": (
        lambda folder: explanation().kept_turning,
        lambda folder: explanation().turning_contribution,
    ),
    "Obstacles.seen is called viewed_from now": (
        lambda folder: sm.Spheres([[0, 0]], 1.0).seen("inside").seen_from,
        lambda folder: sm.Spheres([[0, 0]], 1.0).viewed_from("inside").seen_from,
    ),
    "Keeping.kept is called saved_attributes now": (
        lambda folder: Count().kept,
        lambda folder: Count().saved_attributes,
    ),
    "Keeping.kept is called": (lambda folder: counted_by_the_old_name(), lambda folder: Count().saved()),
}


@pytest.mark.parametrize("message", OLD_NAMES)
def test_an_old_name_works_and_says_the_new_one(message, tmp_path):
    by_old, by_new = OLD_NAMES[message]
    with pytest.warns(DeprecationWarning, match=message) as told:
        given = by_old(tmp_path)
    assert {each.filename for each in told} == {__file__}
    np.testing.assert_equal(given, by_new(tmp_path))


def test_a_call_with_both_names_is_refused():
    with pytest.raises(TypeError, match=r"World\.explain has no parameter 'who'"):
        world().explain(who="two", vehicles="two")
