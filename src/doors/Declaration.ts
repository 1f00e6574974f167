/** What the declaration of an operation says about it. Every surface reads an operation by these properties. */
import { Context, type Schema } from "effect"
import type { Door } from "./Door.ts"
import type { FailureType } from "./Failure.ts"
import type { ActorField } from "./Identity.ts"
import type { ToolProfile } from "./ToolProfile.ts"

export type Anything = Schema.Schema.Any

/** The properties of an operation, attached to its declaration as an annotation. */
export interface OperationProperties {
  readonly name: string
  readonly door: Door
  readonly kind: "query" | "mutation"
  readonly summary: string
  /** Whether the answer has a secret that is shown once. Such an answer is never stored for repeated requests. */
  readonly answersSecret: boolean
  /**
   * Every failure of the operation, caused by its door, its input or its handler. A handler that fails in another way
   * does not compile.
   */
  readonly errors: ReadonlyArray<FailureType>
  /** Whether the answer is a `RawText`. REST then sends the text itself instead of JSON. */
  readonly answersText?: boolean
  /**
   * Whether the answer is a batch of a stream. Surfaces then send server-sent events, one batch after the other. A
   * procedure of this kind is a subscription.
   */
  readonly answersStream?: boolean
  /**
   * The schema of the frames that the operation may send before its answer. REST then sends server-sent events, if the
   * handler sends a frame at all.
   */
  readonly frames?: Anything
  /**
   * The input field that holds the id of the user whom the operation is about. If a field with the id of a user is not
   * listed here, it means the user who acts.
   */
  readonly about?: ActorField | undefined
  /**
   * Why the operation may answer while the database does not, when nobody can say whether a credential is valid. It then runs
   * as through a public door: without a caller, and without access to any row.
   */
  readonly withoutDatabase?: string
  /**
   * The replacement of the operation, set if clients should stop using it. Every answer then says so in the headers
   * `Deprecation` (RFC 9745) and `Link`.
   */
  readonly deprecated?: Deprecated
  /** The tool profiles that have the tool. A key without a profile has every tool. Absent for all other operations. */
  readonly profiles?: ReadonlyArray<ToolProfile>
  /**
   * Whether the operation reads one record by its id, also one that a probe wrote, if the call has the scope `probe`. Every
   * other query hides what probes wrote.
   */
  readonly showsProbes?: true
  /** Whether an encoded answer says that the request waits for somebody. REST then sends it with the status 202. */
  readonly isAccepted?: (answer: unknown) => boolean
}

/** The kind of a procedure as tRPC names it. A streamed one only reads, so elsewhere it counts as a query. */
export const procedureKindOf = ({
  answersStream,
  kind
}: Pick<OperationProperties, "kind" | "answersStream">): OperationProperties["kind"] | "subscription" =>
  answersStream === true ? "subscription" : kind

/** The day from which clients should no longer use an operation, and the operation that replaces it. */
export interface Deprecated {
  /** A day in UTC, such as `2026-01-01`. */
  readonly since: string
  /** The path of the operation that replaces this one, below the mount of the Hub. */
  readonly successor: `/${string}`
}

export class Declaration extends Context.Tag("pod/Declaration")<Declaration, OperationProperties>() {}
