"""Sentences of many kinds, whose readings are watched while a model is taught: harm to any of them shows."""

WATCHED = tuple(
    """
There is a box with a yellow item
There is a tower with a black block at the top
There is a tower with a blue block at the base
There is exactly one tower with three blocks
There are at least two boxes with a circle
There is a box with exactly two blue items
There is a box with at most three items
There is no black triangle touching the wall
There are two yellow squares touching the corner
There is a box with only black items
There is a box with items of all three colors
There is a black block on a blue block
There is a tower with a yellow block over a black block
There is a box with a circle and a triangle
All yellow items are touching the wall
Each box has a blue item
There is a box without a square
There are exactly three circles
There is a yellow triangle not touching any edge
There is a box with two black items and one blue item
There is a tower with four blocks and a yellow base
The top and the base of a tower are blue
There is a box with two items of the same color
There are two towers with the same height
Two of the three towers have a black top
There is at least one box with more than four items
There is a small blue circle
There is a box with a black item closely touching the bottom
There is a tower that has only one block
There is a box with three items of different colors
There are at least four yellow blocks
There is a blue item touching a yellow item
There is one box with a medium square
None of the boxes has a triangle
There is a box with a yellow circle and no square
The second block from the base of a tower is yellow
There is a black block between two yellow blocks
There is a tower with two black blocks stacked together
There is a box with a circle touching the right wall
There are two blue items in one box
""".strip().splitlines()
)
