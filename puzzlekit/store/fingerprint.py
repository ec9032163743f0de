"""Fingerprints: short names for texts, which nobody can make collide on purpose.

A definition file of a stranger decides what its tables are named after. Were the hash a checksum,
such a file could be made that takes the tables of another puzzle for its own, or leaves wrong ones.
"""

from __future__ import annotations

try:
    from _blake2 import blake2b  # as hashlib has it, whose import of OpenSSL takes 13 ms
except ImportError:
    from hashlib import blake2b


def fingerprint(text: str | bytes) -> str:
    """BLAKE2b of a text in 128 bits, as 32 hex digits.

    >>> fingerprint("3^7 by 18")
    'baefed4f5bc7920a8dab9d9033fe4042'
    """
    data = text.encode() if isinstance(text, str) else text
    return blake2b(data, digest_size=16).hexdigest()
