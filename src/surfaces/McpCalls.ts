/**
 * Runs one tool call and makes its result. The SDK reads some calls, and `McpPlainCall.ts` reads the others. This code
 * runs both.
 */
import type { CallToolResult } from "@modelcontextprotocol/server"
import { faultIn } from "./Json.ts"
import { type McpExchange, noteCallerRefused } from "./McpExchange.ts"
import { type McpCallerRefused, stoppingRefusal } from "./McpGuard.ts"
import type { McpService } from "./McpService.ts"
import type { Fields, McpResult } from "./McpTool.ts"

/** The result of a tool call in the form of the SDK, with a part of it as JSON text. */
export interface CallAnswer {
  readonly result: CallToolResult
  /** The JSON text of `structuredContent`. It is also the text of the result. Undefined for an error. */
  readonly structuredText?: string
}

/**
 * Returns the JSON text of the result. The structured content already exists as JSON text, so it is not converted
 * again.
 */
export const jsonOf = ({ result, structuredText }: CallAnswer): string =>
  structuredText === undefined
    ? JSON.stringify(result)
    : `{"content":${JSON.stringify(result.content)},"structuredContent":${structuredText}}`

const refusalAnswer = (text: string, data: Fields = {}): CallAnswer => ({
  result: {
    content: [text, ...(Object.keys(data).length > 0 ? [JSON.stringify(data)] : [])].map((one) => ({
      type: "text",
      text: one
    })),
    isError: true
  }
})

const refusedCall = ({ data, description, error }: McpCallerRefused) => refusalAnswer(description, { error, ...data })

const structuredAnswer = ({ refuseLength, structured }: Extract<McpResult, { kind: "answer" }>): CallAnswer => {
  const text = JSON.stringify(structured)
  // The answer contains the result twice, as text and as `structuredContent`.
  const refusal = refuseLength?.(text.length * 2)
  if (refusal !== undefined) return refusalAnswer(refusal.text, refusal.data)
  return {
    result: { content: [{ type: "text", text }], structuredContent: { ...structured } },
    structuredText: text
  }
}

/** Returns the message of the error for a tool that does not exist. */
export const unknownTool = (tool: string): string => `Tool ${tool.slice(0, 100)} not found`

export type CallTool<C> = (exchange: McpExchange<C>, tool: string, args: Fields) => Promise<CallAnswer | undefined>

/** Returns the function that runs a tool. That function returns undefined for an unknown tool, and never rejects. */
export const toolCalls = <C>(
  service: Pick<McpService<C>, "call" | "countMessages">,
  report: (cause: unknown) => string
): CallTool<C> => {
  const render = (exchange: McpExchange<C>, result: McpResult): CallAnswer => {
    if (result.kind === "refused") return refusalAnswer(result.text, result.data)
    if (result.kind === "answer") return structuredAnswer(result)
    noteCallerRefused(exchange, result.refusal)
    return refusedCall(result.refusal)
  }
  return async (exchange, tool, args) => {
    try {
      exchange.signal.throwIfAborted()
      const fault = faultIn(args, "arguments")
      const admitted = await exchange.admit()
      // Nothing cancels a call that begins after the abort.
      exchange.signal.throwIfAborted()
      if (!admitted.ok) return refusedCall(admitted)
      if (fault !== undefined) {
        const exceeded = exchange.isCounted ? undefined : service.countMessages?.(admitted.caller, 1)
        if (exceeded !== undefined) return render(exchange, { kind: "callerRefused", refusal: exceeded })
        return refusalAnswer(`${fault.path} ${fault.message}.`, { details: [fault] })
      }
      const { isCounted, signal } = exchange
      const result = await service.call(admitted.caller, tool, args, { signal, isCounted })
      return result && render(exchange, result)
    } catch (cause) {
      if (exchange.signal.aborted) return refusalAnswer(stoppingRefusal.message)
      const errorId = report(cause)
      return refusalAnswer(
        `The tool failed because of an error in the pod. Send the errorId ${errorId} to the operator of the pod.`,
        { errorId }
      )
    } finally {
      if (exchange.callerRefused === undefined) exchange.hasAnswered = true
    }
  }
}
