"""The package for polygons, an extra."""

from typing import Any


def shapely(name: str = "NavMesh") -> Any:
    """The package Shapely.

    Args:
        name: The class or function that needs it, for messages.

    Raises:
        ImportError: It is missing, or too old.
    """
    try:
        import shapely as package
    except ImportError:
        raise ImportError(f"{name} needs Shapely: pip install steersman[geo]") from None
    if not hasattr(package, "constrained_delaunay_triangles"):
        raise ImportError(f"{name} needs Shapely >= 2.1, got {package.__version__}")
    return package
