"""Source: the publication that a law was made from, for citations."""

from typing import NamedTuple


class Source(NamedTuple):
    """A publication.

    Attributes:
        authors: The family names of its authors.
        year: The year.
        title: The title.
        number: Its number in an archive, such as arXiv:1512.05597; "" for none.
    """

    authors: tuple[str, ...]
    year: int
    title: str
    number: str = ""
