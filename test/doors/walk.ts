/**
 * Calls every operation of a running pod with one caller. Reports each answer that differs from the answer of the
 * model.
 */
import { Effect } from "effect"
import { Catalog } from "../../src/doors/Catalog.ts"
import { uuidv7 } from "../../src/platform/Ids.ts"
import type { TestPod } from "../support/pod.ts"
import type { TestCaller } from "./callers.ts"
import type { Ledger } from "./ledger.ts"
import { doorAnswer, type DoorAnswer } from "./model.ts"
import { type Approach, approachesOf, ask, type CallResult, nameOf, undecodableInput } from "./surfaces.ts"

/** The codes of a refusal by the access check (door) of an operation. Later checks refuse with other codes. */
const doorCodes = new Set(["SESSION_ONLY", "OPERATOR_ONLY", "SCOPE_MISSING", "GRANT_DOOR_UNSUPPORTED"])

export const allApproaches = async (pod: TestPod, withAlias: boolean) =>
  approachesOf(await pod.run(Effect.flatMap(Catalog, ({ compiled }) => compiled)), withAlias)

const described = ({ verdict, code }: CallResult) => (code === undefined ? verdict : `${verdict} ${code}`)

/** Returns what is wrong with an answer, or undefined if nothing is wrong. */
const fault = (
  approach: Approach,
  expected: DoorAnswer,
  heard: CallResult,
  isPoisoned: boolean
): string | undefined => {
  const context = `${nameOf(approach)}: ${described(heard)}`
  if (heard.verdict.startsWith("status 5")) return `${context}, a fault of the pod`
  if (!expected.passes) {
    const verdict = expected.status === 401 ? "unauthorized" : "refused"
    // A 401 of MCP follows RFC 6750, which has no place for the reason.
    const showsCode = !(approach.place === "mcp" && expected.status === 401)
    return heard.verdict === verdict && (!showsCode || heard.code === expected.reason)
      ? undefined
      : `${context} instead of ${verdict} ${expected.reason}`
  }
  if (isPoisoned) return heard.verdict === "invalid" ? undefined : `${context} instead of invalid, past the door`
  return heard.verdict === "unauthorized" || (heard.verdict === "refused" && doorCodes.has(heard.code ?? ""))
    ? `${context} instead of being let in`
    : undefined
}

/** Returns the ids of decisions that an answer names, on any surface. */
const decisionsIn = ({ body }: CallResult): ReadonlyArray<string> =>
  [...(JSON.stringify(body) ?? "").matchAll(/"decisionId":"([0-9a-f-]{36})"/g)].map(([, id]) => id)

/**
 * Returns the faults that the test finds for one caller. First it calls every operation that must refuse the caller.
 * These calls must not change stored data. Every refusal of a known caller, even of a read, must leave exactly one
 * event, and the answer must contain the id of this event. Then the test calls the operations that must admit the
 * caller. Their inputs cannot be decoded, so these calls change nothing either.
 */
export const walk = async (
  visitor: TestCaller,
  ways: ReadonlyArray<Approach>,
  ledger: Ledger
): Promise<ReadonlyArray<string>> => {
  const faults: Array<string> = []
  const asked = new Map<string, { readonly way: Approach; readonly decisionIds: ReadonlyArray<string> }>()
  const judged = ways.map((way) => ({ way, expected: doorAnswer(way.place, way.operation.door, visitor.credential) }))
  const before = await ledger.digest()
  for (const { way, expected } of judged) {
    if (expected.passes) continue
    const requestId = uuidv7()
    // The pod must check the access before it reads the input. The test sends invalid input, so the status 400 shows
    // that the pod read the input first. That is a fault.
    const heard = await ask(visitor.caller, way, undecodableInput(way), { "x-request-id": requestId })
    const found = fault(way, expected, heard, true)
    if (found !== undefined) faults.push(found)
    const decisionIds = decisionsIn(heard)
    if (decisionIds.length !== (expected.status === 403 ? 1 : 0)) {
      faults.push(`${nameOf(way)}: ${decisionIds.length} decisions told with ${expected.status}`)
    }
    asked.set(requestId, { way, decisionIds })
  }
  const refusals = await ledger.refusals()
  for (const [requestId, { way, decisionIds }] of asked) {
    const noted = refusals.get(requestId) ?? []
    if (noted.join() !== decisionIds.join()) {
      faults.push(`${nameOf(way)}: the events of refusal ${noted.join()} are not what was told, ${decisionIds.join()}`)
    }
  }
  if ((await ledger.digest()) !== before) faults.push("something was changed by what was refused")
  for (const { way, expected } of judged) {
    if (!expected.passes) continue
    const poison = undecodableInput(way)
    // An operation without input really runs, because no invalid input can stop it. If the operation can end the
    // session of the call, this call gets a new session.
    const endsSomething = poison === undefined && way.operation.kind === "mutation"
    const caller = endsSomething ? ((await visitor.again?.()) ?? visitor.caller) : visitor.caller
    const found = fault(way, expected, await ask(caller, way, poison), poison !== undefined)
    if (found !== undefined) faults.push(found)
  }
  return faults
}
