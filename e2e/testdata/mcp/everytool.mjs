// A client made with the TypeScript SDK, which validates replies. It calls the tools that it is given as JSON, in their
// order, and prints what came of it as JSON, with the names of all tools.
//   node everytool.mjs CALLS COMMAND ARGS...
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

const [calls, command, ...args] = process.argv.slice(2);
const client = new Client({ name: "e2e", version: "1" });
await client.connect(new StdioClientTransport({ command, args, env: process.env }));
const tools = (await client.listTools()).tools.map((t) => t.name);
const replies = [];
let task; // the id of the last one that a reply has named
for (const call of JSON.parse(calls)) {
  if (call.arguments?.task_id === "the last one") call.arguments.task_id = task;
  try {
    const reply = await client.callTool(call, undefined, { timeout: 60000 });
    task = reply.structuredContent?.task_id ?? task;
    replies.push({ tool: call.name, refused: reply.isError ? reply.content[0].text : "" });
  } catch (e) {
    replies.push({ tool: call.name, thrown: String(e) });
  }
}
console.log(JSON.stringify({ tools, replies }));
await client.close();
