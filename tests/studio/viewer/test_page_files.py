"""The files of the page: the pictures of the gallery."""

import io
import json
import re

import pytest
from PIL import Image, ImageStat

from steersman.drawing.palette import TONES, theme_module
from steersman.gallery.registry import SCENARIOS
from steersman.studio.viewer.page_files import (
    IMPORT,
    MODULES,
    MOVING,
    SUBJECTS,
    gallery_html,
    part,
    picture,
    script,
    squeezed,
    style,
)


@pytest.mark.parametrize("paper", ["light", "dark"])
def test_every_scenario_has_pictures(paper):
    missing = [name for name in SCENARIOS if picture(f"{name}.{paper}.webp") is None]
    missing += [name for name in MOVING if picture(f"{name}.moving.{paper}.webp") is None]
    assert not missing, f"please run: python docs/make_cards.py {' '.join(missing)}"
    for name in SCENARIOS:
        image = Image.open(io.BytesIO(picture(f"{name}.{paper}.webp"))).convert("L")
        assert image.size == (320, 240)
        low, high = image.getextrema()
        assert high - low > 40, name  # Something is to be seen on it.
        assert (ImageStat.Stat(image).median[0] > 128) == (paper == "light"), name


def test_the_page_is_sent_without_its_comments_types_and_indents():
    text = script()
    assert "https://" in text or "#version 300 es" in text
    assert not re.search(r"^ *//|[;,{}] // |^ |/\*\*", text, re.MULTILINE)
    lines = [line for name in MODULES for line in re.sub(r" *(//|/?\*).*", "", part(f"{name}.js")).splitlines()]
    known = [each for line in lines if not set(line) & set("'`/\\") for each in re.findall('"[^"]*"', line)]
    texts = {each for each in known if re.search(" [=:?<>] |[,;:] ", each)}
    assert len(texts) > 20
    assert [each for each in texts if each not in text] == [], "texts stay as they are"
    assert len(style()) < 0.92 * len(part("style.css"))
    assert re.sub(r"\s", "", style()) == re.sub(r"\s", "", part("style.css"))


@pytest.mark.parametrize(
    ("code", "short"),
    [
        ('const a = "x = y, z" + b;', 'const a="x = y, z"+b;'),
        ("f({ a: `}` }, '\" = ', c);", "f({a:`}`},'\" = ',c);"),
        (r'const [a, b] = "\" = ".split(c);', r'const[a,b]="\" = ".split(c);'),
        (
            'const a = `one, ${two ? `in = ${{ three: 3 }}, ` : "} = `"} = {4, ${5 > a} = ${b}`;',
            'const a=`one, ${two?`in = ${{three:3}}, `:"} = `"} = {4, ${5>a} = ${b}`;',
        ),
        (r"const a = `\` = ${b} \${ = }`;", r"const a=`\` = ${b} \${ = }`;"),
        ('const a = /[/ = "] = \\//g, b = c.match(/`, "/);', 'const a=/[/ = "] = \\//g,b=c.match(/`, "/);'),
        ("const a = b / c, d = e / (f + g) / 2;", "const a=b/c,d=e/(f+g)/2;"),
        ("a = b - -c + ++d - e;\nif (f) {\n  g();\n}\nh();", "a=b - -c + ++d-e;\nif(f){\n  g();\n}h();"),
        (
            "if (!(a => b)) return [c, d];\n\n\nfor (const { e } of f) g();",
            "if(!(a=>b))return[c,d];\nfor(const{e}of f)g();",
        ),
        (
            "const a = async (each) =>\n  f(\n    each,\n  ).map((it, k) => [it, k,],);",
            "const a=async each=>\n  f(\n    each,\n  ).map((it,k)=>[it,k]);",
        ),
        ("for (;;) {\n  if (a(b)) c = d;\n}\nwhile (a());", "for(;;){\n  if(a(b))c=d;\n}while(a());"),
        ("return (a) => b((c) => d);", "return(a)=>b(c=>d);"),
        ("f() {\n  a = b; }", "f(){\n  a=b}"),
        ("a\n? b // prettier-ignore\n: c;", "a?b // prettier-ignore\n:c;"),
        ("a\n.b()\n&& c\n? d\n: e;", "a.b()&&c?d:e;"),
        ('a(b); // don\'t: "c = d"\nconst e = f;', 'a(b);// don\'t: "c = d"\nconst e=f;'),
    ],
)
def test_code_is_squeezed_and_texts_stay_as_they_are(code, short):
    assert "".join(squeezed(code)) == short


def test_programs_of_the_graphics_card_are_sent_without_spaces_and_say_the_same():
    def words(text):
        programs = re.findall(r"(?:`|es)\n[^`]*`", re.sub(r" // .*", "", text))
        found = re.findall(r"\w*\.\d+|\d+\.|\w+|[^\s\w]", "".join(programs))
        return [float(each) if re.fullmatch(r"\d*\.?\d*", each) and each != "." else each for each in found]

    (sent,) = re.findall(r"\$shaders = \(\(\) => .*?\n}\)\(\);", script(), re.DOTALL)
    assert words(sent) == words(part("shaders.js"))
    assert len(words(sent)) > 3000
    assert "void main(){" in sent


def test_there_are_no_other_pictures():
    assert picture("../style.css") is None
    assert picture("nosuch.light.webp") is None


def test_the_page_has_the_colors_of_pictures():
    """They stand in drawing/palette.py alone: `python docs/make_tables.py` writes them for the page."""
    assert part("theme.js") == theme_module()
    for mode, rule in enumerate(re.findall(r":root, :host \{(.*?)\}", part("style.css"), re.DOTALL)):
        told = dict(re.findall(r"--(\w+): (#\w{6});", rule))
        assert told == {name: TONES[name][mode].lower() for name in told}
        assert len(told) == 9
    codes = re.findall(r"#[0-9a-f]{3,8}\b", part("style.css").partition("* { box-sizing")[2])
    assert set(codes) == {"#000"}, "only of a mask"


def test_each_scenario_is_found_by_one_of_few_subjects():
    assert len(SUBJECTS) <= 8
    told = gallery_html("token")
    cards = json.loads(re.search(r"const cards = (.*);", told)[1])
    groups = json.loads(re.search(r"const groups = (.*);", told)[1])
    assert groups["subject"] == list(SUBJECTS)
    assert [card["name"] for card in cards if set(card["tags"]).isdisjoint(SUBJECTS)] == []
    offered = {tag for tags in groups.values() for tag in tags}
    assert {tag for card in cards for tag in card["tags"]} == offered
    known = {tag for tags in SUBJECTS.values() for tag in tags} | set(groups["source"]) | {"2D", "3D", "2d", "3d"}
    assert {tag for scenario in SCENARIOS.values() for tag in scenario.tags} <= known


def test_each_module_stands_in_the_page_once_behind_its_imports():
    """A module that stands there twice is a syntax error: the browser runs nothing of the page."""
    assert len(set(MODULES)) == len(MODULES)
    for k, name in enumerate((*MODULES, "main")):
        needed = {imported for _, imported in IMPORT.findall(part(f"{name}.js"))}
        assert needed <= set(MODULES[:k]), name
