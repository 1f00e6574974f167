/** The header with which clients name the workspace of all their procedure calls, in place of a field of each input. */
import { Effect, SchemaAST } from "effect"
import { type Invalid, invalid } from "./Failure.ts"
import type { ProcedureOperation } from "./Operation.ts"

const field = "workspaceId"

/**
 * Whether clients may send the field `workspaceId` at the top level of this input and may leave it out. An input that
 * must name its workspace never takes it from the header. An input whose fields must fit each other, such as the scope
 * of a rule, does not take it either. The header comes with all calls of a client, so it could contradict the other
 * fields.
 */
export const takesWorkspace = (input: SchemaAST.AST): boolean => {
  switch (input._tag) {
    case "TypeLiteral":
      return input.propertySignatures.some(({ isOptional, name }) => name === field && isOptional)
    case "Transformation":
      return takesWorkspace(input.from)
    case "Union":
      return input.types.every(takesWorkspace)
    default:
      return false
  }
}

const contradiction = invalid(
  field,
  "The header x-workspace-id names another workspace than this field. Send one of them, or the same id in both."
)

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/**
 * Adds the workspace of the header to the input of a call, which is then read as if the client had sent the field. So
 * the header allows nothing that the field does not allow. An input that names another workspace is refused: the pod
 * cannot know which one the caller means. An input that is not an object stays unchanged and is refused later.
 */
export const inWorkspace = (
  { takesWorkspace }: Pick<ProcedureOperation, "takesWorkspace">,
  header: string | ReadonlyArray<string> | undefined,
  input: unknown
): Effect.Effect<unknown, Invalid> => {
  if (!takesWorkspace || header === undefined) return Effect.succeed(input)
  const named = String(header)
  const fields = input ?? {}
  if (!isObject(fields)) return Effect.succeed(input)
  const given = fields[field]
  if (given === undefined) return Effect.succeed({ ...fields, [field]: named })
  const isSame = typeof given === "string" && given.toLowerCase() === named.toLowerCase()
  return isSame ? Effect.succeed(input) : Effect.fail(contradiction)
}
