"""Token ids with audio in them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tympan.errors import BadPlaceholder

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tympan.inputs.keys import Keys

MAX_TOKEN_ID = 2**31 - 1  # what an int32 holds


def expand(ids: Sequence[int], audio_id: int, sizes: Sequence[int]) -> list[int]:
    """Repeat the n-th `audio_id` `sizes[n]` times. Raises `BadPlaceholder` unless there is one for every size."""
    found = sum(one == audio_id for one in ids)
    if found != len(sizes):
        raise BadPlaceholder(f"the prompt has {found} audio tokens for {len(sizes)} clips")
    expanded: list[int] = []
    left = iter(sizes)
    for one in ids:
        if one == audio_id:
            expanded.extend([audio_id] * next(left))
        else:
            expanded.append(one)
    return expanded


def token_id(keys: Keys, names: Sequence[str], default: int) -> int:
    """Return a special token's id as a checkpoint names it. Raises `PolicyRefused`."""
    found = keys.integer(names, at_least=0, at_most=MAX_TOKEN_ID)
    return default if found is None else found
