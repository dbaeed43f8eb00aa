"""The laws of the language over tables: which programs mean the same, whatever the table.

Each law is checked by a test with random fillings on random tables; none is taken on trust.
"""

from __future__ import annotations

from chorale.language import Laws
from chorale.tables.language.types import Column, Condition, Rows, View

LAWS = Laws(
    """
    # What is asked twice
    {end}({end2}(?r)) = {end2}(?r)
    {extreme}(?v, {extreme2}(?v, ?r)) = {extreme2}(?v, ?r)  # these are all equal
    rows_where_both(?c, ?c) = rows_where(?c)
    rows_where_either(?c, ?c) = rows_where(?c)
    rows_where_all_three(?c, ?c, ?d) = rows_where_both(?c, ?d)
    rows_where_all_three(?c, ?d, ?c) = rows_where_both(?c, ?d)
    rows_where_all_three(?c, ?d, ?d) = rows_where_both(?c, ?d)
    # In any order
    {both}(?c, ?d) = {both}(?d, ?c)
    rows_where_all_three(?c, ?d, ?e) = rows_where_all_three(?d, ?c, ?e)
    rows_where_all_three(?c, ?d, ?e) = rows_where_all_three(?c, ?e, ?d)
    {columns}(?v, ?w, ?r) = {columns}(?w, ?v, ?r)
    {alike}(?v, pair(?c, ?d)) = {alike}(?v, pair(?d, ?c))
    {alike}(?v, pair_where(?c, ?d, ?e)) = {alike}(?v, pair_where(?d, ?c, ?e))
    {common}(?a, pair(?c, ?d)) = {common}(?a, pair(?d, ?c))
    {common}(?a, pair_where(?c, ?d, ?e)) = {common}(?a, pair_where(?d, ?c, ?e))
    difference_in_count(pair(?c, ?d)) = difference_in_count(pair(?d, ?c))
    difference_in_count(pair_where(?c, ?d, ?e)) = difference_in_count(pair_where(?d, ?c, ?e))
    is_less(?v, pair(?c, ?d)) = is_more(?v, pair(?d, ?c))
    is_less(?v, pair_where(?c, ?d, ?e)) = is_more(?v, pair_where(?d, ?c, ?e))
    # Counting
    {counted}(rows_where(?c)) = {counted}_where(?c)
    {counted}(rows_where_both(?c, ?d)) = {counted}_where_both(?c, ?d)
    {counted}_where_both(?c, ?c) = {counted}_where(?c)
    exists({end}(?r)) = exists(?r)
    """,
    variables={
        "a": Column,
        "v": View,
        "w": View,
        "c": Condition,
        "d": Condition,
        "e": Condition,
        "r": Rows,
    },
    groups={
        "end": "first last",
        "extreme": "most least",
        "both": "rows_where_both rows_where_either count_where_both exists_where_both",
        "columns": "sum_of_columns difference_of_columns",
        "alike": "difference is_equal",
        "common": "have_same shared",
        "counted": "count exists",
    },
    brings="rows_where rows_where_both count_where count_where_both exists_where exists_where_both is_more",
)
"""For all programs over tables."""
