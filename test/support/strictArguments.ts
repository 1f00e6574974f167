/** Writes the arguments of an MCP tool as a model in the strict mode of OpenAI writes them. */

type Node = Readonly<Record<string, unknown>>

const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null && !Array.isArray(value)

/** Writes a value in the strict form. Only the strict schema decides about the form. */
export const inStrictForm = (schema: Node, value: unknown): unknown => {
  const members = Array.isArray(schema["anyOf"]) ? schema["anyOf"].filter(isNode) : [schema]
  const ofType = (type: string) => members.find((one) => one["type"] === type)
  const object = ofType("object")
  const { properties, description } = object ?? {}
  if (value === undefined) return null
  if (isNode(properties) && String(description).includes("`value`")) {
    return { value: inStrictForm(properties["value"] as Node, value) }
  }
  if (Array.isArray(value)) return value.map((one) => inStrictForm((ofType("array")?.["items"] ?? {}) as Node, one))
  if (!isNode(value)) return value
  return isNode(properties)
    ? Object.fromEntries(
        Object.entries(properties).map(([name, one]) => [name, inStrictForm(one as Node, value[name])])
      )
    : JSON.stringify(value)
}
