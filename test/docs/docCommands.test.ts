/**
 * Checks every command of the documentation. The program must accept the command, and each script, file or path in the
 * command must exist.
 * `readme.test.ts` runs the blocks of bash, and `commandExamples.test.ts` runs the examples of the reference of the
 * command line. This file lists every other command with the reason why no test runs it as it is written.
 */
import * as CommandDescriptor from "@effect/cli/CommandDescriptor"
import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Either } from "effect"
import { existsSync, readFileSync } from "node:fs"
import { commands } from "../../src/cli/CommandTable.ts"
import { takeGlobals } from "../../src/cli/Globals.ts"
import { findCommand } from "../../src/cli/Help.ts"
import { parserConfig } from "../../src/cli/Parsing.ts"
import { describeApi } from "../../src/Description.ts"
import { blocksOf, commandsIn, docPages, readPage, type Words } from "../support/docCommands.ts"
import { projectRoot } from "../support/migrations.ts"

/** Programs that the tests cannot run, with the reason. */
const elsewhere: Readonly<Record<string, string>> = {
  cd: "is the shell",
  claude: "is a client of another maker",
  cp: "is the shell",
  docker: "needs a container engine; deployFiles.test.ts checks the files",
  echo: "is the shell",
  tee: "is the shell",
  eval: "is the shell; what it evaluates is checked",
  env: "is the shell",
  gzip: "is a tool of the reader",
  head: "is the shell",
  helm: "needs a cluster; helmChart.test.ts checks the files",
  journalctl: "needs systemd",
  jq: "is a tool of the reader",
  kubectl: "needs a cluster",
  ls: "is the shell",
  mkdir: "is the shell",
  openssl: "is a tool of the reader",
  printf: "is the shell",
  cat: "is the shell",
  sed: "is the shell",
  chmod: "is the shell",
  systemctl: "needs systemd",
  tr: "is the shell"
}

/**
 * Why the commands of some pages and lines are not run as they are written. The first pattern that matches a command
 * gives its reason.
 */
const notRun: ReadonlyArray<readonly [lines: RegExp, reason: string]> = [
  [
    /\bdocker |kubectl |helm |systemctl |journalctl |\/etc\/systemd|^cd deploy/,
    "needs a container engine, a cluster or systemd"
  ],
  [/^(?:mkdir -p secrets|printf 'postgres|chmod 700 secrets)/, "writes secrets into deploy/ of the clone"],
  [/^(?:sudo mkdir -p|echo 'POD_\w+=\S+' \| sudo tee) \/etc\/pod/, "writes into the system"],
  [/^sudo pod /, "is a command for the pod of systemd; withoutServer.test.ts runs it"],
  [/^sudo npm install/, "installs into the system; packedPod.test.ts installs the package into a folder"],
  [/^claude /, "needs the client of another maker; clientConfigs.test.ts checks what pod connect prints"],
  [
    /^export POD_API_KEY=\$\(pod keys create --name example /,
    "changes the key of all later commands; examples.test.ts makes such keys"
  ],
  [
    /^export POD_API_KEY=\$\(pod connect /,
    "changes the key of all later commands; commandExamples.test.ts makes such a key"
  ],
  [/^pod connect claude-desktop --new-key/, "is a part of what a command prints; mcpBridge.test.ts makes such a key"],
  [/^pod connect claude-desktop --write/, "commandExamples.test.ts runs it with its own folder"],
  [/^POD_API_KEY=svc_… pod mcp/, "runs until its input ends; mcpBridge.test.ts runs it"],
  [/examples\/\w+\.mjs/, "examples.test.ts runs the programs of examples/ with files and receivers of its own"],
  [/events\/stream/, "runs until it is stopped; streams.test.ts reads the stream"],
  [/^POD_\w+="\$\(openssl/, "replaces the secrets of a pod; changedSecrets.test.ts changes them"],
  [/^pod restore pod-2027/, "names a backup of the reader; readme.test.ts restores one"],
  [/https:\/\/pod\.example\.com/, "names the address of the reader; doctorProxy.test.ts checks a pod behind a proxy"],
  [/^pod (?:doctor|config check)$/, "commandExamples.test.ts runs it"],
  [
    /^(?:POD_\w+=\S+ )*(?:npm|npx|node) /,
    "installs, builds, tests or starts as npm does; the tests are such runs, and npmStart.test.ts starts a pod"
  ]
]

/** Paths that `curl` calls although the API description does not contain them. */
const otherPaths = ["/livez", "/readyz", "/mcp", "/trpc/", "/metrics", "/openapi.json"]
const paths = Object.keys(describeApi().paths).map((path) => new RegExp(`^${path.replaceAll(/\{[^}]+\}/g, "[^/]+")}$`))

const scripts = JSON.parse(readFileSync(`${projectRoot}package.json`, "utf8")).scripts as Readonly<
  Record<string, string>
>
const ofNpm = new Set(["ci", "install", "pack"])

/** Returns what is wrong with a command of the program `pod`. Returns undefined if the program accepts the command. */
const podFault = (words: Words): string | undefined => {
  const taken = takeGlobals(words)
  if (Either.isLeft(taken)) return taken.left.message
  const { globals, rest } = taken.right
  if (globals.help || globals.version) return undefined
  const found = Effect.runSync(Effect.either(findCommand(commands, rest)))
  if (Either.isLeft(found)) return found.left.message
  const { node, rest: given } = found.right
  if (node.kind === "group") return rest.length === 0 ? undefined : "it names a group of commands"
  const read = CommandDescriptor.parse(node.command.descriptor, [node.name, ...given], parserConfig)
  const parsed = Effect.runSync(Effect.either(Effect.provide(read, NodeContext.layer)))
  if (Either.isLeft(parsed)) return JSON.stringify(parsed.left)
  if (parsed.right._tag === "BuiltIn") return undefined
  return parsed.right.leftover.length === 0 ? undefined : `${parsed.right.leftover[0]} is one too many`
}

const curlFault = (words: Words): string | undefined => {
  const address = words.find((word) => /^(?:\$POD|https?:\/\/)/.test(word))
  const path = address?.replace(/^(?:\$POD|https?:\/\/[^/]+)/, "").replace(/\?.*$/, "")
  if (path === undefined) return "it names no address"
  return otherPaths.some((other) => path.startsWith(other)) || paths.some((known) => known.test(path))
    ? undefined
    : `the pod has no path ${path}`
}

const npmFault = ([what = "", script = ""]: Words): string | undefined =>
  ofNpm.has(what) || (what === "run" ? script : what) in scripts ? undefined : "package.json has no such script"

const nodeFault = (words: Words): string | undefined => {
  const file = words.find((word) => /\.m?js$/.test(word)) ?? words[0] ?? ""
  return file.startsWith("dist/") || existsSync(projectRoot + file) ? undefined : `there is no file ${file}`
}

const faultOf = ([program = "", ...words]: Words): string | undefined => {
  if (program === "pod") return podFault(words)
  if (program === "curl") return curlFault(words)
  if (program === "npm") return npmFault(words)
  if (program === "node") return nodeFault(words)
  return program in elsewhere || existsSync(`${projectRoot}node_modules/.bin/${program}`)
    ? undefined
    : "it is neither checked nor in the list of programs that need something else"
}

const isCommand = (line: string) => /^(?:[A-Z_]+=\S+ )*(?:npx )?(?:pod|npm|node|curl) /.test(line)

/**
 * Returns those lines of a block that are commands. In a block of plain text, two spaces and a description can follow a
 * command.
 */
const linesOf = (language: string, text: string): ReadonlyArray<string> => {
  const lines = text.replaceAll("\\\n", " ").trimEnd().split("\n")
  if (/^(?:sh|bash)\b/.test(language)) return lines
  return ["text", "indented"].includes(language)
    ? lines.filter(isCommand).map((line) => line.replace(/\s{2,}.*$/, ""))
    : []
}

/**
 * Returns true if these lines are the usage of a command in the reference. The test does not check such lines, because
 * they have placeholders for all options.
 */
const isUsage = (page: string, language: string) => page === "docs/reference/cli.md" && language === "text"

const checked = docPages.flatMap((page) =>
  blocksOf(readPage(page)).flatMap(({ language, text }) =>
    isUsage(page, language)
      ? []
      : linesOf(language, text).flatMap((line) =>
          commandsIn(line.replaceAll(/<([\w ]+)>/g, "some-$1")).map((words) => ({ page, line, words }))
        )
  )
)

describe("commands in the documentation", () => {
  it("every command in the documentation can be parsed by its program and refers only to things that exist, or is in a list of exceptions", () => {
    assert.isAbove(checked.length, 250)
    const faults = checked.flatMap(({ line, page, words }) => {
      const fault = faultOf(words)
      return fault === undefined ? [] : [`${page}: ${line}: ${fault}`]
    })
    assert.deepStrictEqual(faults, [])
  })

  it("the list of programs outside the project contains only programs that the documentation uses", () => {
    const used = new Set(checked.map(({ words: [program = ""] }) => program))
    assert.deepStrictEqual(
      Object.keys(elsewhere).filter((program) => !used.has(program)),
      []
    )
  })

  it("a list contains every documented command that no test runs, each with a reason, and contains no other commands", () => {
    const lines = docPages.flatMap((page) =>
      blocksOf(readPage(page)).flatMap(({ language, text }) =>
        page === "docs/reference/cli.md" || language.startsWith("bash") ? [] : linesOf(language, text)
      )
    )
    const commandLines = lines
      .map((line) => line.replace(/\s+# .*$/, "").trim())
      .filter((line) => !/^(?:#|$)/.test(line))
    const reasonOf = (line: string) => notRun.findIndex(([fits]) => fits.test(line))
    assert.deepStrictEqual(
      commandLines.filter((line) => reasonOf(line) === -1),
      []
    )
    const used = new Set(commandLines.map(reasonOf))
    assert.deepStrictEqual(
      notRun.filter((_, at) => !used.has(at)),
      []
    )
  })

  it("the sentences of the documentation mention only `pod` commands that exist", () => {
    const named = docPages.flatMap((page) =>
      [...readPage(page).matchAll(/`pod ([a-z][^`]*)`/g)].map(([text, words = ""]) => ({ page, text, words }))
    )
    assert.isAbove(named.length, 40)
    const unknown = named.filter(({ words }) => {
      const [path = ""] = words.split(/ (?=[-<…"])/)
      return Either.isLeft(Effect.runSync(Effect.either(findCommand(commands, path.split(" ")))))
    })
    assert.deepStrictEqual(unknown, [])
  })

  it("the check of the documentation reports a command with a misspelt option, path, script or file", () => {
    for (const line of [
      "pod keys create --nam x",
      "pod kes list",
      "curl -s $POD/api/hub/entitys",
      "npm run bild",
      "node examples/none.mjs",
      "X=$(pod connect claude --foo)",
      "unheard-of --help"
    ]) {
      assert.isTrue(
        commandsIn(line).some((words) => faultOf(words) !== undefined),
        line
      )
    }
  })

  it("every block of JSON in the documentation is valid JSON", () => {
    for (const page of docPages) {
      for (const { language, text } of blocksOf(readPage(page))) {
        if (language === "json") assert.doesNotThrow(() => JSON.parse(text), `${page}: ${text}`)
      }
    }
  })
})
