"""The application: addresses, what they take and give, and the page. Workers do the thinking."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Annotated, Any

from fastapi import FastAPI, Query, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import FileResponse, JSONResponse
from pydantic import BaseModel
from starlette.exceptions import HTTPException

from chorale import __version__
from chorale.playground import limits
from chorale.playground import messages as its
from chorale.playground.guard import Guard
from chorale.playground.refusals import STATUS, Refusal
from chorale.playground.workers import Asked

PAGE = Path(__file__).parent / "page"
_ERRORS: dict[int | str, dict[str, Any]] = {
    status: {"model": its.ErrorResponse, "description": ", ".join(code for code, it in STATUS.items() if it == status)}
    for status in sorted(set(STATUS.values()))
}
_PLAIN: dict[int | str, dict[str, Any]] = {status: _ERRORS[status] for status in (400, 403, 405, 413)}
_LIMITS = {
    "body_bytes": limits.BODY,
    "sentence_letters": limits.SENTENCE,
    "sentence_words": limits.WORDS,
    "program_letters": limits.PROGRAM,
    "program_size": limits.PROGRAM_SIZE,
    "context_depth": limits.DEPTH,
    "context_values": limits.VALUES,
    "picture_bytes": limits.PICTURE,
    "readings": limits.READINGS,
    "marks": limits.MARKS,
    "marked_sentences": limits.MARKED_SENTENCES,
    "seconds": limits.SECONDS,
    "wall_seconds": limits.WALL_SECONDS,
    "queue_seconds": limits.QUEUE_SECONDS,
    "waiting": limits.WAITING,
}


def application(
    workers: Asked,
    model: str,
    *,
    names: Iterable[str] = (),
    stage: Path | None = None,
    is_local: bool = True,
    when_ready: Callable[[], None] = lambda: None,
) -> FastAPI:
    """The server's application, with whatever answers its requests.

    `names` are those that the server may be called by, `stage` is the folder of the domain's stage, if it brings one;
    `is_local` is told to the page, `when_ready` is called once the model is loaded.
    """

    @asynccontextmanager
    async def life(app: FastAPI) -> AsyncIterator[None]:
        async def start() -> None:
            await workers.start()
            found = await workers.ask("about", {})
            _give_examples(app.openapi(), found["example"])
            when_ready()

        starting = asyncio.create_task(start())
        yield
        starting.cancel()
        workers.stop()

    app = FastAPI(
        title="Chorale",
        summary="Sentences in, programs out.",
        description=(
            "`scene` is the context that a sentence is about, as JSON that the domain of the model reads; of NLVR it "
            "is the `structured_rep` of its files. `picture` is a PNG in base64, as a string inside the JSON. Every "
            "error is an object `error` with a `code` for machines, and a `message` and a `hint` for people."
        ),
        version=__version__,
        openapi_url="/api/openapi.json",
        docs_url=None,  # the viewers that FastAPI brings come from elsewhere; nothing here does
        redoc_url=None,
        lifespan=life,
    )
    app.add_middleware(Guard, names=list(names))
    _report_errors(app)

    async def asked(what: str, message: BaseModel) -> Any:
        return await workers.ask(what, message.model_dump())

    @app.post("/api/parse", responses=_ERRORS, response_model=its.Parsed, tags=["ask"])
    async def parse(message: its.ParseRequest) -> Any:
        """What a sentence means, and what follows for a context."""
        return await asked("parse", message)

    @app.post("/api/run", responses=_ERRORS, response_model=its.Ran, tags=["ask"])
    async def run(message: its.RunRequest) -> Any:
        """What a program says of a context, and what each of its parts returns."""
        return await asked("run", message)

    @app.post("/api/complete", responses=_ERRORS, response_model=its.Completed, tags=["ask"])
    async def complete(message: its.CompleteRequest) -> Any:
        """The names that may stand next in a program."""
        return await asked("complete", message)

    @app.post("/api/explain", responses=_ERRORS, response_model=its.Explained, tags=["ask"])
    async def explain(message: its.ExplainRequest) -> Any:
        """What speaks for a reading and against it."""
        return await asked("explain", message)

    @app.post("/api/see", responses=_ERRORS, response_model=its.Seen, tags=["contexts"])
    async def see(message: its.SeeRequest) -> Any:
        """The context on a picture, if the domain reads pictures."""
        return await asked("see", message)

    @app.post("/api/read", responses=_ERRORS, response_model=its.Received, tags=["contexts"])
    async def read(message: its.ReadRequest) -> Any:
        """A context from JSON or from a file, and what the domain tells of it."""
        return await asked("read", message)

    @app.post("/api/without", responses=_ERRORS, response_model=its.WithoutFound, tags=["contexts"])
    async def without(message: its.WithoutRequest) -> Any:
        """The parts of a context without which a program says something else."""
        return await asked("without", message)

    @app.post("/api/distinguish", responses=_ERRORS, response_model=its.Difference, tags=["contexts"])
    async def distinguish(message: its.DistinguishRequest) -> Any:
        """A context in which two programs say different things: near the given one, or invented."""
        return await asked("distinguish", message)

    @app.post("/api/change", responses=_ERRORS, response_model=its.Changed, tags=["contexts"])
    async def change(message: its.ChangeRequest) -> Any:
        """The context changed as little as possible, so that a program gives the wanted answer; or an invented one."""
        return await asked("change", message)

    @app.post("/api/teach", responses=_ERRORS, response_model=its.Taught, tags=["teach"])
    async def teach(message: its.TeachRequest) -> Any:
        """What changes if the model learns from marks; `/api/parse` with the same marks is answered by that model."""
        return await asked("teach", message)

    @app.post("/api/export", responses=_ERRORS, response_model=its.Exported, tags=["teach"])
    async def export(message: its.ExportRequest) -> Any:
        """Marks as lines of a data file."""
        return await asked("export", message)

    @app.get("/api/invent", responses=_ERRORS, response_model=its.Seen, tags=["contexts"])
    async def invent(seed: Annotated[int, Query(ge=0, lt=2**32)] = 0) -> Any:
        """An invented context; the same one for the same seed."""
        return await workers.ask("invent", {"seed": seed})

    @app.get("/api/about", responses=_ERRORS, response_model=its.About, tags=["server"])
    async def about() -> Any:
        """What is being served, and what a request may cost."""
        found = await workers.ask("about", {})
        told = {"model": model, "version": __version__, "local": is_local}
        return {**found, **told, "limits": {**_LIMITS, **found["limits"]}}

    @app.get("/api/health", responses=_PLAIN, response_model=its.Status, tags=["server"])
    async def health() -> Any:
        """Whether the server is alive."""
        return {"status": "alive"}

    @app.get("/api/ready", responses=_ERRORS, response_model=its.Status, tags=["server"])
    async def ready() -> Any:
        """Whether requests are answered: the model is loaded, and a worker has just said something."""
        await workers.ask("about", {})
        return {"status": "ready"}

    parts = {
        f"{folder}{path.name}": path
        for folder, files in [("", PAGE), ("stage/", stage)]
        for path in (files.iterdir() if files is not None else ())
        if path.is_file()
    }

    @app.get("/", include_in_schema=False)
    @app.get("/{name}", include_in_schema=False)
    async def page(name: str = "index.html") -> FileResponse:
        if name not in parts:
            raise Refusal("not_found", f"there is no {name[:80]}")
        return FileResponse(parts[name])

    @app.get("/stage/{name}", include_in_schema=False)
    async def on_stage(name: str) -> FileResponse:
        return await page(f"stage/{name}")

    return app


def _give_examples(description: dict[str, Any], example: dict[str, Any]) -> None:
    """Put the domain's own examples into the description of what is asked."""
    for name, schema in description["components"]["schemas"].items():
        for field, about in schema.get("properties", {}).items() if name.endswith(("Request", "Mark")) else ():
            if example.get(field) is not None:
                about["examples"] = [example[field]]


def _report_errors(app: FastAPI) -> None:
    """Whatever goes wrong ends in the same kind of JSON."""

    async def refused(_: Request, refusal: Exception) -> Response:
        assert isinstance(refusal, Refusal)
        return _ascii(refusal)

    async def invalid(request: Request, error: Exception) -> Response:
        assert isinstance(error, RequestValidationError)
        first = error.errors()[0]
        if first["type"] == "json_invalid":
            return _ascii(Refusal("bad_request", f"this is not JSON: {first.get('ctx', {}).get('error', '')}"))
        if first["loc"] == ("body",) and "application/json" not in request.headers.get("content-type", ""):
            return _ascii(Refusal("wrong_content_type", "the request is not JSON"))
        where = ".".join(str(part) for part in first["loc"][1:])
        return _ascii(Refusal("invalid", f"{where}: {first['msg']}" if where else str(first["msg"])))

    async def http(_: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        code = next((code for code, status in STATUS.items() if status == error.status_code), "bad_request")
        return _ascii(Refusal(code, str(error.detail)), dict(error.headers or {}))

    handlers: list[tuple[Any, Callable[[Request, Exception], Awaitable[Response]]]] = [
        (Refusal, refused),
        (RequestValidationError, invalid),
        (HTTPException, http),
    ]
    for kind, handler in handlers:
        app.add_exception_handler(kind, handler)


def _ascii(refusal: Refusal, headers: dict[str, str] | None = None) -> Response:
    """An error as JSON; messages quote what was sent, which may have halves of letters in it."""
    response = JSONResponse(None, refusal.status, {**(headers or {}), **refusal.headers})
    response.body = json.dumps(refusal.to_json()).encode()
    response.headers["Content-Length"] = str(len(response.body))
    return response
