"""Writes the picture of the page on videos: fish.webp, which moves. `python docs/make_video.py`, with the extra `video`."""

from pathlib import Path

from steersman.gallery.registry import SCENARIOS

DOCS = Path(__file__).parent


def main() -> None:
    """Write it: a school of fish, seen by a camera that goes around them."""
    stage = SCENARIOS["aquarium"].stage()
    stage.world.run(seconds=6)
    stage.video(DOCS / "fish.webp", seconds=4, fps=15, size=(560, 360), turn=15)


if __name__ == "__main__":
    main()
