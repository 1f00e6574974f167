/** Makes the body of docs/reference/events.md from the event types in the sources. */
import { eventMeanings, otherWriters } from "./eventMeanings.mjs"
import { eventTypes, fieldsOf } from "./eventTypes.mjs"
import { code, table } from "./markdown.mjs"

const stop = (problem) => {
  process.stderr.write(`scripts/eventMeanings.mjs: ${problem}\n`)
  process.exit(1)
}

/**
 * Stops in three cases: `eventMeanings` lacks a type that the sources write, it has a type that no source writes, or it
 * names an unknown operation.
 */
const check = (types, operations) => {
  for (const type of types.keys()) if (!Object.hasOwn(eventMeanings, type)) stop(`the type ${type} has no meaning`)
  for (const [type, [, writers]] of Object.entries(eventMeanings)) {
    if (!types.has(type)) stop(`nothing writes ${type}`)
    for (const writer of writers) {
      if (!operations.has(writer) && !otherWriters.has(writer)) stop(`${type}: there is no operation ${writer}`)
    }
  }
}

const shown = (writer) => (otherWriters.has(writer) ? writer : code(writer.replace(" /api/hub/", " /")))

/** Returns the name of a record type in paths and procedures. For example, `property_def` becomes `property-defs`. */
const pathWord = (name) => `${name.replaceAll(/_|(?=[A-Z])/g, "-").toLowerCase()}s`

/** Matches paths below a record type that do not write records of this type. */
const ofOthers = /\/(?:messages|messages\.batch|entities(?:\/\{entityId\})?|proposals|probe)$/

/** Returns the operations that write records of a type: REST operations and procedures. */
const writersOf = ({ name }, endpoints, procedures) => {
  const places = [`/api/hub/${pathWord(name)}`, `/api/hub/entities/{id}/${pathWord(name)}`]
  const placeOf = (path) => path.replace("setup/issuers", "setup-issuers")
  const isAt = (path) => places.some((place) => path === place || path.startsWith(`${place}/`)) && !ofOthers.test(path)
  return [
    ...endpoints
      .filter(
        (each) => each.method !== "GET" && each["x-pod-scope"] !== "hub-protocol.read" && isAt(placeOf(each.path))
      )
      .map(({ method, path }) => `${method} ${path}`),
    ...procedures.filter((each) => each.startsWith(`${pathWord(name)}.`))
  ]
}

export const eventSections = async ({ catalog, endpoints }) => {
  const { records, types } = await eventTypes()
  const procedures = catalog.operations.filter(({ kind }) => kind === "mutation").map(({ name }) => name)
  const operations = new Set([
    ...endpoints.map(({ method, path }) => `${method} ${path}`),
    ...catalog.operations.map(({ name }) => name)
  ])
  check(types, operations)

  const words = [...types.keys()].toSorted((one, other) => (one < other ? -1 : 1))
  const rows = words.map((type) => {
    const { sites } = types.get(type)
    const [meaning, writers, fields = fieldsOf(sites)] = eventMeanings[type]
    const named = fields.map((field) => (field.includes(" ") ? field : code(field))).join(" ")
    return [code(type), meaning, named, writers.map(shown).join(", ")]
  })
  const recordRows = records
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
    .map((record) => [
      code(record.name),
      code(record.subject),
      record.visibility === "space" ? "yes" : "no",
      writersOf(record, endpoints, procedures).map(shown).join(", ")
    ])
  return [
    "## Records",
    "The changer of each of these record types writes `<type>.create`, `<type>.update`, `<type>.delete` and, when an approved delete is reverted, `<type>.restore`. The subject is the record. The data are `type`, `fields` (the names of the written fields, never their values), and the `title`, unless the record may be private to one person.",
    table(
      ["Type", "Subject of the permission", "With title", "Written by these, or by an approved proposal"],
      recordRows
    ),
    "## Other events",
    "The subject (`subjectId`) is the object that the first word names, unless the meaning says otherwise.",
    table(["Type", "What happened", "Data", "Written by"], rows)
  ].join("\n\n")
}
