/** Answers the MCP requests for resources, completions and prompts. */
import { INVALID_PARAMS, ProtocolError, type Server } from "@modelcontextprotocol/server"
import type { McpCallerRefused } from "./McpGuard.ts"
import { shortenText } from "../platform/StoredText.ts"

export interface McpResource {
  readonly uri: string
  readonly name: string
  readonly title: string
  readonly mimeType: string
}

export interface McpResourceTemplate {
  readonly uriTemplate: string
  readonly name: string
  readonly title: string
  readonly description: string
  readonly mimeType: string
}

export interface McpPrompt {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly arguments: ReadonlyArray<{ readonly name: string; readonly description: string; readonly required: boolean }>
}

/**
 * The reason why a request cannot be answered. The reason is in the request itself, or in the credential of the client.
 */
export type McpContentRefused =
  | { readonly ok: false; readonly message: string; readonly data?: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly refusal: McpCallerRefused }

export type McpContentAnswer<A> = { readonly ok: true; readonly value: A } | McpContentRefused

/** What a caller can read without a tool call. Each function uses the same operations as the tools. */
export interface McpContent<C> {
  readonly list: (
    caller: C,
    cursor: string | undefined,
    signal: AbortSignal
  ) => Promise<
    McpContentAnswer<{ readonly resources: ReadonlyArray<McpResource>; readonly nextCursor: string | undefined }>
  >
  readonly templates: (caller: C) => ReadonlyArray<McpResourceTemplate>
  readonly read: (
    caller: C,
    uri: string,
    signal: AbortSignal
  ) => Promise<McpContentAnswer<{ readonly mimeType: string; readonly text: string }>>
  /**
   * Suggests at most a hundred values for an argument of a template or a prompt. The suggested values match the text
   * that the person has typed. `hasMore` is true if the pod has looked only at the newest records, so older records
   * might match too.
   */
  readonly complete: (
    caller: C,
    of: string,
    argument: { readonly name: string; readonly value: string },
    signal: AbortSignal
  ) => Promise<McpContentAnswer<{ readonly values: ReadonlyArray<string>; readonly hasMore: boolean }>>
  readonly prompts: (caller: C) => ReadonlyArray<McpPrompt>
  readonly prompt: (
    caller: C,
    name: string,
    args: Readonly<Record<string, string>>,
    signal: AbortSignal
  ) => Promise<McpContentAnswer<{ readonly description: string; readonly text: string }>>
}

/**
 * Runs the work of one request. It identifies the caller, keeps the order of the messages in a batch, and reports
 * failures.
 */
export type InTurn<C> = <A>(work: (caller: C) => Promise<McpContentAnswer<A>>) => Promise<A>

/** Returns the error for a request that names something that does not exist or that the client has no right to read. */
export const contentError = (message: string, data?: Readonly<Record<string, unknown>>) =>
  new ProtocolError(INVALID_PARAMS, shortenText(message, 500), data)

export const contentCapabilities = { resources: {}, prompts: {}, completions: {} }

/** Registers the handlers for resources, completions and prompts with the server of the SDK. */
export const serveContent = <C>(server: Server, content: McpContent<C>, inTurn: InTurn<C>, signal: AbortSignal) => {
  const okAnswer = <A>(value: A): McpContentAnswer<A> => ({ ok: true, value })
  server.setRequestHandler("resources/list", ({ params }) =>
    inTurn(async (caller) => {
      const found = await content.list(caller, params?.cursor, signal)
      if (!found.ok) return found
      const { nextCursor, resources } = found.value
      return okAnswer({ resources: [...resources], ...(nextCursor === undefined ? {} : { nextCursor }) })
    })
  )
  server.setRequestHandler("resources/templates/list", () =>
    inTurn(async (caller) => okAnswer({ resourceTemplates: [...content.templates(caller)] }))
  )
  server.setRequestHandler("resources/read", ({ params: { uri } }) =>
    inTurn(async (caller) => {
      const read = await content.read(caller, uri, signal)
      return read.ok ? okAnswer({ contents: [{ uri, ...read.value }] }) : read
    })
  )
  server.setRequestHandler("completion/complete", ({ params: { argument, ref } }) =>
    inTurn(async (caller) => {
      const found = await content.complete(caller, ref.type === "ref/prompt" ? ref.name : ref.uri, argument, signal)
      if (!found.ok) return found
      const { hasMore, values } = found.value
      return okAnswer({ completion: { values: [...values], hasMore } })
    })
  )
  server.setRequestHandler("prompts/list", () =>
    inTurn(async (caller) =>
      okAnswer({ prompts: content.prompts(caller).map((prompt) => ({ ...prompt, arguments: [...prompt.arguments] })) })
    )
  )
  server.setRequestHandler("prompts/get", ({ params }) =>
    inTurn(async (caller) => {
      const prompt = await content.prompt(caller, params.name, params.arguments ?? {}, signal)
      if (!prompt.ok) return prompt
      const { description, text } = prompt.value
      return okAnswer({ description, messages: [{ role: "user" as const, content: { type: "text" as const, text } }] })
    })
  )
}
