"""Calls are served in their order, and no more of them wait than may."""

import asyncio
import threading

import pytest

pytest.importorskip("fastapi", reason="the extra [service] is not installed")

from starlette.exceptions import HTTPException

from presidio_cdip.service.pool import Pool


def test_first_come_first_served() -> None:
    """A call that came later does not overtake one that waits."""
    order: list[int] = []
    pool = Pool("test", 1, 100)

    async def all_at_once() -> None:
        await asyncio.gather(*(pool.run(order.append, number) for number in range(50)))

    asyncio.run(all_at_once())
    pool.close()

    assert order == list(range(50))


def test_too_many_are_told_to_come_again() -> None:
    """503 with Retry-After; those that wait are answered, and there is room again afterwards."""
    pool, go = Pool("test", 1, 2), threading.Event()

    async def three() -> HTTPException:
        waiting = [asyncio.ensure_future(pool.run(go.wait)) for _ in range(2)]
        await asyncio.sleep(0)
        with pytest.raises(HTTPException) as refused:
            await pool.run(go.wait)
        go.set()
        assert await asyncio.gather(*waiting) == [True, True]
        assert await pool.run(go.wait)
        return refused.value

    refused = asyncio.run(three())
    pool.close()

    assert refused.status_code == 503
    assert refused.headers is not None
    assert int(refused.headers["Retry-After"]) > 0
    assert pool.pending == 0


def test_an_error_makes_room_too() -> None:
    """A call that fails is not counted for ever."""
    pool = Pool("test", 1, 1)

    async def fails() -> None:
        for _ in range(3):
            with pytest.raises(ZeroDivisionError):
                await pool.run(lambda: 1 // 0)

    asyncio.run(fails())
    pool.close()

    assert pool.pending == 0
