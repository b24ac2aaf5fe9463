"""Recording: where everybody was, and what was measured, on disk while a world runs; and runs read back.

A recorded run is a folder:

    scenario.toml (+ .npz)            the world as it was when the recording began
    meta.json                         versions, seed, dt, frame rate, units, populations, columns, state hashes, the parts
    trajectory/part-00000.parquet     where everybody was: one row a vehicle and frame
    metrics/part-00000.parquet        what was measured: one row a reading
    snapshots/                        what the run can be resumed from, where that is asked for

A part is written under another name and renamed when it is whole, so whatever has its own name can be read, also while the
run goes on, and after it was killed.
"""
