"""Films to look at: short, small, and decoded again by the encoder's own program."""

import subprocess

import imageio_ffmpeg
import numpy as np
import pytest
from PIL import Image

import steersman as sm
from steersman.drawing.palette import rgb


class Film:
    """A video file that was read back.

    Attributes:
        frames: Its frames, uint8, shape (n, height, width, 3).
        rate: Frames a second.
    """

    def __init__(self, path):
        if path.suffix == ".webp":
            with Image.open(path) as picture:
                shown = []
                for k in range(picture.n_frames):
                    picture.seek(k)
                    shown.append(np.asarray(picture.convert("RGB")))
                self.frames, self.rate = np.array(shown), 1000 / picture.info["duration"]
            return
        reader = imageio_ffmpeg.read_frames(path)
        about = next(reader)
        reader.close()
        (width, height), self.rate = about["size"], about["fps"]
        exe = imageio_ffmpeg.get_ffmpeg_exe()
        told = [
            "-loglevel", "error", "-i", path, "-fps_mode", "passthrough", "-f", "rawvideo", "-pix_fmt", "rgb24", "-",
        ]  # fmt: skip
        data = subprocess.run([exe, *map(str, told)], capture_output=True, check=True).stdout
        self.frames = np.frombuffer(data, np.uint8).reshape(-1, height, width, 3)

    def centers(self, color, window, shade=120):
        """Middles of what has a color, or one as near as a shade, within a window [pixels], x and y, shape (n, 2)."""
        left, top, right, bottom = window
        part = self.frames[:, top:bottom, left:right].astype(float)
        away = np.linalg.norm(part - 255 * np.array(rgb(color)), axis=-1)
        weight = np.clip(1 - away / shade, 0, 1)
        y, x = np.mgrid[top:bottom, left:right] + 0.5
        total = weight.sum(axis=(1, 2))
        assert (total > 3).all(), "somebody is not to be seen"
        return np.stack([(weight * x).sum(axis=(1, 2)), (weight * y).sum(axis=(1, 2))], axis=1) / total[:, None]


@pytest.fixture
def film():
    return Film


def coasting(position=(20, 20), velocity=(12, 4), domain=None, dt=0.05, color="red", **about):
    """One vehicle that goes straight on, as a stage without trails."""
    d = len(position)
    world = sm.World(domain=domain or sm.Box([100.0, 60.0, 50.0][:d]), dt=dt)
    world.add(sm.Vehicles([position], velocity, max_speed=50, radius=0.8), name="a")
    about = {"picture": sm.Picture(trails=0.0), "colors": {"a": color}, "name": "straight on", **about}
    return sm.Stage(world, seconds=2, **about)


@pytest.fixture(name="coasting")
def coasting_fixture():
    return coasting


def flock(n=40, seed=0, d=2):
    """A flock around a rock on a torus."""
    rng = np.random.default_rng(seed)
    world = sm.World(domain=sm.Torus([60.0] * d), dt=0.05, seed=seed)
    boids = sm.Vehicles(rng.uniform(0, 60, (n, d)), rng.normal(size=(n, d)) * 5, max_speed=10, max_force=30)
    rock = sm.Spheres([[30.0] * d], 6)
    urges = 1.5 * sm.Separation(radius=4) + sm.Cohesion(radius=9) + 0.4 * sm.Wander()
    world.add(boids, name="boids", steering=sm.Priority([sm.AvoidObstacles(rock), urges]))
    return sm.Stage(world, seconds=2, name="flock", scenery={"rock": rock}, colors={"boids": "blue"})


@pytest.fixture(name="flock")
def flock_fixture():
    return flock
