/** Describes the scopes of keys in plain words, in the groups of the wizard. */
import type { PreviewInput } from "./useGrantPreview.ts"

export type Scope = NonNullable<PreviewInput["scope"]>[number]

export interface ScopeWord {
  readonly scope: Scope
  readonly name: string
  readonly about: string
}

export const scopeGroups: ReadonlyArray<{ readonly name: string; readonly scopes: ReadonlyArray<ScopeWord> }> = [
  {
    name: "REST and procedures",
    scopes: [
      { scope: "hub-protocol.read", name: "REST read", about: "Reads over REST and procedures, and follows events." },
      { scope: "hub-protocol.write", name: "REST write", about: "Changes over REST and procedures." },
      {
        scope: "hub-protocol.admin",
        name: "REST administration",
        about: "The same as REST write. Also marks the key as privileged."
      }
    ]
  },
  {
    name: "Agents (MCP)",
    scopes: [
      { scope: "mcp.read", name: "MCP read", about: "Lists and calls the tools that read." },
      { scope: "mcp.write", name: "MCP write", about: "Calls the tools that change something." }
    ]
  },
  {
    name: "Models",
    scopes: [
      { scope: "chat.stream", name: "Chat", about: "Chats with the pod, also over the OpenAI-compatible route." },
      { scope: "skills.invoke", name: "Skills", about: "Runs skills." }
    ]
  },
  {
    name: "n8n and workflows",
    scopes: [
      { scope: "read:entities", name: "n8n search", about: "Searches from a workflow." },
      { scope: "write:entities", name: "n8n create", about: "Creates records from a workflow." },
      { scope: "ai:analyze", name: "n8n analyse", about: "Asks the model about a text from a workflow." }
    ]
  },
  {
    name: "More",
    scopes: [
      { scope: "realtime:observe", name: "Follow events", about: "Only follows events as they happen." },
      { scope: "providers.write", name: "Model providers", about: "Adds and changes model providers." },
      { scope: "setup.agent", name: "Set up agents", about: "Creates agents with keys of their own." },
      { scope: "data.read", name: "MCP read, older name", about: "The same as MCP read." },
      { scope: "data.write", name: "MCP write, older name", about: "The same as MCP write." },
      {
        scope: "probe",
        name: "Probe",
        about: "Marks all that the key writes as a test. Lists and other callers do not show it."
      }
    ]
  }
]

const words = new Map<string, ScopeWord>(scopeGroups.flatMap(({ scopes }) => scopes.map((word) => [word.scope, word])))

export const isScope = (text: string): text is Scope => words.has(text)

/**
 * The short name of a scope. A scope that the pod no longer offers has no short name, so the function returns the scope
 * itself.
 */
export const scopeName = (scope: string): string => words.get(scope)?.name ?? scope

/** True for a scope that gives no access any more, although some old keys still have it. */
export const isRetired = (scope: string): boolean => !words.has(scope)

const writeScopes: ReadonlySet<string> = new Set([
  "hub-protocol.write",
  "hub-protocol.admin",
  "mcp.write",
  "data.write",
  "write:entities",
  "providers.write",
  "setup.agent"
])

export const writesThrough = (scopes: ReadonlyArray<string>): boolean => scopes.some((scope) => writeScopes.has(scope))
