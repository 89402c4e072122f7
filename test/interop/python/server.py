"""A server on the official Python package, to stand behind the gateway: `server.py stdio` or `server.py http PORT`."""

import sys

from mcp.server.mcpserver import Context, MCPServer
from mcp_types import Completion, PromptReference, ResourceTemplateReference
from pydantic import BaseModel, Field

server = MCPServer(
    name="python-shelf",
    version="1.0.0",
    instructions="A shelf of books. Use find to look for one.",
)

BOOKS = {"moby-dick": "Call me Ishmael.", "emma": "Emma Woodhouse, handsome, clever, and rich.", "œuvre": "Ça commence ici. 📚"}


class Found(BaseModel):
    title: str = Field(description="Title of the book")
    words: int = Field(description="Words in its first sentence")


@server.tool()
def find(title: str, limit: int = 5) -> list[Found]:
    """Finds books whose title contains the text."""
    found = [Found(title=name, words=len(text.split())) for name, text in BOOKS.items() if title in name]
    return found[:limit]


@server.tool(title="First sentence")
def first_sentence(title: str) -> str:
    """Returns the first sentence of one book."""
    if title not in BOOKS:
        raise ValueError(f"There is no book {title!r}")
    return BOOKS[title]


@server.tool()
def echo(value: dict[str, int | float | str | None]) -> dict[str, int | float | str | None]:
    """Returns what it was given."""
    return value


@server.tool()
async def count(to: int, ctx: Context) -> int:
    """Counts to a number and reports its progress."""
    for step in range(1, to + 1):
        await ctx.report_progress(step, to, f"{step} of {to}")
    return to


@server.resource("shelf://index", mime_type="application/json", description="Titles of all books")
def index() -> list[str]:
    return list(BOOKS)


@server.resource("book://{title}", mime_type="text/plain", description="The first sentence of a book")
def book(title: str) -> str:
    return BOOKS[title]


@server.prompt(description="Asks for a review of one book")
def review(title: str, tone: str = "kind") -> str:
    return f"Write a {tone} review of {title}."


@server.completion()
async def complete(ref, argument, context):
    if isinstance(ref, PromptReference | ResourceTemplateReference) and argument.name == "title":
        values = [title for title in BOOKS if title.startswith(argument.value)]
        return Completion(values=values, total=len(values), has_more=False)
    return None


def main() -> None:
    if sys.argv[1] == "stdio":
        server.run("stdio")
        return
    import asyncio
    import socket

    import uvicorn

    # Bound here and handed over, so that the port is taken before it is announced.
    listener = socket.create_server(("127.0.0.1", int(sys.argv[2])))
    port = listener.getsockname()[1]
    app = server.streamable_http_app()
    running = uvicorn.Server(uvicorn.Config(app, log_level="error"))
    print(f"ready http://127.0.0.1:{port}/mcp", file=sys.stderr, flush=True)
    asyncio.run(running.serve(sockets=[listener]))


main()
