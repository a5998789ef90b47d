import { readFileSync } from "node:fs";
import { Logger, makeWorkerUtils, run, runMigrations } from "graphile-worker";
import { drainRate, idleLatency, measure, payload, pick, pool, rateOf, report, vacuum } from "./harness.mjs";

// The package does not export its own description.
const description = new URL("node_modules/graphile-worker/package.json", import.meta.url);
const { version } = JSON.parse(readFileSync(description, "utf8"));
const logger = new Logger(() => () => {});
const pgPool = pool(measure === "single" ? 8 : 12);
await runMigrations({ pgPool, logger });
const utils = await makeWorkerUtils({ pgPool, logger });

let done = 0;
const taskList = {
  bench: async () => {
    done++;
    idleLatency.onStart?.();
  },
};
const thousand = Array.from({ length: 1000 }, (_, id) => ({ identifier: "bench", payload: payload(id) }));
const fill = async (count) => {
  for (let n = 0; n < count; n += 1000) await utils.addJobs(thousand);
  await vacuum();
};
const work = (worker) =>
  run({ pgPool, logger, taskList, noHandleSignals: true, preset: { worker: { ...worker } } });

const values = {};
if (measure === "single") {
  values.enqueue_single_8 = await rateOf(8, pick(2, 5), async () => {
    await utils.addJob("bench", payload(1));
    return 1;
  });
} else if (measure === "bulk" || measure === "bulk_tiny") {
  values[`enqueue_${measure}`] = await rateOf(2, pick(2, 4), async () => (await utils.addJobs(thousand)).length);
} else if (measure === "drain") {
  const count = pick(4000, 20000);
  await fill(count);
  values.drain_10 = await drainRate(count, () => done, () => work({ concurrentJobs: 10 }));
} else if (measure === "drain_batched") {
  const count = pick(40000, 200000);
  await fill(count);
  values.drain_batched = await drainRate(count, () => done, () =>
    work({
      concurrentJobs: 100,
      localQueue: { size: 1000 },
      completeJobBatchDelay: 0,
      failJobBatchDelay: 0,
    }),
  );
} else if (measure === "idle") {
  await work({ concurrentJobs: 10 });
  Object.assign(values, await idleLatency(pick(100, 300), () => utils.addJob("bench", payload(1))));
}
report("graphile-worker", version, values);
process.exit(0);
