/** A call as a surface hands it over, and what it comes to. */
import type { Effect, Either } from "effect"
import type { Failure } from "./Failure.ts"
import type { IdempotentRequest } from "./Idempotency.ts"
import type { Presented, Principal } from "./Principal.ts"
import type { Allowance } from "./RateLimit.ts"
import type { Authority, Client } from "./Reach.ts"

/** Which credentials a surface takes at all. A key on `/trpc` or a session on the bridge is no credential there. */
export type Surface = "rest" | "bridge" | "session" | "mcp"
export const taken: Record<Surface, ReadonlyArray<Presented["kind"]>> = {
  rest: ["bearer", "session"],
  bridge: ["bearer"],
  session: ["session"],
  mcp: ["bearer"]
}

export interface Call {
  readonly surface: Surface
  readonly presented: Presented
  readonly requestId: string
  readonly client: Client
  /** Run only after the door let the caller in, so that a stranger learns nothing about shapes. Repeatable. */
  readonly input: Effect.Effect<unknown, Failure>
  /** The caller asked that fields nobody knows are ignored (RFC 7240, `handling=lenient`). */
  readonly isLenient?: boolean
  /** Present when the caller sent an idempotency key: the header, and what tells this request from others. */
  readonly idempotent?: {
    readonly header: string
    readonly describe: (input: unknown) => Omit<IdempotentRequest, "key">
  }
}

/** What a call came to. `principal` and `allowance` are known once the credential was; surfaces make headers of them. */
export interface Outcome {
  readonly result: Either.Either<unknown, Failure>
  readonly principal: Principal | undefined
  readonly allowance: Allowance | undefined
  readonly isReplay: boolean
  /** Where a listing goes on, when it does. */
  readonly nextCursor: string | undefined
  /** The fields that were ignored because the caller asked for it. */
  readonly ignored: ReadonlyArray<string>
}

/** What is known of a call while it runs, kept beside its fiber: an interrupted fiber cannot tell. */
export interface Progress {
  principal?: Principal
  allowance?: Allowance
  isReplay: boolean
  nextCursor?: string | undefined
  ignored: ReadonlyArray<string>
  /** What the statements of the latest attempt check. */
  authority?: Authority | undefined
  readonly identified: (principal: Principal) => void
}
