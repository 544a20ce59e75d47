"""Sizes of files and numbers in memory, as a reader says them: 98 MB, 0.25 GB."""


def megabytes(n_bytes: float) -> str:
    """A size in MB, or in GB where it is larger; one decimal where it is small.

    >>> megabytes(98_000_000), megabytes(1_250_000), megabytes(2_100_000_000), megabytes(1_200)
    ('98 MB', '1.2 MB', '2.1 GB', 'under 0.1 MB')
    """
    if n_bytes >= 1e9:
        return f"{n_bytes / 1e9:.1f} GB"
    if n_bytes >= 1e7:
        return f"{n_bytes / 1e6:,.0f} MB"
    return f"{n_bytes / 1e6:.1f} MB" if n_bytes >= 1e5 else "under 0.1 MB"
