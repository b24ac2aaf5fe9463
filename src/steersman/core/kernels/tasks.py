"""Tasks: kernels that take their arguments from memory, so that machine code can call them without the interpreter.

A call from Python unpacks every array argument, and needs the interpreter's lock for that. The arguments of a plan stay the
same, so they are written to memory once, as *words* of 64 bits. Only the first two arguments, if both are whole numbers,
change from call to call: a range of rows, or the number of a worker and of all workers. `words_of` writes the words, and the
code that `_read` makes reads them:

    an array     address, shape, strides
    a number     its bits
    a tuple      its elements, one after the other
    a kernel     nothing: the type determines it
"""

import struct
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from steersman.core.kernels.internals import DISPATCHERS, IR, LOWERING, TYPES, arrays

WORD = IR.IntType(64)
FAILED = IR.IntType(64)

# ------------------------------------------------------------------------------------------------ how words are written


class UnpackableError(TypeError):
    """An argument that is neither array nor number."""


def words_of(arguments: tuple[Any, ...]) -> "np.ndarray[Any, Any]":
    """Arguments as words. The arrays must outlive them.

    Raises:
        UnpackableError: An argument is neither array nor number, nor a tuple of these.
    """
    return np.array([word & MASK for argument in arguments for word in _words(argument)], np.uint64)


MASK = 2**64 - 1


def _words(argument: Any) -> Iterator[int]:
    if isinstance(argument, np.ndarray):
        yield argument.__array_interface__["data"][0]
        yield from argument.shape
        yield from argument.strides
    elif isinstance(argument, tuple):
        for each in argument:
            yield from _words(each)
    elif isinstance(argument, (int, np.integer, np.bool_)):
        yield int(argument)
    elif isinstance(argument, np.float32):
        yield int(argument.view(np.uint32))
    elif isinstance(argument, float):
        yield int.from_bytes(struct.pack("=d", argument), BYTE_ORDER)
    elif argument is not None and not isinstance(argument, DISPATCHERS.Dispatcher):
        raise UnpackableError(
            f"an argument of a task must be an array, a number or a tuple of those, got {type(argument)}"
        )


BYTE_ORDER: Any = "little" if np.little_endian else "big"


def split(arguments: tuple[Any, ...]) -> tuple[tuple[int, int], tuple[Any, ...]]:
    """The two arguments that may change from call to call, and the others.

    The former are the first two if both are whole numbers; otherwise they are zeros, and all arguments are among the others.
    """
    if len(arguments) >= 2 and all(
        isinstance(each, (int, np.integer)) and not isinstance(each, bool) for each in arguments[:2]
    ):
        return (int(arguments[0]), int(arguments[1])), arguments[2:]
    return (0, 0), arguments


# ------------------------------------------------------------------------------------------------ how they are read


class EntryLower(LOWERING.Lower):  # type: ignore[misc]
    """Makes the code of a kernel, with two entry points: one for Python, and the task."""

    def create_cpython_wrapper(self, release_gil: bool = False) -> None:
        """Make both entry points."""
        super().create_cpython_wrapper(release_gil)
        add_task(self.context, self.library, self.fndesc)


def add_task(context: Any, library: Any, described: Any) -> None:
    """Add the function `task(words, first, second)` to a kernel's library; it returns whether the kernel raised an error."""
    module = context.create_module("task")
    kernel = IR.Function(
        module, context.call_conv.get_function_type(described.restype, described.argtypes), described.llvm_func_name
    )
    shape = IR.FunctionType(FAILED, [WORD.as_pointer(), WORD, WORD])
    task = IR.Function(module, shape, task_name(described))
    builder = IR.IRBuilder(task.append_basic_block("entry"))
    words, *changing = task.args
    kinds = list(described.argtypes)
    arguments = []
    if len(kinds) >= 2 and all(isinstance(kind, TYPES.Integer) for kind in kinds[:2]):
        arguments = [_number(context, builder, kind, word) for kind, word in zip(kinds, changing, strict=False)]
    reader = _Reader(builder, words)
    arguments += [_read(context, reader, kind) for kind in kinds[len(arguments) :]]
    status, _ = context.call_conv.call_function(
        builder, kernel, described.restype, described.argtypes, arguments, attrs=("noinline",)
    )
    builder.ret(builder.zext(status.is_error, FAILED))
    library.add_ir_module(module)


def task_name(described: Any) -> str:
    """The symbol of a kernel's task."""
    name: str = described.llvm_cfunc_wrapper_name
    return name


class _Reader:
    """Makes code that reads one word after the other."""

    def __init__(self, builder: Any, words: Any) -> None:
        self.builder, self._words, self._k = builder, words, 0

    def __call__(self) -> Any:
        """The value of the next word."""
        place = self.builder.gep(self._words, [WORD(self._k)])
        self._k += 1
        return self.builder.load(place)


def _read(context: Any, reader: _Reader, kind: Any) -> Any:
    """The value of the next argument, of type `kind`, made of the words that follow."""
    builder = reader.builder
    if isinstance(kind, TYPES.Array):
        return _array(context, reader, kind)
    if isinstance(kind, TYPES.BaseTuple):
        return context.make_tuple(builder, kind, [_read(context, reader, each) for each in kind.types])
    if isinstance(kind, (TYPES.Integer, TYPES.Float, TYPES.Boolean)):
        return _number(context, builder, kind, reader())
    return context.get_dummy_value()


def _array(context: Any, reader: _Reader, kind: Any) -> Any:
    builder = reader.builder
    array = arrays().make_array(kind)(context, builder)
    address, *lengths = [reader() for _ in range(1 + 2 * kind.ndim)]
    arrays().populate_array(
        array,
        data=builder.inttoptr(address, array.data.type),
        shape=lengths[: kind.ndim],
        strides=lengths[kind.ndim :],
        itemsize=context.get_constant(TYPES.intp, context.get_abi_sizeof(context.get_data_type(kind.dtype))),
        meminfo=None,
    )
    return array._getvalue()


def _number(context: Any, builder: Any, kind: Any, word: Any) -> Any:
    if isinstance(kind, TYPES.Boolean):
        return builder.icmp_unsigned("!=", word, WORD(0))
    bits = IR.IntType(kind.bitwidth)
    number = builder.trunc(word, bits) if kind.bitwidth < WORD.width else word
    return builder.bitcast(number, context.get_value_type(kind)) if isinstance(kind, TYPES.Float) else number


# ------------------------------------------------------------------------------------------------ addresses of tasks

TASKS: dict[Callable[..., Any], int] = {}
"""Entry point -> the address of the task of the same kernel."""
