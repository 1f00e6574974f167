/**
 * The declaration of a record type: its fields, its table and its name in grants. The store, the gate and the proposals
 * need nothing else. A feature adds only its rules and its operations.
 */
import { DateTime, Schema } from "effect"
import type { Subject } from "../../doors/Door.ts"
import { FocusSessionId, described, Reasoning, Timestamp, WorkspaceId } from "../../doors/Fields.ts"
import { Id } from "../../doors/Id.ts"
import { type FieldForms, type FieldTable, formsOf } from "./RecordFields.ts"

export const commonFields = {
  id: Id,
  userId: described("Id of the person who owns the record.", Id),
  workspaceId: Schema.NullOr(WorkspaceId),
  version: described("Version, from 1. Each write adds one.", Schema.Number),
  createdAt: Timestamp,
  updatedAt: Timestamp
}

export type Common = Schema.Struct.Type<typeof commonFields>

/** The fields that every record has. The identifier is the name of these fields in the API description. */
export const StoredRecord = Schema.Struct(commonFields).annotations({ identifier: "StoredRecord" })

/** The fields of one type of record, without the fields that all types share. */
export type OwnFields<A> = Omit<A, keyof Common>

/** Some of the fields of a record. A field with the value undefined does not change. */
export type Patch<A> = { readonly [K in keyof OwnFields<A>]?: OwnFields<A>[K] | undefined }

/**
 * Says who may read a record of a space. `space`: everybody who may read the space. `own`: only the owner of the
 * record. With an object, the text field that `field` names decides. If the value of this field equals `own` of the
 * object, only the owner may read the record. Otherwise everybody who may read the space may read it. The row-level
 * policy in the database contains the same rule.
 */
export type Visibility = "space" | "own" | { readonly field: string; readonly own: string }

/**
 * A field that only the pod sets. `maker`: the id of the creator. `version`: the version, under another name. With an
 * object, the value is the time at which the field `field` last changed to the value `becomes`. This time is null
 * before the first such change. It stays the same when the field changes to another value.
 */
export type Stamp = "maker" | "version" | { readonly field: string; readonly becomes: string }

export interface RecordType<A extends Common> {
  /**
   * The name of the type, in lower case. It is the first part of the type's event types, as in `track.create`.
   * Proposals also use it to name the type of their target.
   */
  readonly name: string
  readonly subject: Subject
  /**
   * The table of the type. The table has the common columns, `actor_id`, `archived_at`, and one column for each field.
   * Column names are in snake case.
   */
  readonly table: string
  readonly schema: Schema.Schema<A, unknown>
  /** The schema of the type's own fields as JSON. All fields are optional. A change can set these fields. */
  readonly content: Schema.Schema<Partial<OwnFields<A>>, unknown>
  readonly fields: ReadonlyArray<keyof OwnFields<A> & string>
  /**
   * The fields that the pod sets, by the names that callers see. Each field with a time has its own column. `schema`
   * includes these fields and the type's own fields.
   */
  readonly stamps: Readonly<Record<string, Stamp>>
  /**
   * The table to which each write adds a revision in the same statement. It has a column for each field. Undefined if
   * the type has no history.
   */
  readonly history: string | undefined
  readonly visibility: Visibility
  /** The fields in which two records of a space must differ. Undefined if the type has no such rule. */
  readonly unique: Unique | undefined
  /**
   * The fields whose values the events contain. Each event has the values after the write (`after`). The event of an
   * update also has the values before the write (`before`), which the store reads in the statement that writes. Its
   * columns have the form of the field in JSON. Administrative records use this, so that the audit shows what was
   * changed. Use this only for types whose records are private to one person.
   */
  readonly recordedValues: ReadonlyArray<keyof OwnFields<A> & string>
  /** The time by which a list is sorted, latest first. */
  readonly order: "updated" | "created"
  /** Returns a title by which a person recognizes the record. */
  readonly title: (fields: Partial<OwnFields<A>> | A) => string
  /**
   * The fields that contain the id of another record, or a list of ids. The other records must exist in the same space.
   */
  readonly references: References
}

/**
 * A record type together with the schemas of its own fields. `stored` has the fields of the record. `draft` and
 * `change` have the fields of the inputs that `RecordInputs.ts` makes.
 */
export interface DeclaredType<F extends FieldTable>
  extends RecordType<Schema.Struct.Type<FieldForms<F>["stored"]> & Common>, FieldForms<F> {
  /** The name of the record in the API description. */
  readonly identifier: string
}

/**
 * The fields whose combined values must be unique within a space. The rule ignores archived records, and records in
 * which one of the fields is null. If `when` names a boolean field, the rule applies only to records in which this
 * field is true. The unique index of the table contains the same rule.
 */
export interface Unique {
  readonly fields: ReadonlyArray<string>
  readonly when?: string
}

/**
 * The fields that refer to other records. Each has either `targetType` or `typedBy`. `targetType` is the type of the
 * record to which the field refers. `typedBy` is the name of the field that contains this type. The pod does not check
 * references to unknown types. If `isFiling` is true, the field names a project, and the reference adds the record to
 * this project. The write then also changes the project.
 */
export type References = Readonly<
  Record<string, { readonly targetType: string; readonly isFiling?: true } | { readonly typeField: string }>
>

/**
 * The field of a change with the version that the caller has read. The change fails if the record now has another
 * version.
 */
export const ExpectedVersion = Schema.Int.pipe(Schema.between(1, 2_147_483_647)).annotations({
  identifier: "ExpectedVersion",
  jsonSchema: {
    description: "Version that you read; the call fails with a conflict if the record has another version now.",
    type: "integer",
    minimum: 1,
    maximum: 2_147_483_647
  }
})

/** The fields that the input of a create has in addition to the fields of the record. */
export const createDetails = {
  reasoning: Schema.optional(Schema.NullOr(Reasoning)),
  sessionId: Schema.optional(Schema.NullOr(FocusSessionId))
}

/** The fields that the input of an update has in addition to the fields of the record. */
export const updateDetails = {
  ...createDetails,
  expectedVersion: Schema.optional(ExpectedVersion)
}

/** The descriptions of `reasoning` and `sessionId` for MCP tools. */
export const writeDetailDescriptions = {
  reasoning: "The reason for the write, for the person who might have to approve it.",
  sessionId: "The id of the focus session that the record belongs to."
}

/**
 * Splits the input of a list. Puts the filters in `names` into the property `where`, and leaves the other fields
 * unchanged.
 */
export const splitFilters = <Q extends object, const N extends keyof Q & string>(
  query: Q,
  names: ReadonlyArray<N>
): Omit<Q, N> & { readonly where: Pick<Q, N> } => {
  const where = Object.fromEntries(names.map((name) => [name, query[name]]))
  const rest = Object.fromEntries(Object.entries(query).filter(([name]) => !names.some((each) => each === name)))
  // The compiler cannot see that `names` splits the fields, so the code needs the cast.
  return { ...rest, where } as never
}

const stampFields = (stamps: Readonly<Record<string, Stamp>>): Schema.Struct.Fields =>
  Object.fromEntries(
    Object.entries(stamps).map(([name, stamp]) => [
      name,
      stamp === "maker"
        ? described("Id of the creator: a person or an agent.", Id)
        : stamp === "version"
          ? described("Same number as `version`.", Schema.Number)
          : described(
              `The time when \`${stamp.field}\` became \`${stamp.becomes}\`; null before.`,
              Schema.NullOr(Timestamp)
            )
    ])
  )

/**
 * Declares a type of record. A field can be null but not missing, because the columns have no default values. The
 * compiler cannot check types that are built from names at run time, so the code below needs a cast. The cast is right,
 * because each part keeps exactly the same fields.
 */
export const recordType = <const F extends FieldTable>(
  name: string,
  spec: {
    readonly identifier: string
    readonly subject: Subject
    readonly table: string
    readonly fields: F
    readonly stamps?: Readonly<Record<string, Stamp>>
    readonly history?: string
    readonly visibility?: Visibility
    readonly unique?: {
      readonly fields: ReadonlyArray<(keyof F | "userId") & string>
      readonly when?: keyof F & string
    }
    readonly recordedValues?: ReadonlyArray<keyof F & string>
    readonly order?: "updated" | "created"
    readonly title?: (fields: Partial<Schema.Struct.Type<FieldForms<F>["stored"]>>) => string
    readonly references?: { readonly [Field in keyof F & string]?: References[string] }
  }
): DeclaredType<F> => {
  const forms = formsOf(spec.fields)
  const titleOf = (fields: { readonly name?: unknown; readonly title?: unknown }) => {
    const title = fields.name ?? fields.title
    return typeof title === "string" ? title : ""
  }
  // The names of these parts come from `spec.fields`, so the compiler cannot check their types.
  type Named = "schema" | "content" | "fields" | "recordedValues" | "references" | "title"
  const named = {
    schema: Schema.Struct({ ...commonFields, ...forms.stored, ...stampFields(spec.stamps ?? {}) }).annotations({
      identifier: spec.identifier
    }),
    content: Schema.partial(Schema.Struct(forms.stored)),
    fields: Object.keys(spec.fields),
    recordedValues: spec.recordedValues ?? [],
    references: spec.references ?? {},
    title: spec.title ?? titleOf
  } as unknown as Pick<DeclaredType<F>, Named>
  return {
    ...forms,
    ...named,
    name,
    identifier: spec.identifier,
    subject: spec.subject,
    table: spec.table,
    stamps: spec.stamps ?? {},
    history: spec.history,
    visibility: spec.visibility ?? "space",
    unique: spec.unique,
    order: spec.order ?? "updated"
  }
}

/**
 * Returns the value of a field. The type of the value is unknown, because the code knows the name of the field only at
 * run time.
 */
export const fieldOf = (record: object, name: string): unknown => (record as Readonly<Record<string, unknown>>)[name]

/** Returns the fields of a create. The cast is right, because the check of a create refuses missing fields. */
export const completeFields = <A extends Common>(fields: Partial<OwnFields<A>>): OwnFields<A> => fields as OwnFields<A>

/** Returns the fields of a write whose values its event contains. */
export const recordedNames = <A extends Common>(
  { recordedValues }: RecordType<A>,
  fields: Partial<OwnFields<A>>
): ReadonlyArray<keyof OwnFields<A> & string> => recordedValues.filter((name) => fields[name] !== undefined)

/** Converts a record's own fields to JSON, with times as text. */
export const jsonOf = <A extends Common>(
  type: RecordType<A>,
  record: Patch<A> | Partial<OwnFields<A>> | A
): Record<string, unknown> => {
  const json: Record<string, unknown> = {}
  for (const field of type.fields) {
    const value = fieldOf(record, field)
    if (value !== undefined) json[field] = DateTime.isDateTime(value) ? DateTime.formatIso(value) : value
  }
  return json
}

/** Returns the column of a field, such as `context_summary` for `contextSummary`. */
export const columnOf = (field: string): string => field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** Replaces the field names of a record in JSON form by the names of the columns. */
export const columnsOf = (json: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(json).map(([field, value]) => [columnOf(field), value]))

/**
 * Sets the fields that only the pod sets: the version, the creator and the times. `before` is the record before the
 * write. If the record is new, `before` is the id of the creator.
 */
export const applyStamps = <A extends Common>(type: RecordType<A>, record: A, before: A | string): A => {
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
