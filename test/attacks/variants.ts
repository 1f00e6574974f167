/**
 * The inputs with which the tests call each read: the simplest input, and one input for each field and for each record
 * that the field could name.
 */
import { Either } from "effect"
import { defaultModel } from "../../src/features/chat/ModelNames.ts"
import type { Approach } from "../doors/surfaces.ts"
import { type Field, fieldsOf, inputOf } from "./readInputs.ts"

/**
 * Returns a placeholder such as `@seen/tracks` for the id of a record. When a pod is called, the id of the record in
 * this pod replaces the placeholder.
 */
export const idPlaceholder = (label: string, sort: string): string => `@${label}/${sort}`

const waitField = "timeoutSeconds"
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const plain = (text: string) => text.toLowerCase().replaceAll("-", "").replace(/ies$/, "y").replace(/s$/, "")

/**
 * Returns the sorts of records that a field can name. For an id in a path, the segment before the id decides. For any
 * other field, the name of the field decides. If no sort matches, the field can name records of every sort.
 */
const sortsFor = (way: Approach, { name, part }: Field, sorts: ReadonlyArray<string>): ReadonlyArray<string> => {
  const before = new RegExp(`/([a-z-]+)/:${name}(?:/|$)`).exec(way.rest?.path ?? "")?.[1]
  const exact = sorts.filter((sort) => part === "path" && sort === before)
  if (exact.length > 0) return exact
  const asked = plain(name.replace(/(?:User)?Ids?$/, ""))
  const alike = sorts.filter((sort) => asked !== "" && (asked.endsWith(plain(sort)) || plain(sort).endsWith(asked)))
  return alike.length > 0 ? alike : sorts
}

/** Returns texts that the records of this label contain. Every text field gets these texts as values. */
const textsOf = (label: string) => [`word ${label}`, `kept-${label}`, `recipe-${label}`, `${label}@mail.example`]

const valuesFor = (
  way: Approach,
  field: Field,
  labels: ReadonlyArray<string>,
  sorts: ReadonlyArray<string>
): ReadonlyArray<unknown> => {
  const [sample] = field.values
  const things = () => labels.flatMap((label) => sortsFor(way, field, sorts).map((sort) => idPlaceholder(label, sort)))
  if (typeof sample === "string" && (uuid.test(sample) || /(?:^i|I)d$/.test(field.name))) return things()
  if (Array.isArray(sample) && field.values.flat().some((one) => uuid.test(String(one)))) {
    return things().map((one) => [one])
  }
  if (field.name === "limit") return [typeof sample === "string" ? "2" : 2]
  if (field.name === "cursor") return []
  // The records of the two pods are some minutes old, and not equally old. So an age between 0 and a day can select the
  // records of only one pod.
  if (field.name === "stuckThresholdHours") return [0, 24]
  if (field.name === waitField) return [0]
  if (field.name === "messages") return ["word", "word seen"].map((content) => [{ role: "user", content }])
  if (way.operation.name === "externalSkills.invoke" && field.name === "input") return [{}]
  if (field.name === "objectType") return ["entity", "document", "webhook", "skill", "conversation"]
  if (field.name === "model" || way.operation.name === "openai.model") return [defaultModel]
  if (field.name === "grant") return ["*", "entity.note.read"].map((permission) => ({ permissions: [permission] }))
  if (typeof sample === "number") return [1, ...field.values]
  if (typeof sample !== "string") return field.values
  if (/^\d+$/.test(sample)) return ["1", ...field.values]
  // Texts from the first three labels are enough. Texts of further hidden records would find no other differences.
  return [...field.values, ...labels.slice(0, 3).flatMap(textsOf), "word", "note"]
}

/**
 * Returns true if an input is valid. The input still contains placeholders, so each placeholder is replaced by some id
 * for this check.
 */
const fits = (way: Approach, input: unknown) => {
  const text = JSON.stringify(input).replaceAll(/@[a-z]+\/[a-z-]+/g, "0190a0a0-0000-7000-8000-000000000001")
  return Either.isRight(way.operation.decode(JSON.parse(text)))
}

/**
 * Returns the inputs for one read, the simplest first. Each id in an input is a placeholder `@label/sort`. The first
 * label belongs to the records that every caller in the comparison may see. The list is empty if no input is valid.
 */
export const variantsOf = (
  way: Approach,
  labels: ReadonlyArray<string>,
  sorts: ReadonlyArray<string>
): ReadonlyArray<unknown> => {
  const fields = fieldsOf(way).map((field) => ({ field, values: valuesFor(way, field, labels, sorts) }))
  // A read that can wait for new data gets a waiting time of zero in every variant.
  const needed = fields.filter(({ field }) => field.isNeeded || field.name === waitField)
  const least = needed.map(({ field, values }) => [field, values[0] ?? field.values[0]] as const)
  const varied = fields.flatMap(({ field, values }) =>
    values.map((value) => inputOf(way, [...least.filter(([other]) => other !== field), [field, value] as const]))
  )
  // A field might need another optional field, so one more variant sets all fields.
  const every = inputOf(
    way,
    fields.flatMap(({ field, values }) => (values[0] === undefined ? [] : [[field, values[0]] as const]))
  )
  const all = [inputOf(way, least), ...varied, every].filter((input) => fits(way, input))
  return [...new Map(all.map((input) => [JSON.stringify(input), input])).values()]
}
