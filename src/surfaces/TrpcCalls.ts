/** The calls that the wire of tRPC serves, and the client of a call. */
import type { TrpcOutcome, TrpcRefusal } from "./TrpcError.ts"

export type TrpcKind = "query" | "mutation" | "subscription"

/**
 * The client of a request. This is not an AbortController, because making one with its signal and a listener takes
 * 3.5 µs, as much as all headers of the answer (CPU time, Node 20.20). A read takes about 116 µs in all. Use an
 * AbortController when it costs less than a microsecond.
 */
export interface TrpcClient {
  /** True if the client has disconnected before the whole answer was sent. */
  readonly hasLeft: boolean
  /** Calls `left` if the client disconnects before the whole answer is sent. */
  readonly onLeave: (left: () => void) => void
}

export interface TrpcCalls<Context> {
  /** The kind of a procedure. Undefined if there is no such procedure. */
  readonly kindOf: (path: string) => TrpcKind | undefined
  /**
   * Runs one call. This function checks the rights of the caller itself, and never rejects. `input` is undefined if the
   * request has no input. `index` is the place of the call in its batch, and 0 outside of a batch.
   */
  readonly call: (
    path: string,
    input: unknown,
    context: Context,
    client: TrpcClient,
    index: number
  ) => Promise<TrpcOutcome>
  /**
   * Opens a subscription and writes its whole answer, even if the answer is a refusal. `lastEventId` is the position
   * after which the client wants to continue, if the request contains this position outside the input. This function
   * must be given if any procedure is a subscription.
   */
  readonly subscribe?: (path: string, input: unknown, lastEventId: string | undefined, context: Context) => void
  /**
   * Called once for each request, before anything is parsed, so that an anonymous caller learns nothing about names and
   * inputs of procedures. Returns undefined if the request may continue. Otherwise returns the refusal for every call
   * of the request.
   */
  readonly refuse?: (context: Context) => Promise<TrpcRefusal | undefined> | undefined
  /**
   * Counts a request that no procedure answers against the rate limit of the caller. If the limit is exceeded, returns
   * the refusal that is sent instead of the answer. Otherwise returns undefined.
   */
  readonly spend?: (context: Context) => Promise<TrpcRefusal | undefined>
  /** Called for every unexpected failure. Returns the error id that the caller gets. */
  readonly report?: (cause: unknown, context: Context) => string
  /**
   * Whether a procedure reads its input. A procedure without input also runs if the input cannot be parsed. If absent,
   * all procedures read their input.
   */
  readonly readsInput?: (path: string) => boolean
  /**
   * Whether the input of a procedure may have a field `json`. If so, an input with this field does not count as wrapped
   * by a transformer. If absent, no procedure has such a field.
   */
  readonly takesJson?: (path: string) => boolean
}
