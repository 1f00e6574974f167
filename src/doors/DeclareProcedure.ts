/**
 * The only functions that declare a procedure of the tRPC API. Each requires a door. A declaration without a door does
 * not compile.
 */
import { Rpc } from "@effect/rpc"
import { Schema } from "effect"
import { batchOf } from "./Batch.ts"
import { type AnySchema, Declaration, type OperationProperties } from "./Declaration.ts"
import {
  type OperationDescription,
  type FailureIn,
  type FailureOfDoor,
  type Failures,
  governedFailures,
  credentialFailures,
  ofDoor,
  type ProcedureSpec,
  streamProperties,
  type Writes,
  writeProperties
} from "./DeclaredFailures.ts"
import { failureAnswersOf } from "./Dialect.ts"
import type { ReadDoor, SessionDoor, WriteDoor } from "./Door.ts"

const procedure = <const N extends string, I extends AnySchema, S extends AnySchema, F>(
  declared: OperationProperties & { readonly name: N },
  spec: ProcedureSpec<I, S, Failures>
) =>
  Rpc.make(declared.name, {
    payload: spec.input,
    success: spec.success,
    // The error schema is the union of the schemas of all errors. The compiler cannot see this, so the code states the
    // type `F`, which is the union of the error types.
    error: Schema.Union(...failureAnswersOf(declared.errors).map(({ schema }) => schema)) as unknown as Schema.Schema<F>
  }).annotate(Declaration, declared)

/** Declares a procedure that only reads. tRPC clients call it with GET. */
export const query = <
  const N extends string,
  I extends AnySchema,
  S extends AnySchema,
  const E extends Failures = [],
  D extends ReadDoor | SessionDoor = ReadDoor | SessionDoor
>(
  name: N,
  spec: ProcedureSpec<I, S, E> & { readonly door: D }
) =>
  procedure<N, I, S, FailureIn<typeof credentialFailures> | FailureOfDoor<D> | FailureIn<E>>(
    {
      name,
      door: spec.door,
      kind: "query",
      summary: spec.summary,
      errors: [...credentialFailures, ...ofDoor(spec.door), ...(spec.errors ?? [])],
      answersSecret: false
    },
    spec
  )

/** The name of the input field with the position where a batch of a subscription begins. tRPC clients use this name. */
export const positionField = "lastEventId"

/**
 * Declares a procedure that sends items until the reader leaves (a subscription of tRPC). Its handler returns one
 * batch. For each further batch the pod calls the handler again, through the same door.
 */
export const subscription = <
  const N extends string,
  A,
  I,
  In extends AnySchema,
  const E extends Failures = [],
  D extends ReadDoor | SessionDoor = ReadDoor | SessionDoor
>(
  name: N,
  spec: OperationDescription<E> & {
    /** The input. Its field `lastEventId` is the position at which a batch begins. */
    readonly input: In
    readonly item: Schema.Schema<A, I>
    readonly door: D
  }
) =>
  procedure<
    N,
    In,
    ReturnType<typeof batchOf<A, I>>,
    FailureIn<typeof credentialFailures> | FailureOfDoor<D> | FailureIn<E>
  >(streamProperties(name, spec), { ...spec, success: batchOf(spec.item) })

/** Declares a procedure that changes something. tRPC clients call it with POST. */
export const mutation = <
  const N extends string,
  I extends AnySchema,
  S extends AnySchema,
  const E extends Failures = [],
  D extends WriteDoor | SessionDoor = WriteDoor | SessionDoor
>(
  name: N,
  spec: ProcedureSpec<I, S, E> & Writes & { readonly door: D }
) =>
  procedure<N, I, S, FailureIn<typeof governedFailures> | FailureOfDoor<D> | FailureIn<E>>(
    writeProperties(name, spec, [...governedFailures, ...ofDoor(spec.door)]),
    spec
  )

/** The input of an operation that has no input fields. A client can send nothing, `null` or `{}`. */
export const NoInput = Schema.Struct({})
