/**
 * Reads the name and the version that an MCP client states about itself. The text is in the first message
 * (`initialize`), or in each message of the 2026 revision of the protocol. The client chooses the name and the version,
 * so the pod only shows them and never uses them for a decision.
 */
import { CLIENT_INFO_META_KEY } from "@modelcontextprotocol/server"
import { storableText } from "../platform/StoredText.ts"

// the maximum number of characters of the client's name; the pod shortens a longer name
const nameMax = 80
// the maximum number of characters of the client's version; the pod shortens a longer version
const versionMax = 40

type Fields = Readonly<Record<string, unknown>>

const fieldsOf = (value: unknown): Fields => (typeof value === "object" && value !== null ? { ...value } : {})

const textOf = (value: unknown, max: number): string =>
  typeof value === "string" ? storableText(value, max).trim() : ""

const nameInMessage = (message: unknown): string | undefined => {
  const { method, params } = fieldsOf(message)
  const { _meta: meta, clientInfo } = fieldsOf(params)
  const { name, version } = fieldsOf(method === "initialize" ? clientInfo : fieldsOf(meta)[CLIENT_INFO_META_KEY])
  const [clientName, release] = [textOf(name, nameMax), textOf(version, versionMax)]
  return clientName === "" ? undefined : release === "" ? clientName : `${clientName}/${release}`
}

/**
 * Returns the name and version of the client, such as `claude-code/2.1.0`. `body` is the JSON-RPC message or batch of a
 * request. Returns undefined if no message states a name.
 */
export const clientNameIn = (body: object): string | undefined => {
  for (const message of Array.isArray(body) ? body : [body]) {
    const found = nameInMessage(message)
    if (found !== undefined) return found
  }
  return undefined
}
