/**
 * Finds every type of event that the pod writes, and the fields of its data, in the sources of the features. In the
 * sources, an event is an object with a `type` and with fields in `data`.
 */
import { load } from "./sources.mjs"
import { constantsOf, eachNode, sourcesIn } from "./sourceTree.mjs"

const changes = ["create", "update", "delete"]

/**
 * Returns the values that the placeholder `action` can have at a position in a file. The values come from the last type
 * or value of `action` in the text before this position.
 */
const actionsAt = (text, at) => {
  const [lastAction = ""] =
    text.slice(0, at).match(/\baction(?:: (?:"|[A-Z])| = )[^\n]*(?![\s\S]*\baction(?:: (?:"|[A-Z])| = ))/) ?? []
  const named = [...lastAction.matchAll(/"(create|update|delete|restore)"/g)].map(([, action]) => action)
  return named.length > 0 ? named : lastAction.includes("AppliedChange") ? [...changes, "restore"] : changes
}

/**
 * Functions that make an event. Each entry gives the event type for the first argument of the function, and the
 * position of the argument with the fields.
 */
const makers = {
  vaultEvent: { typeOf: (end) => `vault.${end}`, dataAt: 2 },
  logged: { typeOf: (type) => type, dataAt: 4, fields: ["ruleId", "runId"] },
  eventOf: { typeOf: (end) => `entity.<kind>.${end}`, dataAt: 3, within: /^features\/(?:entities|attachments)\// }
}

/** Returns the texts that an expression can have. `fillings` returns the possible values of a placeholder. */
const textsIn = (node, fillings) => {
  if (node.type === "Literal" && typeof node.value === "string") return [node.value]
  if (node.type === "ConditionalExpression") {
    return [...textsIn(node.consequent, fillings), ...textsIn(node.alternate, fillings)]
  }
  if (node.type !== "TemplateLiteral") return []
  return node.expressions.reduce(
    (texts, expression, at) => {
      const values = fillings(expression) ?? []
      const next = node.quasis[at + 1].value.cooked
      return texts.flatMap((text) => values.map((value) => text + value + next))
    },
    [node.quasis[0].value.cooked]
  )
}

/**
 * This text takes the place of the fields that a function gets from its caller, because the code of the function does
 * not show these fields.
 */
const unknown = "…"

/** Returns the names of an object's fields. A name with a question mark is a field that is not always present. */
const fieldsIn = (node, constants, isOptional = false) => {
  const end = isOptional ? "?" : ""
  const again = (one, optional = isOptional) => fieldsIn(one, constants, optional)
  if (node?.type === "Identifier" && constants.has(node.name)) return again(constants.get(node.name))
  if (node?.type === "TSAsExpression" || node?.type === "ParenthesizedExpression") return again(node.expression)
  if (node?.type === "ConditionalExpression") return [...again(node.consequent, true), ...again(node.alternate, true)]
  if (node?.type === "LogicalExpression") return again(node.right, true)
  if (node?.type === "Identifier") return [unknown]
  if (node?.type !== "ObjectExpression") return []
  return node.properties.flatMap((one) =>
    one.type === "SpreadElement" ? again(one.argument) : [`${one.key.name ?? one.key.value}${end}`]
  )
}

const propertiesOf = (node) =>
  Object.fromEntries(
    node.properties.filter(({ type }) => type === "Property").map(({ key, value }) => [key.name ?? key.value, value])
  )

const placeholders = { kind: ["<kind>"], knowledgeKind: ["knowledge"] }

/** True if a text is an event type: words with dots between them. */
const isType = (text) => /^[a-zA-Z_<>]+(\.[a-zA-Z_<>]+)+$/.test(text)

/**
 * Returns the record types that the sources pass to `governedRecords`. Each has the name of its constant and its file.
 */
const recordTypesIn = (sources) => {
  const declared = new Map()
  const governed = []
  for (const source of sources) {
    for (const [name, init] of constantsOf(source)) {
      if (init.callee?.name === "recordType") declared.set(name, source.name)
    }
    eachNode(source.tree.body, (node) => {
      if (node.type === "CallExpression" && node.callee.name === "governedRecords")
        governed.push(node.arguments[0].name)
    })
  }
  return governed.flatMap((name) => (declared.has(name) ? [{ name, file: declared.get(name) }] : []))
}

/**
 * Returns the texts that the first argument of a function in `makers` can have. The argument is a literal, or it reads
 * a field whose type is a union of literals.
 */
const wordsIn = (node, { text }) =>
  node?.type === "Literal"
    ? [node.value]
    : node?.type === "MemberExpression"
      ? [...text.matchAll(new RegExp(`readonly ${node.property.name}: "(\\w+)"`, "g"))].map(([, word]) => word)
      : []

/**
 * Returns the fields of an event type. `sites` has one list of fields for each place in the sources that writes this
 * type. If a list contains `unknown`, its place is a shared function, and the callers of this function give further
 * fields. Each caller is a place of its own, so `fieldsOf` adds the fields of the shared function to the fields of each
 * caller. A name gets a question mark if some places do not write the field.
 */
export const fieldsOf = (sites) => {
  const [open, whole] = [
    sites.filter((site) => site.includes(unknown)),
    sites.filter((site) => !site.includes(unknown))
  ]
  const shared = open.flat().filter((name) => name !== unknown)
  const all = whole.length === 0 ? [shared] : whole.map((site) => [...shared, ...site])
  const names = new Set(all.flat().map((name) => name.replace("?", "")))
  return [...names].map((name) => (all.every((site) => site.includes(name)) ? name : `${name}?`))
}

/**
 * Returns every event type with the files that write it and the fields that each place writes. Also returns the record
 * types, whose events all have the same form.
 */
export const eventTypes = async () => {
  const sources = sourcesIn("features")
  const places = recordTypesIn(sources)
  const modules = await load(...places.map(({ file }) => file))
  const records = places.map(({ name }, at) => modules[at][name])
  const types = new Map()
  const add = (type, fields, file) => {
    if (!isType(type)) return
    const known = types.get(type) ?? { sites: [], files: new Set() }
    known.sites.push(fields)
    types.set(type, { ...known, files: known.files.add(file) })
  }
  for (const source of sources) {
    // `GovernedRecords.ts` writes the events of the record types. `eventTypes` returns the record types separately, so
    // it skips that file.
    if (source.name === "features/records/GovernedRecords.ts") continue
    const constants = constantsOf(source)
    eachNode(source.tree.body, (node) => {
      if (node.type === "ObjectExpression") {
        const { data, subjectId, type } = propertiesOf(node)
        if (type === undefined || (data === undefined && subjectId === undefined)) return
        const fillings = ({ name }) =>
          placeholders[name] ?? (name === "action" ? actionsAt(source.text, node.start) : [])
        for (const text of textsIn(type, fillings)) add(text, fieldsIn(data, constants), source.name)
      }
      const maker = node.type === "CallExpression" ? makers[node.callee.name] : undefined
      if (maker === undefined || maker.within?.test(source.name) === false) return
      const [first] = node.arguments
      const given = fieldsIn(node.arguments[maker.dataAt], constants)
      for (const word of wordsIn(first, source)) {
        add(maker.typeOf(word), [...(maker.fields ?? []), ...given], source.name)
      }
    })
  }
  return { records, types }
}
