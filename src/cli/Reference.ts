/** The reference of the command line as Markdown, made from the tree of commands. */
import { cliExitTable } from "./CliFailure.ts"
import type { Group, Leaf, Node } from "./CommandTree.ts"
import { globalFlags } from "./Globals.ts"
import { usageOf } from "./Help.ts"
import { parametersOf } from "./Parameters.ts"

const leafSection = (path: ReadonlyArray<string>, found: Leaf): string => {
  const parameters = parametersOf(found.command)
  return [
    `### pod ${path.join(" ")}`,
    "",
    found.summary,
    ...(found.asking === undefined ? [] : ["", found.asking]),
    "",
    "```text",
    usageOf(path, found),
    "```",
    ...(parameters.length === 0 ? [] : ["", ...parameters.map(([name, doc]) => `- \`${name}\`: ${doc}`)]),
    "",
    "```sh",
    ...found.examples,
    "```"
  ].join("\n")
}

const sections = (node: Node, path: ReadonlyArray<string>): ReadonlyArray<string> =>
  node.kind === "leaf"
    ? [leafSection(path, node)]
    : node.children.flatMap((child) => sections(child, [...path, child.name]))

export const renderCliReference = (root: Group): string =>
  [
    "# The command line",
    "",
    "Generated from the table of commands: `npm run build && node dist/pod.mjs docs cli > docs/reference/cli.md`.",
    "",
    "With an address (`--url`, `POD_URL`, or a sign-in of `pod login`), a command calls the pod with a session or with the key in `POD_API_KEY`. Without",
    "an address, it calls the pod over the socket `admin.sock` in the data directory, as the local operator in the name of the owner. If no server runs,",
    "it locks the directory and opens the database itself. The answer goes to stdout and everything else to stderr. Without a terminal there are",
    "no colours and no questions: a command that asks before it acts then needs `--yes`. Without `--yes`, it does nothing and ends with exit code 2.",
    "At a terminal, `--wizard` asks for each option and argument of a command. The wizard for keys with its preview is in the console.",
    "",
    "## Flags of every command",
    "",
    ...Object.entries(globalFlags).map(
      ([name, { doc, value }]) => `- \`${value === undefined ? name : `${name} ${value}`}\`: ${doc}`
    ),
    "",
    'With `--json` an answer is `{"data":…,"meta":{"requestId","next"}}`, and a failure `{"error":{"code","message","hint","requestId","retryable"}}` on stderr.',
    "",
    "## Exit codes",
    "",
    "| Code | Meaning |",
    "|---|---|",
    ...Object.values(cliExitTable).map(({ code, meaning }) => `| ${code} | ${meaning} |`),
    "",
    "`pod start` ends with the exit codes of the server: see [configuration.md](../configuration.md).",
    "",
    "## Commands",
    "",
    sections(root, []).join("\n\n"),
    ""
  ].join("\n")
