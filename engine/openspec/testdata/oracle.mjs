// Runs many commands of the tool in one process: arguments are the folder of the package
// and a file with the commands, [{dir, args}]. It prints what each of them prints, as a list
// of texts.
import { readFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [pkg, commands] = process.argv.slice(2);
const { program } = await import(pathToFileURL(join(pkg, "dist/cli/index.js")).href);
const results = [];
for (const { dir, args } of JSON.parse(readFileSync(commands, "utf8"))) {
  const printed = [];
  console.log = (text) => printed.push(text);
  process.chdir(dir);
  await program.parseAsync(args, { from: "user" });
  results.push(printed.join("\n"));
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
