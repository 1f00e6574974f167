/** The properties that an operation declares about itself. The code of REST, tRPC and MCP reads them. */
import { Context, type Option, type Schema } from "effect"
import type { Door } from "./Door.ts"
import type { FailureType } from "./Failure.ts"
import type { ActorField } from "./Identity.ts"
import type { ToolProfile } from "./ToolProfile.ts"

export type AnySchema = Schema.Schema.Any

/**
 * Gives the schema of a declared operation a type with which it can decode and encode. No schema of a declared
 * operation needs an Effect service, so the cast is safe.
 */
export const closedSchema = (schema: AnySchema): Schema.Schema<unknown> => schema as Schema.Schema<unknown>

/** The properties of an operation, attached to its declaration as an annotation. */
export interface OperationProperties {
  readonly name: string
  readonly door: Door
  readonly kind: "query" | "mutation"
  readonly summary: string
  /**
   * True if the answer contains a secret that is shown only once. The pod never stores such an answer, so a repeated
   * request cannot get the answer again.
   */
  readonly answersSecret: boolean
  /**
   * Every failure of the operation, caused by its door, its input or its handler. If a handler can fail in another way,
   * it does not compile.
   */
  readonly errors: ReadonlyArray<FailureType>
  /** True if the answer is a `RawText`. REST then sends the text itself instead of JSON. */
  readonly answersText?: boolean
  /**
   * True if the answer is a batch of a stream. REST and tRPC then send server-sent events, one batch after the other. A
   * procedure of this kind is a subscription.
   */
  readonly answersStream?: boolean
  /**
   * The schema of the frames, which are parts of the answer that the operation can send while it still runs. If the
   * handler sends a frame, REST answers with server-sent events.
   */
  readonly frames?: AnySchema
  /**
   * True if the operation waits for something else than its own statements, such as another server or a backup. It can
   * wait for seconds, so the operation must not run in a transaction.
   */
  readonly waitsOutside?: boolean
  /**
   * The input field with the id of the user that the operation is about. Every other input field with the id of a user
   * names the user who acts.
   */
  readonly about?: ActorField | undefined
  /**
   * Set if the operation can answer without the database. Nobody can check a credential then. The text is the reason
   * why this is allowed. The operation runs as through a public door: without a caller, and without access to any row.
   */
  readonly withoutDatabase?: string
  /**
   * The operation that replaces this operation. Set if clients should stop using this operation. Every answer then has
   * the headers `Deprecation` (RFC 9745) and `Link`. If the last day of the operation is known, the answer also has the
   * header `Sunset` (RFC 8594).
   */
  readonly deprecated?: Deprecated
  /**
   * The tool profiles that contain the operation, if it is an MCP tool. A key without a profile is allowed to call
   * every tool.
   */
  readonly profiles?: ReadonlyArray<ToolProfile>
  /**
   * Set if the operation reads one record by its id. A call with the scope `probe` then also finds a record that a
   * probe wrote. All other queries hide the records of probes.
   */
  readonly showsProbes?: true
  /**
   * True if REST ignores the query of the URL. Monitors and browsers add parameters against caches to the addresses of
   * health checks. All other operations refuse unknown parameters.
   */
  readonly ignoresQuery?: true
  /**
   * Returns true if an encoded answer says that the request waits for a decision. REST sends such an answer with the
   * status 202.
   */
  readonly isAccepted?: (answer: unknown) => boolean
}

/**
 * Returns true if a client can repeat the operation with an idempotency key. The effect and the answer of such an
 * operation are stored in one transaction. So an operation with `waitsOutside` accepts no key. An operation that sends
 * frames (parts of its answer) accepts no key either, because its answer is not stored.
 */
export const acceptsIdempotencyKey = ({
  waitsOutside,
  frames,
  kind
}: Pick<OperationProperties, "kind" | "frames" | "waitsOutside">): boolean =>
  kind === "mutation" && frames === undefined && waitsOutside !== true

/**
 * Returns the kind of a procedure in tRPC. A procedure that streams is a subscription in tRPC. All other code treats it
 * as a query, because it only reads.
 */
export const procedureKindOf = ({
  answersStream,
  kind
}: Pick<OperationProperties, "kind" | "answersStream">): OperationProperties["kind"] | "subscription" =>
  answersStream === true ? "subscription" : kind

/** The day from which clients should no longer use an operation, and the operation that clients should use instead. */
export interface Deprecated {
  /** A day in UTC, such as `2026-01-01`. */
  readonly since: string
  /** From this day in UTC, a version of the pod might not have the operation any more. Absent if no day is decided. */
  readonly until?: string
  /** The path of the replacing operation, below the base path of the Hub API. */
  readonly successor: `/${string}`
}

/** Returns the headers of every answer of a deprecated operation: RFC 9745, RFC 5829 and RFC 8594. */
export const deprecationHeaders = (
  { since, successor, until }: Deprecated,
  mount: string
): Readonly<Record<string, string>> => ({
  deprecation: `@${Date.parse(since) / 1000}`,
  link: `<${mount}${successor}>; rel="successor-version"`,
  ...(until === undefined ? {} : { sunset: new Date(until).toUTCString() })
})

export class Declaration extends Context.Tag("pod/Declaration")<Declaration, OperationProperties>() {}

/**
 * Returns the declaration in the annotations of an endpoint or a procedure. The type of the annotations does not say
 * that they can have one. If they have none, the result is None, so the cast is safe.
 */
export const declarationIn = (annotations: Context.Context<never>): Option.Option<OperationProperties> =>
  Context.getOption(annotations as Context.Context<Declaration>, Declaration)
