"""Work orders of an agent that is revoked: what it ordered ends, and somebody hears of what it was to do."""

from __future__ import annotations

from core.loops import Claim, LoopAction, LoopState
from core.replies import Saved, Told
from core.use_cases.agents import Revoked, revoke_agent
from core.use_cases.loops import move
from tests.use_cases.cast import ANA, BEN, BUILDER, HERE, OPAL, OTHER_AGENT
from tests.use_cases.floor import Floor


async def revoked(f: Floor, name: str) -> Revoked:
    done = await revoke_agent(f.b.context, HERE, name)
    await f.deliver()
    return done


async def test_what_a_revoked_agent_ordered_ends_with_a_receipt_an_event_and_a_redraw(f: Floor) -> None:
    loop = await f.order(continuation={"state": {"n": 1}})
    await f.press(ANA, loop, LoopAction.CLAIM)
    await f.deliver()
    f.redrawn.clear()
    done = await revoked(f, BUILDER.name)
    assert (done.left.ended, done.left.told) == (("wo-1",), ())
    after = await f.loop()
    assert after.outcome is not None
    assert (after.state, after.outcome.by.handle, after.outcome.reason) == (
        LoopState.NO_ACTION,
        "builder",
        "The key it was ordered with was revoked.",
    )
    assert await f.types() == ["opened", "claimed", "no_action"]
    assert (await f.events())[-1][0] == "loop.no_action"
    assert f.redrawn == ["no_action"]
    assert f.texts[-1] == "[NO-ACTION wo-1] The key it was ordered with was revoked."
    late = await f.press(ANA, loop, LoopAction.DONE)
    assert isinstance(late, Told)
    assert "closed without action by builder" in late.text


async def test_of_what_a_revoked_agent_was_to_do_the_sender_and_the_operators_are_told(f: Floor) -> None:
    first = await f.order()
    await f.write(BEN, await f.place(first), "[WO:wo-9] Restart the probe")
    await f.deliver()
    await move(f.b.context, HERE, "wo-9", Claim(), BUILDER)  # it takes part there
    await f.order("agent:other", id="wo-2", by=BUILDER)
    done = await revoked(f, OTHER_AGENT.name)
    assert (done.left.ended, done.left.told) == ((), ("wo-2",))
    words = "other, for whom “Audit the endpoints” (wo-2) is, was revoked: nobody does it unless it is dispatched again"
    assert [offer.channel for offer in f.offers if offer.text.startswith(words)] == ["U3"]  # its sender is a program
    assert (await f.events(BUILDER))[-1][0] == "loop.escalated"
    assert (await f.events(BUILDER))[-1][1]["reason"] == "The agent that was to do it was revoked."
    done = await revoked(f, BUILDER.name)
    assert (done.left.ended, done.left.told) == (("wo-1", "wo-2"), ("wo-9",))
    held = [offer for offer in f.offers if offer.text.startswith("builder, who has “Restart the probe” (wo-9), was")]
    assert {offer.channel for offer in held} == {"U2", "U3"}
    assert isinstance(await f.press(BEN, await f.loop("wo-9"), LoopAction.DISPATCH_AGAIN), Saved)
    assert (await f.loop("wo-9-again")).is_open
    assert OPAL.identities[0].user == "U3"


async def test_what_has_ended_already_stays_as_it_ended(f: Floor) -> None:
    loop = await f.order()
    await f.submit(ANA, loop, LoopAction.DONE, "all well")
    assert (await revoked(f, BUILDER.name)).left.ended == ()
    assert (await f.loop()).state is LoopState.CLOSED
