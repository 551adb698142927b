"""The engine "dask": the same sweeps on the workers of a cluster."""
