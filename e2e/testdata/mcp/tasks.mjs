// A client made with the TypeScript SDK that runs tools as tasks. It prints what it was told as JSON.
//   node tasks.mjs stdio ID SLOW STARTED COMMAND ARGS...
//   node tasks.mjs http  ID SLOW STARTED URL     with the token in CHANT_MCP_TOKEN
// ID and SLOW are specs; the criterion of SLOW makes the file STARTED and then waits.
import { existsSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { CallToolResultSchema, TaskStatusNotificationSchema } from "@modelcontextprotocol/sdk/types.js";

const [kind, id, slow, started, first, ...rest] = process.argv.slice(2);
const transport =
  kind === "http"
    ? new StreamableHTTPClientTransport(new URL(first), {
        requestInit: { headers: { Authorization: `Bearer ${process.env.CHANT_MCP_TOKEN}` } },
      })
    : new StdioClientTransport({ command: first, args: rest, env: process.env });

const client = new Client({ name: "e2e", version: "1" });
const notified = [];
client.setNotificationHandler(TaskStatusNotificationSchema, (n) => void notified.push(`${n.params.taskId} ${n.params.status}`));
await client.connect(transport);
const listed = await client.listTools();
const tasks = client.experimental.tasks;

// run follows a call to its end and calls seen with each message.
async function run(spec, seen) {
  const stream = tasks.callToolStream({ name: "chant_verify", arguments: { id: spec, run: true } }, CallToolResultSchema, {
    task: { ttl: 60000, pollInterval: 100 },
  });
  for await (const message of stream) await seen(message);
}

const out = { optional: listed.tools.filter((t) => t.execution?.taskSupport === "optional").map((t) => t.name), seen: [] };
await run(id, (m) => {
  if (m.type === "taskCreated") out.task = m.task;
  if (m.type === "result") out.result = m.result;
  if (out.seen.at(-1) !== m.type) out.seen.push(m.type);
});
await run(slow, async (m) => {
  if (m.type === "error") out.error = m.error.message;
  if (m.type !== "taskCreated") return;
  for (const end = Date.now() + 60000; !existsSync(started) && Date.now() < end; ) await pause(20);
  out.working = (await tasks.getTask(m.task.taskId)).status;
  out.cancelled = (await tasks.cancelTask(m.task.taskId)).status;
  out.again = await tasks.cancelTask(m.task.taskId).then(() => "accepted", (e) => e.code);
});
out.list = (await tasks.listTasks()).tasks.map((t) => t.status);
out.known = await tasks.getTask("unheard-of").then(() => "found", (e) => e.code);
out.notified = notified.map((n) => n.split(" ")[1]);
console.log(JSON.stringify(out));
await client.close();
