"""Arrays on the stack of a kernel: scratch of a fixed size that belongs to one call and costs nothing to allocate."""

from collections.abc import Callable
from typing import Any

import numpy as np

from steersman.core.kernels.internals import EXTENDING, IR, TYPES, arrays
from steersman.core.kernels.kernel import is_compiling
from steersman.core.typing import Array


def stack_array(size: int) -> Callable[[Array], Array]:
    """A function for kernels: `scratch(like)` is an array of `size` numbers of the type of those in `like`, not initialized.

    It is valid until the kernel returns. Called in a loop, it is the same memory each time.
    """
    if not is_compiling():
        return lambda like: np.empty(size, like.dtype)

    @EXTENDING.intrinsic  # type: ignore[untyped-decorator]
    def scratch(typing: Any, like: Any) -> Any:
        kind = TYPES.Array(like.dtype, 1, "C")

        def make(context: Any, builder: Any, signature: Any, operands: Any) -> Any:
            element, word = context.get_data_type(like.dtype), context.get_value_type(TYPES.intp)
            with builder.goto_entry_block():
                data = builder.alloca(element, IR.Constant(word, size))
            array = arrays().make_array(kind)(context, builder)
            bytes_each = IR.Constant(word, context.get_abi_sizeof(element))
            length = IR.Constant(word, size)
            arrays().populate_array(
                array, data=data, shape=[length], strides=[bytes_each], itemsize=bytes_each, meminfo=None
            )
            return array._getvalue()

        return kind(like), make

    made: Callable[[Array], Array] = scratch
    return made
