import { createRequire } from "node:module";
import { PgBoss } from "pg-boss";
import { drainRate, idleLatency, measure, payload, pick, rateOf, report, vacuum } from "./harness.mjs";

const { version } = createRequire(import.meta.url)("pg-boss/package.json");
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

const thousand = Array.from({ length: 1000 }, (_, id) => ({ data: payload(id) }));
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
    await boss.send("bench", payload(1));
    return 1;
  });
} else if (measure === "bulk" || measure === "bulk_tiny") {
  values[`enqueue_${measure}`] = await rateOf(2, pick(2, 4), async () => {
    await boss.insert("bench", thousand);
    return 1000;
  });
} else if (measure === "drain") {
  values.drain_10 = await drain(10, 1, pick(4000, 20000));
} else if (measure === "drain_together") {
  values.drain_10 = await drain(1, 10, pick(4000, 20000));
} else if (measure === "drain_batched") {
  values.drain_batched = await drain(4, 500, pick(40000, 200000));
} else if (measure === "idle") {
  await boss.work("bench", { batchSize: 1, pollingIntervalSeconds: 0.5 }, async () => {
    idleLatency.onStart?.();
  });
  Object.assign(values, await idleLatency(pick(100, 300), () => boss.send("bench", payload(1))));
}
report("pg-boss", version, values);
process.exit(0);
