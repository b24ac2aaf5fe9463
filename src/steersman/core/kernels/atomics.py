"""Atomics: shared words, locks and calls by address, for kernels that run without the interpreter.

A *word* is a number of 64 bits. All threads see reads and writes of the words that they share in the same order.
Locks are Python's own, by their address: they are the same on every system, and need no interpreter.
"""

import ctypes
from typing import Any

from steersman.core.kernels.internals import EXTENDING, IR, TYPES

intrinsic = EXTENDING.intrinsic
WORD = TYPES.int64
BITS = IR.IntType(64)
ORDER = "seq_cst"


def _place(builder: Any, address: Any, k: Any) -> Any:
    """The address of word k, counted from an address."""
    return builder.gep(builder.inttoptr(address, BITS.as_pointer()), [k])


@intrinsic  # type: ignore[untyped-decorator]
def load_word(typing: Any, address: Any, k: Any) -> Any:
    """Read word k, which no thread writes at the same time."""

    def make(context: Any, builder: Any, signature: Any, operands: Any) -> Any:
        return builder.load(_place(builder, *operands))

    return WORD(WORD, WORD), make


@intrinsic  # type: ignore[untyped-decorator]
def copy_bytes(typing: Any, to: Any, source: Any, size: Any) -> Any:
    """Copy bytes from one address to another one; the two parts of memory do not overlap."""

    def make(context: Any, builder: Any, signature: Any, operands: Any) -> Any:
        byte = IR.IntType(8).as_pointer()
        copy = builder.module.declare_intrinsic("llvm.memcpy", [byte, byte, BITS])
        to, source, size = operands
        arguments = [builder.inttoptr(to, byte), builder.inttoptr(source, byte), size, IR.IntType(1)(0)]
        builder.call(copy, arguments)
        return context.get_dummy_value()

    return TYPES.void(WORD, WORD, WORD), make


@intrinsic  # type: ignore[untyped-decorator]
def load_flag(typing: Any, address: Any) -> Any:
    """Read the byte at an address."""

    def make(context: Any, builder: Any, signature: Any, operands: Any) -> Any:
        return builder.zext(builder.load(builder.inttoptr(operands[0], IR.IntType(8).as_pointer())), BITS)

    return WORD(WORD), make


@intrinsic  # type: ignore[untyped-decorator]
def see(typing: Any, address: Any, k: Any) -> Any:
    """Read word k, which other threads may write at the same time."""

    def make(context: Any, builder: Any, signature: Any, operands: Any) -> Any:
        return builder.load_atomic(_place(builder, *operands), ORDER, 8)

    return WORD(WORD, WORD), make


@intrinsic  # type: ignore[untyped-decorator]
def show(typing: Any, address: Any, k: Any, word: Any) -> Any:
    """Write word k, which other threads may read at the same time."""

    def make(context: Any, builder: Any, signature: Any, operands: Any) -> Any:
        address, k, word = operands
        builder.store_atomic(word, _place(builder, address, k), ORDER, 8)
        return context.get_dummy_value()

    return TYPES.void(WORD, WORD, WORD), make


@intrinsic  # type: ignore[untyped-decorator]
def swap(typing: Any, address: Any, k: Any, word: Any) -> Any:
    """Write word k; return its former value."""

    def make(context: Any, builder: Any, signature: Any, operands: Any) -> Any:
        address, k, word = operands
        return builder.atomic_rmw("xchg", _place(builder, address, k), word, ORDER)

    return WORD(WORD, WORD, WORD), make


@intrinsic  # type: ignore[untyped-decorator]
def claim(typing: Any, address: Any, k: Any, word: Any) -> Any:
    """Add one to word k if its value is still `word`; return whether it was."""

    def make(context: Any, builder: Any, signature: Any, operands: Any) -> Any:
        address, k, word = operands
        one_more = builder.add(word, BITS(1))
        tried = builder.cmpxchg(_place(builder, address, k), word, one_more, ORDER)
        return builder.extract_value(tried, 1)

    return TYPES.boolean(WORD, WORD, WORD), make


@intrinsic  # type: ignore[untyped-decorator]
def count(typing: Any, address: Any, k: Any) -> Any:
    """Add one to word k; return its former value."""

    def make(context: Any, builder: Any, signature: Any, operands: Any) -> Any:
        return builder.atomic_rmw("add", _place(builder, *operands), BITS(1), ORDER)

    return WORD(WORD, WORD), make


PAUSE: dict[str, tuple[str, list[Any]]] = {
    "x86_64": ("llvm.x86.sse2.pause", []),
    "aarch64": ("llvm.aarch64.hint", [IR.IntType(32)(1)]),
    "arm64": ("llvm.aarch64.hint", [IR.IntType(32)(1)]),
}
"""Processor -> the instruction that makes it wait for a moment: LLVM's name for it, and its arguments."""


@intrinsic  # type: ignore[untyped-decorator]
def pause(typing: Any) -> Any:
    """Make the processor wait for a moment; for loops that wait for another thread."""

    def make(context: Any, builder: Any, signature: Any, operands: Any) -> Any:
        processor = builder.module.triple.partition("-")[0]
        if processor in PAUSE:
            name, numbers = PAUSE[processor]
            shape = IR.FunctionType(IR.VoidType(), [number.type for number in numbers])
            function = builder.module.globals.get(name) or IR.Function(builder.module, shape, name)
            builder.call(function, numbers)
        return context.get_dummy_value()

    return TYPES.void(), make


@intrinsic  # type: ignore[untyped-decorator]
def call_task(typing: Any, task: Any, words: Any, first: Any, second: Any) -> Any:
    """Call the task at an address (see `tasks.py`); return 1 if it failed, else 0."""

    def make(context: Any, builder: Any, signature: Any, operands: Any) -> Any:
        task, words, first, second = operands
        shape = IR.FunctionType(BITS, [BITS.as_pointer(), BITS, BITS])
        code = builder.inttoptr(task, shape.as_pointer())
        return builder.call(code, [builder.inttoptr(words, BITS.as_pointer()), first, second])

    return WORD(WORD, WORD, WORD, WORD), make


@intrinsic  # type: ignore[untyped-decorator]
def acquire(typing: Any, lock: Any) -> Any:
    """Wait for a lock; signals do not interrupt the wait."""

    def make(context: Any, builder: Any, signature: Any, operands: Any) -> Any:
        wait = IR.IntType(32)
        _call(builder, ACQUIRE, wait, [(BITS, operands[0]), (wait, wait(1))])
        return context.get_dummy_value()

    return TYPES.void(WORD), make


@intrinsic  # type: ignore[untyped-decorator]
def release(typing: Any, lock: Any) -> Any:
    """Release a lock, so that the thread that waits for it continues."""

    def make(context: Any, builder: Any, signature: Any, operands: Any) -> Any:
        _call(builder, RELEASE, IR.VoidType(), [(BITS, operands[0])])
        return context.get_dummy_value()

    return TYPES.void(WORD), make


ACQUIRE, RELEASE = "PyThread_acquire_lock", "PyThread_release_lock"


def _call(builder: Any, name: str, result: Any, operands: Any) -> None:
    """Emit a call of a function of Python's C interface, by its name."""
    shape = IR.FunctionType(result, [kind for kind, _ in operands])
    module = builder.module
    function = module.globals.get(name) or IR.Function(module, shape, name)
    builder.call(function, [value for _, value in operands])


def new_lock() -> int:
    """The address of a new lock, already taken. It is never freed."""
    allocate, take = ctypes.pythonapi.PyThread_allocate_lock, ctypes.pythonapi.PyThread_acquire_lock
    allocate.restype, allocate.argtypes = ctypes.c_void_p, []
    take.restype, take.argtypes = ctypes.c_int, [ctypes.c_void_p, ctypes.c_int]
    lock = int(allocate())
    take(lock, 1)
    return lock
