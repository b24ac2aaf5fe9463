"""Dead links of the site are found, and live ones are not."""

from pathlib import Path

from loading import module_of

FILE = Path(__file__).parents[2] / "docs" / "site" / "links.py"


def test_dead_links_are_found(tmp_path):
    links = module_of(FILE)
    (tmp_path / "made").mkdir()
    (tmp_path / "picture.png").write_bytes(b"")
    (tmp_path / "made" / "a.html").write_text(
        '<h2 id="law">Law</h2><a href="../index.html#none">x</a><a class="y" href="#law">z</a>'
    )
    (tmp_path / "index.html").write_text(
        '<a href="made/a.html#law">a</a> <a href="made/b.html">b</a> <img alt="" src="picture.png?v=1"> <img src="gone.png">'
        '<a href="https://example.org/none">c</a> <a href="mailto:a@example.org">d</a>'
    )
    assert list(links.dead_links(tmp_path)) == [
        "index.html: there is no made/b.html",
        "index.html: there is no gone.png",
        "made/a.html: ../index.html has no #none",
    ]
