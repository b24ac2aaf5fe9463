"""The kernels of a node's sums of forces: they begin at zero, are copied for a trace, and are given to the node above."""

from steersman.core.kernels.kernel import kernel
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.maths.vectors import INFINITE, ZERO, load, store, subtract
from steersman.core.steering.tree.forces import Amounts, Out, deposit_sum, deposit_turning
from steersman.core.typing import Array, Columns


@kernel
def nothing(start: int, stop: int, sums: Columns) -> None:
    """Make a sum zero, if there is one."""
    if len(sums) != 0:
        sums[0][start:stop] = ZERO
    if len(sums) > 1:
        sums[1][start:stop] = ZERO
    if len(sums) == 3:
        sums[2][start:stop] = ZERO


@kernel
def clear(start: int, stop: int, linear: Columns, angular: Columns, acts: Array) -> None:
    """Start both sums at zero, with no vehicle claimed."""
    nothing(start, stop, linear)
    nothing(start, stop, angular)
    acts[start:stop] = 0


@kernel
def unlimited(start: int, stop: int, free_way: Array) -> None:
    """Start free ways at infinity."""
    free_way[start:stop] = INFINITE


@row_kernel
def copy(i: int, sums: Columns, to: Columns) -> None:
    """Copy a sum, if there is one."""
    if len(sums) != 0:
        store(to, i, load(sums, i))


@row_kernel
def copy_flags(i: int, flags: Array, to: Array) -> None:
    """Copy flags."""
    to[i] = flags[i]


@row_kernel
def since(i: int, sums: Columns, before: Columns) -> None:
    """Replace the earlier value of a sum by the amount that has been added to it since, if there is a sum."""
    if len(sums) != 0:
        store(before, i, subtract(load(sums, i), load(before, i)))


@row_kernel
def hand_up(i: int, scratch: Out, limits: Amounts, out: Out) -> None:
    """Give a node's finished sums to the node above."""
    deposit_sum(out, i, load(scratch.linear, i), limits.force[i], scratch.acts[i])
    add_turning(i, scratch.angular, scratch.acts, limits.turning, out)


@row_kernel(every=True)
def hand_up_turning(i: int, angular: Columns, whose: Array, acts: Array, limit: Columns, out: Out) -> None:
    """Give a sum of angular accelerations to the node above, if there is one: for vehicles with a flag in `whose`."""
    if whose[i]:
        add_turning(i, angular, acts, limit, out)


@kernel
def add_turning(i: int, angular: Columns, acts: Array, limit: Columns, out: Out) -> None:
    """The same for one vehicle."""
    if len(angular) != 0:
        deposit_turning(out, i, load(angular, i), limit[0][i], acts[i] != 0)


@kernel
def hand_up_traced(
    start: int, stop: int, scratch: Out, limits: Amounts, out: Out, raw: Columns, contribution: Columns, raw_angular: Columns,
    angular_contribution: Columns, acts: Array, evaluated: Array,
) -> None:  # fmt: skip
    """Give a node's finished sums to the node above, and record them before and after its edge."""
    copy(start, stop, scratch.linear, raw)
    copy(start, stop, scratch.angular, raw_angular)
    copy(start, stop, out.linear, contribution)
    copy(start, stop, out.angular, angular_contribution)
    hand_up(start, stop, scratch, limits, out)
    since(start, stop, out.linear, contribution)
    since(start, stop, out.angular, angular_contribution)
    copy_flags(start, stop, scratch.acts, acts)
    copy_flags(start, stop, out.active, evaluated)
