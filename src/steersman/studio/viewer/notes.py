"""Notes of a stage in the window. A note that needs a vehicle that was taken away is left out, and the run goes on."""

import dataclasses
import logging

from steersman.core.maths.shapes import Shape
from steersman.core.world.world import World
from steersman.runs.documents.stage import Stage


def resting(subject: World | Stage) -> World | Stage:
    """The subject without the notes of the moment."""
    if isinstance(subject, World):
        return subject
    return dataclasses.replace(subject, notes=[each for each in subject.notes if isinstance(each, Shape)])


def moving(stage: Stage) -> tuple[tuple[Shape, ...], str]:
    """The notes of the moment, and a sentence about those that fail; "" where all can be drawn."""
    shapes, problem = list[Shape](), ""
    for each in stage.notes:
        if isinstance(each, Shape):
            continue
        try:
            shapes.extend(each())
        except Exception as error:
            name = getattr(each, "__name__", type(each).__name__)
            problem = (
                f"The picture is without a note of this scenario ({name}), which fails since something was changed."
            )
            logging.getLogger("steersman").debug("a note fails", exc_info=error)
    return tuple(shapes), problem
