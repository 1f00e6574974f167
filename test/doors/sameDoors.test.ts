/**
 * If REST, the procedures and MCP all have an operation, the access check (door) of the operation is the same on each
 * surface. Otherwise a key could read on one surface what another surface refuses.
 */
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { Catalog } from "../../src/doors/Catalog.ts"
import type { Door } from "../../src/doors/Door.ts"
import { aPod } from "../support/pod.ts"

/** The operations that have different doors on different surfaces, each with the reason. */
const exceptions: Readonly<Record<string, string>> = {
  "tool svc_get_entity": "Specification §5.4 opens GET /entities/{id} to keys with limits, and not this tool.",
  "rest setup.status": "The page of the first start asks it before anybody has a credential."
}

const singular = (word: string) => word.replace(/ies$/, "y").replace(/(?<=[^s])s$/, "")

/**
 * Returns the words of a name in alphabetical order and in the singular, so that `documents.listDocuments` and
 * `svc_list_documents` give the same text.
 */
const wordsOf = (name: string): string => {
  const words = name
    .replace(/^svc_/, "")
    .replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
    .split(/[._]/)
  return [...new Set(words.map(singular))].toSorted().join(" ")
}

/**
 * Returns what the access check (door) of an operation requires of a caller. Leaves out the scope, because the scope
 * differs between the surfaces.
 */
const demandOf = (door: Door): string => {
  switch (door._tag) {
    case "Rows":
      return `rows of ${door.subject}`
    case "EveryKind":
      return `${door._tag} of ${door.subjects.join()}${door.isRowBounded === true ? " row by row" : ""}`
    case "SeveralRows":
      return `${door._tag} of ${door.subjects.join()}`
    case "FullGrant":
      return `${door._tag}${door.isSpaceBounded === true ? " in spaces" : ""}`
    case "Write":
      return `write ${door.subject} ${door.actions.join()}${door.isUnrestricted === true ? " unrestricted" : ""}`
    default:
      return door._tag
  }
}

it("the REST, procedure and tool forms of one operation require the same access, except for two operations whose reason this test states", async () => {
  const pod = await aPod({ kind: "memory" })
  const { procedures, rest, tools } = await pod.run(Effect.flatMap(Catalog, ({ compiled }) => compiled))
  await pod.stop()
  const groups = new Map<string, Array<{ readonly name: string; readonly demand: string }>>()
  for (const [form, operations] of [
    ["rest", rest],
    ["procedure", [...procedures.values()]],
    ["tool", [...tools.values()]]
  ] as const) {
    for (const { door, kind, name } of operations) {
      const words = `${kind} ${wordsOf(name)}`
      const group = groups.get(words) ?? []
      groups.set(words, group)
      group.push({ name: `${form} ${name}`, demand: demandOf(door) })
    }
  }
  const several = [...groups.values()].filter((group) => group.length > 1)
  assert.isAbove(several.length, 30)
  const differing = several
    .map((group) => ({ group, kept: group.filter(({ name }) => exceptions[name] === undefined) }))
    .filter(({ kept }) => new Set(kept.map(({ demand }) => demand)).size > 1)
    .map(({ kept }) => kept.map(({ demand, name }) => `${name}: ${demand}`).join("; "))
  assert.deepStrictEqual(differing, [])
  const needed = new Set(
    several
      .filter((group) => new Set(group.map(({ demand }) => demand)).size > 1)
      .flatMap((group) => group.map(({ name }) => name))
  )
  assert.deepStrictEqual(
    Object.keys(exceptions).filter((name) => !needed.has(name)),
    []
  )
})
