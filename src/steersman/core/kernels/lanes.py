"""Lanes: comparisons of several numbers by one vector instruction, with the results as the bits of a word.

A loop that the compiler vectorizes is slow unless it has hundreds of rounds, because of the code before and after it.
Candidates for neighbors come in pieces of ten or twenty, so here the vector instructions are written out.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from steersman.core.kernels.internals import EXTENDING, IR, TYPES, arrays
from steersman.core.kernels.kernel import FAST, is_compiling
from steersman.core.typing import Array, Columns, Vector

LANES = 16
"""The number of candidates that are compared at once."""

Within = Callable[[Columns, Array, Any, Vector, Any, Any], Any]


def _lanes_within() -> Within:
    """The intrinsic `lanes_within`: which of LANES candidates from `first` on are within a radius of `here`, as bits.

    Its arguments are those of `within`, which is the same function in NumPy.
    """

    @EXTENDING.intrinsic  # type: ignore[untyped-decorator]
    def lanes_within(typing: Any, position: Any, row: Any, first: Any, here: Any, radius2: Any, own: Any) -> Any:
        def make(context: Any, builder: Any, signature: Any, operands: Any) -> Any:
            points, numbers, begin, place, limit, mine = operands

            def load(kind: Any, array: Any) -> Any:
                element = context.get_data_type(kind.dtype)
                shape = IR.VectorType(element, LANES).as_pointer()
                data = arrays().make_array(kind)(context, builder, array).data
                at = builder.bitcast(builder.gep(data, [begin]), shape)
                return builder.load(at, align=context.get_abi_sizeof(element))

            def spread(value: Any) -> Any:
                blank = IR.Constant(IR.VectorType(value.type, LANES), IR.Undefined)
                lane = IR.IntType(32)
                one = builder.insert_element(blank, value, lane(0))
                return builder.shuffle_vector(one, blank, IR.Constant(IR.VectorType(lane, LANES), [0] * LANES))

            flags, d2 = tuple(sorted(FAST)), None
            for k in range(len(position)):
                to = load(position[k], builder.extract_value(points, k))
                to = builder.fsub(to, spread(builder.extract_value(place, k)), flags=flags)
                square = builder.fmul(to, to, flags=flags)
                d2 = square if d2 is None else builder.fadd(d2, square, flags=flags)
            near = builder.fcmp_ordered("<=", d2, spread(limit))
            others = builder.icmp_signed("!=", load(row, numbers), spread(mine))
            word = builder.bitcast(builder.and_(near, others), IR.IntType(LANES))
            return builder.zext(word, IR.IntType(64))

        return TYPES.uint64(position, row, TYPES.uint64, here, position[0].dtype, TYPES.int32), make

    made: Within = lanes_within
    return made


def _of_bits(name: str) -> Callable[[Any], Any]:
    """The intrinsic for a function of a word that is one instruction, by LLVM's name of it."""

    @EXTENDING.intrinsic  # type: ignore[untyped-decorator]
    def counted(typing: Any, bits: Any) -> Any:
        def make(context: Any, builder: Any, signature: Any, operands: Any) -> Any:
            never_zero = [IR.IntType(1)(1)] if name == "cttz" else []
            return getattr(builder, name)(operands[0], *never_zero)

        return TYPES.uint64(TYPES.uint64), make

    made: Callable[[Any], Any] = counted
    return made


def within(position: Columns, row: Array, first: Any, here: Vector, radius2: Any, own: Any) -> Any:
    """`lanes_within` in NumPy, for where nothing is compiled.

    Args:
        position, row: Positions [m] and rows of the candidates.
        first: The first of the LANES candidates.
        here, radius2: The center [m] and the squared radius [m^2].
        own: The row of a candidate that does not count.
    """
    begin = int(first)
    way = [each[begin : begin + LANES] - x for each, x in zip(position, here, strict=True)]
    near = (np.sum(np.square(way), axis=0) <= radius2) & (row[begin : begin + LANES] != own)
    return np.uint64(sum(1 << q for q in np.flatnonzero(near).tolist()))


if is_compiling():
    lanes_within, lowest_bit, bit_count = _lanes_within(), _of_bits("cttz"), _of_bits("ctpop")
else:
    lanes_within = within

    def lowest_bit(bits: Any) -> Any:
        """The place of the lowest bit that is set; there must be one."""
        return np.uint64((int(bits) & -int(bits)).bit_length() - 1)

    def bit_count(bits: Any) -> Any:
        """The number of bits that are set."""
        return np.uint64(int(bits).bit_count())
