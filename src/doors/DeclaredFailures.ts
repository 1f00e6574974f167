/**
 * The failures that an operation can have because of its door and its kind. The code of REST, tRPC and MCP uses them as
 * values, and the compiler uses them as types.
 */
import type { EveryKindDoor, Door, FullGrantDoor, ReadDoor, SessionDoor } from "./Door.ts"
import { refusesGrants } from "./DoorRequirements.ts"
import {
  Broken,
  Conflict,
  type FailureType,
  Forbidden,
  GrantDoorUnsupported,
  Invalid,
  NotFound,
  TooLarge,
  TooMany,
  Unauthorized,
  Unavailable,
  UnsupportedMedia
} from "./Failure.ts"
import type { ActorField } from "./Identity.ts"
import type { AnySchema } from "./Declaration.ts"
import type { Schema } from "effect"

/** The failures that every operation can have. */
export const commonFailures = [Invalid, Broken, Unavailable] as const
/** The failures that an operation can have if it needs a credential. */
export const credentialFailures = [...commonFailures, Unauthorized, Forbidden, TooMany] as const
/** The failures that an operation can have in addition if it reads a body. */
export const bodyFailures = [TooLarge, UnsupportedMedia] as const
/**
 * The failures that a change can have. `Conflict` means a duplicate record, or an idempotency key that was used for
 * another request.
 */
export const changeFailures = [...credentialFailures, ...bodyFailures, Conflict] as const
/**
 * The failures that a write through the governance gate can have. `NotFound` is one of them, because the record to
 * change can be missing.
 */
export const governedFailures = [...changeFailures, NotFound] as const

export type Failures = ReadonlyArray<FailureType>
export type FailureIn<E extends Failures> = InstanceType<E[number]>

/**
 * Returns the failures that only the door adds. If the door refuses some grants, this is `GrantDoorUnsupported`.
 * Otherwise the list is empty.
 */
export const ofDoor = (door: Door): Failures => (refusesGrants(door) ? [GrantDoorUnsupported] : [])
export type FailureOfDoor<D extends Door> = D extends EveryKindDoor | FullGrantDoor | { readonly reads: EveryKindDoor }
  ? GrantDoorUnsupported
  : never

export type TypeOf<S> = [S] extends [never] ? never : S extends AnySchema ? Schema.Schema.Type<S> : never

export interface OperationDescription<E extends Failures = Failures> {
  /** Failures of the handler, in addition to the failures of the door, of the input and of the governance gate. */
  readonly errors?: E
  /** One sentence that a new user can act on. It is shown in the API reference, in MCP and in the console. */
  readonly summary: string
}

export interface ProcedureSpec<
  I extends AnySchema,
  S extends AnySchema,
  E extends Failures
> extends OperationDescription<E> {
  readonly input: I
  readonly success: S
}

export interface Writes {
  readonly answersSecret?: true
  readonly waitsOutside?: true
  readonly about?: ActorField
}

/** Makes the properties of an operation that writes. `spec` is what the feature declares about the operation. */
export const writeProperties = <N extends string, D extends Door>(
  name: N,
  spec: OperationDescription & Writes & { readonly door: D; readonly frames?: AnySchema },
  errors: Failures
) => ({
  name,
  door: spec.door,
  kind: "mutation" as const,
  summary: spec.summary,
  errors: [...errors, ...(spec.errors ?? [])],
  answersSecret: spec.answersSecret ?? false,
  about: spec.about,
  ...(spec.waitsOutside === undefined ? {} : { waitsOutside: spec.waitsOutside }),
  ...(spec.frames === undefined ? {} : { frames: spec.frames })
})

/**
 * Makes the properties of an operation that answers with a stream: its name, door, failures and summary. `spec` is what
 * the feature declares about the operation.
 */
export const streamProperties = <N extends string>(
  name: N,
  spec: OperationDescription & { readonly door: ReadDoor | SessionDoor }
) => ({
  name,
  door: spec.door,
  kind: "query" as const,
  summary: spec.summary,
  errors: [...credentialFailures, ...ofDoor(spec.door), ...(spec.errors ?? [])],
  answersSecret: false,
  answersStream: true
})
