/**
 * Tests the commands that ask before they act. Where nobody can be asked, they need `--yes`, and without it they do
 * nothing.
 */
import { assert, describe, it } from "@effect/vitest"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { commands } from "../../src/cli/CommandTable.ts"
import type { Leaf, Node } from "../../src/cli/CommandTree.ts"
import { aCommandLine, aTerminal } from "../support/builtCli.ts"
import { aCommandScene, errorOf, type Fields } from "../support/commandScene.ts"

const { home, json, pod, propose, server } = aCommandScene()

const leaves = (node: Node, path: ReadonlyArray<string>): ReadonlyArray<readonly [string, Leaf]> =>
  node.kind === "leaf"
    ? [[path.join(" "), node]]
    : node.children.flatMap((child) => leaves(child, [...path, child.name]))

/** Runs a command that must be refused because nobody can be asked. */
const assertRefused = async (...args: ReadonlyArray<string>) => {
  for (const more of [[], ["--no-input"], ["--quiet"]]) {
    const run = await pod([...args, ...more, "--json"])
    assert.strictEqual(run.code, 2, `${args.join(" ")}: ${run.stdout}${run.stderr}`)
    assert.strictEqual(errorOf(run)["code"], "CONFIRMATION_NEEDED")
    assert.include(errorOf(run)["message"], "`--yes`")
    assert.strictEqual(run.stdout, "")
  }
}

const keysNamed = async (name: string): Promise<ReadonlyArray<Fields>> =>
  (await json("keys", "list")).filter(({ keyName }: Fields) => keyName === name)

describe("a command that asks before it acts, without a terminal", () => {
  it("exactly eight commands, such as `pod keys revoke`, ask before they act, and the help and the description of each of them say so", async () => {
    const asking = leaves(commands, []).filter(([, { asking }]) => asking !== undefined)
    assert.sameMembers(
      asking.map(([path]) => path),
      [
        "connect",
        "import",
        "keys revoke",
        "keys rotate",
        "proposals approve",
        "proposals reject",
        "roles delete",
        "seed remove"
      ]
    )
    for (const [path, { asking: sentence = "" }] of asking) {
      assert.match(
        sentence,
        /asks before it acts, because .+\. Without a terminal it cannot ask, and then it needs --yes\.$/
      )
      assert.include((await pod([...path.split(" "), "--help"])).stdout, sentence)
      assert.strictEqual(JSON.parse((await pod([...path.split(" "), "--describe"])).stdout).asking, sentence)
    }
  })

  it("`pod keys revoke` and `pod keys rotate` change no key without `--yes`, and a rotation with an overlap needs no `--yes`", async () => {
    await json("keys", "create", "--name", "kept")
    await assertRefused("keys", "revoke", "kept")
    await assertRefused("keys", "rotate", "kept")
    const [key, ...others] = await keysNamed("kept")
    assert.deepStrictEqual([key?.["isActive"], others], [true, []])
    assert.strictEqual((await pod(["keys", "rotate", "kept", "--overlap", "1h"])).code, 0)
    assert.strictEqual((await pod(["keys", "revoke", "kept", "--yes"])).code, 0)
    assert.deepStrictEqual(await keysNamed("kept"), [])
    await json("keys", "create", "--name", "replaced")
    assert.strictEqual((await pod(["keys", "rotate", "replaced", "--yes"])).code, 0)
  })

  it("`pod proposals approve` and `pod proposals reject` decide nothing without `--yes`", async () => {
    const id = await propose("wait for a person")
    await assertRefused("proposals", "approve", id)
    await assertRefused("proposals", "reject", id, "--reason", "No.")
    assert.strictEqual((await json("proposals", "show", id)).status, "pending")
    const rejected = await pod(["proposals", "reject", id.slice(0, 18), "--reason", "No.", "--yes"])
    assert.include(rejected.stderr, "wait for a person")
    assert.strictEqual((await json("proposals", "show", id)).status, "rejected")
  })

  it("`pod roles delete`, `pod seed remove`, `pod connect --write` and `pod import --on-conflict replace` do nothing without `--yes`", async () => {
    await json("roles", "create", "--name", "stays", "--permission", "entity.note.read")
    await assertRefused("roles", "delete", "stays")
    assert.strictEqual((await pod(["roles", "show", "stays"])).code, 0)
    await json("seed", "demo")
    await assertRefused("seed", "remove")
    const spaces = await server().owner.send("GET", "/api/hub/workspaces")
    assert.include(JSON.stringify(spaces.body), "Acme demo")
    assert.strictEqual((await pod(["seed", "remove", "--yes"])).code, 0)
    await assertRefused("connect", "claude-code", "--write")
    assert.isFalse(existsSync(join(home.path, ".mcp.json")))
    await assertRefused("import", "absent.ndjson", "--on-conflict", "replace")
    const dry = await pod(["import", "absent.ndjson", "--on-conflict", "replace", "--dry-run", "--json"])
    assert.notStrictEqual(errorOf(dry)["code"], "CONFIRMATION_NEEDED")
  })

  it("in a pipe, `pod` refuses a command that asks before it acts, with exit code 2 and one sentence that mentions `--yes`", async () => {
    await json("keys", "create", "--name", "piped")
    const program = aCommandLine(home.path, { environment: { POD_DATA_DIR: server().dataDir! } })
    const run = await program(["keys", "revoke", "piped"], { input: "y\n" })
    assert.strictEqual(run.code, 2)
    assert.strictEqual(
      run.stderr,
      "Error The command asks before it acts, because a revoked key cannot be made valid again. It cannot ask here, so it needs `--yes`.\n"
    )
    assert.strictEqual((await keysNamed("piped"))[0]?.["isActive"], true)
  })

  it("at a terminal `pod proposals reject` shows the proposal and asks, and rejects nothing if the answer is no", async () => {
    const id = await propose("show me first")
    const terminal = aTerminal(home.path, { environment: { POD_DATA_DIR: server().dataDir! } })
    const declined = await terminal(["proposals", "reject", id], [["Reject “", "n"]])
    assert.strictEqual(declined.code, 130, declined.screen)
    assert.include(declined.screen, "show me first")
    assert.strictEqual((await json("proposals", "show", id)).status, "pending")
  })
})
