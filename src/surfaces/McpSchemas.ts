/**
 * Makes the schemas of a tool in the form that clients get. Each schema contains everything that it needs, for two
 * reasons. Clients of the 2025 revisions refuse an answer schema whose root is a reference. The APIs of models accept
 * no references and few keywords.
 */
import { JSONSchema, Predicate, Schema } from "effect"
import { defaultsOf, argumentDescriptionsOf } from "../doors/Arguments.ts"
import { closedSchema } from "../doors/Declaration.ts"
import type { ToolOperation } from "../doors/Operation.ts"
import { ProposedAnswer } from "../doors/Proposed.ts"
import type { JsonSchemaObject } from "./McpTool.ts"
import { withoutFiller } from "./OpenApiSchemas.ts"

type Node = Readonly<Record<string, unknown>>

/** Copies the schema node, and applies `change` to each schema that is directly inside the node. */
const mapSchemas = (node: Node, change: (inner: Node, name: string) => unknown): Node =>
  Object.fromEntries(
    Object.entries(node).map(([keyword, value]) => {
      if (keyword === "properties" && Predicate.isRecord(value)) {
        return [
          keyword,
          Object.fromEntries(
            Object.entries(value).map(([name, one]) => [name, Predicate.isRecord(one) ? change(one, name) : one])
          )
        ]
      }
      if ((keyword === "anyOf" || keyword === "allOf" || keyword === "prefixItems") && Array.isArray(value)) {
        return [keyword, value.map((one: Node) => change(one, ""))]
      }
      return (keyword === "items" || keyword === "additionalProperties") && Predicate.isRecord(value)
        ? [keyword, change(value, "")]
        : [keyword, value]
    })
  )

const definitions = "#/$defs/"

/**
 * Replaces every reference by the definition that it names. A recursive definition stays a definition with references
 * to it.
 */
const inlineReferences = (document: Node): Node => {
  const root = Object.fromEntries(Object.entries(document).filter(([name]) => name !== "$defs" && name !== "$schema"))
  const known = (document["$defs"] ?? {}) as Readonly<Record<string, Node>>
  const recursive = new Set<string>()
  const place = (node: Node, open: ReadonlyArray<string>): Node => {
    const { $ref, ...besides } = node
    if (typeof $ref !== "string") return mapSchemas(node, (inner) => place(inner, open))
    const name = decodeURIComponent($ref.slice(definitions.length)).replaceAll("~1", "/").replaceAll("~0", "~")
    if (open.includes(name)) {
      recursive.add(name)
      return node
    }
    return { ...place(known[name], [...open, name]), ...place(besides, open) }
  }
  const placed = place(root, [])
  const recursiveSchemas = Object.fromEntries([...recursive].map((name) => [name, place(known[name], [name])]))
  return recursive.size === 0 ? placed : { ...placed, $defs: recursiveSchemas }
}

/**
 * Merges an `allOf` with only one schema (Effect's `JSONSchema` writes a constraint in this way) into the node. The
 * merged node means the same, and all clients accept it.
 */
const mergeAllOf = (node: Node): Node => {
  const { allOf, ...rest } = mapSchemas(node, mergeAllOf)
  return Array.isArray(allOf) ? Object.assign({}, ...allOf, rest) : rest
}

const schemaOf = (schema: Schema.Schema.Any): Node =>
  mergeAllOf(
    inlineReferences({ ...withoutFiller(JSONSchema.make(closedSchema(schema), { target: "jsonSchema2020-12" })) })
  )

/**
 * Makes the schema of the answer of a tool. A write can answer with a proposal instead of its result. Clients check
 * every answer against this schema, so the schema allows both.
 */
export const outputSchemaOf = ({ door, success }: ToolOperation): JsonSchemaObject => ({
  ...schemaOf(door._tag === "Write" ? Schema.Union(success, ProposedAnswer) : success),
  type: "object"
})

const isNull = (node: Node) => node["type"] === "null"

/** Copies the schema node with only those keywords that the APIs of all models accept. */
const keepCommonKeywords = (node: Node): Node => {
  const { title: _, format, exclusiveMinimum, ...rest } = mapSchemas(node, keepCommonKeywords)
  return {
    ...rest,
    // Drops `format` if the schema has a pattern, because the pattern describes the same text. Every model accepts the
    // formats of dates and times, and no other format is needed.
    ...(format === undefined || "pattern" in rest ? {} : { format }),
    ...(typeof exclusiveMinimum === "number" && rest["type"] === "integer" ? { minimum: exclusiveMinimum + 1 } : {}),
    // A schema of an object can allow additional properties. If the schema of their values names no type, this code
    // replaces it by `true`, so that any value is allowed.
    ...(Predicate.isRecord(rest["additionalProperties"]) && !("type" in rest["additionalProperties"])
      ? { additionalProperties: true }
      : {})
  }
}

/** Drops `null` from a union of one schema and `null`. */
const withoutNull = (node: Node): Node => {
  const { anyOf, ...constraints } = node
  const members = Array.isArray(anyOf) ? anyOf.filter(Predicate.isRecord).filter((one) => !isNull(one)) : []
  return members.length === 1 ? { ...members[0], ...constraints } : node
}

/**
 * Makes the schema of the arguments of a tool, with the description and the default of each argument. The pod treats
 * null for an optional argument as an absent argument (`withoutNullArguments`). So the schema allows null only if the
 * description of the argument gives null a meaning of its own. In that case each member of the union gets the
 * description, because models ignore a description of the union itself.
 */
export const inputSchemaOf = ({ input }: Pick<ToolOperation, "input">): JsonSchemaObject => {
  const explanations = argumentDescriptionsOf(input)
  const defaults = defaultsOf(input)
  const argument = (node: Node, path: ReadonlyArray<string>, isNeeded: boolean): Node => {
    const at = path.join(".")
    const explanation = explanations[at]
    const inside = explain(node, path)
    const value = isNeeded ? inside : withoutNull(inside)
    if (explanation === undefined) return value
    if (typeof explanation !== "string") {
      return {
        anyOf: [
          { ...withoutNull(inside), description: explanation.value },
          { type: "null", description: explanation.null }
        ]
      }
    }
    const fallback = defaults[at]
    return {
      ...value,
      description: explanation,
      ...(fallback === undefined || fallback === null ? {} : { default: fallback })
    }
  }
  const explain = (node: Node, path: ReadonlyArray<string>): Node => {
    const required = new Set<unknown>(Array.isArray(node["required"]) ? node["required"] : [])
    return mapSchemas(node, (inner, name) =>
      name === "" ? explain(inner, path) : argument(inner, [...path, name], required.has(name))
    )
  }
  return { ...explain(keepCommonKeywords(schemaOf(input)), []), type: "object" }
}
