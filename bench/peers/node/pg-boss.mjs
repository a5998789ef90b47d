import { createRequire } from "node:module";
import { PgBoss } from "pg-boss";
import { drainRate, idleLatency, pick, rateOf, report, vacuum } from "./harness.mjs";

const { version } = createRequire(import.meta.url)("pg-boss/package.json");
const measure = process.argv[2];
const boss = new PgBoss({
  host: process.env.PGHOST,
  port: Number(process.env.PGPORT),
  user: process.env.PGUSER,
  password: process.env.PGPASSWORD,
  database: process.env.PGDATABASE,
  max: measure === "single" ? 8 : 12,
  supervise: false,
  schedule: false,
  useListenNotify: measure === "idle",
});
boss.on("error", (error) => console.error(error.message));
await boss.start();
await boss.createQueue("bench", measure === "idle" ? { notify: true } : {});

const thousand = Array.from({ length: 1000 }, (_, id) => ({ data: { id } }));
const fill = async (count) => {
  for (let n = 0; n < count; n += 1000) await boss.insert("bench", thousand);
  await vacuum();
};
// Its own loop waits between fetches; fetching and completing in a loop is its fastest.
const drain = async (callers, batchSize, count) => {
  let done = 0;
  await fill(count);
  return drainRate(count, () => done, async () => {
    await Promise.all(
      Array.from({ length: callers }, async () => {
        for (;;) {
          const jobs = await boss.fetch("bench", { batchSize });
          if (!jobs || jobs.length === 0) return;
          await boss.complete("bench", jobs.map((job) => job.id));
          done += jobs.length;
        }
      }),
    );
  });
};

const values = {};
if (measure === "single") {
  values.enqueue_single_8 = await rateOf(8, pick(2, 5), async () => {
    await boss.send("bench", { id: 1 });
    return 1;
  });
} else if (measure === "bulk") {
  values.enqueue_bulk = await rateOf(2, pick(2, 4), async () => {
    await boss.insert("bench", thousand);
    return 1000;
  });
} else if (measure === "drain") {
  // Ten jobs at a time, fetched and completed each on its own or together: the better counts.
  const count = pick(4000, 20000);
  values.drain_10_one_by_one = await drain(10, 1, count);
  values.drain_10_together = await drain(1, 10, count);
  values.drain_10 = Math.max(values.drain_10_one_by_one, values.drain_10_together);
} else if (measure === "drain_batched") {
  const count = pick(40000, 200000);
  values.drain_batched = await drain(4, 500, count);
} else if (measure === "idle") {
  await boss.work("bench", { batchSize: 1, pollingIntervalSeconds: 0.5 }, async () => {
    idleLatency.onStart?.();
  });
  Object.assign(values, await idleLatency(pick(100, 300), () => boss.send("bench", { id: 1 })));
}
report("pg-boss", version, values);
process.exit(0);
