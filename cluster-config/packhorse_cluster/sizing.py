"""Computes all sizes in the configuration of a machine. A pure function: reads no files and no clock."""

import math

from .model import ConfigError, check, failed_volumes_tolerated

GIB = 1 << 10  # in MiB
SMALL_MB = 16 * GIB
"""A machine with less memory is for tests: it gets no off-heap cache, and heaps without production's minimum."""


def size(machine, cluster):
    """All sizes of a host by name. Raises ConfigError if its daemons do not fit into its memory."""
    check(machine, cluster)
    memory = machine.memory_mb
    small = memory < SMALL_MB
    workers = len(cluster.workers)
    bucket_cache = 0 if small else clamp(0.35 * memory, 0, 64 * GIB)
    heaps = {name: heap for name, heap in _heaps(machine, small).items() if name in machine.daemons}
    buffers = clamp(memory / (8 if small else 16), 0, 4 * GIB)
    direct = bucket_cache + buffers if "regionserver" in machine.daemons else 0
    system = max(256, int(0.08 * memory))
    needed = sum(heaps.values()) + direct + system
    if needed > memory:
        raise ConfigError(
            [
                f"{machine.name}: its daemons need {needed} MiB, it has {memory}: "
                f"move daemons to other hosts or add memory; heaps in MiB: {heaps}"
            ]
        )
    disks = len(machine.disks)
    network = int(machine.network_gbit * 1e9 / 8)
    compaction = min(75_000_000 * max(1, disks), network // 4)
    return {
        "heap_mb": heaps,
        "direct_mb": direct,
        "page_cache_mb": memory - needed,
        "bucket_cache_mb": bucket_cache if "regionserver" in machine.daemons else 0,
        "memstore_share": 0.4,
        "block_cache_share": 0.4 if small else 0.2,
        "memstore_flush_bytes": (32 if small else 256) << 20,
        "block_bytes": (16 if small else 256) << 20,
        "region_handlers": clamp(3 * machine.cores, 30, 100),
        # In steps of 16, so that a new worker seldom requires a restart of the NameNode.
        "namenode_handlers": 16 * math.ceil(clamp(20 * math.log(max(workers, 2)), 10, 200) / 16),
        "flusher_count": clamp(disks / 4, 2, 8),
        "compaction_threads_small": clamp(disks / 3, 1, 6),
        "compaction_threads_large": clamp(disks / 5, 1, 3),
        "compaction_bytes_low": compaction // 3,
        "compaction_bytes_high": compaction,
        "failed_volumes_tolerated": failed_volumes_tolerated(max(disks, machine.disks_expected))
        - max(0, machine.disks_expected - disks),
        "disk_reserved_bytes": machine.disk_gb * 1_000_000_000 // 20,
        "balance_bandwidth": network // 6,
        "replication": min(3, workers),
        "wal_excluded_max": 3 if workers >= 6 else 0,
        "session_timeout_ms": 20000 if small else 40000,
        "min_free_kb": clamp(memory * 1024 / 100, 16384, 1 << 20),
        "small": small,
    }


def _heaps(machine, small):
    memory = machine.memory_mb
    terabytes = len(machine.disks) * machine.disk_gb / 1000
    return {
        "zookeeper": clamp(memory / 64, 96, 2 * GIB),
        "journalnode": clamp(memory / 64, 128, 1 * GIB),
        "namenode": clamp(memory / 8, 256, 8 * GIB),
        "zkfc": clamp(memory / 128, 96, 512),
        "master": clamp(memory / 16, 256, 4 * GIB),
        "datanode": clamp(memory / 12, 128, 512 if small else clamp((1 + terabytes / 4) * GIB, 2 * GIB, 8 * GIB)),
        "regionserver": clamp(memory / 4, 384, 31 * GIB),
        "tsd": clamp(memory / 4, 256, 8 * GIB),
        "receiver": clamp(memory / 8, 320, 8 * GIB),
    }


def clamp(value, minimum, maximum):
    """The value within limits, rounded down to an integer."""
    return int(min(max(value, minimum), maximum))
