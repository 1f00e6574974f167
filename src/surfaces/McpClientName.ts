/**
 * The name and the version that an MCP client states about itself: in the first message (`initialize`), or in each
 * message of the revision of 2026. The client chooses this text, so it only describes a call and decides nothing.
 */
import { CLIENT_INFO_META_KEY } from "@modelcontextprotocol/server"
import { storableText } from "../platform/StoredText.ts"

const nameMost = 80 // characters
const versionMost = 40 // characters

type Fields = Readonly<Record<string, unknown>>

const fieldsOf = (value: unknown): Fields => (typeof value === "object" && value !== null ? { ...value } : {})

const textOf = (value: unknown, most: number): string =>
  typeof value === "string" ? storableText(value, most).trim() : ""

const stated = (message: unknown): string | undefined => {
  const { method, params } = fieldsOf(message)
  const { _meta: meta, clientInfo } = fieldsOf(params)
  const { name, version } = fieldsOf(method === "initialize" ? clientInfo : fieldsOf(meta)[CLIENT_INFO_META_KEY])
  const [clientName, release] = [textOf(name, nameMost), textOf(version, versionMost)]
  return clientName === "" ? undefined : release === "" ? clientName : `${clientName}/${release}`
}

/**
 * In: the JSON-RPC message or batch of a request. Out: name and version, such as `claude-code/2.1.0`. Undefined if no
 * message states a name.
 */
export const clientNameIn = (body: object): string | undefined => {
  for (const message of Array.isArray(body) ? body : [body]) {
    const found = stated(message)
    if (found !== undefined) return found
  }
  return undefined
}
