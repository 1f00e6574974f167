/** Sends the same request to two pods, each with the ids of its own records, and compares the answers. */
import { positionOf } from "../../src/features/events/StreamPosition.ts"
import { type Approach, ask, nameOf } from "../doors/surfaces.ts"
import type { Answer, Caller, TestPod } from "../support/pod.ts"

/** One of the two pods. Every record id in the pod has a name here. */
export interface Twin {
  readonly pod: TestPod
  /** The id of each record in this pod. The key of the map is the name of the record, in the form `label/sort`. */
  readonly ids: Map<string, string>
  readonly callers: Map<string, Caller>
}

export const aTwin = (pod: TestPod): Twin => ({ pod, ids: new Map(), callers: new Map() })

/**
 * Returns an id that no record has. The id stands for a record that only the other pod has. The same name always gives
 * the same id.
 */
const nothingCalled = (name: string): string => {
  const hex = [...name].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 0xffffffffffff, 7)
  return `0190a0a0-0000-7000-8000-${hex.toString(16).padStart(12, "0")}`
}

const idOf = ({ ids }: Twin, name: string) => ids.get(name) ?? nothingCalled(name)

const filled = (twin: Twin, input: unknown): unknown =>
  JSON.parse(JSON.stringify(input).replaceAll(/@([a-z]+\/[a-z-]+)/g, (_, name: string) => idOf(twin, name)))

/**
 * Finds numbers in an answer that are times or durations, also in the text of a stream, where the quotes are escaped.
 * Even the number of their digits can differ between the pods.
 */
const spans = /"(latencyMs|durationMs|executionTimeMs|created)\\?":\d+/g

export const idForm = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g

/** Headers that can differ between two answers with the same content. */
const fleeting = new Set(["date", "x-request-id", "etag", "ratelimit-remaining", "ratelimit-reset", "keep-alive"])

/**
 * Replaces ids by names, and every instant, digest and secret by one word, so that the answers of two pods can be
 * compared.
 */
const steady = (twin: Twin, asked: string, { body, headers, status }: Answer): string => {
  const names = new Map([...twin.ids].map(([name, id]) => [id, name]))
  for (const [name] of asked.matchAll(/@([a-z]+\/[a-z-]+)/g)) names.set(idOf(twin, name.slice(1)), name.slice(1))
  const unnamed = new Map<string, string>()
  const numbered = (sort: string) => (text: string) => {
    if (!unnamed.has(text)) unnamed.set(text, `${sort} ${unnamed.size}`)
    return unnamed.get(text)!
  }
  const worded = (text: string) =>
    text
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "instant")
      .replaceAll(spans, "$1")
      .replaceAll(/chatcmpl-[0-9a-f]+/g, "completion")
      .replaceAll(/127\.0\.0\.1:\d+/g, "service")
      .replaceAll(/"lastFour":"[^"]*"/g, "lastFour")
      // The beginning of an id contains the time of its creation, so it differs between the pods.
      .replaceAll(/"keyIdPrefix":"[0-9a-f]{8}"/g, "keyIdPrefix")
      .replaceAll(idForm, (id) => names.get(id) ?? numbered("id")(id))
      .replaceAll(/\b[0-9a-f]{64}\b/g, numbered("digest"))
  // The text of a cursor begins with a mark that depends on the id of the person, which differs between the pods.
  const opened = (text: string) => worded(Buffer.from(text, "base64url").toString("latin1").slice(11))
  const bodyText = worded(JSON.stringify(body) ?? "").replaceAll(
    /(nextCursor[\\"]*:[\\"]*)([\w-]+)/g,
    (_, name: string, cursor: string) => name + opened(cursor)
  )
  /**
   * Replaces the position in a stream message by the names of the spaces in this position. The test does not compare
   * the numbers in a position, because they are not secret: every reader of a space sees the number of each event.
   */
  const placed = (text: string) =>
    text.replaceAll(/id: (AQ[\w-]+)/g, (whole, position: string) => {
      const numbers = positionOf(position)
      return numbers === undefined ? whole : `id: ${worded(JSON.stringify([...numbers.keys()]))}`
    })
  const isTimed = bodyText.includes("instant") || (JSON.stringify(body) ?? "").search(spans) !== -1
  const headerLines = [...headers]
    .filter(([name]) => !fleeting.has(name) && !(name === "content-length" && isTimed))
    .map(([name, value]) => `${name}: ${name === "x-svc-next-cursor" ? opened(value) : worded(value)}`)
  return [status, ...headerLines, placed(bodyText)].join("\n")
}

export interface Comparison {
  readonly wasAnswered: boolean
  /**
   * False if the pod refused the caller before it read the input. The pod then gives the same answer for every input.
   */
  readonly wasLetIn: boolean
  readonly difference: string | undefined
  /** The cursor of the next page in each of the two pods. */
  readonly cursors: readonly [string | null, string | null]
}

const shown = 1_500 // The report shows this many characters, from just before the first difference.

const difference = (one: string, other: string): string | undefined => {
  if (one === other) return undefined
  let at = 0
  while (one[at] === other[at]) at += 1
  const from = Math.max(0, at - 200)
  return `without:\n${one.slice(from, from + shown)}\nwith more in it:\n${other.slice(from, from + shown)}`
}

/** Asks both pods and compares the answers. For a next page, each pod gets its own cursor. */
export const compareAnswers = async (
  twins: readonly [Twin, Twin],
  name: string,
  way: Approach,
  input: unknown,
  cursors: readonly [string | null, string | null] = [null, null]
): Promise<Comparison> => {
  const heard = await Promise.all(
    twins.map(async (twin, at) => {
      const caller = twin.callers.get(name)!
      let last: Answer | undefined
      const listening: Caller = {
        ...caller,
        send: async (...request) => {
          last = await caller.send(...request)
          return last
        }
      }
      const question = filled(twin, input) as { readonly query?: object }
      const cursor = cursors[at]
      const paged =
        cursor === null
          ? question
          : way.rest === undefined
            ? { ...question, cursor }
            : { ...question, query: { ...question.query, cursor } }
      const { verdict } = await ask(listening, way, paged)
      return { verdict, answer: last!, answerText: steady(twin, JSON.stringify(input), last!) }
    })
  )
  const [one, other] = heard as [(typeof heard)[0], (typeof heard)[0]]
  const found = difference(one.answerText, other.answerText)
  const next = (answer: Answer) => answer.headers.get("x-svc-next-cursor")
  return {
    wasAnswered: one.verdict === "answered",
    wasLetIn: one.verdict !== "unauthorized" && one.verdict !== "refused",
    difference: found && `${name}, ${nameOf(way)} ${JSON.stringify(input)}\n${found}`,
    cursors: [next(one.answer), next(other.answer)]
  }
}
