/** What a caller may not see changes no byte of what they hear: every read door, before and after hidden rows appear. */
import { assert, describe, it } from "@effect/vitest"
import { afterAll, beforeAll } from "vitest"
import { anEmbedded } from "../support/pgliteImage.ts"
import { aPod, type Caller, type Storage, type TestPod } from "../support/pod.ts"
import { aStoredKey } from "./cast.ts"
import type { Row } from "./model.ts"
import { type Approach, ask, bareInput, nameOf } from "./surfaces.ts"
import { theWays } from "./walk.ts"
import { aRow } from "./world.ts"

const instant = /\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z/g

/** The inputs that a read is asked with: the plainest, and each that names what is there and what is not. */
const inputsOf = ({ rest, place }: Approach, known: ReadonlyArray<string>): ReadonlyArray<unknown> => {
  if (rest === undefined) return place === "mcp" ? [{}, { detail: "full", limit: 500 }] : [{}, { limit: 100 }]
  const bare = bareInput(rest)
  const names = Object.keys(bare.path)
  return names.length === 0
    ? [bare, { ...bare, query: { limit: "1000" } }, { ...bare, query: { q: "hidden" } }]
    : known.map((id) => ({ ...bare, path: Object.fromEntries(names.map((name) => [name, id])) }))
}

const suite = (storage: () => Storage) => {
  let pod: TestPod
  let reads: ReadonlyArray<Approach>
  let maker: Caller & { readonly id: string }
  let other: Caller & { readonly id: string }
  let ours: string
  let second: string
  let theirs: string
  let seen: Row
  beforeAll(async () => {
    pod = await aPod(storage())
    reads = (await theWays(pod, false)).filter(
      ({ operation }) => operation.kind === "query" && !("public" in operation.door)
    )
    maker = await pod.aPerson("someone@example.com")
    other = await pod.aPerson("another@example.com")
    ours = await pod.aWorkspace(maker, "Ours")
    second = await pod.aWorkspace(maker, "Second")
    theirs = await pod.aWorkspace(other, "Theirs")
    seen = await aRow(maker, maker.id, { workspaceId: ours, kind: "knowledge", title: "seen" })
  })
  afterAll(() => pod.stop())

  /** Everything a caller hears at every read door, with the moments taken out: they pass for everybody. */
  const everything = async (caller: Caller, known: ReadonlyArray<string>) => {
    const said = new Map<string, string>()
    for (const way of reads) {
      for (const input of inputsOf(way, known)) {
        const heard = await ask(caller, way, input)
        const steady = JSON.stringify(heard).replaceAll(instant, "a moment")
        // When a key was last used is written beside the call, so it may be told as never for a while.
        const answer = steady.replaceAll('"lastUsedAt":null', '"lastUsedAt":"a moment"')
        said.set(`${nameOf(way)} ${JSON.stringify(input)}`, answer)
      }
    }
    return said
  }

  /** The ids that will be hidden are known only afterwards, when they must read like one that never was. */
  const neverWas = "0190a0a0-0000-7000-8000-00000000dead"

  const changesNothing = async (caller: Caller, hide: () => Promise<ReadonlyArray<Row>>) => {
    const before = await everything(caller, [seen.id, neverWas])
    const hidden = await hide()
    assert.deepStrictEqual(await everything(caller, [seen.id, neverWas]), before)
    for (const { id } of hidden) {
      const asHidden = await everything(caller, [seen.id, id])
      assert.deepStrictEqual(
        [...asHidden].map(([question, answer]) => [question.replaceAll(id, neverWas), answer.replaceAll(id, neverWas)]),
        [...before]
      )
    }
  }

  it("rows of another person, for a session and for a key for everything", async () => {
    const { secret } = await aStoredKey(pod, maker.id)
    for (const caller of [pod.as(maker.headers), pod.as({ authorization: `Bearer ${secret}` })]) {
      await changesNothing(caller, async () => [
        await aRow(other, other.id, { workspaceId: null, kind: "knowledge", title: "hidden" }),
        await aRow(other, other.id, { workspaceId: theirs, kind: "knowledge", title: "hidden" })
      ])
    }
  })

  it("rows of the same person, for a key whose grant leaves them out", async () => {
    const { secret } = await aStoredKey(pod, maker.id, {
      grant: { permissions: ["entity.knowledge.read"], workspaceIds: [ours], projectIds: null, entityIds: null }
    })
    await changesNothing(pod.as({ authorization: `Bearer ${secret}` }), async () => [
      await aRow(maker, maker.id, { workspaceId: ours, kind: "note", title: "hidden" }),
      await aRow(maker, maker.id, { workspaceId: second, kind: "knowledge", title: "hidden" }),
      await aRow(maker, maker.id, { workspaceId: null, kind: "knowledge", title: "hidden" })
    ])
  })

  it("rows of the same person, for a key to one object", async () => {
    const { secret } = await aStoredKey(pod, maker.id, {
      grant: { permissions: ["*"], workspaceIds: null, projectIds: null, entityIds: [seen.id] }
    })
    await changesNothing(pod.as({ authorization: `Bearer ${secret}` }), async () => [
      await aRow(maker, maker.id, { workspaceId: ours, kind: "knowledge", title: "hidden" })
    ])
  })

  it("rows of other workspaces, for a key made for one", async () => {
    const { secret } = await aStoredKey(pod, maker.id, { workspaceId: ours, grant: null })
    await changesNothing(pod.as({ authorization: `Bearer ${secret}` }), async () => [
      await aRow(maker, maker.id, { workspaceId: second, kind: "knowledge", title: "hidden" }),
      await aRow(maker, maker.id, { workspaceId: null, kind: "note", title: "hidden" })
    ])
  })
}

describe("on memory", () => suite(() => ({ kind: "memory" })))
describe("on PGlite", () => suite(() => ({ kind: "pglite", open: anEmbedded })))
