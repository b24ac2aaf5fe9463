"""Ways turned into forces: driving, approaching, arriving, keeping a slot or a lane, stopping, turning.

The bases of behaviors, and the functions that end their kernels:

    Driven     drive.py               goes along a way, or through a point             drive, drive_to
    Arriving   arriving.py            comes to a point that it computes, and stops     end, come
    Watchful   neighbor_watching.py   looks at its neighbors one by one

    approach.py    how a way that ends is slowed down for; of this distance Arrive, GoTo and Arriving make use
    bends.py       how fast a body may be at a place before a bend
    turning.py     the angular acceleration for a turn that is left
    stopping.py    forces that let a vehicle stop before half-spaces that bar its way
    leading.py     the message of a behavior that knows the route to the one that avoids obstacles
    resting.py     how a crowd around one goal comes to rest

The others belong to one behavior each: its slots, lanes, fly-bys, pace, or region.
"""
