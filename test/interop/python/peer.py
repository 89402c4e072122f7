"""Connects with the official client, asks what standard input says, and prints the answers as JSON."""

import json
import sys
from typing import Any

import anyio
from mcp import Client, MCPError, StdioServerParameters
from mcp_types import PromptReference, ResourceTemplateReference


def server_of(target: dict[str, Any]) -> str | StdioServerParameters:
    if target["kind"] == "http":
        return target["url"]
    return StdioServerParameters(
        command=target["command"], args=target["args"], cwd=target["cwd"], env=target.get("env")
    )


async def send(client: Client, method: str, params: dict[str, Any]) -> Any:
    match method:
        case "tools/list":
            return await client.list_tools()
        case "resources/list":
            return await client.list_resources()
        case "resources/templates/list":
            return await client.list_resource_templates()
        case "prompts/list":
            return await client.list_prompts()
        case "tools/call":
            return await client.call_tool(params["name"], params.get("arguments"))
        case "resources/read":
            return await client.read_resource(params["uri"])
        case "prompts/get":
            return await client.get_prompt(params["name"], params.get("arguments"))
        case "completion/complete":
            ref = params["ref"]
            kind = PromptReference if ref["type"] == "ref/prompt" else ResourceTemplateReference
            context = params.get("context", {}).get("arguments")
            return await client.complete(kind.model_validate(ref), params["argument"], context)
    raise ValueError(f"{method} is not known here")


async def answer(client: Client, ask: dict[str, Any]) -> dict[str, Any]:
    try:
        result = await send(client, ask["method"], ask.get("params", {}))
    except MCPError as error:
        # Members that were not set stay away: an absent member and a null are different answers.
        return {"error": error.error.model_dump(mode="json", by_alias=True, exclude_unset=True)}
    return {"result": result.model_dump(mode="json", by_alias=True, exclude_unset=True)}


async def main() -> None:
    order = json.load(sys.stdin)
    async with Client(server_of(order["target"]), mode=order["mode"], cache=None, read_timeout_seconds=30) as client:
        answers = [await answer(client, ask) for ask in order["asks"]]
        version = client.protocol_version
    json.dump({"version": version, "answers": answers}, sys.stdout)


anyio.run(main)
