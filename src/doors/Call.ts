/** A call as a surface passes it to Dispatch, and its outcome. */
import type { Effect, Either } from "effect"
import type { Failure } from "./Failure.ts"
import type { IdempotentRequest } from "./Idempotency.ts"
import type { PresentedCredential, Principal } from "./Principal.ts"
import type { Allowance } from "./RateLimit.ts"
import type { Authority, Client } from "./Reach.ts"

/** A surface, and the kinds of credential that it accepts. Others are ignored: a key on `/trpc`, a session on the bridge. */
export type Surface = "rest" | "bridge" | "session" | "mcp"
export const acceptedCredentials: Record<Surface, ReadonlyArray<PresentedCredential["kind"]>> = {
  rest: ["bearer", "session"],
  bridge: ["bearer"],
  session: ["session"],
  mcp: ["bearer"]
}

export interface Call {
  readonly surface: Surface
  readonly presented: PresentedCredential
  readonly requestId: string
  readonly client: Client
  /** Run only after the door has admitted the caller, so that others learn nothing about input shapes. May run again. */
  readonly input: Effect.Effect<unknown, Failure>
  /** The caller asked to ignore unknown fields (RFC 7240, `handling=lenient`). */
  readonly isLenient?: boolean
  /** Present when the caller sent an idempotency key: the header, and what identifies this request. */
  readonly idempotent?: {
    readonly header: string
    readonly describe: (input: unknown) => Omit<IdempotentRequest, "key">
  }
}

/** The outcome of a call. `principal` and `allowance` are set once the credential is known; surfaces send them as headers. */
export interface Outcome {
  readonly result: Either.Either<unknown, Failure>
  readonly principal: Principal | undefined
  readonly allowance: Allowance | undefined
  readonly isReplay: boolean
  /** The cursor of the next page, if a listing has one. */
  readonly nextCursor: string | undefined
  /** The unknown fields that were ignored because the caller asked for it. */
  readonly ignored: ReadonlyArray<string>
}

/** What is known about a call while it runs. It is kept outside the fiber, because an interrupted fiber cannot report it. */
export interface Progress {
  principal?: Principal
  allowance?: Allowance
  isReplay: boolean
  nextCursor?: string | undefined
  ignored: ReadonlyArray<string>
  /** The authority that the statements of the latest attempt check. */
  authority?: Authority | undefined
  readonly identified: (principal: Principal) => void
}
