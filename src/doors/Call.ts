/** The call that a surface (REST, tRPC or MCP) passes to `Dispatch`, and the outcome of the call. */
import type { Effect, Either, Tracer } from "effect"
import type { Failure } from "./Failure.ts"
import type { FrameSink } from "./Frames.ts"
import type { IdempotentRequest } from "./Idempotency.ts"
import type { Operation } from "./Operation.ts"
import type { PresentedCredential, Principal } from "./Principal.ts"
import type { Allowance } from "./RateLimit.ts"
import type { Authority, Client } from "./Reach.ts"

/**
 * The surface over which a call came. Each surface accepts only its own kinds of credential and ignores others:
 * `session` (`/trpc`) ignores keys, and `bridge` (the same procedures for keys) ignores sessions.
 */
export type Surface = "rest" | "bridge" | "session" | "mcp"
export const acceptedCredentials: Record<Surface, ReadonlyArray<PresentedCredential["kind"]>> = {
  rest: ["bearer", "session", "operator"],
  bridge: ["bearer"],
  session: ["session", "operator"],
  mcp: ["bearer"]
}

export interface Call {
  readonly surface: Surface
  readonly presented: PresentedCredential
  readonly requestId: string
  readonly client: Client
  /**
   * Reads and decodes the input. The effect runs only after the door has admitted the caller, so that a refused caller
   * learns nothing about input shapes. The effect can run more than once.
   */
  readonly input: Effect.Effect<unknown, Failure>
  /**
   * True if the rate limit has already counted the call. A stream is counted when it is opened, so its later batches
   * are not counted. The messages of one MCP request are counted together, before the first of them runs.
   */
  readonly isCounted?: boolean
  /** True if the caller asked the pod to ignore unknown fields (RFC 7240, `handling=lenient`). */
  readonly isLenient?: boolean
  /** The span of the request. Absent if nobody collects spans. */
  readonly span?: Tracer.Span | undefined
  /**
   * Receives the frames, which are the parts of an answer that an operation sends while it still runs. Absent if the
   * caller accepts only a whole answer.
   */
  readonly frames?: FrameSink | undefined
  /**
   * Set if the caller sent an idempotency key. `header`: the key. `describe`: a function that returns the other parts
   * that identify this request.
   */
  readonly idempotent?:
    | {
        readonly header: string
        readonly describe: (input: unknown) => Omit<IdempotentRequest, "key">
      }
    | undefined
}

/**
 * The outcome of a call. `principal` and `allowance` are set as soon as the credential is known, and REST, tRPC and MCP
 * send them as headers.
 */
export interface Outcome {
  readonly result: Either.Either<unknown, Failure>
  readonly principal: Principal | undefined
  readonly allowance: Allowance | undefined
  readonly isReplay: boolean
  /** The cursor of the next page. Undefined if the answer is not a listing, or is its last page. */
  readonly nextCursor: string | undefined
  /** The unknown fields that the pod ignored because the caller asked for lenient handling. */
  readonly ignored: ReadonlyArray<string>
  /** The id of the proposal that the call became. Undefined for every other call, and for a stored answer. */
  readonly proposalId: string | undefined
}

/**
 * What is known about a call while the call runs. It is kept outside the fiber, because an interrupted fiber cannot
 * report anything.
 */
export interface Progress {
  principal?: Principal
  allowance?: Allowance
  isReplay: boolean
  nextCursor?: string | undefined
  /**
   * Returns the mark of the list that the call reads (`markOf`). This is a function, because most pages are the last
   * page and need no mark. Undefined if the operation has no cursors.
   */
  cursorMark?: () => string
  proposalId?: string | undefined
  ignored: ReadonlyArray<string>
  /**
   * The authority that the statements of the latest attempt check. It is undefined before the door has admitted the
   * caller.
   */
  authority?: Authority | undefined
  readonly identified: (principal: Principal) => void
}

/** A call of an operation, and what is known about it while it runs. */
export interface RunningCall {
  readonly operation: Operation
  readonly call: Call
  readonly progress: Progress
}

/** One run of a call whose caller is known. */
export interface Attempt extends RunningCall {
  readonly principal: Principal
}
