// Archives changes with the tool, in one process: arguments are the folder of the package
// and a file with the jobs, [{dir, id}]. It prints what `openspec archive ID --yes --json`
// would print for each.
import { readFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [pkg, jobs] = process.argv.slice(2);
const { ArchiveCommand } = await import(pathToFileURL(join(pkg, "dist/core/archive.js")).href);
const results = [];
for (const { dir, id } of JSON.parse(readFileSync(jobs, "utf8"))) {
  const printed = [];
  console.log = (text) => printed.push(text);
  process.chdir(dir);
  try {
    await new ArchiveCommand().execute(id, { yes: true, json: true });
    results.push(JSON.parse(printed.join("\n")));
  } catch (error) {
    results.push({ archive: null, status: [{ code: "thrown", message: String(error) }] });
  }
}
// A pipe takes only so much at once.
let text = Buffer.from(JSON.stringify(results));
while (text.length > 0) {
  try {
    text = text.subarray(writeSync(1, text));
  } catch (error) {
    if (error.code !== "EAGAIN") throw error;
  }
}
process.exit(0);
