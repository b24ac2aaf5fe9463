"""Examples: every behavior and combinator with all of its options, made for a place; a file a family.

Every module of this folder with a dictionary EXAMPLES takes part. A new behavior must have examples; `test_registry.py`
says so. Each goes through the whole contract.
"""

from contract.examples.example import Example
from contract.families import merged

EXAMPLES: dict[str, Example] = merged(__name__, __path__, "EXAMPLES")
