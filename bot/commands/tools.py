"""`tool …`: which operations sentences may call, and which calls people look at first."""

from __future__ import annotations

import typer
from pydantic import ValidationError

from bot.commands.database import with_store
from bot.commands.printing import say_json, say_rows
from bot.commands.workspaces import OF, workspace_called
from core.errors import Invalid
from core.ports import Context
from core.store import Store
from core.tools import OPS, OpPolicy, ToolPolicy
from core.use_cases.tool_reviews import set_tool_policy

app = typer.Typer(no_args_is_help=True, help="Operations that sentences may call, and who looks at a call first.")


@app.command("list")
def list_(as_json: bool = typer.Option(False, "--json", help="Print JSON."), workspace: str = OF) -> None:
    """List all operations with what becomes of a call and, where people look at it first, who."""

    async def work(store: Store, _: Context) -> tuple[OpPolicy, ...]:
        return await store.records.tool_policies(await workspace_called(store, workspace))

    known = {one.op: one for one in with_store(work)}
    found = [known.get(op.name) or OpPolicy(op=op.name, policy=op.policy) for op in OPS.values()]
    if as_json:
        say_json([one.model_dump(mode="json") for one in found])
    else:
        say_rows([(one.op, one.policy.value, _who(one), OPS[one.op].summary) for one in found])


@app.command("set")
def set_(
    op: str = typer.Argument(help="The operation, such as followup.create."),
    policy: ToolPolicy = typer.Argument(help="What becomes of a call."),
    by: list[str] = typer.Option(
        [],
        metavar="WHO",
        help="Who looks at a call: role:operator (if left out), conversation or person:ana. Repeat it for each.",
    ),
    workspace: str = OF,
) -> None:
    """Say what becomes of calls of an operation from now on: nothing, only what somebody has looked at, or all."""
    if by and policy is not ToolPolicy.ASK_FIRST:
        raise Invalid.at("/by", f"nobody looks at a call that is {policy.value}: --by is for ask_first")
    try:
        given = OpPolicy(op=op, policy=policy, **({"reviewers": tuple(by)} if by else {}))
    except ValidationError as error:
        raise Invalid.at("/by", "; ".join(str(one["msg"]) for one in error.errors())) from None

    async def work(store: Store, context: Context) -> None:
        await set_tool_policy(context, await workspace_called(store, workspace), given)

    with_store(work)
    looks = f", and whoever may look at a call is {_who(given)}" if policy is ToolPolicy.ASK_FIRST else ""
    typer.echo(f"{op} is {policy.value}{looks}.")


def _who(one: OpPolicy) -> str:
    return ", ".join(one.reviewers) if one.policy is ToolPolicy.ASK_FIRST else ""
