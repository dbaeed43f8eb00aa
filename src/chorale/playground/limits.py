"""What a request may cost. Beyond these it is refused before any work is done, or stopped."""

BODY = 256 << 10
"""Bytes of a request; a picture of NLVR with full boxes has 15 thousand."""
BODY_SECONDS = 10
"""How long a request may take to arrive, once its head is here."""
HEAD_SECONDS = 10
"""How long its head may take, which says what is asked."""
WRITE_SECONDS = 20
"""How long a client may leave an answer unread."""
CONNECTIONS = 200
"""Connections at a time; for one more, the one that has been idle for longest is ended."""
CONNECTIONS_OF_ONE = 100
"""Those of one address. A proxy is one address."""
SENTENCE = 300
"""Letters of a sentence."""
WORDS = 60
PROGRAM = 2_000
"""Letters of a program."""
PROGRAM_SIZE = 100
"""Functions and constants that it names."""
WITHOUT = 8_000_000
"""Parts of all contexts that have one part less, to see which of them an answer hangs on."""
DEPTH = 20
"""How deep a context may be nested, as JSON."""
BODY_DEPTH = DEPTH + 3
"""How deep a whole request may be: the context of a mark has three levels around it."""
VALUES = 20_000
"""Numbers, texts, lists and so on that a context may have, as JSON; what there may be of what, its domain says."""
PICTURE = 100_000
"""Bytes of a PNG, before it is unpacked; one of NLVR has three thousand. Its width and height are checked by the domain
before any pixel is unpacked."""
SENTENCES = 50
"""Sentences of the domain that are told as examples."""
READINGS = 10
"""Programs of a beam."""
MARKS = 50
"""Marked answers that a model is taught by; more are for `chorale teach`."""
MARKED_SENTENCES = 10
"""Different sentences among them; each takes as long as a parse."""
TAUGHT = 4
"""Taught models that a worker keeps."""
SECONDS = 10.0
"""Processor time that a worker may spend on a request before it is stopped."""
WALL_SECONDS = 60.0
"""How long it may take on the clock, on a machine that has much else to do."""
QUEUE_SECONDS = 10.0
"""How long a request may wait for a worker."""
ABANDONED_SECONDS = 1.0
"""How long a request goes on that nobody waits for any more. A fresh worker takes as long to begin, so to stop the old
one sooner gains nothing."""
AGAIN_SECONDS = 5.0
"""After a worker could not be started, how long until it is tried again."""
WORKERS = 2
"""Processes that think."""
WAITING = 32
"""Requests that may wait for a worker; the next one is asked to come back later."""
REQUESTS_OF_A_WORKER = 5_000
"""Then a fresh one takes its place, so that no memory that leaks stays for long."""
