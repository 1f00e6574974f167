/** Describes the fields of a form. Also converts the value of a field to the text in the form, and back. */
import type { AnswerOf } from "../../api/hub.ts"

type Discovered = NonNullable<AnswerOf<"GET /api/hub/discover">["profiles"][number]["properties"]>[number]

export interface FormShape {
  readonly name: string
  readonly label: string
  /** A property type of the pod, such as `number`, or `longText` for a text of several lines. */
  readonly type: string
  readonly isRequired: boolean
  readonly options: ReadonlyArray<string>
  /** The kind of the entities to which the value can refer. Null if the value can refer to any kind. */
  readonly target: string | null
  /** The type of the items of an array. */
  readonly itemType: string
}

export const shapeOf = (
  name: string,
  label: string,
  type: string,
  more: Partial<Omit<FormShape, "name" | "label" | "type">> = {}
): FormShape => ({ name, label, type, isRequired: false, options: [], target: null, itemType: "text", ...more })

/** Describes the form fields of the properties of a profile, in the order of the profile. */
export const shapesOf = (properties: ReadonlyArray<Discovered>): ReadonlyArray<FormShape> =>
  properties
    .toSorted((one, other) => one.displayOrder - other.displayOrder)
    .map(({ constraints, displayName, options, required, slug, targetProfileSlug, type }) =>
      shapeOf(slug, displayName, type, {
        isRequired: required,
        options,
        target: targetProfileSlug,
        itemType: typeof constraints["itemType"] === "string" ? constraints["itemType"] : "text"
      })
    )

const isPlain = (value: unknown): value is string | number => typeof value === "string" || typeof value === "number"

const isList = ({ type }: FormShape) => type === "array" || type === "multi_select"

/** True if the form shows the value as JSON, because its type is JSON or because the value does not match its type. */
export const isAsJson = (shape: FormShape, value: unknown): boolean => {
  if (shape.type === "json") return true
  if (value === undefined || value === null) return false
  if (isList(shape))
    return !Array.isArray(value) || !value.every((item) => isPlain(item) && !String(item).includes("\n"))
  return typeof value === "object"
}

/** The text that the form shows for a value. A list has one item on each line. */
export const formText = (shape: FormShape, value: unknown): string => {
  if (value === undefined || value === null) return ""
  if (Array.isArray(value) && !isAsJson(shape, value)) return value.join("\n")
  if (typeof value === "object" || shape.type === "json") return JSON.stringify(value, undefined, 2)
  return typeof value === "string" ? value : JSON.stringify(value)
}

export type Read = { readonly value: unknown } | { readonly fault: string }

const numberOf = (text: string): Read => {
  const value = Number(text)
  return text.trim() === "" || !Number.isFinite(value) ? { fault: `${text} is not a number.` } : { value }
}

const itemOf = ({ itemType }: FormShape, text: string): Read => {
  if (itemType === "number") return numberOf(text)
  if (itemType === "boolean") return { value: text === "true" }
  return { value: text }
}

/**
 * Converts a text in the form to a value. Undefined if the field is empty. The form checks only the format, and the pod
 * checks the rest.
 */
export const formValue = (shape: FormShape, text: string, former: unknown): Read => {
  if (text.trim() === "") return { value: undefined }
  if (isAsJson(shape, former)) {
    try {
      return { value: JSON.parse(text) as unknown }
    } catch {
      return { fault: "This is not JSON. Put each text in double quotes." }
    }
  }
  if (shape.type === "number") return numberOf(text)
  if (shape.type === "boolean") return { value: text === "true" }
  if (!isList(shape)) return { value: text }
  const items = text
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => itemOf(shape, line))
  const wrong = items.find((item) => "fault" in item)
  return wrong ?? { value: items.flatMap((item) => ("value" in item ? [item.value] : [])) }
}

export interface FormChange {
  /** The fields with a changed value, by name, each with the new value. */
  readonly values: Readonly<Record<string, unknown>>
  /** The names of the fields whose value the person removed. */
  readonly emptied: ReadonlyArray<string>
  readonly faults: Readonly<Record<string, string>>
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/** Finds the fields of a record that the person has changed in the form. The console never sends the other fields. */
export const changeOf = (
  shapes: ReadonlyArray<FormShape>,
  texts: Readonly<Record<string, string>>,
  before: Readonly<Record<string, unknown>>
): FormChange => {
  const values: Record<string, unknown> = {}
  const faults: Record<string, string> = {}
  const emptied: Array<string> = []
  for (const shape of shapes) {
    const { isRequired, label, name } = shape
    const former = before[name] ?? undefined
    const text = texts[name] ?? ""
    if (text === formText(shape, former) && !(isRequired && text === "")) continue
    const read = formValue(shape, text, former)
    if ("fault" in read) faults[name] = read.fault
    else if (read.value === undefined && isRequired) faults[name] = `${label} must have a value.`
    else if (read.value === undefined) emptied.push(name)
    else if (!isSame(read.value, former)) values[name] = read.value
  }
  return { values, emptied, faults }
}
