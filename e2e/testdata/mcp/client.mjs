// A client made with the TypeScript SDK. It prints what it was told as JSON.
//   node client.mjs stdio COMMAND ARGS...
//   node client.mjs http URL            with the token in CHANT_MCP_TOKEN
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const [kind, first, ...rest] = process.argv.slice(2);
const transport =
  kind === "http"
    ? new StreamableHTTPClientTransport(new URL(first), {
        requestInit: { headers: { Authorization: `Bearer ${process.env.CHANT_MCP_TOKEN}` } },
      })
    : new StdioClientTransport({ command: first, args: rest, env: process.env });

const client = new Client({ name: "e2e", version: "1" });
await client.connect(transport);
const tools = await client.listTools();
const list = await client.callTool({ name: "chant_spec_list", arguments: { limit: 1 } });
const got = await client.callTool({ name: "chant_spec_get", arguments: { id: "007" } });
const refused = await client.callTool({ name: "chant_spec_get", arguments: { id: "999" } });
const resources = await client.listResources();
const read = await client.readResource({ uri: resources.resources[0].uri });
const prompts = await client.listPrompts();
const prompt = await client.getPrompt({ name: "standard", arguments: { id: "007" } });
console.log(
  JSON.stringify({
    server: client.getServerVersion().name,
    tools: tools.tools.map((t) => t.name),
    total: list.structuredContent.total,
    title: got.structuredContent.title,
    refused: refused.isError,
    uri: resources.resources[0].uri,
    text: read.contents[0].text,
    prompts: prompts.prompts.map((p) => p.name),
    prompt: prompt.messages[0].content.text,
  }),
);
await client.close();
