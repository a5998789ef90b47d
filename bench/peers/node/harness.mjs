// What the programs of both peers share: sizes, clocks and the line that they print.

import pg from "pg";

export const quick = process.env.BENCH_QUICK === "1";
export const pick = (small, large) => (quick ? small : large);
export const sleep = (ms) => new Promise((done) => setTimeout(done, ms));

// The libpq variables say where the database is.
export const pool = (max) => new pg.Pool({ max });

export async function rateOf(callers, seconds, call) {
  const start = performance.now();
  const end = start + seconds * 1000;
  let count = 0;
  await Promise.all(
    Array.from({ length: callers }, async () => {
      while (performance.now() < end) {
        // `count += await …` would read the count before it waits, and lose what others add.
        const more = await call();
        count += more;
      }
    }),
  );
  return count / ((performance.now() - start) / 1000);
}

// Calls `begin`, then waits until `count()` has reached `goal`.
export async function drainRate(goal, count, begin) {
  const start = performance.now();
  await begin();
  while (count() < goal) {
    if (performance.now() - start > pick(40_000, 120_000)) throw new Error(`only ${count()} of ${goal} jobs were done in time`);
    await sleep(2);
  }
  return goal / ((performance.now() - start) / 1000);
}

// `enqueue` starts a job whose handler calls the function given to it.
export async function idleLatency(samples, enqueue) {
  const took = [];
  for (let n = 0; n < samples; n++) {
    await sleep(12);
    const start = performance.now();
    const started = new Promise((done) => (idleLatency.onStart = () => done(performance.now())));
    await enqueue();
    took.push((await started) - start);
  }
  took.sort((a, b) => a - b);
  const at = (part) => took[Math.round((took.length - 1) * part)];
  return { idle_p50_ms: at(0.5), idle_p99_ms: at(0.99) };
}

export function report(peer, version, values) {
  console.log(JSON.stringify({ peer, version, values }));
}
