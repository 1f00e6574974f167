/**
 * The only function that declares an MCP tool. It requires a door, so a declaration without a door does not compile.
 */
import type { AnySchema, OperationProperties } from "./Declaration.ts"
import {
  type FailureIn,
  type FailureOfDoor,
  type Failures,
  governedFailures,
  credentialFailures,
  ofDoor,
  type ProcedureSpec
} from "./DeclaredFailures.ts"
import type { ReadDoor, WriteDoor } from "./Door.ts"
import type { ToolProfile } from "./ToolProfile.ts"

/** An MCP tool. Its input and its success are structs, because the protocol allows only objects. */
export interface Tool<N extends string, I extends AnySchema, S extends AnySchema, F = unknown> {
  readonly name: N
  readonly title: string
  readonly input: I
  readonly success: S
  readonly declared: OperationProperties
  /** The type of the failures of the tool's handler. Only the compiler uses this field. */
  readonly Failure?: F
}

export type AnyTool = Tool<string, AnySchema, AnySchema>

/**
 * The failures that every tool with this door declares. A tool with a `WriteDoor` declares the failures of a write. A
 * tool with any other door declares the failures of a read.
 */
type Basic<D extends ReadDoor | WriteDoor> = [D] extends [WriteDoor]
  ? typeof governedFailures
  : typeof credentialFailures

export const tool = <
  const N extends `svc_${string}`,
  I extends AnySchema,
  S extends AnySchema,
  const E extends Failures = [],
  D extends ReadDoor | WriteDoor = ReadDoor | WriteDoor
>(
  name: N,
  spec: ProcedureSpec<I, S, E> & {
    readonly title: string
    readonly door: D
    /** The tool profiles that contain this tool. */
    readonly profiles?: ReadonlyArray<ToolProfile>
  }
): Tool<N, I, S, FailureIn<Basic<D>> | FailureOfDoor<D> | FailureIn<E>> => ({
  name,
  title: spec.title,
  input: spec.input,
  success: spec.success,
  declared: {
    name,
    door: spec.door,
    profiles: spec.profiles ?? [],
    kind: spec.door._tag === "Write" ? "mutation" : "query",
    summary: spec.summary,
    errors: [
      ...(spec.door._tag === "Write" ? governedFailures : credentialFailures),
      ...ofDoor(spec.door),
      ...(spec.errors ?? [])
    ],
    answersSecret: false
  }
})
