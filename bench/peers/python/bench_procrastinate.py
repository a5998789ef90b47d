"""procrastinate, measured as the other peers are. The libpq variables say where the database is."""

import asyncio
import json
import logging
import os
import sys
import time
from importlib.metadata import version

import procrastinate
import psycopg

QUICK = os.environ.get("BENCH_QUICK") == "1"
MEASURE = sys.argv[1]
# Every peer's jobs carry the same text; tiny ones carry none.
TEXT = "" if MEASURE == "bulk_tiny" else os.environ["BENCH_PAYLOAD"]
logging.disable(logging.CRITICAL)

app = procrastinate.App(
    connector=procrastinate.PsycopgConnector(min_size=8, max_size=8 if MEASURE == "single" else 14)
)
done = 0
started = asyncio.Queue()


def pick(quick, full):
    return quick if QUICK else full


@app.task(name="bench")
async def bench(id, text):
    global done
    done += 1
    if MEASURE == "idle":
        started.put_nowait(time.perf_counter())


async def rate(callers, seconds, call):
    begin = time.perf_counter()
    count = 0

    async def one():
        nonlocal count
        while time.perf_counter() - begin < seconds:
            # `count += await …` would read the count before it waits, and lose what others add.
            more = await call()
            count += more

    await asyncio.gather(*(one() for _ in range(callers)))
    return count / (time.perf_counter() - begin)


async def single():
    await bench.defer_async(id=1, text=TEXT)
    return 1


async def bulk():
    await bench.batch_defer_async(*({"id": id, "text": TEXT} for id in range(1000)))
    return 1000


async def vacuum():
    """As for everybody: statistics are fresh when the worker starts."""
    async with await psycopg.AsyncConnection.connect(autocommit=True) as connection:
        await connection.execute("vacuum analyze")


async def measure():
    if MEASURE == "single":
        return {"enqueue_single_8": await rate(8, pick(2, 5), single)}
    if MEASURE in ("bulk", "bulk_tiny"):
        return {f"enqueue_{MEASURE}": await rate(2, pick(2, 4), bulk)}
    if MEASURE == "drain":
        count = pick(4000, 20000)
        for _ in range(count // 1000):
            await bulk()
        await vacuum()
        begin = time.perf_counter()
        longest = pick(15, 60)
        worker = asyncio.create_task(app.run_worker_async(concurrency=10, install_signal_handlers=False))
        # Whoever has done a tenth when the time is up is slow, whoever has not is not measured.
        while done < count and time.perf_counter() - begin < longest:
            await asyncio.sleep(0.002)
        took = time.perf_counter() - begin
        worker.cancel()
        if done < count / 10:
            sys.exit(f"error: only {done} of {count} jobs were done in {longest} s")
        return {"drain_10": done / took}
    if MEASURE == "idle":
        worker = asyncio.create_task(app.run_worker_async(concurrency=10, install_signal_handlers=False))
        await asyncio.sleep(0.5)
        took = []
        for _ in range(pick(100, 300)):
            await asyncio.sleep(0.012)
            begin = time.perf_counter()
            await bench.defer_async(id=1, text=TEXT)
            took.append((await asyncio.wait_for(started.get(), 20) - begin) * 1000)
        worker.cancel()
        took.sort()
        at = lambda part: took[round((len(took) - 1) * part)]
        return {"idle_p50_ms": at(0.5), "idle_p99_ms": at(0.99)}
    return {}


async def main():
    async with app.open_async():
        await app.schema_manager.apply_schema_async()
        values = await measure()
    report = {"peer": "procrastinate", "version": version("procrastinate"), "values": values}
    print(json.dumps(report), flush=True)
    os._exit(0)


asyncio.run(main())
