/** Makes the record of a key's use from a finished request. */
import { DateTime } from "effect"
import { type Failure } from "../doors/Failure.ts"
import { wireAnswerOf } from "../doors/WireAnswer.ts"
import type { NotedCall } from "../features/usage/KeyCall.ts"
import { uuidv7 } from "../platform/Ids.ts"
import { storableText } from "../platform/StoredText.ts"
import type { Exchange } from "./Exchange.ts"

const textMax = 300 // most characters of a reason, an operation or the name of a client
const clientLeft = 499 // the status that nginx logs for a client that did not wait for its answer

const short = (text: string | undefined): string | null => (text === undefined ? null : storableText(text, textMax))

const textIn = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined)

const tagAsCode = (tag: string): string => tag.replaceAll(/(?<=[a-z])(?=[A-Z])/g, "_").toUpperCase()

const failed = (failure: Failure): Pick<NotedCall, "status" | "code" | "reason"> => {
  const { body, status } = wireAnswerOf(failure)
  const said = textIn(body["message"]) ?? textIn(body["error"])
  return {
    status,
    code: short(textIn(body["code"]) ?? textIn(body["reason"]) ?? tagAsCode(failure._tag)),
    reason: short(said)
  }
}

/**
 * Makes the record of the use of a key from a finished request. Undefined if no key made the request. `mounts` are the
 * paths of procedures and of MCP.
 */
export const keyUseOf = (
  { client, note, request, response }: Exchange,
  mounts: { readonly procedures: ReadonlyArray<string>; readonly mcp: string }
): NotedCall | undefined => {
  const { clientName, failure, keyId, route } = note
  if (keyId === undefined) return undefined
  const below = (mount: string) => (route === mount ? "" : route.slice(mount.length + 1))
  const at = [...mounts.procedures, mounts.mcp].find((mount) => route === mount || route.startsWith(`${mount}/`))
  const named = at === undefined ? `${request.method ?? "GET"} ${route}`.trim() : below(at)
  return {
    id: uuidv7(),
    keyId,
    at: DateTime.unsafeNow(),
    surface: at === undefined ? "rest" : at === mounts.mcp ? "mcp" : "procedure",
    operation: named === "" ? null : short(named),
    ...(failure === undefined
      ? { status: response.headersSent ? response.statusCode : clientLeft, code: null, reason: null }
      : failed(failure)),
    address: short(client.address),
    userAgent: short(client.userAgent),
    clientName: short(clientName)
  }
}
