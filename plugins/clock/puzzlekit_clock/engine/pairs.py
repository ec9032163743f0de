# cython: language_level=3, wraparound=False
# cython: cdivision=True
"""The search for the fewest turns of a Clock: one half of the turns for each side, in all pairs.

Pins are numbered UR, DR, DL, UL, as seen from the side on which they are raised. The eight turns of
a side that leave some dial beside a corner alone are those with one pin raised, and with two
neighbours. Their amounts on a side are a *half*. Once the amounts of the four turns with one pin
are chosen, the dials between the corners and in the middle determine the other four, and the sum of
the amounts of the other seven turns, which move all these dials. So a side has 12**4 halves.
"""

from __future__ import annotations

import cython

__all__ = ["HALVES", "best_pair", "list_halves"]

if not cython.compiled:  # pairs.pxd has these for the compiler
    from puzzlekit.engine.ranks import bytes_at, ints_at, longs_at

HALVES = 20736  # 12**4
_ENTRIES = 2985984  # 12**6


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _hours(number: cython.int) -> cython.int:
    return (number + 120) % 12


def list_halves(
    wanted: object, corners: object, mirrored: cython.bint, keys: object, begin: object
) -> None:
    """List all halves of one side, those with fewer turns first.

    All arrays have 32-bit numbers, and `keys` has 64-bit numbers.

    - `wanted`: hours that the turns add to the dials U, R, D, L and in the middle of the side.
    - `corners`: hours that all turns of both sides add to the corner dials UR, DR, DL and UL, of
      the front; zeros for the side at the back.
    - `mirrored`: whether this is the side at the back. Its turns move corner dials of the front
      backwards, and left and right are exchanged.
    - `keys`: gets a number for each half. Its bits are, from the lowest: 16 for the four amounts of
      turns with one pin (a number to the base 12), 4 for the sum of the amounts of the other seven
      turns, and 4 for the hours that are left on each corner dial of the front.
    - `begin`: gets ten numbers: halves with n turns are those from `begin[n]` to `begin[n + 1]`.
    """
    if (len(wanted), len(corners), len(keys), len(begin)) != (5, 4, HALVES, 10):
        raise ValueError("arrays of other lengths than those of a side")
    owners: list = []
    wants: cython.p_int = ints_at(wanted, owners)
    others: cython.p_int = ints_at(corners, owners)
    listed: cython.p_longlong = longs_at(keys, owners)
    first: cython.p_int = ints_at(begin, owners)
    place = cython.declare(cython.int[9])
    corner = cython.declare(cython.int[4])
    ur: cython.int
    dr: cython.int
    dl: cython.int
    ul: cython.int
    number: cython.int
    turns: cython.int
    count: cython.int
    k: cython.int
    up: cython.int
    right: cython.int
    down: cython.int
    left: cython.int
    rest: cython.int
    counted: cython.int
    key: cython.longlong
    for k in range(9):
        place[k] = 0
    for counted in range(2):
        for number in range(HALVES):
            ur = number // 1728
            dr = number // 144 % 12
            dl = number // 12 % 12
            ul = number % 12
            down = _hours(wants[4] - wants[0] - dr - dl)
            left = _hours(wants[4] - wants[1] - ul - dl)
            up = _hours(wants[4] - wants[2] - ur - ul)
            right = _hours(wants[4] - wants[3] - ur - dr)
            turns = (ur > 0) + (dr > 0) + (dl > 0) + (ul > 0)
            turns += (up > 0) + (right > 0) + (down > 0) + (left > 0)
            if not counted:
                place[turns] += 1
                continue
            rest = _hours(wants[4] - ur - dr - dl - ul - up - right - down - left)
            corner[0] = ur + up + right
            corner[1] = dr + right + down
            corner[2] = dl + down + left
            corner[3] = ul + left + up
            key = rest
            key = (key << 16) + number
            for k in range(4):
                if mirrored:
                    left = _hours(others[k] + corner[3 - k])
                else:
                    left = _hours(others[k] - corner[k])
                key += cython.cast(cython.longlong, left) << (20 + 4 * k)
            listed[place[turns]] = key
            place[turns] += 1
        if not counted:
            count = 0
            for k in range(9):
                first[k] = count
                count += place[k]
                place[k] = first[k]
            first[9] = count


def best_pair(
    front: object,
    front_begin: object,
    back: object,
    back_begin: object,
    table: object,
    most: cython.int,
    found: object,
) -> int:
    """Return the fewest turns of a pair of halves and of the turns that the table counts.

    - `front`, `front_begin`, `back`, `back_begin`: the halves of each side (see `list_halves`).
    - `table`: the fewest of the other turns that add some hours to the corner dials UR, DR, DL and
      UL of the front, with a sum of amounts on the front and one on the back.
    - `most`: only fewer turns count.
    - `found`: gets the numbers of the best halves, the place in the table, and the number of pairs
      that were looked up.
    """
    for each in (front, back):
        if len(each) != HALVES:
            raise ValueError("a side has other halves")
    for each in (front_begin, back_begin):
        if len(each) != 10 or max(each) > HALVES or min(each) < 0:
            raise ValueError("a side has ten numbers of halves")
    if len(table) != _ENTRIES or len(found) < 4:
        raise ValueError("a table of other turns")
    owners: list = []
    ones: cython.p_longlong = longs_at(front, owners)
    begins: cython.p_int = ints_at(front_begin, owners)
    twos: cython.p_longlong = longs_at(back, owners)
    other_begins: cython.p_int = ints_at(back_begin, owners)
    counted: cython.p_uchar = bytes_at(table, owners)
    best: cython.int = most
    some: cython.int
    other: cython.int
    total: cython.int
    i: cython.int
    j: cython.int
    k: cython.int
    left: cython.int
    hour: cython.int
    place: cython.longlong
    one: cython.longlong
    two: cython.longlong
    rest: cython.int
    last: cython.int
    pairs: cython.longlong = 0
    total = 0
    while total <= 16 and total < best:
        for some in range(max(0, total - 8), min(8, total) + 1):
            other = total - some
            left = best - 1 - total  # turns that may be left
            if left < 0:
                break
            for i in range(begins[some], begins[some + 1]):
                one = ones[i]
                rest = (one >> 16) & 15
                # With no turn left both sums are 0, and with one turn left, one of them is.
                if left == 0 and rest:
                    continue
                for j in range(other_begins[other], other_begins[other + 1]):
                    two = twos[j]
                    last = (two >> 16) & 15
                    if left < 2 and last and (rest or left == 0):
                        continue
                    place = 0
                    for k in range(4):
                        hour = ((one >> (20 + 4 * k)) & 15) + ((two >> (20 + 4 * k)) & 15)
                        place = place * 12 + (hour if hour < 12 else hour - 12)
                    place = (place * 12 + rest) * 12 + last
                    pairs += 1
                    if total + counted[place] < best:
                        best = total + counted[place]
                        left = best - 1 - total
                        found[0] = one & 65535
                        found[1] = two & 65535
                        found[2] = place
                        if left < 0:
                            break
                if left < 0:
                    break
        total += 1
    found[3] = pairs
    return best
