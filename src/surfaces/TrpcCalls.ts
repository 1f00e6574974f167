/** Declares what the tRPC server (`TrpcWire.ts`) needs: the calls that it serves, and the client of a call. */
import type { TrpcOutcome, TrpcRefusal } from "./TrpcError.ts"

export type TrpcKind = "query" | "mutation" | "subscription"

/**
 * The client of a request. This is not an `AbortController`, because making one with its signal and a listener takes
 * 3.5 µs. Writing all headers of the answer takes as long, and a whole read takes about 116 µs (CPU time, Node 20.20).
 * Use an `AbortController` when it costs less than a microsecond.
 */
export interface TrpcClient {
  /** True if the client has disconnected before the whole answer was sent. */
  readonly hasLeft: boolean
  /** Calls `listener` when the client disconnects before the pod has sent the whole answer. */
  readonly onLeave: (listener: () => void) => void
}

export interface TrpcCalls<Context> {
  /** Returns the kind of a procedure. Returns undefined if there is no such procedure. */
  readonly kindOf: (path: string) => TrpcKind | undefined
  /**
   * Runs one call. This function itself checks the rights of the caller, and never rejects. `input` is undefined if the
   * request has no input. `index` is the place of the call in its batch, or 0 if there is no batch.
   */
  readonly call: (
    path: string,
    input: unknown,
    context: Context,
    client: TrpcClient,
    index: number
  ) => Promise<TrpcOutcome>
  /**
   * Opens a subscription and writes its whole answer, even if the answer is a refusal. A client can send its position
   * outside the input. Then `lastEventId` is this position, and the stream continues after it. This function is
   * required if any procedure is a subscription.
   */
  readonly subscribe?: (path: string, input: unknown, lastEventId: string | undefined, context: Context) => void
  /**
   * The pod calls this function once for each request, before it parses the request. So an anonymous caller learns
   * nothing about the names and inputs of procedures. Returns undefined if the pod accepts the request. Otherwise
   * returns the refusal for every call of the request.
   */
  readonly refuse?: (context: Context) => Promise<TrpcRefusal | undefined> | undefined
  /**
   * If no procedure answers a request, this function counts the request against the rate limit of the caller. If the
   * limit is exceeded, it returns the refusal, which replaces the answer. Otherwise it returns undefined.
   */
  readonly countRequest?: (context: Context) => TrpcRefusal | undefined
  /** Reports an unexpected failure. Returns the error id that the caller gets. */
  readonly report?: (cause: unknown, context: Context) => string
  /**
   * True if a procedure reads its input. A procedure that does not read its input also runs if the input cannot be
   * parsed. If `readsInput` is absent, all procedures read their input.
   */
  readonly readsInput?: (path: string) => boolean
  /**
   * True if a valid input of the procedure can have a field `json`. Otherwise the pod treats an input with this field
   * as the output of a transformer (such as superjson). If `takesJson` is absent, no procedure has such a field.
   */
  readonly takesJson?: (path: string) => boolean
}
