"""Recording: trajectories and metrics of a world on disk while it runs, and recorded runs read back.

A recorded run is a folder:

    scenario.toml (+ .npz)            the world as it was when the recording began
    meta.json                         versions, seed, dt, frame rate, units, populations, columns, state hashes, the parts
    trajectory/part-00000.parquet     the vehicles: one row a vehicle and frame
    metrics/part-00000.parquet        the metrics: one row a reading
    snapshots/                        worlds that the run can be resumed from, where that is asked for

A `Recording` is an observer. After a step it copies a frame (`capture`; the world does not change by it) and puts it
into a `Buffer` of bounded size; when the buffer is full, the world waits. One thread (`writer`) makes columns of
frames (`columns`), and row groups and parts of those (`parts`). A part is written under another name, renamed when it
is whole, and listed in meta.json, which is replaced as a whole; so everything present can be read at any moment, also
after the run was killed. Errors of the thread are raised in the run. Parts end where frames are taken, so
`keep(world)` may save a snapshot that fits whole parts; `resume` drops later parts (`truncation`) and continues.

A `Run` reads the ends of all parts when it is opened, and the rest on demand. Each part lists the number of rows of
its frames, so a frame is found without a search; the rows of one vehicle are found in the column of ids, in those row
groups whose statistics allow it. Pages have checksums, and meta.json has one of the end of every file; `reading`
turns damage into a `RunError`.
"""
