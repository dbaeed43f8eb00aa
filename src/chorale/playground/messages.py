"""Messages: what the API takes and gives, each field explained once. OpenAPI is made of them.

`scene` is the context that something is said of, as JSON that the domain of the model reads: a scene of NLVR (its
`structured_rep`), a table, whatever the domain speaks of. `picture` is a PNG in base64, inside the JSON: requests are
small, and one form of body is easier to check than two. Examples come from the domain (see `app`).
"""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from chorale.playground import limits


class _Message(BaseModel):
    model_config = ConfigDict(extra="forbid", use_attribute_docstrings=True)


Sentence = Annotated[str, Field(min_length=1, max_length=limits.SENTENCE)]
ProgramText = Annotated[str, Field(min_length=1, max_length=limits.PROGRAM)]
Picture = Annotated[str, Field(min_length=1, max_length=limits.PICTURE * 4 // 3 + 4)]
ReadSentence = Annotated[
    Sentence | None, Field(description="The sentence that was read so, if it brings constants of its own, too.")
]


class Mark(_Message):
    """What is right for a sentence and a context, as somebody says who looked."""

    sentence: Sentence
    scene: Any
    """The context."""
    answer: Any = None
    """The right answer as JSON, as `/api/parse` gives answers; of NLVR true or false."""
    answer_text: Annotated[str, Field(max_length=limits.SENTENCE)] | None = None
    """The right answer as somebody types it, instead: 7, or several values as in a|b."""


Marks = Annotated[list[Mark], Field(max_length=limits.MARKS)]


class ParseRequest(_Message):
    """A sentence and, if it is to be answered, a context."""

    sentence: Sentence
    scene: Any = None
    """The context that the sentence is about."""
    picture: Picture | None = None
    """The same as a picture, if the domain reads pictures: a PNG in base64."""
    top: Annotated[int, Field(strict=True, ge=1, le=limits.READINGS)] = 5
    """How many readings are wanted."""
    answer_if: Annotated[float, Field(strict=True, ge=0, le=1)] = 0.5
    """Below this confidence the answer is null."""
    marks: Marks = []
    """If there are any, a model answers that was taught by them."""


class RunRequest(_Message):
    """A program and a context."""

    program: ProgramText
    scene: Any
    """The context. Programs may use the constants that it brings, such as the cells of a table."""
    sentence: ReadSentence = None


class CompleteRequest(_Message):
    """A program that is being written."""

    program: Annotated[str, Field(max_length=limits.PROGRAM)]
    """What stands before the caret."""
    scene: Any = None
    """The context, if it brings constants."""
    sentence: ReadSentence = None


class ExplainRequest(_Message):
    """A reading of a sentence."""

    sentence: Sentence
    scene: Any = None
    """The context that the sentence is about."""
    program: ProgramText | None = None
    """The reading, as `/api/parse` gave it; without one it is the first."""
    marks: Marks = []
    """If there are any, the model is asked that was taught by them."""
    page: bool = False
    """Whether the explanation is also wanted as a page of its own."""


class SeeRequest(_Message):
    """A picture."""

    picture: Picture
    """A PNG in base64."""


class ReadRequest(_Message):
    """A context as JSON, or as a file: of tables texts such as CSV."""

    scene: Any = None
    file: Annotated[str, Field(min_length=1, max_length=limits.BODY)] | None = None
    """What stands in the file, in base64."""
    name: Annotated[str, Field(max_length=limits.SENTENCE)] = "file"
    """What it is called."""


class WithoutRequest(_Message):
    """A program and a context."""

    program: ProgramText
    scene: Any
    """The context."""
    sentence: ReadSentence = None


class DistinguishRequest(_Message):
    """Two programs that may mean the same."""

    one: ProgramText
    other: ProgramText
    scene: Any = None
    """If the two differ in this context, or in one that is a small change away from it, that one is preferred."""
    sentence: ReadSentence = None


class ChangeRequest(_Message):
    """A program, a context, and what the program should say of it."""

    program: ProgramText
    scene: Any
    """The context."""
    answer: Any
    """The wanted answer as JSON; of NLVR true or false."""
    sentence: ReadSentence = None


class TeachRequest(_Message):
    """Marks to learn from. To read the other sentences takes most of the time; it can be done in portions."""

    marks: Annotated[Marks, Field(min_length=1)]
    skip: Annotated[int, Field(strict=True, ge=0, le=10_000)] = 0
    """How many of the other sentences are left out."""
    take: Annotated[int, Field(strict=True, ge=0, le=10_000)] = 10_000
    """How many of those that follow are read before and after."""


class ExportRequest(_Message):
    """Marks to be kept."""

    marks: Marks


class Node(_Message):
    """A function or constant of a program, with what it is given."""

    name: str
    type: str
    text: str
    """This part of the program."""
    words: list[int]
    """The words that ask for it, by their index, if the model says so."""
    step: int | None
    """The step that shows what it returns, by its index."""
    children: list[Node]


class Step(_Message):
    """What a part of a program returned."""

    model_config = ConfigDict(extra="allow", use_attribute_docstrings=True)

    text: str
    objects: list[tuple[int, int]] | None = None
    """NLVR: boxes and indices of the objects, if it returned objects."""
    boxes: list[int] | None = None
    """NLVR: indices of the boxes, if it returned boxes."""
    value: str | None = None
    """Anything else that it returned, as text."""
    plain: str | None = None
    """The part in plain words."""


class Attention(_Message):
    """Where a network looked when it chose each action."""

    actions: list[str]
    weights: list[list[float]]
    """One row per action, one column per word."""


class Ran(_Message):
    """A program, and what it says."""

    program: str
    plain: str | None
    """The program in plain words, if the language has them."""
    answer: Any
    """What it says of the context; null without one."""
    answer_text: str | None
    """The same for people."""
    tree: Node
    steps: list[Step]
    """Each part of the program with what it returns, innermost first; empty without a context."""
    sql: str | None = None
    """The program as a query, if the domain writes queries and there is one."""
    sql_remark: str | None = None
    """What to know before it is run, or why there is none."""


class Reading(Ran):
    """One meaning of a sentence, in the best program that has it."""

    probability: float
    """Of all programs in the beam with this meaning."""
    attention: Attention | None


class Reason(_Message):
    """Something that speaks against an answer."""

    kind: str
    text: str


class Parsed(_Message):
    """What a sentence means, and what follows."""

    answer: Any
    """What the best reading says of the context; null without one, or if the model is not sure enough."""
    answer_text: str | None
    """The same for people."""
    confidence: float
    """How likely the answer is right."""
    meant: float
    """How likely the first reading is what was meant; another one may give the same answer."""
    reasons: list[Reason]
    """What speaks against it."""
    words: list[str]
    """The sentence as the parser read it."""
    scene: Any
    """The context, also if a picture was sent; null without one."""
    parses: list[Reading]
    """The readings, the best first."""


class Name(_Message):
    """A name that a program may go on with."""

    text: str
    """As it is written in a program."""
    type: str


class Completed(_Message):
    """How a program may go on."""

    start: int
    """Where the name begins that is being written."""
    names: list[Name]


class Weight(_Message):
    """A part of a program, and what it weighs."""

    part: str
    weight: float
    """Above zero it speaks for the program."""


class Understood(_Message):
    """A reading, in short."""

    program: str
    plain: str | None
    """The program in plain words, if the language has them."""


class Explained(_Message):
    """Why a sentence was read so, as far as the model can say."""

    weights: list[Weight]
    """What speaks for the program and against it, the heaviest first."""
    decided: list[Weight]
    """The same against the best program of another meaning."""
    rival: Understood | None
    """That program."""
    page: str | None
    """All of it as HTML that needs nothing else."""


class ChangedReading(_Message):
    """A sentence as it was read, and as it is read by the taught model."""

    sentence: str
    before: Understood
    after: Understood
    right_before: int | None
    """With how many marks of this sentence the reading agreed; null for sentences that were not marked."""
    right_after: int | None
    marks: int | None


class Taught(_Message):
    """What teaching changed."""

    marked: list[ChangedReading]
    """The marked sentences, whether their reading changed or not."""
    others: list[ChangedReading]
    """Those of the other sentences that are read differently now."""
    looked_at: int
    """How many others were read."""
    sentences: int
    """How many others there are."""


class Exported(_Message):
    """A data file of the domain."""

    lines: list[dict[str, Any]]
    """Each is one line; `chorale teach` and `chorale train` read them."""


class Seen(_Message):
    """A context: what is on a picture, or was invented."""

    scene: Any


class Received(_Message):
    """A context as the domain reads it."""

    scene: Any
    notes: list[str]
    """What could have been read otherwise."""
    facts: Any
    """What the domain tells its stage: of a table the types of its columns."""


class Part(_Message):
    """A part of a context, without which a program says something else."""

    place: Any
    """Which one: of a picture the box and the index of an object, of a table the row, all from zero."""
    answer: Any
    """What the program says without it; null if nothing."""
    answer_text: str | None
    """The same for people."""


class WithoutFound(_Message):
    """The parts of a context that the answer hangs on."""

    parts: list[Part]
    looked_at: int
    """How many parts were left out, one at a time."""
    of: int
    """How many there are."""


class Difference(_Message):
    """A context in which two programs say different things."""

    scene: Any
    """Null if none was found."""
    answers: list[Any] | None
    answer_texts: list[str] | None
    """The same for people."""
    changes: int | None
    """How many small changes away from the given context it is; null if it was invented."""
    looked_at: int
    """How many contexts were looked at."""


class Changed(_Message):
    """A context of which the program says what was wanted."""

    scene: Any
    """Null if none was found."""
    changes: int | None
    """How many small changes away from the given context it is; null if it was invented."""
    looked_at: int
    """How many contexts were looked at."""


class Example(_Message):
    """Something to begin with, as far as the domain has it."""

    sentence: str | None
    scene: Any
    """A context as JSON; null if the domain makes none, or has no JSON for it."""
    text: str | None
    """The context as text, where there is no JSON for it."""
    program: str | None
    """What the sentence means."""


class About(_Message):
    """What is being served."""

    model: str
    domain: str
    language: str
    version: str
    local: bool
    """Whether nobody but the machine that the server runs on can ask it."""
    can: list[str]
    """What the domain has: drawing, editing (small changes), codec (contexts as JSON), stage (a script of its own),
    without (what an answer hangs on), generator (contexts are invented); and teaching, if the model can be taught."""
    context_word: str
    """What the domain calls a context: picture, table."""
    sentences: list[str]
    """Sentences of the domain, if it has some."""
    example: Example
    limits: dict[str, float]
    """What a request may cost, and how large a context may be."""


class Status(_Message):
    """Health or readiness."""

    status: str


class Problem(_Message):
    """What went wrong."""

    code: str
    """For machines; docs/playground.md lists them."""
    message: str
    """For people: what was wrong, and where."""
    hint: str
    """What would be right."""


class ErrorResponse(_Message):
    """An error."""

    error: Problem
