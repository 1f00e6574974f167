/** `pod docs` and `pod completions`: the documentation and the shell completions that the program contains. */
import * as Args from "@effect/cli/Args"
import { FileSystem } from "@effect/platform"
import { Effect, Option } from "effect"
import { fileURLToPath } from "node:url"
import { nearName } from "../../shared/nearName.ts"
import { renderReference } from "../../platform/settings/SettingsReference.ts"
import { badUsage, cliExitTable, notFound } from "../CliFailure.ts"
import { type Group, leaf, type Leaf } from "../CommandTree.ts"
import { completionScript, shells } from "../ShellCompletions.ts"
import { fieldsOf, rowsOf, textOf } from "../AnswerFields.ts"
import { cell, Output } from "../Output.ts"
import { PodClient } from "../PodClient.ts"
import { renderCliReference } from "../Reference.ts"

const topics = {
  cli: "every command with its options",
  config: "every setting of the server",
  "exit-codes": "the exit codes of the commands",
  rest: "the endpoints of the pod, and what a key needs for each",
  procedures: "the procedures of the pod",
  mcp: "the MCP tools of the pod"
} as const

/**
 * Reads the pages of `docs/` from the package of the pod. Returns a map from the name of a page (its file name without
 * `.md`) to its title and its text.
 */
const readPages = Effect.gen(function* () {
  const files = yield* FileSystem.FileSystem
  const root = fileURLToPath(new URL("../../../docs/", import.meta.url))
  const pages = new Map<string, { readonly about: string; readonly text: string }>()
  for (const folder of ["start", "concepts", "guides", "operate", "reference"]) {
    for (const name of (yield* files.readDirectory(`${root}${folder}`)).sort()) {
      const topic = name.slice(0, -".md".length)
      if (!name.endsWith(".md") || topic in topics) continue
      const text = yield* files.readFileString(`${root}${folder}/${name}`)
      pages.set(topic, { about: /^# (.*)$/m.exec(text)?.[1] ?? "", text })
    }
  }
  return pages
}).pipe(Effect.orDie) // the package contains the pages, so a missing page is a defect

const surfaces: Readonly<Record<string, string>> = { rest: "rest", procedures: "procedure", mcp: "tool" }

export const docs = (root: () => Group): Leaf =>
  leaf(
    "docs",
    {
      summary: "Read about a topic, such as cli, config, errors, backup or grants.",
      examples: ["pod docs", "pod docs errors", "pod docs rest"],
      values: Object.keys(topics)
    },
    {
      topic: Args.text({ name: "topic" }).pipe(
        Args.withDescription("The topic. Without a topic, the command lists all topics."),
        Args.optional
      )
    },
    Effect.fnUntraced(function* ({ topic }) {
      const output = yield* Output
      if (Option.isNone(topic)) {
        const rows = [
          ...Object.entries(topics).map(([name, about]) => ({ name, about })),
          ...[...(yield* readPages)].map(([name, { about }]) => ({ name, about }))
        ]
        return output.data(rows, {
          columns: [
            { title: "TOPIC", isWhole: true, of: ({ name }) => name },
            { title: "ABOUT", isRead: true, of: ({ about }) => about }
          ],
          none: ""
        })
      }
      const name = topic.value
      if (name === "cli" || name === "config") {
        const text = name === "cli" ? renderCliReference(root()) : renderReference()
        return output.data({ topic: name, text }, { text: () => text })
      }
      if (name === "exit-codes") {
        return output.data(Object.values(cliExitTable), {
          columns: [
            { title: "CODE", isWhole: true, of: ({ code }) => String(code) },
            { title: "MEANING", isRead: true, of: ({ meaning }) => meaning }
          ],
          none: ""
        })
      }
      const surface = surfaces[name]
      if (surface === undefined) {
        const pages = yield* readPages
        const page = pages.get(name)
        if (page !== undefined) return output.data({ topic: name, text: page.text }, { text: () => page.text })
        const suggestion = nearName(name, [...Object.keys(topics), ...pages.keys()], (knownShell) => knownShell)
        return yield* notFound(
          `There is no topic ${JSON.stringify(name)}.`,
          suggestion === undefined ? "To see all topics, run `pod docs`." : `Did you mean ${suggestion}?`
        )
      }
      const answer = yield* (yield* PodClient).request("GET", "/api/hub/manifest")
      const rows = rowsOf(fieldsOf(answer.data)["doors"]).filter((row) => row["surface"] === surface)
      output.data(
        rows,
        {
          columns: [
            {
              title: "CALL",
              of: (row) =>
                surface === "rest" ? `${textOf(row["method"]).padEnd(6)} ${textOf(row["path"])}` : textOf(row["name"])
            },
            { title: "NEEDS", of: ({ door }) => cell(door) },
            { title: "DOES", isRead: true, of: ({ summary }) => cell(summary) }
          ],
          none: "Nothing."
        },
        answer
      )
    })
  )

export const completions = (root: () => Group): Leaf =>
  leaf(
    "completions",
    {
      summary: "Print the completions of a shell.",
      examples: [
        "pod completions bash > ~/.local/share/bash-completion/completions/pod",
        "pod completions zsh",
        "pod completions fish"
      ],
      values: shells
    },
    { shell: Args.text({ name: "shell" }).pipe(Args.withDescription("bash, zsh or fish.")) },
    Effect.fnUntraced(function* ({ shell }) {
      const output = yield* Output
      const knownShell = shells.find((one) => one === shell)
      if (knownShell === undefined)
        return yield* badUsage(`There are no completions for ${JSON.stringify(shell)}.`, "Use bash, zsh or fish.")
      const script = completionScript(knownShell, root())
      output.alone(script, { shell, script })
    })
  )
