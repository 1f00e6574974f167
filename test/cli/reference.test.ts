/**
 * Tests the reference of the command line. The reference is exactly the text that the table of commands generates, and
 * every command has a summary and an example.
 */
import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { commands } from "../../src/cli/CommandTable.ts"
import type { Leaf, Node } from "../../src/cli/CommandTree.ts"
import { renderCliReference } from "../../src/cli/Reference.ts"
import { projectRoot } from "../support/migrations.ts"

const leaves = (node: Node, path: ReadonlyArray<string>): ReadonlyArray<readonly [string, Leaf]> =>
  node.kind === "leaf"
    ? [[["pod", ...path].join(" "), node]]
    : node.children.flatMap((child) => leaves(child, [...path, child.name]))

describe("the reference of the command line", () => {
  it("docs/reference/cli.md is equal to the output of `pod docs cli` (to update it: `npm run build && node dist/pod.mjs docs cli > docs/reference/cli.md`)", () => {
    assert.strictEqual(
      readFileSync(`${projectRoot}docs/reference/cli.md`, "utf8").trimEnd(),
      renderCliReference(commands).trimEnd()
    )
  })

  it("every command of the command line has a summary in one sentence, and an example that contains the command", () => {
    for (const [path, { examples, summary }] of leaves(commands, [])) {
      assert.match(summary, /^[A-Z].*[.]$/, path)
      assert.isTrue(
        examples.some((example) => example.includes(path)),
        path
      )
    }
  })
})
