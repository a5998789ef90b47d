// Drives a task through a client of openapi-fetch with the types that openapi-typescript has made; run by
// `./dev contract`. That it compiles is half of the test, for the calls that it makes; drive.py looks at
// every call of the document.

import createClient from "openapi-fetch";
import type { components, paths } from "./schema.js";

declare const process: { env: Record<string, string | undefined> };

type Problem = components["schemas"]["Problem"];

const client = createClient<paths>({
  baseUrl: process.env.WORKMILL_URL,
  headers: { Authorization: `Bearer ${process.env.WORKMILL_TOKEN}` },
});

function check(holds: boolean, what: unknown): asserts holds {
  if (!holds) throw new Error(JSON.stringify(what));
}

/** The answer of a call that succeeds. */
function answer<T>(call: { data?: T; error?: Problem }): T {
  check(call.error === undefined && call.data !== undefined, call.error);
  return call.data;
}

/** The problem of a call that is refused. */
function refused(call: { data?: unknown; error?: Problem }): Problem {
  check(call.error !== undefined, call.data);
  return call.error;
}

const agent: components["schemas"]["RegisterAgent"] = { id: "typescript", capabilities: ["typescript"] };
answer(await client.POST("/v1/agents", { body: agent }));
const task: components["schemas"]["NewTask"] = {
  title: "Driven by TypeScript",
  type: "contract-typescript",
  key: "contract-typescript",
  spec: { prompt: "?", constraints: { required_capabilities: ["typescript"] } },
};
const submitted = answer(await client.POST("/v1/tasks", { body: task })).tasks[0];
const claimed = answer(await client.POST("/v1/claims", { body: { agent: "typescript" } })).claims[0];
check(submitted !== undefined && claimed?.task.id === submitted.id, claimed);
const params = { path: { lease: claimed.lease } };
answer(await client.POST("/v1/leases/{lease}/start", { params }));
const heartbeat = { progress: { part: 1 }, usage: { cost_usd: 0.01 } };
const alive = answer(await client.POST("/v1/leases/{lease}/heartbeat", { params, body: heartbeat }));
check(alive.expires_in_ms > 0, alive);
const output = { answer: [42, null, "x"] };
const done = { output, usage: { cost_usd: 0.02 } };
const settled = answer(await client.POST("/v1/leases/{lease}/complete", { params, body: done }));
check(settled.status === "completed", settled);
const shown = answer(await client.GET("/v1/tasks/{id}", { params: { path: { id: "contract-typescript" } } }));
check(shown.id === submitted.id && JSON.stringify(shown.output?.data) === JSON.stringify(output), shown);

const again = await client.POST("/v1/leases/{lease}/complete", { params, body: { output: "another" } });
const lost = refused(again);
check(lost.status === 409 && !lost.retryable, lost);
const nowhere = { path: { id: "task_00000000000000000000000000" } };
const unknown = refused(await client.GET("/v1/tasks/{id}", { params: nowhere }));
check(unknown.code === "not_found", unknown);
const blank = refused(await client.POST("/v1/tasks", { body: { title: "", type: "x" } }));
check(blank.code === "invalid" && blank.field?.endsWith("title") === true, blank);

const line: components["schemas"]["PlanLine"] = { id: "typescript-1", spec_ref: "typescript.md", title: "Planned" };
answer(
  await client.POST("/v1/plan-sync", {
    params: { query: { dry_run: true } },
    body: JSON.stringify(line),
    bodySerializer: (lines) => lines,
    headers: { "Content-Type": "application/x-ndjson" },
  }),
);
const graph = {
  title: "Made by TypeScript",
  tasks: [
    { name: "a", title: "a", type: "contract-typescript-graph" },
    { name: "b", title: "b", type: "contract-typescript-graph", depends_on: ["a"] },
  ],
};
const created = answer(await client.POST("/v1/graphs", { body: graph }));
const query = { q: "made by typescript", status: "running" };
const listed = answer(await client.GET("/v1/graphs", { params: { query } })).items;
check(listed.length === 1 && listed[0]?.id === created.id && listed[0].counts.waiting === 1, listed);
const cancel: components["schemas"]["ChangeTasks"] = { action: "cancel", filter: { graph: created.id } };
const changed = answer(await client.POST("/v1/bulk", { body: cancel }));
check("changed" in changed && changed.changed === 2, changed);

console.log("typescript: one task was submitted, claimed and completed");
