"""How Numba compiles kernels here: as usual, but without code that is never called.

A function has two forms:

- an **entry** is called by Python and by tasks: it has machine code, with the code that unpacks its arguments (`tasks.py`),
  and nothing else;
- a **helper** is called by other kernels. It always becomes a part of its caller, so it is typed, lowered and optimized, and
  then kept as intermediate code: no machine code, no entry point for Python or C, no place in the engine.

Numba by itself makes both forms of every function. That, and reference counts where nothing is allocated, took half of the
compile time. The remaining code is optimized as before, so it computes the same bits.
"""

import functools
import gc
import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from typing import Any

from steersman.core.kernels.cache import KernelCache, content_of, type_name
from steersman.core.kernels.internals import BINDING, CODEGEN, COMPILER, MACHINERY, PASSES, REGISTRY, TYPES, UNTYPED
from steersman.core.kernels.signals import deferred_signals
from steersman.core.kernels.tasks import EntryLower, task_name

# ------------------------------------------------------------------------------------------------ what is compiled to


class _Library(CODEGEN.JITCodeLibrary):  # type: ignore[misc]
    """The code of one function for one combination of types."""

    def _optimize_functions(self, module: Any) -> None:
        """Simplify each function before it is linked, except declarations and entry points (`ENTRY_PREFIXES`)."""
        module.data_layout = self._codegen._data_layout
        for function in module.functions:
            if not (function.is_declaration or function.name.startswith(ENTRY_PREFIXES)):
                passes, builder = self._codegen._function_pass_manager()
                passes.run(function, builder)


ENTRY_PREFIXES = ("_ZN7cpython", "cfunc.")
"""Prefixes of the names of functions that Python calls, and of tasks."""


class HelperLibrary(_Library):
    """The code of a helper, which only becomes a part of other code."""

    recipe = 1
    is_locked = False

    def _finalize_final_module(self) -> None:
        """Make the optimized code ready for linking: copies of it in several callers count as one function."""
        self._finalize_dynamic_globals()
        for function in self._final_module.functions:
            if not function.is_declaration and function.linkage == BINDING.Linkage.external:
                function.linkage = "linkonce_odr"
        self._finalized = True

    def _get_module_for_linking(self) -> Any:
        self._ensure_finalized()
        return self._final_module

    def serialized(self) -> bytes:
        """The code that the cache keeps."""
        code: bytes = self._final_module.as_bitcode()
        return code

    @classmethod
    def rebuilt(cls, target: Any, name: str, code: bytes, *_: Any) -> tuple["HelperLibrary", Any]:
        """The library made from the code in the cache, and its entry for Numba."""
        library = cls(target.codegen(), name)
        library._final_module = BINDING.parse_bitcode(code)
        library._finalized = True
        return library, Inlined()


class EntryLibrary(_Library):
    """The code of an entry, which Python and tasks call."""

    recipe = 2
    is_locked = True

    def set_environments(self, called: Any) -> None:
        """Register the environments of its helpers, which have no machine code of their own to register them."""
        for each in called:
            self.codegen.set_env(each.env_name, each)

    def serialized(self) -> bytes:
        """The code that the cache keeps."""
        code: bytes = self._get_compiled_object()
        return code

    @classmethod
    def rebuilt(
        cls, target: Any, name: str, code: bytes, described: Any, own: Any, called: Any
    ) -> tuple["EntryLibrary", Any]:
        """The library made from the code in the cache, and its entry point."""
        library = cls(target.codegen(), name)
        library.enable_object_caching()
        library._set_compiled_object(code)
        library._finalize_final_module()
        library._codegen._engine._defined_symbols |= {
            *(described.llvm_cpython_wrapper_name, task_name(described), described.env_name)
        }
        entry = target.get_executable(library, described, own)
        library.set_environments(called)
        return library, entry


class Inlined:
    """The placeholder that Numba gets for the address of a compiled helper, which has none."""


# ------------------------------------------------------------------------------------------------ how


class _Compiler(COMPILER.Compiler):  # type: ignore[misc]
    """Numba's compiler, for one form of function."""

    form: type[_Library]

    def define_pipelines(self) -> Any:
        """Numba's pipelines, with one pass more: it makes `len` of a tuple a constant in inlined laws (see `row_kernel`)."""
        (pipeline,) = super().define_pipelines()
        pipeline.add_pass_after(UNTYPED.RewriteSemanticConstants, UNTYPED.InlineInlinables)
        pipeline.finalize()
        return [pipeline]

    def _compile_bytecode(self) -> Any:
        state = self.state
        state.flags.no_cfunc_wrapper = True
        # Symbols are named by content: one process loads code from the cache that several processes have compiled.
        words = f"{content_of(state.func_id.func).hex()} {', '.join(map(type_name, state.args))}"
        state.func_id.unique_id = int.from_bytes(hashlib.blake2b(words.encode(), digest_size=7).digest())
        state.library = self.form(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.enable_object_caching()
        return super()._compile_bytecode()


@MACHINERY.register_pass(mutates_CFG=True, analysis_only=False)
class EntryLowering(PASSES.NativeLowering):  # type: ignore[misc]
    """The pass that makes the code of entries, with an entry point for tasks."""

    _name = "steersman_entry_lowering"
    lowering_class = EntryLower


class EntryCompiler(_Compiler):
    """Compiles entries, which Python and tasks call."""

    form = EntryLibrary

    def define_pipelines(self) -> Any:
        """Numba's pipelines, with the lowering of entries in place of the native one."""
        (pipeline,) = super().define_pipelines()
        pipeline.passes = [
            (EntryLowering if each is PASSES.NativeLowering else each, text) for each, text in pipeline.passes
        ]
        pipeline.finalize()
        return [pipeline]

    def _compile_bytecode(self) -> Any:
        compiled = super()._compile_bytecode()
        compiled.library.set_environments(compiled._find_referenced_environments())
        return compiled


class HelperCompiler(_Compiler):
    """Compiles helpers, which only kernels call."""

    form = HelperLibrary

    def _compile_bytecode(self) -> Any:
        self.state.flags.no_cpython_wrapper = True
        self.state.flags.no_compile = True
        compiled = super()._compile_bytecode()
        compiled.library.finalize()
        return compiled._replace(entry_point=Inlined())


class Helper(REGISTRY.CPUDispatcher):  # type: ignore[misc]
    """A function as kernels call it."""

    def add_overload(self, compiled: Any) -> None:
        """Register code that was compiled or read from the cache, for callers that are kernels."""
        self.targetctx.insert_user_function(compiled.entry_point, compiled.fndesc, [compiled.library])
        self.overloads[tuple(compiled.signature.args)] = compiled


@contextmanager
def no_collection() -> Iterator[None]:
    """While inside, cyclic garbage is not collected: with so many objects of the compiler, that takes a tenth of the time."""
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


class Entry(REGISTRY.CPUDispatcher):  # type: ignore[misc]
    """A function as Python calls it."""

    def __init__(self, function: Any, options: dict[str, Any]) -> None:
        super().__init__(function, None, options, EntryCompiler)
        self._cache = KernelCache(function, self.targetoptions, EntryLibrary)

    @cached_property
    def helper(self) -> Helper:
        """The same function as kernels call it."""
        helper = Helper(self.py_func, self.locals, self.targetoptions, HelperCompiler)
        helper._cache = KernelCache(self.py_func, self.targetoptions, HelperLibrary)
        helper._compiling_counter = self._compiling_counter  # With it, Numba recognizes a function that calls itself.
        return helper

    def compile(self, sig: Any) -> Any:
        """Compile for types of arguments, or read the code from the cache.

        Signals wait until this is done, because an exception of a handler would leave Numba with half a function.
        """
        with deferred_signals(), no_collection():
            try:
                return super().compile(sig)
            finally:
                self._cache.unlock()

    def is_at_hand(self, signature: tuple[Any, ...]) -> bool:
        """Whether it is compiled for these types, here or in the cache."""
        return signature in self.overloads or self._cache.holds(signature, self.targetctx.codegen())

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """The question of Numba when it types a kernel that calls this one.

        A number that is constant in the caller is typed as a variable, so that one compiled form serves all numbers; inlined
        in its caller, it is a constant again. A flag stays a constant, because it removes branches.
        """
        return self.helper.get_call_template(
            [_not_a_number(kind) for kind in args], {name: _not_a_number(kind) for name, kind in kws.items()}
        )

    def get_overload(self, sig: Any) -> Any:
        """The question of Numba when it lowers a kernel that calls this one."""
        return self.helper.get_overload(sig)


class Kernel:
    """A function with an `Entry` that is made at the first use: a program uses few of the kernels that it imports.

    Args:
        function: The function that is compiled; it stays at hand as `py_func`.
        options: The options of the compiler.
    """

    def __init__(self, function: Any, options: dict[str, Any]) -> None:
        functools.update_wrapper(self, function)
        self.py_func, self.targetoptions = function, options

    @cached_property
    def entry(self) -> Entry:
        """The function as Numba knows it."""
        return Entry(self.py_func, self.targetoptions)

    @property
    def _numba_type_(self) -> Any:
        """The question of Numba when it types a kernel that names this one."""
        return self.entry._numba_type_

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        """Call the compiled function, by Numba's own dispatch."""
        return self.entry(*arguments, **named)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):  # `copy`, `pickle` and `inspect` look for such names, and do not need them.
            raise AttributeError(name)
        return getattr(self.entry, name)


def _not_a_number(kind: Any) -> Any:
    """The type of an argument, without the value of a number."""
    return TYPES.unliteral(kind) if isinstance(kind, TYPES.IntegerLiteral) else kind
