/** Turns the content of a proposal into form fields, and turns edited form fields back into content. */
import { withValueAt } from "./jsonDiff.ts"

type Content = Readonly<Record<string, unknown>>

export interface EditedField {
  readonly name: string
  /** `text`: a person edits the value as plain text. `json`: a person edits the value as JSON. */
  readonly kind: "text" | "json"
  readonly text: string
}

export const contentOf = (proposal: { readonly data: Readonly<Record<string, unknown>> }): Content => {
  const { data } = proposal.data
  return typeof data === "object" && data !== null && !Array.isArray(data) ? { ...data } : {}
}

export const fieldsOf = (content: Content): ReadonlyArray<EditedField> =>
  Object.entries(content).map(([name, value]) =>
    typeof value === "string"
      ? { name, kind: "text" as const, text: value }
      : { name, kind: "json" as const, text: JSON.stringify(value, undefined, 2) }
  )

export type EditResult =
  | { readonly content: Content; readonly faults?: undefined }
  /** The faults of the typed values, by field name. */
  | { readonly content?: undefined; readonly faults: Readonly<Record<string, string>> }

/** The content with the person's edits from the form. A field without an edit keeps its exact value. */
export const editedContent = (content: Content, texts: Readonly<Record<string, string>>): EditResult => {
  const faults: Record<string, string> = {}
  const entries = fieldsOf(content).map(({ kind, name, text: before }): readonly [string, unknown] => {
    const text = texts[name] ?? before
    if (text === before) return [name, content[name]]
    if (kind === "text") return [name, text]
    try {
      return [name, JSON.parse(text)]
    } catch (failure) {
      faults[name] = `This is not JSON: ${failure instanceof Error ? failure.message : String(failure)}`
      return [name, undefined]
    }
  })
  return Object.keys(faults).length > 0 ? { faults } : { content: Object.fromEntries(entries) }
}

/** The value that the person chose for a field that both the proposal and somebody else changed. */
export type Resolution =
  | { readonly take: "current" }
  | { readonly take: "proposed" }
  | { readonly take: "own"; readonly text: string }

export interface FieldConflict {
  readonly path: ReadonlyArray<string>
  readonly base?: unknown
  readonly current?: unknown
  readonly proposed?: unknown
}

export const conflictKey = ({ path }: Pick<FieldConflict, "path">): string => JSON.stringify(path)

/**
 * The value that the person typed. If the current and the proposed value are texts or absent, the typed text is the
 * value. Otherwise the function parses the typed text as JSON.
 */
export const ownValue = ({ current, proposed }: FieldConflict, text: string): unknown => {
  const isText = [current, proposed].every((value) => value === undefined || typeof value === "string")
  return isText ? text : JSON.parse(text)
}

/**
 * The content after the person has resolved every conflict. Throws a `SyntaxError` if a typed value is not valid JSON.
 */
export const resolvedContent = (
  content: Content,
  conflicts: ReadonlyArray<FieldConflict>,
  resolutions: Readonly<Record<string, Resolution>>
): Content =>
  conflicts.reduce<Content>((content, conflict) => {
    const resolution = resolutions[conflictKey(conflict)]
    if (resolution === undefined || resolution.take === "proposed") {
      return withValueAt(content, conflict.path, conflict.proposed)
    }
    const value = resolution.take === "current" ? conflict.current : ownValue(conflict, resolution.text)
    return withValueAt(content, conflict.path, value)
  }, content)
