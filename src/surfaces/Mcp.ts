/** The MCP surface: the tools a key may call, called through the one dispatcher. */
import { Effect, Either, JSONSchema, Runtime, type Schema } from "effect"
import type { CatalogShape } from "../doors/Catalog.ts"
import type { Dispatch } from "../doors/Dispatch.ts"
import { type Failure, wireOf } from "../doors/Failure.ts"
import type { ToolOperation } from "../doors/Operation.ts"
import type { Principal } from "../doors/Principal.ts"
import { type Exchange, presentedIn } from "./Exchange.ts"
import { type JsonSchemaObject, type McpEndpoint, type McpResult, type McpTool, serveMcp } from "./McpWire.ts"

/** Who calls, and the exchange their calls come in by: the credential is presented again at every call. */
interface Caller {
  readonly principal: Principal
  readonly exchange: Exchange
}

export interface McpSurfaceSettings {
  readonly version: string
  readonly allowedHosts: ReadonlyArray<string>
  readonly allowedOrigins: ReadonlyArray<string>
  readonly bodyLimitBytes: number
}

const jsonSchema = (schema: Schema.Schema.Any) =>
  JSONSchema.make(schema as Schema.Schema<unknown>, { target: "jsonSchema2020-12" }) as unknown as JsonSchemaObject

const toolOf = (operation: ToolOperation): McpTool => ({
  name: operation.name,
  title: operation.title,
  description: operation.summary,
  inputSchema: jsonSchema(operation.input),
  outputSchema: jsonSchema(operation.success),
  annotations: {
    readOnlyHint: operation.kind === "query",
    destructiveHint: "write" in operation.door && operation.door.actions.some((action) => action !== "create"),
    idempotentHint: operation.kind === "query",
    openWorldHint: false
  }
})

const text = (failure: Failure) => {
  const { body } = wireOf(failure)
  return String(body["message"] ?? body["error"])
}

/** The endpoint and how to close it. */
export const serveTools = (
  catalog: CatalogShape,
  dispatch: typeof Dispatch.Service,
  settings: McpSurfaceSettings,
  runtime: Runtime.Runtime<never>
): { readonly handle: (exchange: Exchange) => void; readonly close: McpEndpoint["close"] } => {
  const tools = new Map([...catalog.tools].map(([name, operation]) => [name, { operation, tool: toolOf(operation) }]))
  const runPromise = Runtime.runPromise(runtime)
  const exchanges = new WeakMap<Exchange["request"], Exchange>()

  const endpoint = serveMcp<Caller>(
    {
      identify: async (request) => {
        const exchange = exchanges.get(request)!
        const identified = await runPromise(Effect.either(dispatch.identify("mcp", presentedIn(request))))
        if (Either.isRight(identified)) return { ok: true, caller: { principal: identified.right, exchange } }
        const { status, headers } = wireOf(identified.left)
        return status === 503
          ? {
              ok: false,
              status,
              error: "temporarily_unavailable",
              description: text(identified.left),
              ...(headers && { headers })
            }
          : { ok: false, status: 401, error: "invalid_token", description: text(identified.left) }
      },
      tools: ({ principal }) =>
        [...tools.values()]
          .filter(({ operation }) => dispatch.admits(principal, operation.door))
          .map(({ tool }) => tool),
      call: ({ exchange }, name, args, { signal }) => {
        const found = tools.get(name)
        if (found === undefined) return Promise.resolve(undefined)
        return new Promise<McpResult>((resolve) => {
          const cancel = dispatch.start(
            found.operation,
            {
              surface: "mcp",
              presented: presentedIn(exchange.request),
              requestId: exchange.requestId,
              client: exchange.client,
              input: Effect.succeed(args)
            },
            ({ result }) => {
              if (Either.isRight(result)) {
                resolve({ kind: "answer", structured: result.right as Record<string, unknown> })
              } else if (result.left._tag === "Unauthorized") {
                resolve({ kind: "unauthorized", description: text(result.left) })
              } else resolve({ kind: "refused", text: text(result.left), data: wireOf(result.left).body })
            }
          )
          signal.addEventListener("abort", cancel, { once: true })
        })
      }
    },
    {
      name: "pod",
      version: settings.version,
      instructions: "Read and write what this pod's person lets you. A refusal says which permission is missing.",
      allowedHosts: settings.allowedHosts,
      allowedOrigins: settings.allowedOrigins,
      maxBodyBytes: settings.bodyLimitBytes
    }
  )
  return {
    handle: (exchange) => {
      exchanges.set(exchange.request, exchange)
      void endpoint.handle(exchange.request, exchange.response)
    },
    close: endpoint.close
  }
}
