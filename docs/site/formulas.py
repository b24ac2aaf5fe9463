"""Equations as MathML, from the lines of plain text in which docstrings have them: there is no second copy.

    force = mass * (desired - velocity) / response_time,   zero beyond the panic distance

A line is a label, a left side, a sign of relation, a right side and a remark, apart by two spaces or more. Words stand
upright and single letters slanted; `/` becomes a fraction of the factors beside it, `^` a power, `sqrt` a root, `sum over
neighbors of` a sum, `_` before one letter an index, ` . ` a scalar and ` x ` a vector product.
"""

import re
from html import escape

GREEK = {"tau": "\u03c4", "kappa": "\u03ba", "theta": "\u03b8", "pi": "\u03c0", "grad": "\u2207"}

MINUS = "\u2212"

SIGNS = {
    "*": "\u00b7",
    ".": "\u22c5",
    ">=": "≥",
    "<=": "≤",
    "->": "→",
    "-": MINUS,
    "*=": "\u00d7=",
    "...": "\u2026",
    "x": "\u00d7",
}

TOKEN = re.compile(
    r'"[^"]*"|`[^`]*`|\[m/s\]|\.\.\.|>=|<=|->|[*+]=|[23]D\b|\d+(?:\.\d+)?(?:e-?\d+)?|[A-Za-z]{2,}\'s?\b|[a-z]{3,}-[a-z]{3,}|[A-Za-z]{3,}\'|'
    r"[^\W\d]\w*'?|\s+|."
)

RELATION = re.compile(r"(?<=\S)\s+([*+]?=|>=|<=|[<>])\s+")

CODE = re.compile(r"\bsm\.|^\s*(def|for|while|if|yield|import) |^\w+\(", re.MULTILINE)

LABEL = re.compile(r"""\s*((?:[^"=:]*:\s+)?"[^"]*"|[^"=]*:|\w+)\s{2,}(?=[^\s=])|\s{0,5}(\w+:) """)

CLOSING = {"(": ")", "[": "]", "|": "|"}


def is_code(block: str) -> bool:
    """Whether an indented block is a program, and not an equation."""
    return CODE.search(block) is not None


def typeset(block: str) -> str:
    """A block as one table in MathML: labels, left sides, relations with right sides, and remarks."""
    depth = min(len(line) - len(line.lstrip()) for line in block.split("\n") if line.strip())
    rows = [row(line[depth:]) for line in block.split("\n") if line.strip()]
    labels = any(cells[0] for cells in rows)
    made = []
    for label, left, right in rows:
        cells = [f'<mtd class="label">{words(label)}</mtd>'] * labels
        if left:
            cells.append(f'<mtd class="left">{formula(left)}</mtd><mtd>{formula(right)}</mtd>')
        elif right.startswith("\t"):
            cells.append(f"<mtd></mtd><mtd>{formula(right.strip())}</mtd>")
        else:
            cells.append(f'<mtd columnspan="2">{formula(right)}</mtd>')
        made.append(f"<mtr>{''.join(cells)}</mtr>")
    return f'<div class="law"><math><mtable displaystyle="true">{"".join(made)}</mtable></math></div>'


def row(line: str) -> tuple[str, str, str]:
    """Label, left side, and relation with right side and remark; a line that goes on from the one above has a tab."""
    label = ""
    begun = LABEL.match(line)
    if begun:
        label, line = re.sub(r"\s+", " ", begun[1] or begun[2]), line[begun.end() :]
    goes_on = not label and line.startswith("      ")
    line = RELATION.sub(r" \1 ", line.strip())
    found = re.match(r"([^=<>]*?)\s((?:[*+]?=|>=|<=|[<>])\s.*)", line)
    if found and balanced(found[1]) and not re.search(r"\s{2}|[,;]", found[1]):
        return label, found[1], found[2]
    return label, "", ("\t" if goes_on else "") + line


def balanced(text: str) -> bool:
    """Whether all brackets are closed."""
    return text.count("(") == text.count(")") and text.count("[") == text.count("]")


def words(text: str) -> str:
    """Text in a formula; what is in quotes as code."""
    if not text:
        return ""
    parts = [part for part in re.split(r'("[^"]*"|`[^`]*`)', text) if part]
    kinds = ["word" if part[0] in '"`' else "said" for part in parts]
    shown = [escape(part.strip("`").replace(" ", "\u00a0").replace("'", "\u2019"), quote=False) for part in parts]
    return "".join(f'<mtext class="{kind}">{part}</mtext>' for kind, part in zip(kinds, shown, strict=True))


def formula(text: str) -> str:
    """A line, or a part of it, as MathML."""
    tokens = TOKEN.findall(text)
    return f"<mrow>{''.join(Reader(tokens).until(None))}</mrow>" if tokens else ""


class Reader:
    """Reads tokens; each method takes what it understands, and nothing is an error.

    Args:
        tokens: The tokens, with spaces.
    """

    def __init__(self, tokens: list[str]) -> None:
        self.tokens, self.at = tokens, 0

    def peek(self, ahead: int = 0) -> str:
        """A token that has not been taken; empty at the end."""
        return self.tokens[self.at + ahead] if self.at + ahead < len(self.tokens) else ""

    def take(self) -> str:
        """The next token."""
        self.at += 1
        return self.tokens[self.at - 1]

    def until(self, end: str | None) -> list[str]:
        """All up to a closing bracket, which is left alone: products with their fractions, and the signs between them."""
        made, term = list[str](), list[str]()
        while self.peek() and self.peek() != end:
            if self.peek().isspace():
                space = self.take()
                term.append("<mspace width='2em'/>" if len(space) > 1 else "<mspace width='0.3em'/>")
            elif self.peek() == "/":
                self.take()
                self.skip()
                term = fraction(term, self.factor() if self.peek() and self.peek() != end else "")
            elif self.is_sign():
                unary = not term and (not made or made[-1].startswith("<mo"))
                while term and term[-1].startswith("<mspace") and "2em" not in term[-1]:
                    term.pop()
                made += [*term, self.sign(unary)]
                term = []
            else:
                term.append(self.factor())
        return [*made, *term]

    def skip(self) -> None:
        """Leave spaces out."""
        while self.peek().isspace():
            self.take()

    def is_sign(self) -> bool:
        """Whether the next token stands between terms."""
        this = self.peek()
        if this == "x":  # a vector product has words or brackets at both sides
            return self.beside(-2, r"[\w')]*(\w\w|\))") and self.beside(2, r"(\w\w|\().*")
        return not (re.match(r"[\w\"`(\[{]", this) or (this == "|" and not self.closes()))

    def beside(self, ahead: int, pattern: str) -> bool:
        """Whether a token near the next one matches."""
        at = self.at + ahead
        return 0 <= at < len(self.tokens) and re.fullmatch(pattern, self.tokens[at]) is not None

    def closes(self) -> bool:
        """Whether a bar ends a length: what begins a length stands after a space, a sign or a bracket."""
        return self.at > 0 and re.match(r"[\w)'\]]", self.tokens[self.at - 1]) is not None

    def sign(self, unary: bool) -> str:
        """A sign, with the spaces that follow."""
        this = self.take()
        if this in ",;:" or (this == "." and not self.peek().isspace()):
            return f'<mo separator="true">{this}</mo>'
        if len(self.peek()) == 1:
            self.skip()
        wide = "0" if unary and this in "+-" else "0.25em"
        return f'<mo stretchy="false" lspace="{wide}" rspace="{wide}">{escape(SIGNS.get(this, this))}</mo>'

    def factor(self) -> str:
        """A number, word, root, sum or bracket, with its power."""
        called = self.peek().isidentifier()
        made = self.atom()
        if called and self.peek() == "(":
            made = f"<mrow>{made}{self.atom()}</mrow>"
        while self.peek() == "^":
            self.take()
            minus = f"<mo>{MINUS}</mo>" if self.peek() == "-" and self.take() else ""
            made = f"<msup>{made}<mrow>{minus}{self.atom() if self.peek() else ''}</mrow></msup>"
        return made

    def atom(self) -> str:
        """One token, or all of a bracket."""
        this = self.take()
        if this in CLOSING:
            inside = "".join(self.until(CLOSING[this]))
            end = self.take() if self.peek() else ""
            return f'<mrow><mo stretchy="false">{this}</mo>{inside}<mo stretchy="false">{end}</mo></mrow>'
        if this == "sqrt" and self.peek() == "(":
            return f"<msqrt>{bare(self.atom())}</msqrt>"
        if (
            this == "sum"
            and "of" in self.tokens[self.at : self.at + 8]
            and "the" not in self.tokens[self.at : self.at + 5]
        ):
            return self.sum()
        if this[0] in '"`' or re.fullmatch(r"\[m/s\]|[23]D|\w{2,}'s?|[a-z]{3,}-[a-z]{3,}", this):
            return words(this)
        if this[0].isdigit():
            return f"<mn>{this}</mn>"
        if this == "a" and self.is_article():
            return "<mtext>a</mtext>"
        return name(this)

    def is_article(self) -> bool:
        """Whether a letter a is the word, and not a quantity."""
        return self.beside(1, r"(?!tau)[A-Za-z]{3,}.*") and (self.at == 1 or self.beside(-3, r"[a-z]{2,}"))

    def sum(self) -> str:
        """`sum of`, `sum over neighbors of`: the sign of a sum, over what stands between."""
        end = self.tokens.index("of", self.at)
        over = "".join(self.tokens[self.at : end]).strip().removeprefix("over").strip()
        self.at = end + 1
        sign = '<mo largeop="true" movablelimits="false">∑</mo>'
        return f"<munder>{sign}{words(over)}</munder>" if over else sign


def name(word: str) -> str:
    """A quantity: letters that stand alone are slanted, words upright; an index of one letter or digit is lowered."""
    word, prime = word.removesuffix("'"), '<mo lspace="0" rspace="0">\u2032</mo>' * word.endswith("'")
    found = re.fullmatch(r"([^\W\d_]+)_(\w)|([^\W\d_])(\d)", word)
    if found:
        base, index = found[1] or found[3], found[2] or found[4]
        return f"<msub>{name(base)}<{(kind := 'mn' if index.isdigit() else 'mi')}>{index}</{kind}></msub>{prime}"
    made = f"<mi>{GREEK.get(word, escape(word))}</mi>"
    return f"<mrow>{made}{prime}</mrow>" if prime else made


def fraction(term: list[str], under: str) -> list[str]:
    """The factors before a stroke as numerator, but for the sign of a sum."""
    while term and term[-1].startswith("<mspace"):
        term.pop()
    begin = len(term)
    while begin > 0 and not re.match("<mspace width='2em'|<munder>|<mo ", term[begin - 1]):
        begin -= 1
        if term[begin].startswith("<mn>") and begin > 1 and re.fullmatch(r"<mi>\w\w+</mi>", term[begin - 2]):
            break  # "at most 1 / radius"
    over = [each for each in term[begin:] if not each.startswith("<mspace")]
    if not over or (len(over) == 1 and over[0].startswith("<mtext")):
        return [*term, "<mo>/</mo>", under]
    while begin < len(term) and term[begin].startswith("<mspace"):
        begin += 1
    top = bare(over[0]) if len(over) == 1 else "".join(term[begin:])
    return [*term[:begin], f"<mfrac><mrow>{top}</mrow><mrow>{bare(under)}</mrow></mfrac>"]


def bare(made: str) -> str:
    """A bracket without its brackets, where a line or a root groups as well."""
    begin, end = '<mrow><mo stretchy="false">(</mo>', '<mo stretchy="false">)</mo></mrow>'
    return made[len(begin) : -len(end)] if made.startswith(begin) and made.endswith(end) else made
