"""Schedule shards: on this machine, or by Ray or Dask on many."""
