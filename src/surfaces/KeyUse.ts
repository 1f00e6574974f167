/** Makes a record of a key's use from a finished request. */
import { DateTime } from "effect"
import { type Failure } from "../doors/Failure.ts"
import { sentenceOf, wireAnswerOf } from "../doors/WireAnswer.ts"
import type { NotedCall } from "../features/usage/KeyCall.ts"
import { uuidv7 } from "../platform/Ids.ts"
import { storableText } from "../platform/StoredText.ts"
import { endStatusOf, type Exchange } from "./Exchange.ts"

// the maximum number of characters of a reason, an operation name or a client name; the pod shortens longer texts
const textMax = 300

const short = (text: string | undefined): string | null => (text === undefined ? null : storableText(text, textMax))

const textIn = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined)

const tagAsCode = (tag: string): string => tag.replaceAll(/(?<=[a-z])(?=[A-Z])/g, "_").toUpperCase()

const failureFields = (failure: Failure): Pick<NotedCall, "status" | "code" | "reason"> => {
  const answer = wireAnswerOf(failure)
  const { body, status } = answer
  return {
    status,
    code: short(textIn(body["code"]) ?? textIn(body["reason"]) ?? tagAsCode(failure._tag)),
    reason: short(sentenceOf(answer))
  }
}

/**
 * Returns a function that takes a finished request and returns a record of the use of its key. The record is undefined
 * if the request had no key. `mounts` are the paths of procedures and of MCP.
 */
export const keyUses = (mounts: { readonly procedures: ReadonlyArray<string>; readonly mcp: string }) => {
  const surfaces = [...mounts.procedures, mounts.mcp].map((at) => ({
    at,
    below: `${at}/`,
    surface: at === mounts.mcp ? ("mcp" as const) : ("procedure" as const)
  }))
  return (exchange: Exchange): NotedCall | undefined => {
    const { client, note, request } = exchange
    const { clientName, failure, keyId, proposalId, route } = note
    if (keyId === undefined) return undefined
    const mount = surfaces.find(({ at, below }) => route.startsWith(below) || route === at)
    const named = mount === undefined ? `${request.method ?? "GET"} ${route}`.trim() : route.slice(mount.below.length)
    return {
      id: uuidv7(),
      keyId,
      at: DateTime.unsafeNow(),
      surface: mount?.surface ?? "rest",
      operation: named === "" ? null : short(named),
      ...(failure === undefined ? { status: endStatusOf(exchange), code: null, reason: null } : failureFields(failure)),
      proposalId: proposalId ?? null,
      address: short(client.address),
      userAgent: short(client.userAgent),
      clientName: short(clientName)
    }
  }
}
