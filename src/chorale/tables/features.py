"""What a ranker sees of a question and a program over its table: parts, and the templates that look at them.

The examples are from here where they can be:

    which driver finished last in the 1998 race?
    look_up(cells("[Driver]", last(rows_where(contains("[Race]", "'1998'")))))

No word is tied to a function by hand: every word of the question goes with every function of a program, and so does
every pair of neighbouring words. In pairs and triples, numbers are #, words that link to cells E, names of columns C.
"""

from __future__ import annotations

from collections import namedtuple

from chorale.domain.templates import Template

TEMPLATES: dict[type, tuple[Template, ...]] = {}
"""The templates of each kind of part."""

Call = namedtuple("Call", "function question head_is first_two first_three superlatives words pairs")
"""A function of the program, that of the answer or one of rows; what the question begins with, and all its words."""
TEMPLATES[Call] = (
    Template("call", "function", ("last",)),
    Template("call-question", "function question", ("look_up", "which")),
    Template("call-head", "function head_is", ("look_up", "text")),
    Template("call-head-question", "function head_is question", ("look_up", "text", "which")),
    Template("call-first-two", "function first_two", ("look_up", "which C")),
    Template("call-first-three", "function first_three", ("look_up", "which C finish")),
    Template("call-word", "function words", ("last", "finish"), each="words"),
    Template("call-pair", "function pairs", ("last", "finish last"), each="pairs"),
    Template("call-superlative", "function superlatives", ("last", "last"), each="superlatives"),
)

Given = namedtuple(
    "Given",
    "function question head head_is type look view level best_level is_best is_near index is_last distinct is_subject "
    "head_in_name said unsaid family is_best_said before far superlative_far name "
    "name_words heads_and_names questions_and_names superlatives words related next_and_names superlatives_and_names",
)
"""A column that a function is given, or a view of it, and how far the question says its name."""
TEMPLATES[Given] = (
    # what the column is
    Template("given-type", "function type", ("look_up", "text")),
    Template("given-look", "function look", ("look_up", "name")),
    Template("given-view", "function view", ("most", "number"), when="view"),
    Template("given-view-type", "function view type", ("most", "number", "mixed"), when="view"),
    Template("given-view-question", "function view question", ("number", "year", "when"), when="view"),
    Template("given-index", "function index", ("look_up", "0")),
    Template("given-last", "function is_last", ("look_up", "last column")),
    Template("given-distinct", "function distinct", ("look_up", "3")),
    Template("given-subject", "function is_subject", ("look_up", "subject")),
    # how far its name is said
    Template("given-level", "function level", ("look_up", "3")),
    Template("given-level-near", "function level is_near", ("look_up", "3", "near")),
    Template("given-level-best", "function is_best best_level", ("look_up", "best", "3")),
    Template("given-level-question", "function level question", ("look_up", "3", "which")),
    Template("given-level-subject", "function level is_subject best_level", ("look_up", "3", "subject", "3")),
    Template("given-said", "function said unsaid", ("look_up", "1", "0")),
    Template("given-family", "function level family", ("most", "1", "1")),
    Template("given-said-best", "function is_best_said said", ("look_up", "best", "1")),
    Template("given-before", "function before", ("look_up", "which"), when="before"),
    Template("given-far", "function far", ("look_up", "1"), when="far"),
    Template("given-head-in-name", "function head_in_name head_is", ("look_up", "head", "text")),
    Template("given-head-question", "function head_in_name question", ("look_up", "head", "which")),
    Template("given-superlative-far", "function superlative_far", ("most", "1")),
    # question word and type
    Template("given-question-type", "function question type", ("look_up", "which", "text")),
    Template("given-question-index", "function question index", ("look_up", "which", "0")),
    Template("given-question-subject", "function question is_subject", ("look_up", "who", "subject")),
    Template("given-question-distinct", "function question distinct", ("look_up", "who", "3")),
    Template("given-head-type", "function head type", ("look_up", "driver", "text")),
    Template("given-question-look", "function question look", ("look_up", "who", "name")),
    Template("given-head-look", "function head look", ("look_up", "driver", "name")),
    # words
    Template("given-name-word", "function name_words", ("look_up", "driver"), each="name_words"),
    Template("given-head-name", "function heads_and_names", ("look_up", "driver: driver"), each="heads_and_names"),
    Template(
        "given-question-name", "function questions_and_names", ("look_up", "who: driver"), each="questions_and_names"
    ),
    Template("given-word-name", "function name words", ("look_up", "driver", "finish"), each="words"),
    Template("given-related", "function related", ("most", "win: victory"), each="related"),
    Template(
        "given-superlative-type", "function type superlatives", ("most", "number", "highest"), each="superlatives"
    ),
    Template(
        "given-superlative-view",
        "function view superlatives",
        ("most", "year", "last"),
        each="superlatives",
        when="view",
    ),
    Template(
        "given-superlative-name",
        "function superlatives_and_names",
        ("most", "oldest: age"),
        each="superlatives_and_names",
    ),
    Template("given-next-name", "next_and_names", ("score: point",), each="next_and_names"),
)

Link = namedtuple(
    "Link",
    "kind role type look view level length others said unsaid family found share index distinct distance "
    "is_longer is_exact is_best_level best_level before before_that three_before after after_that question "
    "name_words before_and_names window window_after words",
)
"""A condition and what makes it: the words that it says, those around them, and its column."""
TEMPLATES[Link] = (
    Template("link", "role kind", ("rows_where", "contains")),
    Template("link-type", "kind type", ("contains", "text")),
    Template("link-look", "kind look", ("contains", "with digits")),
    Template("link-level", "kind level", ("contains", "3")),
    Template("link-length", "kind length", ("contains", "1")),
    Template("link-others", "kind others", ("contains", "0")),
    Template("link-said", "kind said unsaid", ("contains", "1", "0")),
    Template("link-family", "kind level family", ("contains", "1", "0")),
    Template("link-found", "kind found", ("contains", "1")),
    Template("link-role-found", "role kind found", ("rows_where", "contains", "1")),
    Template("link-share", "kind share", ("contains", "2")),
    Template("link-index", "kind index", ("contains", "0")),
    Template("link-distinct", "kind distinct", ("contains", "3")),
    Template("link-view", "kind view type", ("over", "year", "mixed"), when="view"),
    Template("link-distance", "kind distance", ("contains", "1"), when="distance"),
    Template("link-longer", "kind is_longer", ("contains", "longest")),
    Template("link-exact", "kind is_exact", ("contains", "no cell")),
    Template("link-level-best", "kind is_best_level best_level", ("contains", "best", "3")),
    Template("link-before", "kind role before", ("contains", "rows_where", "the"), when="before"),
    Template("link-before-two", "kind role before_that before", ("contains", "rows_where", "in", "the"), when="before"),
    Template("link-before-three", "kind three_before before_that before", ("over", "than", "in", "the"), when="before"),
    Template("link-after", "kind role after", ("contains", "rows_where", "rac"), when="after"),
    Template("link-after-two", "kind role after after_that", ("contains", "rows_where", "rac", "$"), when="after"),
    Template("link-before-type", "kind type before", ("contains", "text", "the"), when="before"),
    Template("link-window", "kind window", ("over", "than"), each="window"),
    Template("link-window-after", "kind window_after", ("over", "point"), each="window_after"),
    Template("link-word", "kind words", ("is_empty", "not"), each="words"),
    Template("link-name-word", "name_words", ("rac",), each="name_words"),
    Template("link-around-name", "before_and_names", ("the: rac",), each="before_and_names"),
)

Skeleton = namedtuple("Skeleton", "root shape frame question head_is first_two words pairs triples")
"""The program without its constants, and without the kinds of its conditions (the frame)."""
TEMPLATES[Skeleton] = (
    Template("skeleton", "shape", ("look_up(last(rows_where(is)))",)),
    Template("skeleton-question", "shape question", ("look_up(last(rows_where(is)))", "which")),
    Template("skeleton-head", "frame head_is question", ("look_up(last(rows_where))", "text", "which")),
    Template("skeleton-first-two", "frame first_two", ("look_up(last(rows_where))", "which C")),
    Template("skeleton-word", "frame words", ("look_up(last(rows_where))", "finish"), each="words"),
    Template("skeleton-pair", "frame pairs", ("look_up(last(rows_where))", "finish last"), each="pairs"),
    Template("skeleton-triple", "frame triples", ("look_up(last(rows_where))", "finish last in"), each="triples"),
)

Unsaid = namedtuple("Unsaid", "unsaid numbers wanted is_nothing root names question words linked")
"""How many words that should be said are not, and how many names of columns."""
TEMPLATES[Unsaid] = (
    Template("unsaid", "unsaid", ("0",)),
    Template("unsaid-numbers", "numbers", ("0",)),
    Template("unsaid-root", "root unsaid", ("look_up", "0")),
    Template("unsaid-of", "unsaid wanted", ("0", "1")),
    Template("unsaid-all", "is_nothing root", ("some", "look_up")),
    Template("unsaid-names", "names", ("0",)),
    Template("unsaid-names-root", "names root", ("0", "look_up")),
    Template("unsaid-names-question", "names question", ("0", "which")),
    Template("unsaid-words", "words", ("0",)),
    Template("unsaid-words-root", "words root", ("0", "look_up")),
    Template("unsaid-linked", "linked", ("0",)),
    Template("unsaid-linked-root", "linked root", ("0", "look_up")),
    Template("unsaid-both", "words linked", ("0", "0")),
)

Said = namedtuple(
    "Said", "root type size question head in_question has_or empty plural several number whole all_rows is_said"
)
"""What the answer is: cells or a number, how many, and whether the question names it itself."""
TEMPLATES[Said] = (
    Template("answer-type", "type question", ("text", "which")),
    Template("answer-size", "size question", ("1", "which")),
    Template("answer-size-type", "size type", ("1", "text")),
    Template("answer-in-question", "in_question question", ("0", "which")),
    Template("answer-in-question-or", "in_question has_or", ("1", "or")),
    Template("answer-empty", "empty question", ("filled", "which")),
    Template("answer-plural", "plural size question", ("one", "1", "which")),
    Template("answer-size-head", "several head", ("one", "driver")),
    Template("answer-type-head", "type head", ("text", "driver")),
    Template("answer-number", "root number", ("count", "small"), when="number"),
    Template("answer-whole", "whole question", ("whole", "how many"), when="number"),
    Template("answer-all-rows", "root all_rows", ("count", "all rows"), when="number"),
    Template("answer-said", "is_said", ("said",), when="number"),
    Template("answer-number-question", "number question root", ("small", "how many", "count"), when="number"),
)

Joint = namedtuple("Joint", "root question frame rows top same superlative_same superlative_in levels")
"""How the columns of a program hang together: that of the answer, of its conditions and of what is largest."""
TEMPLATES[Joint] = (
    Template("joint-same", "root same rows top", ("look_up", "other", "rows_where", "last")),
    Template("joint-superlative", "root superlative_same question", ("look_up", "other", "which")),
    Template("joint-levels", "root levels", ("look_up", "3 -")),
    Template("joint-condition", "superlative_in", ("out",)),
    Template("joint-same-question", "same question frame", ("other", "which", "look_up(last(rows_where))")),
)


def names() -> list[str]:
    """The names of all templates."""
    return [template.name for table in TEMPLATES.values() for template in table]
