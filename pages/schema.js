/** Shows the schemas of the API description to people, and makes inputs to start from. */
import { element, prose } from "./dom.js"

const prefix = "#/components/"

const referredTo = (api, value) => {
  if (typeof value?.$ref !== "string" || !value.$ref.startsWith(prefix)) return value
  return value.$ref
    .slice(prefix.length)
    .split("/")
    .reduce((part, name) => part?.[name], api.components)
}

/** The objects that were put together from others, made once: endless nesting is found by their identity. */
const joined = new WeakMap()

const join = (api, schema) => {
  const parts = schema.allOf.map((part) => resolved(api, part))
  return {
    ...schema,
    type: "object",
    required: parts.flatMap(({ required }) => required ?? []),
    properties: Object.assign({}, ...parts.map(({ properties }) => properties))
  }
}

/** What a reference stands for, with all fields of an object that is put together from others; anything else is itself. */
export const resolved = (api, value) => {
  const target = referredTo(api, value)
  if (target?.allOf === undefined) return target
  if (!joined.has(target)) joined.set(target, join(api, target))
  return joined.get(target)
}

const nameOf = (schema) => schema?.$ref?.split("/").at(-1)

const isObject = (schema) => schema?.type === "object"

/** The one schema behind "this or null". */
const withoutNull = (schema) => {
  const others = (schema?.anyOf ?? []).filter(({ type }) => type !== "null")
  return others.length === 1 ? others[0] : undefined
}

/** A type in words. */
export const typeOf = (api, schema) => {
  const target = resolved(api, schema) ?? {}
  if (target.enum) return target.enum.map((value) => JSON.stringify(value)).join(" or ")
  if (target.anyOf) return target.anyOf.map((part) => typeOf(api, part)).join(" or ")
  if (target.type === "array") return `list of ${typeOf(api, target.items)}`
  if (target === true || Object.keys(target).length === 0) return "any JSON"
  if (target.type === "string") return { uuid: "uuid", "date-time": "date and time" }[target.format] ?? "text"
  if (isObject(target)) return nameOf(schema) ?? "object"
  if (Array.isArray(target.type)) {
    return target.type.map((type) => typeOf(api, type === "null" ? { type } : { ...target, type })).join(" or ")
  }
  return target.type ?? "any JSON"
}

const limitsOf = (schema) =>
  [
    schema.minLength > 0 && schema.maxLength !== undefined
      ? `${schema.minLength} to ${schema.maxLength} characters`
      : schema.maxLength !== undefined
        ? `at most ${schema.maxLength.toLocaleString("en")} characters`
        : schema.minLength > 0 && `at least ${schema.minLength} characters`,
    schema.minimum !== undefined && schema.maximum !== undefined && `from ${schema.minimum} to ${schema.maximum}`,
    schema.maxItems !== undefined && `at most ${schema.maxItems} items`,
    schema.default !== undefined && `${JSON.stringify(schema.default)} when left out`
  ].filter(Boolean)

/** A field: its name, type, bounds and meaning, and the fields inside it. `above` guards against endless nesting. */
export const field = (api, { name, schema, isRequired, description: own }, above = []) => {
  const target = resolved(api, schema) ?? {}
  const inner = resolved(api, withoutNull(target)) ?? target
  const description = own ?? target.description ?? inner.description
  const items = resolved(api, inner.items)
  const nested = [inner, items].find((part) => isObject(part) && part.properties && !above.includes(part))
  const limits = limitsOf(inner)
  return element(
    "li",
    {},
    element("span", { class: "name" }, name),
    element("span", { class: "type" }, [typeOf(api, schema), ...limits].join(", ")),
    isRequired ? element("span", { class: "must" }, "required") : undefined,
    description ? prose(description).map((part) => (part.classList.add("note"), part)) : undefined,
    nested === undefined
      ? undefined
      : element(
          "details",
          { class: "inner" },
          element("summary", {}, `Fields of ${name}`),
          fields(api, nested, [...above, nested])
        )
  )
}

/** The fields of an object, or what there is instead of fields. */
export const fields = (api, schema, above = []) => {
  const target = resolved(api, schema) ?? {}
  if (target.type === "array") {
    return element(
      "div",
      {},
      element("p", {}, `A list of ${typeOf(api, target.items)}. Each:`),
      fields(api, target.items, above)
    )
  }
  const forms = (target.anyOf ?? []).map((part) => resolved(api, part))
  if (forms.length > 1 && forms.every((form) => isObject(form) && form.properties !== undefined)) {
    return element(
      "div",
      {},
      forms.flatMap((form, at) => [element("p", {}, at === 0 ? "Either:" : "Or:"), fields(api, form, above)])
    )
  }
  if (!isObject(target) || target.properties === undefined) return element("p", {}, typeOf(api, schema))
  const required = target.required ?? []
  return element(
    "ul",
    { class: "fields" },
    Object.entries(target.properties).map(([name, part]) =>
      field(api, { name, schema: part, isRequired: required.includes(name), description: part.description }, [
        ...above,
        target
      ])
    ),
    typeof target.additionalProperties === "object"
      ? element("li", {}, element("span", { class: "type" }, "and any further fields"))
      : undefined
  )
}

/** An input to start from: what must be there, in the plainest form that fits. */
export const sample = (api, schema) => {
  const target = resolved(api, schema) ?? {}
  if (target.examples !== undefined) return target.examples[0]
  if (target.default !== undefined) return target.default
  if (target.enum) return target.enum[0]
  if (target.anyOf) return sample(api, target.anyOf[0])
  if (Array.isArray(target.type)) return sample(api, { ...target, type: target.type[0] })
  if (target.type === "array") return target.minItems > 0 ? [sample(api, target.items)] : []
  if (target.type === "string") {
    if (target.format === "uuid") return "00000000-0000-7000-8000-000000000000"
    return target.format === "date-time" ? "2030-01-31T12:00:00.000Z" : "text"
  }
  if (target.type === "integer" || target.type === "number") return target.minimum ?? 0
  if (target.type === "boolean") return true
  if (!isObject(target)) return null
  return Object.fromEntries((target.required ?? []).map((name) => [name, sample(api, target.properties[name])]))
}

/** An answer as a reader meets it: a list has one item. */
export const sampleAnswer = (api, schema) => {
  const target = resolved(api, schema) ?? {}
  return target.type === "array" && target.examples === undefined ? [sample(api, target.items)] : sample(api, schema)
}
