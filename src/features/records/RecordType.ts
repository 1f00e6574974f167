/**
 * A type of record: what it holds, where it is kept and what a grant calls it. Said once, it is enough for the store,
 * the gate and the proposals; a feature adds its rules and its doors.
 */
import { DateTime, Schema } from "effect"
import type { Subject } from "../../doors/Door.ts"
import { SessionId, described, Timestamp } from "../../doors/Fields.ts"

export const common = {
  id: Schema.UUID,
  userId: described("The person whose it is.", Schema.UUID),
  workspaceId: described("`null`: in the person's own space.", Schema.NullOr(Schema.UUID)),
  version: described("Counts its writes, from 1.", Schema.Number),
  createdAt: Timestamp,
  updatedAt: Timestamp
}

export type Common = Schema.Struct.Type<typeof common>

/** What a type of record holds of its own. */
export type Own<A> = Omit<A, keyof Common>

/** Some of its fields; one that is undefined is not named. */
export type Patch<A> = { readonly [K in keyof Own<A>]?: Own<A>[K] | undefined }

/**
 * Who reads one where its space is read: everybody (`space`), or only the person whose it is (`own`), always or where a
 * field of text has this value. Its policy in the database says the same.
 */
export type Visibility = "space" | "own" | { readonly field: string; readonly own: string }

/**
 * What the pod writes into a record by itself and no change names: who made it, its version under another name, or when
 * a field of text last came to hold a value (null until it does; kept when it holds another one again).
 */
export type Stamp = "maker" | "version" | { readonly field: string; readonly becomes: string }

export interface RecordType<A extends Common> {
  /** Names its events (`track.create`), its proposals and its place among the changers. Lower case. */
  readonly name: string
  readonly subject: Subject
  /** Its table: the common columns, `actor_id`, `archived_at`, and one column a field in snake case. */
  readonly table: string
  readonly schema: Schema.Schema<A, unknown>
  /** The fields of its own, in JSON, each optional: what a change may name. */
  readonly content: Schema.Schema<Partial<Own<A>>, unknown>
  readonly fields: ReadonlyArray<keyof Own<A> & string>
  /** By the name under which they are read. A moment has a column of its own; `schema` holds them beside the fields. */
  readonly stamps: Readonly<Record<string, Stamp>>
  /** Where each write keeps a revision, in the same statement: a table with a column for each field. */
  readonly history: string | undefined
  readonly visibility: Visibility
  /** What a listing is ordered by, latest first. */
  readonly order: "updated" | "created"
  /** How a person recognises one. */
  readonly title: (fields: Partial<Own<A>> | A) => string
  /** The fields that name other records by id, one or a list: what they name is there, in the same space. */
  readonly references: References
}

/**
 * By field: the type of what it names, or the field that says it; types that nobody keeps here are not looked for.
 * `isFiling`: the record is filed in that project, which changes the project too.
 */
export type References = Readonly<
  Record<string, { readonly targetType: string; readonly isFiling?: true } | { readonly typedBy: string }>
>

const Reasoning = Schema.String.pipe(Schema.maxLength(10_000)).annotations({
  identifier: "Reasoning",
  description: "Why, for the person who decides on it, where a person has to."
})

const ExpectedVersion = Schema.Int.pipe(Schema.between(1, 2_147_483_647)).annotations({
  identifier: "ExpectedVersion",
  jsonSchema: {
    description: "The version a change was made from; another one there is a conflict.",
    type: "integer",
    minimum: 1,
    maximum: 2_147_483_647
  }
})

/** What a create may say beside its fields. */
export const reasons = {
  reasoning: Schema.optional(Schema.NullOr(Reasoning)),
  sessionId: Schema.optional(Schema.NullOr(SessionId))
}

/** What a change may say beside its fields. */
export const circumstances = {
  ...reasons,
  expectedVersion: Schema.optional(ExpectedVersion)
}

/** The same in the words of a tool. */
export const saidOfWrites = {
  reasoning: "Why you do this, for the person who may have to approve it.",
  sessionId: "The focus session that this belongs to."
}

/** A listing as it was asked for, with the named filters as what the rows have to equal. */
export const split = <Q extends object, const N extends keyof Q & string>(
  asked: Q,
  names: ReadonlyArray<N>
): Omit<Q, N> & { readonly where: Pick<Q, N> } => {
  const where = Object.fromEntries(names.map((name) => [name, asked[name]]))
  const rest = Object.fromEntries(Object.entries(asked).filter(([name]) => !names.includes(name as N)))
  return { ...rest, where } as never
}

const stampFields = (stamps: Readonly<Record<string, Stamp>>): Schema.Struct.Fields =>
  Object.fromEntries(
    Object.entries(stamps).map(([name, stamp]) => [
      name,
      stamp === "maker" ? Schema.UUID : stamp === "version" ? Schema.Number : Schema.NullOr(Timestamp)
    ])
  )

/**
 * Every field may be null but never missing: the columns have no defaults of their own. Types that are put together by
 * name are beyond the compiler; the casts below claim what the lines themselves do: the same fields, and no others.
 */
export const recordType = <const F extends Schema.Struct.Fields>(
  name: string,
  spec: {
    readonly identifier: string
    readonly subject: Subject
    readonly table: string
    readonly fields: F
    readonly stamps?: Readonly<Record<string, Stamp>>
    readonly history?: string
    readonly visibility?: Visibility
    readonly order?: "updated" | "created"
    readonly title?: (fields: Partial<Schema.Struct.Type<F>>) => string
    readonly references?: { readonly [Field in keyof F & string]?: References[string] }
  }
): RecordType<Schema.Struct.Type<F> & Common> => ({
  name,
  subject: spec.subject,
  table: spec.table,
  schema: Schema.Struct({ ...common, ...spec.fields, ...stampFields(spec.stamps ?? {}) }).annotations({
    identifier: spec.identifier
  }) as never,
  content: Schema.partial(Schema.Struct(spec.fields)) as never,
  fields: Object.keys(spec.fields) as never,
  stamps: spec.stamps ?? {},
  history: spec.history,
  visibility: spec.visibility ?? "space",
  order: spec.order ?? "updated",
  references: (spec.references ?? {}) as References,
  title: (spec.title ??
    ((fields: { readonly name?: unknown; readonly title?: unknown }) => {
      const said = fields.name ?? fields.title
      return typeof said === "string" ? said : ""
    })) as never
})

/** A field by a name that is only known as a text. Nothing is claimed of what it is. */
export const fieldOf = (record: object, name: string): unknown => (record as Readonly<Record<string, unknown>>)[name]

/** The fields of a record's own, as JSON: timestamps as text. */
export const jsonOf = <A extends Common>(type: RecordType<A>, record: Patch<A> | A): Record<string, unknown> => {
  const json: Record<string, unknown> = {}
  for (const field of type.fields) {
    const value = fieldOf(record, field)
    if (value !== undefined) json[field] = DateTime.isDateTime(value) ? DateTime.formatIso(value) : value
  }
  return json
}

/** `contextSummary` → `context_summary`. */
export const columnOf = (field: string): string => field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** The same JSON under the names of its columns. */
export const columnsOf = (json: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(json).map(([field, value]) => [columnOf(field), value]))

/** The record with its stamps. In: as it was before the write, or who made it when it is new. */
export const stamped = <A extends Common>(type: RecordType<A>, record: A, before: A | string): A => {
  const was = (name: string): unknown => (typeof before === "string" ? undefined : fieldOf(before, name))
  const stamps = Object.entries(type.stamps).map(([name, stamp]): readonly [string, unknown] => {
    if (stamp === "version") return [name, record.version]
    if (stamp === "maker") return [name, typeof before === "string" ? before : was(name)]
    const { becomes, field } = stamp
    const begins = fieldOf(record, field) === becomes && was(field) !== becomes
    return [name, begins ? record.updatedAt : (was(name) ?? null)]
  })
  return { ...record, ...Object.fromEntries(stamps) }
}
