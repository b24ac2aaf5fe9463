"""Rows of four numbers, which the device reads and writes at once, in one instruction of 16 bytes.

What neighbors read of each other lies in arrays of shape (n, 4): a thread that reads three columns would ask the cache three
times.
"""

from typing import Any

from llvmlite import ir
from numba.core import types as numbas

from steersman.core.typing import Array
from steersman.gpu.compiling import helper
from steersman.gpu.device import SIMULATED

types: Any = numbas
Four = tuple[Any, Any, Any, Any]

if SIMULATED:

    def load4(rows: Array, i: Any) -> Four:
        """Row i of an array of shape (n, 4)."""
        return (rows[i, 0], rows[i, 1], rows[i, 2], rows[i, 3])

    def store4(rows: Array, i: Any, numbers: Four) -> None:
        """Write row i."""
        for k in range(4):
            rows[i, k] = numbers[k]

    def first_of(four: Four, like: tuple[Any, ...]) -> tuple[Any, ...]:
        """The first numbers of four, as many as `like` has."""
        return four[: len(like)]

else:
    from numba.cuda.extending import intrinsic

    VECTOR = ir.VectorType(ir.FloatType(), 4)

    def _address(context: Any, builder: Any, kind: Any, rows: Any, i: Any) -> Any:
        """The address of row i."""
        array = context.make_array(kind)(context, builder, rows)
        first = builder.mul(i, ir.Constant(i.type, 4))
        return builder.bitcast(builder.gep(array.data, [first]), VECTOR.as_pointer())

    def _lane(k: int) -> Any:
        return ir.Constant(ir.IntType(32), k)

    @intrinsic
    def load4(typing: Any, rows: Any, i: Any) -> Any:
        """Row i of an array of shape (n, 4), float32."""

        def lower(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            four = builder.load(_address(context, builder, signature.args[0], *arguments), align=16)
            numbers = [builder.extract_element(four, _lane(k)) for k in range(4)]
            return context.make_tuple(builder, signature.return_type, numbers)

        return types.UniTuple(types.float32, 4)(rows, i), lower

    @intrinsic
    def store4(typing: Any, rows: Any, i: Any, numbers: Any) -> Any:
        """Write row i."""

        def lower(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            four = ir.Constant(VECTOR, ir.Undefined)
            for k in range(4):
                four = builder.insert_element(four, builder.extract_value(arguments[2], k), _lane(k))
            builder.store(four, _address(context, builder, signature.args[0], *arguments[:2]), align=16)
            return context.get_dummy_value()

        return types.void(rows, i, types.UniTuple(types.float32, 4)), lower

    @helper
    def first_of(four: Four, like: tuple[Any, ...]) -> tuple[Any, ...]:
        """The first numbers of four, as many as `like` has."""
        if len(like) == 2:
            return (four[0], four[1])
        return (four[0], four[1], four[2])
