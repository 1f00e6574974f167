/** Finds the colour of the status light of a key, and the sentence beside the light, from the last calls of the key. */
import { visibleText } from "../../../shared/visibleText.ts"
import type { ItemOf } from "../../api/subscription.ts"

export type KeyCall = ItemOf<"apiKeys.watchCalls">

export interface FirstCallState {
  readonly state: "waiting" | "connected" | "refused"
  readonly sentence: string
  /** What the person can do after a refused call. */
  readonly advice?: string
  readonly call?: KeyCall
}

const knownClients: ReadonlyArray<readonly [RegExp, string]> = [
  [/^claude-code\/([\d.]+)/i, "Claude Code"],
  [/^claude-desktop\/([\d.]+)/i, "Claude Desktop"],
  [/cursor\/([\d.]+)/i, "Cursor"],
  [/(?:vscode|visual studio code)\/([\d.]+)/i, "VS Code"],
  [/codex[\w-]*\/([\d.]+)/i, "Codex"],
  [/n8n(?:\/([\d.]+))?/i, "n8n"],
  [/^curl\/([\d.]+)/i, "curl"],
  [/^python-requests\/([\d.]+)/i, "Python"]
]

/**
 * The usual name of a client, from the name that the client states over MCP or from its `User-Agent` header. For an
 * unknown client, the stated text itself. The client chose this text, so the function shortens the text and makes
 * invisible characters visible.
 */
export const clientName = (userAgent: string | null): string => {
  if (userAgent === null || userAgent.trim() === "") return "unnamed client"
  for (const [form, name] of knownClients) {
    const version = form.exec(userAgent)
    if (version !== null) return version[1] === undefined ? name : `${name} ${version[1]}`
  }
  return visibleText(userAgent.slice(0, 60))
}

const surfaces = { rest: "REST", procedure: "procedures", mcp: "MCP" } as const

export const surfaceName = (surface: KeyCall["surface"]): string => surfaces[surface]

/** Says how a call ended, in the words of the call log. */
export const outcomeOf = ({
  code,
  proposalId,
  status,
  surface
}: Pick<KeyCall, "code" | "proposalId" | "status" | "surface">): {
  readonly word: string
  readonly isGood: boolean
} => {
  if (proposalId !== null) return { word: "became a proposal", isGood: true }
  if (code === null && status < 400) return { word: "answered", isGood: true }
  // Every MCP client asks once for a separate stream of the server. The pod has no such stream and answers 405. The
  // client then continues without the stream.
  if (surface === "mcp" && status === 405) return { word: "no separate stream", isGood: true }
  return { word: code ?? `status ${status}`, isGood: false }
}

const adviceFor = ({ code, status }: KeyCall): string => {
  if (code === "expired") return "Rotate the key, or create another key, and give the client the new key."
  if (status === 401) return "The client uses a key that was revoked or replaced. Give the client the current key."
  if (status === 429) return "The client calls too often. It may try again after a pause."
  if (code === "GRANT_DOOR_UNSUPPORTED")
    return "This operation reads more than the grant of the key allows. Widen the grant, or use another operation."
  if (status === 403)
    return "The key is valid, but it may not call this operation. Create a key with the missing permission or scope."
  if (status >= 500) return "The pod failed. Look at its Health page."
  return "The key is valid, but the call failed. The client shows the reason."
}

// The pod keeps at most this many calls of each key.
const callsMax = 50

/**
 * Adds a call to the calls of a key, newest first. A call that another node answered can arrive later than newer calls.
 */
export const withCall = (calls: ReadonlyArray<KeyCall>, call: KeyCall): ReadonlyArray<KeyCall> =>
  [call, ...calls].toSorted((one, other) => Date.parse(other.at) - Date.parse(one.at)).slice(0, callsMax)

/**
 * The state of the status light of a key. `calls` are the calls of the key, newest first. `toolCount` is the number of
 * MCP tools that the key may call.
 */
export const lightOf = (calls: ReadonlyArray<KeyCall>, toolCount?: number): FirstCallState => {
  const [last] = calls
  if (last === undefined) return { state: "waiting", sentence: "Waiting for the first call with this key …" }
  // MCP clients send their name only in the first message. So the name in the latest call with a name is the name of
  // the client.
  const named = calls.find((call) => call.clientName !== null && call.surface === last.surface)
  const name = clientName(named?.clientName ?? last.userAgent)
  const via = `via ${last.surface === "mcp" ? "/mcp" : surfaceName(last.surface)}`
  const tools = last.surface === "mcp" && toolCount !== undefined ? `, ${toolCount} tools visible` : ""
  if (outcomeOf(last).isGood) return { state: "connected", sentence: `Connected: ${name} ${via}${tools}.`, call: last }
  // True if an earlier call succeeded. Then the key is valid, and the pod refused only the last call.
  const isKnown = calls.some((call) => outcomeOf(call).isGood)
  return {
    state: "refused",
    sentence: `${isKnown ? "Connected, but the last call was refused" : "The first call was refused"}: ${name} ${via}, ${outcomeOf(last).word}.`,
    advice: [last.reason, adviceFor(last)].filter(Boolean).join(" "),
    call: last
  }
}
