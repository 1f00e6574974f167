/**
 * Reads null for an optional argument of a tool as an absent argument. Some clients use the strict mode of a model's
 * API. Such a client sends every argument, and sends null for an argument that the model leaves out.
 */
import { Predicate, type Schema, SchemaAST } from "effect"
import { argumentDescriptionsOf } from "./Arguments.ts"

type Change = (value: unknown) => unknown

const struct =
  (optional: ReadonlySet<string>, inside: ReadonlyMap<string, Change>): Change =>
  (value) => {
    if (!Predicate.isRecord(value)) return value
    const isAbsent = (name: string) => value[name] === null && optional.has(name)
    const names = Object.keys(value)
    // Most inputs have no null and no nested object. The pod uses such an input without a copy.
    if (!names.some((name) => isAbsent(name) || inside.has(name))) return value
    return Object.fromEntries(
      names.flatMap((name) => (isAbsent(name) ? [] : [[name, inside.get(name)?.(value[name]) ?? value[name]]]))
    )
  }

/**
 * Makes the function that removes every optional argument with the value null from an input of this schema. The
 * function also removes such arguments in nested objects and in lists. A null stays if the argument has a description
 * of what null means, for example "null clears the field". A null also stays in parts of the input without declared
 * fields.
 */
export const withoutNullArguments = (input: Schema.Schema.Any): Change => {
  const descriptions = argumentDescriptionsOf(input)
  const hasMeaning = (path: ReadonlyArray<string>) => typeof descriptions[path.join(".")] === "object"
  const changeOf = (ast: SchemaAST.AST, path: ReadonlyArray<string>): Change | undefined => {
    switch (ast._tag) {
      case "TypeLiteral": {
        const optional = new Set<string>()
        const inside = new Map<string, Change>()
        for (const { isOptional, name, type } of ast.propertySignatures) {
          if (typeof name !== "string") continue
          const at = [...path, name]
          if (isOptional && !hasMeaning(at)) optional.add(name)
          const change = changeOf(type, at)
          if (change !== undefined) inside.set(name, change)
        }
        return optional.size + inside.size === 0 ? undefined : struct(optional, inside)
      }
      case "TupleType": {
        const change = ast.rest[0] === undefined ? undefined : changeOf(ast.rest[0].type, path)
        return change && ((value) => (Array.isArray(value) ? value.map(change) : value))
      }
      case "Union": {
        // No tool accepts several kinds of object at one place. With several kinds, the pod could not know which fields
        // are optional.
        const changes = ast.types.flatMap((type) => changeOf(type, path) ?? [])
        return changes.length === 1 ? changes[0] : undefined
      }
      case "Refinement":
      case "Transformation":
        return changeOf(ast.from, path)
      default:
        return undefined
    }
  }
  return changeOf(input.ast, []) ?? ((value) => value)
}
