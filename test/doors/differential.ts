/**
 * Compares the answers of a pod before and after hidden rows appear, on one storage. It sends every read. The hidden
 * rows must not change any byte of the answers.
 */
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { afterAll, beforeAll } from "vitest"
import { positionOf } from "../../src/features/events/StreamPosition.ts"
import { uuidv7 } from "../../src/platform/Ids.ts"
import { hideInEveryTable } from "../support/catalog.ts"
import { aPod, type Caller, type Storage, type TestPod } from "../support/pod.ts"
import { everyNth } from "../support/everyNth.ts"
import { aStoredKey, type KeyDescription } from "./callers.ts"
import { forgetRefusals } from "./ledger.ts"
import { doorAnswer, type Credential, type Row } from "./model.ts"
import { sampleFor } from "./samples.ts"
import { type Approach, ask, bareInput, nameOf, startsWork } from "./surfaces.ts"
import { allApproaches } from "./walk.ts"
import { aRow } from "./world.ts"

const instant = /\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z/g
const idOfCall = /"(decisionId|requestId)":"[0-9a-f-]{36}"/g
const position = /(?<=id: )[\w-]+(?=\\n)/g
/**
 * Returns the ids of the spaces in a stream position. Leaves out the number of the last event in each space: each
 * refused call of the caller raises this number, even if the test removes the refusal from the log.
 */
const spacesOfPosition = (text: string) => [...(positionOf(text)?.keys() ?? [])].join(" ")
const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi

// There is only one sample for each read, because making a sample takes as long as many calls.
const samples = new Map<string, string>()

/** Returns an input that is generated from the declaration of the read. The given id replaces every id in the input. */
const sampleAbout = (way: Approach, id: string): unknown => {
  const sample = samples.get(nameOf(way)) ?? JSON.stringify(sampleFor(way, {}))
  samples.set(nameOf(way), sample)
  return JSON.parse(sample.replaceAll(uuid, id))
}

/** Returns the inputs for one read: the simplest input, and inputs with the ids of existing and missing records. */
const inputsOf = (way: Approach, known: ReadonlyArray<string>): ReadonlyArray<unknown> => {
  const { place, rest } = way
  const about = known.map((id) => sampleAbout(way, id))
  if (rest === undefined)
    return place === "mcp" ? [{}, { detail: "full", limit: 500 }, ...about] : [{}, { limit: 100 }, ...about]
  const bare = bareInput(rest)
  const names = Object.keys(bare.path)
  return names.length === 0
    ? [bare, { ...bare, query: { limit: "1000" } }, { ...bare, query: { q: "hidden" } }, ...about]
    : [...known.map((id) => ({ ...bare, path: Object.fromEntries(names.map((name) => [name, id])) })), ...about]
}

/** For each question, the answer and a function that asks the question again. */
type AnswersByQuestion = ReadonlyMap<string, { readonly answer: unknown; readonly again: () => Promise<unknown> }>

/**
 * Returns the paths at which two answers to the same question have different numbers. These numbers change even if no
 * row changes, so the test ignores them.
 */
const moving = (one: unknown, other: unknown, at = ""): ReadonlyArray<string> => {
  if (typeof one === "number" && typeof other === "number") return one === other ? [] : [at]
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) return []
  return Object.keys(one).flatMap((name) =>
    moving((one as Record<string, unknown>)[name], (other as Record<string, unknown>)[name], `${at}.${name}`)
  )
}

const without = (value: unknown, paths: ReadonlyArray<string>, at = ""): unknown => {
  if (paths.includes(at)) return "it moves"
  if (typeof value !== "object" || value === null || paths.length === 0) return value
  if (Array.isArray(value)) return value.map((each, index) => without(each, paths, `${at}.${index}`))
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, without(each, paths, `${at}.${name}`)]))
}

/** A caller that sends reads. The credential has the form that the model of the access rules uses. */
interface Hearer {
  readonly caller: Caller
  readonly credential: Credential
}

export const differential = (storage: () => Storage) => {
  let pod: TestPod
  let kept: Storage
  let reads: ReadonlyArray<Approach>
  beforeAll(async () => {
    kept = storage()
    pod = await aPod(kept)
    reads = (await allApproaches(pod, false)).filter(
      ({ operation }) =>
        operation.kind === "query" && operation.door._tag !== "Public" && !startsWork.has(operation.name)
    )
  })
  afterAll(() => pod.stop())
  let hasRefused = false
  let turn = 0

  /** Makes two people with workspaces of their own, for one test only. The person `maker` has one visible row. */
  const aStage = async () => {
    const maker = await pod.aPerson()
    const other = await pod.aPerson()
    const ours = await pod.aWorkspace(maker, "Ours")
    const second = await pod.aWorkspace(maker, "Second")
    const theirs = await pod.aWorkspace(other, "Theirs")
    const seen = await aRow(maker, maker.id, { workspaceId: ours, kind: "knowledge", title: "seen" })
    return { maker, other, ours, second, theirs, seen }
  }

  /**
   * Returns every answer that the caller gets from these reads, without the times, which always differ. If a read
   * refuses this caller whatever the input is, the test sends only one input.
   */
  const everything = async (
    { caller, credential }: Hearer,
    asked: ReadonlyArray<Approach>,
    known: ReadonlyArray<string>
  ): Promise<AnswersByQuestion> => {
    const answers = new Map<string, { readonly answer: unknown; readonly again: () => Promise<unknown> }>()
    for (const way of asked) {
      const inputs = inputsOf(way, known)
      const isOpen = doorAnswer(way.place, way.operation.door, credential).passes
      for (const input of isOpen ? inputs : inputs.slice(0, 1)) {
        const again = async (): Promise<unknown> => {
          // Some reads show the earlier refusals of the caller, so the test removes these refusals first.
          if (isOpen && hasRefused) await forgetRefusals(pod, kept)
          const heard = await ask(caller, way, input)
          hasRefused = heard.verdict === "refused" || (hasRefused && !isOpen)
          const text = JSON.stringify(heard)
            .replaceAll(instant, "a moment")
            .replaceAll(/"latencyMs":\d+/g, '"latencyMs":"so long"')
            .replaceAll(idOfCall, '"$1":"one"')
            .replaceAll(position, spacesOfPosition)
          // The last use of a key is stored in the background. So for a while an answer may have null in this field.
          // The first search of this test loads the index of a space, and the queue of a loaded index is empty.
          return JSON.parse(
            text.replaceAll('"lastUsedAt":null', '"lastUsedAt":"a moment"').replaceAll('"waiting":null', '"waiting":0')
          )
        }
        answers.set(`${nameOf(way)} ${JSON.stringify(input)}`, { answer: await again(), again })
      }
    }
    return answers
  }

  /**
   * An id that no row has. Before the hidden rows exist, the test sends each read with this id. Later the test sends
   * the same read with the id of a hidden row, and the answer must be the same.
   */
  const neverWas = "0190a0a0-0000-7000-8000-00000000dead"

  /**
   * Inserts one row into every table, in the given space and for the given person. All rows have the same id. A store
   * in memory has no tables, so it gets no rows.
   */
  const everywhere = async (spaceId: string, userId: string): Promise<ReadonlyArray<{ readonly id: string }>> => {
    if (kept.kind === "memory") return []
    const id = uuidv7()
    await pod.run(Effect.orDie(hideInEveryTable({ id, space_id: spaceId, user_id: userId })))
    return [{ id }]
  }

  const changesNothing = async (
    hearer: Hearer,
    seen: Row,
    hide: () => Promise<ReadonlyArray<{ readonly id: string }>>
  ) => {
    const some = everyNth(reads, turn++, 4)
    const before = await everything(hearer, some, [seen.id, neverWas])
    const hidden = (await hide()).map(({ id }) => id)
    const after = await everything(hearer, some, [seen.id, neverWas, ...hidden])
    for (const [question, { answer, again }] of before) {
      for (const id of [neverWas, ...(question.includes(neverWas) ? hidden : [])]) {
        const asked = after.get(question.replaceAll(neverWas, id))
        const now = JSON.parse(JSON.stringify(asked?.answer ?? null).replaceAll(id, neverWas)) as unknown
        if (JSON.stringify(now) === JSON.stringify(answer)) continue
        const moves = moving(await again(), await again())
        assert.deepStrictEqual(without(now, moves), without(answer, moves), `${question}, about ${id}`)
      }
    }
  }

  const throughKey = async (personId: string, description: KeyDescription = {}): Promise<Hearer> => {
    const { credential, secret } = await aStoredKey(pod, personId, description)
    return { caller: pod.as({ authorization: `Bearer ${secret}` }), credential }
  }

  for (const through of ["a session", "a key for everything"] as const) {
    it(`every read through ${through} gives the same answer, whether or not another person has hidden rows`, async () => {
      const { maker, other, seen, theirs } = await aStage()
      const session = { caller: pod.as(maker.headers), credential: { kind: "session" } } as const
      await changesNothing(through === "a session" ? session : await throughKey(maker.id), seen, async () => {
        await aRow(other, other.id, { workspaceId: null, kind: "knowledge", title: "hidden" })
        await everywhere(other.id, other.id)
        return [
          await aRow(other, other.id, { workspaceId: theirs, kind: "knowledge", title: "hidden" }),
          ...(await everywhere(theirs, other.id))
        ]
      })
    })
  }

  it("every read with a key gives the same answer, whether or not the person who owns the key has rows outside the grant of the key", async () => {
    const { maker, ours, second, seen } = await aStage()
    const grant = { permissions: ["entity.knowledge.read"], workspaceIds: [ours], projectIds: null, entityIds: null }
    await changesNothing(await throughKey(maker.id, { grant }), seen, async () => {
      await aRow(maker, maker.id, { workspaceId: second, kind: "knowledge", title: "hidden" })
      await aRow(maker, maker.id, { workspaceId: null, kind: "knowledge", title: "hidden" })
      return [
        await aRow(maker, maker.id, { workspaceId: ours, kind: "note", title: "hidden" }),
        ...(await everywhere(ours, maker.id))
      ]
    })
  })

  it("every read with a key for one object gives the same answer, whether or not the person who owns the key has other rows", async () => {
    const { maker, ours, seen } = await aStage()
    const grant = { permissions: ["*"], workspaceIds: null, projectIds: null, entityIds: [seen.id] }
    await changesNothing(await throughKey(maker.id, { grant }), seen, async () => [
      await aRow(maker, maker.id, { workspaceId: ours, kind: "knowledge", title: "hidden" }),
      ...(await everywhere(ours, maker.id))
    ])
  })

  it("every read with a key for one workspace gives the same answer, whether or not other workspaces have rows", async () => {
    const { maker, ours, second, seen } = await aStage()
    await changesNothing(await throughKey(maker.id, { workspaceId: ours, grant: null }), seen, async () => {
      await aRow(maker, maker.id, { workspaceId: null, kind: "note", title: "hidden" })
      await everywhere(maker.id, maker.id)
      return [
        await aRow(maker, maker.id, { workspaceId: second, kind: "knowledge", title: "hidden" }),
        ...(await everywhere(second, maker.id))
      ]
    })
  })
}
