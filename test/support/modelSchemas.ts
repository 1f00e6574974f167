/**
 * Checks whether three model providers accept the schema of a tool. Each provider has its own check, written from the
 * documentation of the provider. A check returns one line for every part that the provider would refuse.
 */

interface Tool {
  readonly name: string
  readonly description?: string | undefined
  readonly inputSchema: object
}

type Node = Readonly<Record<string, unknown>>
type Visit = (node: Node, at: string, depth: number) => ReadonlyArray<string>

const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null && !Array.isArray(value)

/**
 * Calls `visit` for every schema inside a schema, with its path and the number of objects around it. Returns all
 * faults.
 */
const visited = (root: Node, visit: Visit): ReadonlyArray<string> => {
  const go = (node: Node, at: string, depth: number): ReadonlyArray<string> => {
    const inside = isNode(node["properties"]) ? depth + 1 : depth
    const parts: Array<readonly [Node, string]> = []
    if (isNode(node["properties"])) {
      for (const [name, one] of Object.entries(node["properties"])) parts.push([one as Node, `${at}.${name}`])
    }
    for (const keyword of ["anyOf", "oneOf", "allOf", "prefixItems"]) {
      const members = node[keyword]
      if (Array.isArray(members)) members.forEach((one: Node, index) => parts.push([one, `${at}.${keyword}.${index}`]))
    }
    for (const keyword of ["items", "additionalProperties", "not"]) {
      const inner = node[keyword]
      if (isNode(inner)) parts.push([inner, `${at}.${keyword}`])
    }
    return [...visit(node, at, inside), ...parts.flatMap(([inner, where]) => go(inner, where, inside))]
  }
  return go(root, "input", 0)
}

const unlessKnown =
  (known: ReadonlySet<string>): Visit =>
  (node, at) =>
    Object.keys(node).flatMap((keyword) => (known.has(keyword) ? [] : [`${at}: ${keyword} is not known`]))

/** Checks that each schema has a type or is a union. */
const typed: Visit = (node, at) =>
  typeof node["type"] === "string" || (Array.isArray(node["anyOf"]) && node["anyOf"].length > 0)
    ? []
    : [`${at} has no type`]

/** Checks that each argument has a description. In a union each member can have its own description instead. */
const explained: Visit = (node, at) => {
  if (!isNode(node["properties"])) return []
  const isDescribed = (one: Node): boolean =>
    (typeof one["description"] === "string" && one["description"].length > 0) ||
    (Array.isArray(one["anyOf"]) && one["anyOf"].every((member: Node) => isDescribed(member)))
  return Object.entries(node["properties"]).flatMap(([name, one]) =>
    isDescribed(one as Node) ? [] : [`${at}.${name} is not explained`]
  )
}

const root = ({ inputSchema }: Tool): Node => inputSchema as Node

const isObjectAtRoot = (tool: Tool): ReadonlyArray<string> =>
  root(tool)["type"] === "object" ? [] : ["the root is no object"]

/**
 * Returns the parts of a tool that break the pod's own rules for tool schemas. These rules do not depend on the
 * provider.
 */
export const ownFaults = (tool: Tool): ReadonlyArray<string> => [
  ...isObjectAtRoot(tool),
  ...visited(root(tool), (node, at, depth) => [
    ...typed(node, at, depth),
    ...explained(node, at, depth),
    ...(node["type"] !== "object" || node["additionalProperties"] === false || !isNode(node["properties"])
      ? []
      : [`${at} takes fields that the pod refuses`]),
    ...("$ref" in node ? [`${at} is a reference`] : [])
  ])
]

const openAiFormats = new Set(["date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"])

/**
 * The keywords that the guide "Structured outputs", section "Supported properties", allows, and the basic keywords of
 * a JSON Schema, such as `type`.
 */
const openAiKeywords = [
  "type",
  "description",
  "properties",
  "required",
  "additionalProperties",
  "items",
  "enum"
].concat(
  ["anyOf", "pattern", "format", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"],
  ["minItems", "maxItems", "$ref", "$defs", "const"]
)

/** Checks the parts of a tool that OpenAI limits with and without `strict`: the name, the root, formats and sizes. */
const openAiLimits = (tool: Tool): ReadonlyArray<string> => {
  let properties = 0
  let letters = 0
  let values = 0
  const inside = visited(root(tool), (node, at, depth) => {
    const names = isNode(node["properties"]) ? Object.keys(node["properties"]) : []
    const listed = Array.isArray(node["enum"]) ? node["enum"] : []
    const length = (all: ReadonlyArray<unknown>) => all.reduce((sum: number, one) => sum + String(one).length, 0)
    properties += names.length
    values += listed.length
    letters += length(names) + length(listed)
    return [
      ...(depth > 5 ? [`${at} lies deeper than five objects`] : []),
      ...(listed.length > 250 && length(listed) > 15_000 ? [`${at} has an enum of more than 15000 characters`] : []),
      ...(typeof node["format"] === "string" && !openAiFormats.has(node["format"]) ? [`${at}: format`] : [])
    ]
  })
  return [
    ...(/^[a-zA-Z0-9_-]{1,64}$/.test(tool.name) ? [] : ["the name"]),
    ...((tool.description ?? "").length <= 1024 ? [] : ["the description is longer than 1024 characters"]),
    ...isObjectAtRoot(tool),
    ...("anyOf" in root(tool) ? ["the root is a union"] : []),
    ...inside,
    ...(properties <= 5000 ? [] : ["more than 5000 properties"]),
    ...(letters <= 120_000 ? [] : ["more than 120000 characters of names and values"]),
    ...(values <= 1000 ? [] : ["more than 1000 values of enums"])
  ]
}

/**
 * Checks a tool for OpenAI, as a function tool without `strict`. `openAiStrictFaults` is about the strict mode.
 * - The API reference, chat completions, limits `tools[].function.name` ("a-z, A-Z, 0-9, or contain underscores and
 *   dashes, with a maximum length of 64") and says that `parameters` is a JSON Schema object. The API refuses a
 *   description of more than 1024 characters.
 * - The guide "Structured outputs", section "Supported schemas", limits the types and the keywords. The root must not
 *   be a union. The guide also limits the number of properties (5000), the levels of nesting (10, formerly 5), all
 *   strings together (120000 characters), the values of an enum (1000), and the characters of an enum with more than
 *   250 values (15000).
 * - The check allows `minLength`, `maxLength` and `default`, because outside strict mode the model reads them as text.
 */
export const openAiFaults = (tool: Tool): ReadonlyArray<string> => [
  ...openAiLimits(tool),
  ...visited(root(tool), unlessKnown(new Set([...openAiKeywords, "default", "minLength", "maxLength"])))
]

const requiredOf = (node: Node): ReadonlySet<unknown> =>
  new Set(Array.isArray(node["required"]) ? (node["required"] as ReadonlyArray<unknown>) : [])

/**
 * Checks a tool for OpenAI, as a function tool with `strict`.
 * - The guide "Structured outputs", section "Supported schemas", says that every property is required, that an optional
 *   one accepts null instead, and that each object has `additionalProperties: false`.
 * - The API refuses `minLength`, `maxLength` and `default` in strict mode.
 * - The limits of `openAiFaults` apply too.
 */
export const openAiStrictFaults = (tool: Tool): ReadonlyArray<string> => [
  ...openAiLimits(tool),
  ...visited(root(tool), (node, at, depth) => {
    const required = requiredOf(node)
    const names = isNode(node["properties"]) ? Object.keys(node["properties"]) : []
    return [
      ...typed(node, at, depth),
      ...unlessKnown(new Set(openAiKeywords))(node, at, depth),
      ...(node["type"] === "object" && node["additionalProperties"] !== false ? [`${at} takes free fields`] : []),
      ...names.flatMap((name) => (required.has(name) ? [] : [`${at}.${name} is not required`]))
    ]
  })
]

/**
 * Checks a tool for Gemini, `FunctionDeclaration.parameters`.
 * - The Vertex AI REST reference, FunctionDeclaration, says that the names of tools and parameters begin with a letter
 *   or an underscore and have at most 64 characters. It also says which characters a name can contain.
 * - The same reference, Schema, lists the keywords. There is no `$ref`, no `const` and no exclusive bound. `type` is
 *   one word and never a list, and the values of `enum` are texts. Schema got more fields later. Of these later fields,
 *   the check allows only `additionalProperties`.
 * - The Firebase AI Logic reference, SchemaShared.format, allows only the formats `enum` and `date-time`. So a tool
 *   describes a UUID by its pattern.
 * - A union has no other keyword beside it. Otherwise the API answers "When using any_of, it must be the only field
 *   set". So each member of a union has its own description.
 *
 * A tool writes a single value as an enum with one value, and an exclusive bound as the next whole number.
 */
export const geminiFaults = (tool: Tool): ReadonlyArray<string> => {
  const known = new Set([
    "type",
    "format",
    "description",
    "nullable",
    "default",
    "enum",
    "items",
    "minItems",
    "maxItems"
  ])
  for (const one of ["properties", "required", "minProperties", "maxProperties", "propertyOrdering"]) known.add(one)
  for (const one of ["minimum", "maximum", "minLength", "maxLength", "pattern", "anyOf", "title", "example"])
    known.add(one)
  known.add("additionalProperties")
  const types = new Set(["string", "number", "integer", "boolean", "array", "object", "null"])
  const nameForm = /^[a-zA-Z_][a-zA-Z0-9_]{0,63}$/
  return [
    ...(/^[a-zA-Z_][a-zA-Z0-9_.-]{0,63}$/.test(tool.name) ? [] : ["the name"]),
    ...isObjectAtRoot(tool),
    ...visited(root(tool), (node, at, depth) => [
      ...unlessKnown(known)(node, at, depth),
      ...("type" in node && !types.has(String(node["type"])) ? [`${at}: type ${JSON.stringify(node["type"])}`] : []),
      ...(node["type"] === "array" && !isNode(node["items"]) ? [`${at} does not say its items`] : []),
      ...(Array.isArray(node["enum"]) && !node["enum"].every((one) => typeof one === "string") ? [`${at}: enum`] : []),
      ...("format" in node && node["format"] !== "enum" && node["format"] !== "date-time" ? [`${at}: format`] : []),
      ...("anyOf" in node && Object.keys(node).length > 1 ? [`${at} says more than its union`] : []),
      ...Object.keys(isNode(node["properties"]) ? node["properties"] : {}).flatMap((name) =>
        nameForm.test(name) ? [] : [`${at}: the name ${name}`]
      )
    ])
  ]
}

/**
 * Checks a tool for Anthropic, `tools[]` of the Messages API.
 * - The guide "Tool use", section "Specifying client tools", says that `name` matches ^[a-zA-Z0-9_-]{1,64}$, and that
 *   `input_schema` is a JSON Schema object.
 * - The root has no union. Otherwise the API answers "input_schema does not support oneOf, allOf, or anyOf at the top
 *   level".
 * - The names of properties have a limited form. Otherwise the API answers "Property keys should match pattern
 *   '^[a-zA-Z0-9_.-]{1,64}$'".
 */
export const anthropicFaults = (tool: Tool): ReadonlyArray<string> => [
  ...(/^[a-zA-Z0-9_-]{1,64}$/.test(tool.name) ? [] : ["the name"]),
  ...isObjectAtRoot(tool),
  ...["oneOf", "allOf", "anyOf"].flatMap((keyword) => (keyword in root(tool) ? [`the root has ${keyword}`] : [])),
  ...visited(root(tool), (node, at) =>
    Object.keys(isNode(node["properties"]) ? node["properties"] : {}).flatMap((name) =>
      /^[a-zA-Z0-9_.-]{1,64}$/.test(name) ? [] : [`${at}: the name ${name}`]
    )
  )
]
