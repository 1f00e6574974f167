/** Two pods asked the same thing, each under its own ids, and what in their answers differs. */
import { type Approach, ask, nameOf } from "../doors/surfaces.ts"
import type { Answer, Caller, TestPod } from "../support/pod.ts"

/** One of the two, with what its ids are called. */
export interface Twin {
  readonly pod: TestPod
  /** From `label/sort` to the id it has here. */
  readonly ids: Map<string, string>
  readonly callers: Map<string, Caller>
}

export const aTwin = (pod: TestPod): Twin => ({ pod, ids: new Map(), callers: new Map() })

/** An id that nothing has, for what the other pod alone holds: the same for one name always. */
const nothingCalled = (name: string): string => {
  const hex = [...name].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 0xffffffffffff, 7)
  return `0190a0a0-0000-7000-8000-${hex.toString(16).padStart(12, "0")}`
}

const idOf = ({ ids }: Twin, name: string) => ids.get(name) ?? nothingCalled(name)

const filled = (twin: Twin, input: unknown): unknown =>
  JSON.parse(JSON.stringify(input).replaceAll(/@([a-z]+\/[a-z-]+)/g, (_, name: string) => idOf(twin, name)))

const idForm = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g

/** Headers that differ from answer to answer whatever is in it. */
const fleeting = new Set(["date", "x-request-id", "etag", "ratelimit-remaining", "ratelimit-reset", "keep-alive"])

/** Puts names for ids, and one word for every instant, digest and secret: what is left is what the pod says. */
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
      .replaceAll(/"lastFour":"[^"]*"/g, "lastFour")
      .replaceAll(idForm, (id) => names.get(id) ?? numbered("id")(id))
      .replaceAll(/\b[0-9a-f]{64}\b/g, numbered("digest"))
  const opened = (text: string) => worded(Buffer.from(text, "base64url").toString("latin1"))
  const said = worded(JSON.stringify(body) ?? "").replaceAll(
    /(nextCursor[\\"]*:[\\"]*)([\w-]+)/g,
    (_, name: string, cursor: string) => name + opened(cursor)
  )
  const told = [...headers]
    .filter(([name]) => !fleeting.has(name) && !(name === "content-length" && said.includes("instant")))
    .map(([name, value]) => `${name}: ${name === "x-svc-next-cursor" ? opened(value) : worded(value)}`)
  return [status, ...told, said].join("\n")
}

export interface Compared {
  readonly wasAnswered: boolean
  /** Behind its door: other inputs may be answered differently. */
  readonly wasLetIn: boolean
  readonly difference: string | undefined
  /** Where each of the two goes on. */
  readonly cursors: readonly [string | null, string | null]
}

const shown = 1_500 // characters of an answer from shortly before where they part

const difference = (one: string, other: string): string | undefined => {
  if (one === other) return undefined
  let at = 0
  while (one[at] === other[at]) at += 1
  const from = Math.max(0, at - 200)
  return `without:\n${one.slice(from, from + shown)}\nwith more in it:\n${other.slice(from, from + shown)}`
}

/** Asks both. Cursors go to each as it gave them. */
export const compared = async (
  twins: readonly [Twin, Twin],
  name: string,
  way: Approach,
  input: unknown,
  cursors: readonly [string | null, string | null] = [null, null]
): Promise<Compared> => {
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
      return { verdict, answer: last!, said: steady(twin, JSON.stringify(input), last!) }
    })
  )
  const [one, other] = heard as [(typeof heard)[0], (typeof heard)[0]]
  const found = difference(one.said, other.said)
  const next = (answer: Answer) => answer.headers.get("x-svc-next-cursor")
  return {
    wasAnswered: one.verdict === "answered",
    wasLetIn: one.verdict !== "unauthorized" && one.verdict !== "refused",
    difference: found && `${name}, ${nameOf(way)} ${JSON.stringify(input)}\n${found}`,
    cursors: [next(one.answer), next(other.answer)]
  }
}
