/**
 * Tests what the command line prints without a pod: the messages for wrong flags, the help, and completions in a real
 * shell.
 */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { sortWords } from "../../src/cli/CommandWords.ts"
import { aTerminal } from "../support/builtCli.ts"
import { aFolder } from "../support/builtPod.ts"
import { aCommandInProcess } from "../support/cliInProcess.ts"

const home = aFolder()
const pod = aCommandInProcess(home.path)
afterAll(() => home.remove())

const codeIn = ({ stderr }: { readonly stderr: string }): unknown =>
  (JSON.parse(stderr) as { error: { code: string } }).error.code

describe("mistakes in the arguments of a command", () => {
  it("if a command gets an unknown option, the message contains the option and suggests the option that was probably meant", async () => {
    const run = await pod(["keys", "create", "--nmae", "x"])
    assert.strictEqual(run.code, 2)
    assert.strictEqual(run.stderr, 'Error pod keys create has no flag "--nmae".\n  Did you mean --name?\n')
    assert.include((await pod(["keys", "list", "--nothing"])).stderr, 'pod keys list has no flag "--nothing".')
  })

  it("the command line accepts an option value that begins with a dash, and does not treat it as an unknown option", async () => {
    const run = await pod(["keys", "create", "--permission", "-x"])
    assert.include(run.stderr, "The option --name is missing.")
  })

  it("a wrong flag is refused, and never becomes an argument, such as the title of a record or a word of a search", async () => {
    for (const [words, suggested] of [
      [["create", "note", "--dscription"], "--description"],
      [["search", "--lmit", "3", "joint"], "--limit"],
      [["search", "joint", "--lmit", "3"], "--limit"],
      [["create", "note", "--dscription", "x", "title"], "--description"]
    ] as const) {
      const run = await pod(words)
      assert.strictEqual(run.code, 2, words.join(" "))
      assert.include(run.stderr, `Did you mean ${suggested}?`)
    }
    assert.include((await pod(["keys", "show", "-x"])).stderr, "If the word is an argument, write -- before it.")
  })

  it("a flag never becomes the value of the flag before it, so that `keys create --name --preview` makes no key", async () => {
    const run = await pod(["keys", "create", "--name", "--preview"])
    assert.strictEqual(run.code, 2)
    assert.strictEqual(
      run.stderr,
      "Error --name needs a value.\n  If --preview is the value, write --name=--preview.\n"
    )
    assert.include((await pod(["search", "joint", "--limit"])).stderr, "--limit needs a value.")
    assert.include((await pod(["status", "--data-dir", "--json"])).stderr, "--data-dir needs a value: DIR.")
  })

  it("an option can follow an argument that begins with a dash, and every word after `--` is an argument", () => {
    const flags = [
      { names: ["-n", "--limit"], doc: "", takesValue: true, values: [] },
      { names: ["--failed"], doc: "", takesValue: false, values: [] }
    ]
    assert.deepStrictEqual(sortWords(["-", "--limit", "3", "-5", "--failed", "on", "-roof", "--hello there"], flags), {
      options: ["--limit", "3", "--failed"],
      args: ["-", "-5", "on", "-roof", "--hello there"]
    })
    assert.deepStrictEqual(sortWords(["a", "--", "--limit", "--"], flags), {
      options: [],
      args: ["a", "--limit", "--"]
    })
    assert.deepStrictEqual(sortWords(["--limit=--x", "-n=1"], flags), { options: ["--limit=--x", "-n=1"], args: [] })
    assert.deepStrictEqual(sortWords(["--limit", "--a text"], flags), { options: ["--limit", "--a text"], args: [] })
    assert.deepStrictEqual(sortWords(["--limit", "-n"], flags), { kind: "noValue", flag: "--limit", following: "-n" })
  })

  it("after a wrong argument, the hint of the command line shows how to get the help of the full command, for example `pod keys create --help`", async () => {
    assert.include((await pod(["keys", "create"])).stderr, "See pod keys create --help.")
    assert.include((await pod(["keys", "list", "extra"])).stderr, "See pod keys list --help.")
  })

  it("if an argument of a command is missing, the message names it in a sentence", async () => {
    const run = await pod(["create", "note"])
    assert.strictEqual(run.stderr, "Error The argument <title> is missing.\n  See pod create --help.\n")
  })

  it("if an argument that has a few values is missing, the message names these values", async () => {
    const run = await pod(["connect"])
    assert.match(run.stderr, /^Error The argument <client> is missing\. One of claude-code, .+, n8n\.\n/)
  })

  it("`pod --help` shows only the first sentence about a command, and the help of the command shows the whole text", async () => {
    const secrets = "also move the secrets of the pod"
    assert.notInclude((await pod(["--help"])).stdout, secrets)
    assert.include((await pod(["export", "--help"])).stdout.replaceAll(/\s+/g, " "), secrets)
  })

  it("if an option gets a value that it does not allow, the message contains the option and its allowed values", async () => {
    const run = await pod(["proposals", "list", "--status", "open"])
    assert.include(run.stderr, "--status is one of pending, approved, rejected, expired, all.")
  })

  it("`pod help` followed by a command prints the same help as the command with `--help`", async () => {
    const [asWord, asFlag] = [await pod(["help", "keys", "rotate"]), await pod(["keys", "rotate", "--help"])]
    assert.strictEqual(asWord.code, 0, asWord.stderr)
    assert.strictEqual(asWord.stdout, asFlag.stdout)
  })
})

describe("the help of the command line", () => {
  it("the help of a group of commands shows an example of each command before the list of the commands", async () => {
    const { stdout } = await pod(["keys", "--help"])
    const [beforeList = ""] = stdout.split("\nCommands\n")
    for (const name of ["create", "list", "show", "revoke", "rotate", "check"])
      assert.include(beforeList, `  pod keys ${name}`)
  })

  it("`pod --completions` prints the same script as `pod completions`, and refuses an unknown shell", async () => {
    const { stdout } = await pod(["completions", "bash"])
    assert.strictEqual((await pod(["--completions", "bash"])).stdout, stdout)
    assert.strictEqual((await pod(["--completions", "tcsh"])).code, 2)
  })

  it("the help of a command shows optional parts in brackets, and lists the allowed values of an option only once", async () => {
    const { stdout } = await pod(["keys", "create", "--help"])
    assert.include(stdout, "[--permission text...]")
    assert.notInclude((await pod(["keys", "rotate", "--help"])).stdout, "One of the following")
    assert.include((await pod(["backup", "--help"])).stdout, "[verify <file>]")
  })

  it("on a terminal no line of the help is wider than the terminal", async () => {
    const { screen } = await aTerminal(home.path)(["--help"])
    const lines = screen.replaceAll(/\u001b\[[0-9;]*m/g, "").split("\r\n")
    for (const line of lines) assert.isAtMost(line.length, 80, line)
    assert.isAbove(Math.max(...lines.map((line) => line.length)), 60)
  })
})

describe("completions of commands in a shell", () => {
  let script: string
  beforeAll(async () => {
    script = (await pod(["completions", "bash"])).stdout
  })
  const completed = (...words: ReadonlyArray<string>): ReadonlyArray<string> => {
    const run = spawnSync("bash", [
      "-c",
      `${script}\nCOMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _pod; printf '%s\\n' "\${COMPREPLY[@]}"`,
      "bash",
      ...words
    ])
    assert.strictEqual(run.stderr.toString(), "")
    return run.stdout
      .toString()
      .split("\n")
      .filter((line) => line !== "")
  }

  it("the bash completion suggests commands, the options of each command, and the allowed values of options and arguments", async () => {
    assert.deepStrictEqual(completed("pod", "keys", "c"), ["create", "check"])
    assert.deepStrictEqual(completed("pod", "keys", "create", "--sc"), ["--scope"])
    assert.include(completed("pod", "owner", "reset-password", "--"), "--password-file")
    assert.deepStrictEqual(completed("pod", "keys", "rotate", "--overlap", ""), ["now", "1h", "24h", "7d"])
    assert.deepStrictEqual(completed("pod", "connect", "c"), ["claude-code", "claude-desktop", "cursor", "codex"])
    assert.deepStrictEqual(completed("pod", "--output", ""), ["table", "json", "ndjson", "env"])
  })

  it("for `pod keys list`, the bash completion suggests neither `--log-level` nor `--completions`, which this command would refuse", async () => {
    const offered = completed("pod", "keys", "list", "--")
    assert.include(offered, "--all")
    for (const flag of ["--log-level", "--completions"]) assert.notInclude(offered, flag)
  })

  for (const shell of ["zsh", "fish"]) {
    it(`\`pod completions\` prints a script for ${shell}`, async () => {
      const { code, stdout } = await pod(["completions", shell])
      assert.strictEqual(code, 0)
      assert.include(stdout, "reset-password")
      assert.notInclude(stdout, "--log-level")
    })
  }
})

describe("a server that is not a pod", () => {
  it("if the address does not belong to a pod, a command reports this and ends with exit code 8, even if the server answers with status 200", async () => {
    const other = createServer((_, response) => response.end("<html>Welcome</html>"))
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve))
    const { port } = other.address() as AddressInfo // the server listens on TCP, so its address has a port
    const url = ["--url", `http://127.0.0.1:${port}`, "--json"]
    for (const args of [
      ["status"],
      ["whoami"],
      ["keys", "list"],
      ["get", "note"],
      ["events", "tail"],
      ["proposals", "watch"],
      ["login", "--email", "a@example.com"]
    ]) {
      const run = await pod([...args, ...url], { environment: { POD_PASSWORD: "something long" } })
      assert.strictEqual(run.code, 8, `${args.join(" ")}: ${run.stdout}${run.stderr}`)
      assert.strictEqual(codeIn(run), "NO_POD", args.join(" "))
      assert.strictEqual(run.stdout, "", args.join(" "))
    }
    assert.strictEqual((await pod(["doctor", ...url])).code, 8)
    other.close()
  })

  it("`pod seed demo` and `pod seed remove` end with exit code 8 if no server listens", async () => {
    for (const verb of ["demo", "remove"]) {
      assert.strictEqual((await pod(["seed", verb, "--yes", "--url", "http://127.0.0.1:9"])).code, 8)
    }
  })
})

describe("settings of another data directory", () => {
  it("`pod config list` shows the settings of the data directory that the option `--data-dir` states", async () => {
    const { stdout } = await pod(["config", "list", "--data-dir", "./elsewhere", "--json"])
    const rows = (JSON.parse(stdout) as { data: ReadonlyArray<{ name: string; value: string }> }).data
    assert.strictEqual(rows.find(({ name }) => name === "POD_DATA_DIR")?.value, "./elsewhere")
  })
})

describe("a folder that cannot be made", () => {
  it("`pod connect --write` and `pod backup` fail if their folder cannot be made, and do not retry without end", async () => {
    const environment = { HOME: "/proc/nope", XDG_CONFIG_HOME: "/proc/nope" }
    const written = await pod(["connect", "cursor", "--write", "--yes", "--url", "http://localhost:1"], { environment })
    assert.strictEqual(written.code, 7, written.stderr)
    const used = await pod(["backup", "--to", "/proc/nope", "--data-dir", join(home.path, "none")])
    assert.notStrictEqual(used.code, 0)
  })
})
