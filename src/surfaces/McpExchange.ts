/** The state of one MCP request while it is served, and the set of all requests that run now. */
import type { ServerResponse } from "node:http"
import type { McpCallerRefused } from "./McpGuard.ts"
import type { McpCaller } from "./McpService.ts"
import type { Fields } from "./McpTool.ts"

/** The state of one HTTP request while it is served. */
export interface McpExchange<C> {
  /**
   * Returns the caller of the next message. The first message uses the caller of the HTTP request. For each further
   * message the pod first verifies the credential again.
   */
  readonly admit: () => Promise<McpCaller<C>>
  readonly signal: AbortSignal
  /** Returns the arguments of the tool call with this id, as the client sent them. */
  readonly argumentsOf: (id: unknown) => Fields
  /**
   * True if all messages of the request are already counted against the rate limit. If false, each call is counted when
   * it runs.
   */
  readonly isCounted: boolean
  /**
   * Resolves when the earlier calls of the batch have ended. The calls run one after another, so a batch never uses
   * more resources at a time than one call.
   */
  turn: Promise<unknown>
  hasAnswered: boolean
  /** The refusal of the credential. Set only if no answer had been sent when the pod refused the credential. */
  callerRefused: McpCallerRefused | undefined
}

/** Begins the exchange of a request whose caller is known. `identifyAgain` verifies the credential once more. */
export const beginExchange = <C>(
  caller: McpCaller<C>,
  identifyAgain: () => Promise<McpCaller<C>>,
  state: Pick<McpExchange<C>, "argumentsOf" | "signal" | "isCounted">
): McpExchange<C> => {
  let unspent: McpCaller<C> | undefined = caller
  return {
    ...state,
    admit: async () => {
      const mine = unspent
      unspent = undefined
      return mine ?? identifyAgain()
    },
    turn: Promise.resolve(),
    hasAnswered: false,
    callerRefused: undefined
  }
}

/** Runs the work after the earlier messages of the request, even if one of them failed. */
export const inTurn = <C, A>(exchange: McpExchange<C>, work: () => Promise<A>): Promise<A> => {
  const mine = exchange.turn.then(work, work)
  exchange.turn = mine
  return mine
}

/** Notes that the pod refused the credential of a message. An answer that is already sent stays as it is. */
export const noteCallerRefused = <C>(exchange: McpExchange<C>, refusal: McpCallerRefused): void => {
  if (!exchange.hasAnswered) exchange.callerRefused = refusal
}

/** The requests that run now. */
export interface RunningRequests {
  readonly isClosed: () => boolean
  /**
   * Begins a request. Returns the signal that is aborted if the client disconnects before its answer is complete, or if
   * the endpoint closes.
   */
  readonly begin: (response: ServerResponse) => AbortSignal
  /** Aborts the requests that run. */
  readonly close: () => void
}

export const runningRequests = (): RunningRequests => {
  const running = new Set<AbortController>()
  let isClosed = false
  return {
    isClosed: () => isClosed,
    begin: (response) => {
      const controller = new AbortController()
      running.add(controller)
      response.once("close", () => {
        running.delete(controller)
        if (!response.writableFinished) controller.abort()
      })
      return controller.signal
    },
    close: () => {
      isClosed = true
      for (const controller of running) controller.abort()
    }
  }
}
