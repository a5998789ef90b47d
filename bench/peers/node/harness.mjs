// What the programs of both peers share: sizes, clocks and the line that they print.

import pg from "pg";

export const quick = process.env.BENCH_QUICK === "1";
export const measure = process.argv[2];
// Every peer's jobs carry the same text; tiny ones carry none.
const text = measure === "bulk_tiny" ? "" : process.env.BENCH_PAYLOAD;
export const payload = (id) => ({ id, text });
export const pick = (small, large) => (quick ? small : large);
export const sleep = (ms) => new Promise((done) => setTimeout(done, ms));

// The libpq variables say where the database is.
export function pool(max) {
  const made = new pg.Pool({ max });
  made.on("error", (error) => console.error(`error: ${error.message}`));
  made.on("connect", (client) => client.on("error", () => {}));
  return made;
}

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

// Jobs a second from calling `begin` until `count()` has reached `goal`, or until the time is up:
// whoever has done a tenth by then is slow, whoever has not is not measured.
export async function drainRate(goal, count, begin) {
  const longest = pick(15_000, 60_000);
  const start = performance.now();
  let failure;
  Promise.resolve(begin()).catch((error) => (failure = error));
  for (;;) {
    const took = performance.now() - start;
    const done = count();
    if (failure) throw failure;
    if (done >= goal || (took > longest && done >= goal / 10)) return done / (took / 1000);
    if (took > longest) throw new Error(`only ${done} of ${goal} jobs were done in ${longest / 1000} s`);
    await sleep(2);
  }
}

// As for everybody: statistics are fresh when the worker starts.
export async function vacuum() {
  const client = new pg.Client();
  await client.connect();
  await client.query("vacuum analyze");
  await client.end();
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
