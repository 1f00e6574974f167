/**
 * The strict form of a tool's arguments, for clients that use the strict mode of OpenAI. In strict mode an object must
 * require all its properties and must allow no other property. So an optional argument is required and accepts null.
 * An object that can have fields of any name is sent as JSON text.
 *
 * One function makes both the schema and the reader of a part of the arguments, so the two cannot differ. The reader
 * changes arguments in the strict form into arguments in the ordinary form. Then the pod decodes and checks them.
 */
import { Either, Predicate } from "effect"
import type { Fault } from "../doors/Failure.ts"
import { depthMax, faultIn, parseJson, valuesMax } from "./Json.ts"
import type { Fields, JsonSchemaObject } from "./McpTool.ts"

/** The form of the schemas and arguments of tools. A client chooses the form with the address of the endpoint. */
export type SchemaForm = "ordinary" | "strict"

export const unknownForm =
  "Send the query parameter `schemas` with the value `strict`, or leave it out. Without it, tools have their ordinary schemas."

/** Returns the form that the query of an address asks for. Returns undefined if it asks for an unknown form. */
export const schemaFormOf = (query: string): SchemaForm | undefined => {
  if (query === "") return "ordinary"
  const forms = new URLSearchParams(query).getAll("schemas")
  if (forms.length === 0) return "ordinary"
  return forms.every((one) => one === "strict") ? "strict" : undefined
}

/** What the readers of one call share: the faults, and the number of values in all JSON texts of the call. */
interface Reading {
  readonly faults: Array<Fault>
  values: number
}

type Read = (value: unknown, path: ReadonlyArray<string>, reading: Reading) => unknown

interface Form {
  readonly schema: Fields
  readonly read: Read
}

const same: Read = (value) => value

const isNull = (node: Fields): boolean => node["type"] === "null"

const membersOf = ({ anyOf }: Fields): ReadonlyArray<Fields> =>
  Array.isArray(anyOf) ? anyOf.filter(Predicate.isRecord) : []

const jsonTextFault = (problem: "deep" | "many" | "busy" | "broken"): string => {
  switch (problem) {
    case "broken":
      return "must be the JSON text of an object, but it is not valid JSON"
    case "deep":
      return `has more than ${depthMax} levels of nesting`
    default:
      return `has more than ${valuesMax} values and names, together with the other JSON texts of the call`
  }
}

/** Reads the JSON text of an object. An object that is not a text is already in the ordinary form. */
const readJsonText: Read = (value, path, reading) => {
  if (typeof value !== "string") return value
  const refuse = (message: string) => void reading.faults.push({ path: path.join("."), message })
  // The levels around the text count too, as they do in the ordinary form.
  const parsed = parseJson(value, depthMax - path.length, (values) => (reading.values += values) <= valuesMax)
  if (typeof parsed === "string") return refuse(jsonTextFault(parsed))
  if (!Predicate.isRecord(parsed.value))
    return refuse("must be the JSON text of an object, but it is the text of another value")
  const fault = faultIn(parsed.value, path.join("."))
  if (fault !== undefined) reading.faults.push(fault)
  return parsed.value
}

const openObject = ({ description = "" }: Fields): Form => ({
  schema: {
    type: "string",
    description: `${String(description)} Send the JSON text of an object, for example \`{"name":"value"}\`.`.trim()
  },
  read: readJsonText
})

const nullMember = (meaning: string): Fields => ({ type: "null", description: meaning })

/**
 * Makes the form of an optional argument: null means that the argument is not given. If null has a meaning of its own
 * in the ordinary form, such as "clear the field", the strict form is an object with the field `value`.
 */
const optional = (node: Fields): Form => {
  const { read, schema } = formOf(node)
  if (membersOf(node).some(isNull)) {
    const wrapper = {
      type: "object",
      description: "An object whose field `value` has the new value.",
      properties: { value: schema },
      required: ["value"],
      additionalProperties: false
    }
    return {
      schema: { anyOf: [wrapper, nullMember("Not given.")] },
      read: (value, path, reading) =>
        value === null
          ? undefined
          : Predicate.isRecord(value) && Object.keys(value).join() === "value"
            ? read(value["value"], path, reading)
            : value
    }
  }
  const absent = "default" in node ? `Not given; the pod uses ${JSON.stringify(node["default"])}.` : "Not given."
  const members = membersOf(schema)
  return {
    schema: { anyOf: [...(members.length === 0 ? [schema] : members), nullMember(absent)] },
    read: (value, path, reading) => (value === null ? undefined : read(value, path, reading))
  }
}

const closedObject = (node: Fields, properties: Fields): Form => {
  const required = new Set(Array.isArray(node["required"]) ? node["required"] : [])
  const forms = new Map(
    Object.entries(properties).flatMap(([name, one]) =>
      Predicate.isRecord(one) ? [[name, required.has(name) ? formOf(one) : optional(one)] as const] : []
    )
  )
  return {
    schema: {
      ...node,
      properties: Object.fromEntries([...forms].map(([name, { schema }]) => [name, schema])),
      required: [...forms.keys()],
      additionalProperties: false
    },
    read: (value, path, reading) =>
      Predicate.isRecord(value)
        ? Object.fromEntries(
            Object.entries(value).flatMap(([name, inner]) => {
              const form = forms.get(name)
              const read = form === undefined ? inner : form.read(inner, [...path, name], reading)
              return read === undefined ? [] : [[name, read]]
            })
          )
        : value
  }
}

/** Makes the form of one part of the arguments from its ordinary schema. */
const formOf = (node: Fields): Form => {
  // Strict mode refuses these keywords. The pod still applies them when it decodes the arguments.
  const { default: _, maxLength: _most, minLength: _least, ...schema } = node
  const { items, properties } = schema
  if (Predicate.isRecord(properties)) return closedObject(schema, properties)
  if (schema["type"] === "object") return openObject(schema)
  if (Predicate.isRecord(items)) {
    const item = formOf(items)
    return {
      schema: { ...schema, items: item.schema },
      read: (value, path, reading) =>
        Array.isArray(value) ? value.map((one, index) => item.read(one, [...path, String(index)], reading)) : value
    }
  }
  const members = membersOf(schema).map(formOf)
  // No tool accepts an object and another kind of object or text at one place, so at most one member has a reader.
  return members.length === 0
    ? { schema, read: same }
    : {
        schema: { ...schema, anyOf: members.map((member) => member.schema) },
        read: members.find(({ read }) => read !== same)?.read ?? same
      }
}

export interface StrictForm {
  readonly schema: JsonSchemaObject
  /** Changes arguments in the strict form into the ordinary form. A value in the ordinary form stays as it is. */
  readonly read: (args: Fields) => Either.Either<unknown, ReadonlyArray<Fault>>
}

/** Makes the strict form of a tool from the ordinary schema of its arguments. */
export const strictFormOf = (inputSchema: JsonSchemaObject): StrictForm => {
  const { read, schema } = formOf({ properties: {}, ...inputSchema })
  return {
    schema: { ...schema, type: "object" },
    read: (args) => {
      const reading: Reading = { faults: [], values: 0 }
      const ordinary = read(args, [], reading)
      return reading.faults.length === 0 ? Either.right(ordinary) : Either.left(reading.faults)
    }
  }
}
