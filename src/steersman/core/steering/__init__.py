"""Steering: behaviors turn perceptions of a vehicle into a force; combinators blend them and choose among them.

At the root stand the contract of a behavior (`behavior.py`), the registry, and noise. The rooms:

    goals pursuit wandering obstacles paths turning group pedestrians      behaviors, by subject
    combining        combinators: behaviors that consist of behaviors
    laws             the same laws as plain NumPy equations: the page to read, and the reference of the tests
    tree             nodes and keys of the tree, the sums that forces go to, the trace
    scene            the view of a population that a behavior is bound to, and the context of a sketch
    targets          points, moving targets, the choice of one vehicle among many, prediction
    sensing          feelers, surfaces alongside, line of sight, the ground
    driving          forces that take a vehicle somewhere: drive, approach, arriving, turning, stopping, lanes, slots

A kernel adds `weight * limited(force)` to `out.linear` for active rows (`deposit`, `tree/forces.py`). Combinators
bind their parts to sums of their own and hand them up. `active` says which vehicles a node is asked to steer, `acts`
which it claims; a Priority needs nothing else. A node that `shares` (Contain) puts `SHARES` there: it acts, and the
parts below get the rest of `max_force` (`deposit_shared`, `sharing_calls`).

Turning runs beside the force: `Out` carries a sum of angular accelerations; angular behaviors add to it
(`deposit_turning`), and combinators treat both. Below a node that turns no vehicle it is the empty tuple, so nothing
is compiled or computed for it.

Ground: a body may move upon a surface (`on_ground`). Steering learns of it through `scene.ground`, the normals that
are the vehicles' `up`; kernels that choose a side choose it across them (`maths/ground.py`). For other bodies it is
the empty tuple. Paths and fields of two dimensions are bound to the first two components of the same columns
(`scene/on_plan.py`).

Sketches: `Behavior.sketch(vehicles)` shows in plain shapes (`maths/shapes.py`) what a node perceives, beside its law.
It gets some vehicles as the node sees them (`scene/sketch_context.py`), reads memory as the next step leaves it, and
computes nothing twice: results of kernels are shown to it (`scene.show`, which does nothing in a step), the rest
comes from `laws`.
"""
