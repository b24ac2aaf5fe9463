"""The arguments that reach a function."""

from collections.abc import Mapping
from importlib import import_module
from inspect import Parameter, signature
from operator import attrgetter
from pathlib import Path

PLAIN = (str, int, float, bool, Path, range, type(None))


def plain(value):
    """Whether a value can be compared with the one of a call."""
    if isinstance(value, list | tuple):
        return all(map(plain, value))
    return isinstance(value, PLAIN)


def watch(patch, seen, place, answer=None, inside=()):
    """Note the arguments of a function from now on, those that are not None and can be compared.

    Args:
        patch: The monkeypatch of the test.
        seen: Where they are noted: `function.argument`, of a table `function.argument.key`.
        place: The function, by its module.
        answer: A function that is called in its place.
        inside: Type -> the attributes that are noted of its objects.
    """
    module, _, name = place.rpartition(".")
    try:
        owner = import_module(module)
    except ModuleNotFoundError:
        owner = getattr(import_module(module.rpartition(".")[0]), module.rpartition(".")[2])
    function, sign = getattr(owner, name), signature(getattr(owner, name))

    def note(key, value):
        if isinstance(value, Mapping):
            for inner, each in value.items():
                note(f"{key}.{inner}", each)
        elif type(value) in inside:
            for inner in inside[type(value)].split():
                note(f"{key}.{inner}", attrgetter(inner)(value))
        elif plain(value) and value is not None:
            seen[key] = value

    def instead(*args, **kwargs):
        bound = sign.bind(*args, **kwargs)
        bound.apply_defaults()
        for key, value in bound.arguments.items():
            spread = sign.parameters[key].kind == Parameter.VAR_KEYWORD
            for inner, each in value.items() if spread else [(key, value)]:
                note(f"{name}.{inner}", each)
        return (answer or function)(*args, **kwargs)

    patch.setattr(owner, name, instead)
