/**
 * The fields of a record type. One table declares each field once: the schema, the meaning, and how clients write the
 * field. From this table, the pod derives the fields of the record, of the draft (the input of a create) and of the
 * change (the input of an update).
 */
import { Schema } from "effect"
import { described } from "../../doors/Fields.ts"

type Field = Schema.Struct.Field
type FieldSchema = Schema.Schema.AnyNoContext

/** The options of a field that clients can write. */
interface Writing<Input, Default, Draft, Change> {
  /**
   * The description of the field in the record, the draft and the change. If it is absent, each schema keeps its own
   * description.
   */
  readonly meaning?: string
  /** The schema of the field in inputs, if inputs accept fewer values than the record can store. */
  readonly input?: Input
  /** The value of the field if a draft omits it. Without a default, a draft must have the field. */
  readonly default?: Default
  /**
   * The field of the draft, if it differs from the field that `writable` derives. False if a draft does not have the
   * field.
   */
  readonly draft?: Draft
  /**
   * The field of the change, if it differs from the optional field that `writable` derives. False if a change does not
   * have the field.
   */
  readonly change?: Change
}

/**
 * A field that clients can write. `Draft` is the schema of the field in a draft, and `Change` is the schema of the
 * field in a change. Each of the two can be false.
 */
export interface Writable<Stored, Draft, Change> extends Writing<FieldSchema, unknown, Draft, Change> {
  readonly schema: Stored
}

/**
 * A table of fields. If a field is not made with `writable`, only the pod sets the field, and no input has the field.
 * This type does not repeat the parts of `Writable`. Otherwise the compiler would infer the types of these parts from
 * this type and not from each field.
 */
export type FieldTable = Readonly<Record<string, Field | { readonly schema: FieldSchema }>>

type WithDefault<Input extends FieldSchema> = Schema.optionalWith<
  Input,
  { readonly default: () => Schema.Schema.Type<Input> }
>

/**
 * A type that the compiler uses as a check: it refuses the schema of an input if the record cannot store all values of
 * the input.
 */
type Fits<Input extends FieldSchema, Stored extends FieldSchema> =
  Schema.Schema.Type<Input> extends Schema.Schema.Type<Stored> ? unknown : never

/**
 * Declares a field that clients can write. If the schema of the field allows null, a change can set the field to null.
 */
export const writable = <
  Stored extends FieldSchema,
  Input extends FieldSchema = Stored,
  const Default extends Schema.Schema.Type<Input> = never,
  Draft extends Field | false = [Default] extends [never] ? Input : WithDefault<Input>,
  Change extends Field | false = Schema.optional<Input>
>(
  schema: Stored,
  writing: Writing<Input & Fits<Input, Stored>, Default, Draft, Change> = {}
): Writable<Stored, Draft, Change> => ({ schema, ...writing })

/** The fields of the stored record, of the draft and of the change, all made from one table. */
export interface FieldForms<F extends FieldTable> {
  readonly stored: {
    readonly [K in keyof F]: F[K] extends Writable<infer S extends FieldSchema, unknown, unknown>
      ? S
      : F[K] extends Field
        ? F[K]
        : never
  }
  readonly draft: {
    readonly [K in keyof F as F[K] extends Writable<unknown, Field, unknown> ? K : never]: DraftField<F[K]>
  }
  readonly change: {
    readonly [K in keyof F as F[K] extends Writable<unknown, unknown, Field> ? K : never]: ChangeField<F[K]>
  }
}

type DraftField<W> = W extends Writable<unknown, infer D extends Field, unknown> ? D : never
type ChangeField<W> = W extends Writable<unknown, unknown, infer C extends Field> ? C : never

type Entry = FieldTable[string]

const isField = (entry: Entry): entry is Field => !("schema" in entry)

const formsOfField = (entry: Entry): Readonly<Record<keyof FieldForms<{}>, Field | false>> => {
  if (isField(entry)) return { stored: entry, draft: false, change: false }
  const writing: Writable<FieldSchema, Field | false, Field | false> = entry
  const { change, draft, input = writing.schema, meaning } = writing
  const withMeaning = (field: Field | false) =>
    field === false || meaning === undefined ? field : described(meaning, field)
  const ifOmitted = writing.default
  const required = "default" in writing ? Schema.optionalWith(input, { default: () => ifOmitted }) : input
  return {
    stored: withMeaning(writing.schema),
    draft: withMeaning(draft ?? required),
    change: withMeaning(change ?? Schema.optional(input))
  }
}

export const formsOf = <F extends FieldTable>(table: F): FieldForms<F> => {
  const forms = Object.entries(table).map(([name, entry]) => [name, formsOfField(entry)] as const)
  const form = (part: keyof FieldForms<F>) =>
    Object.fromEntries(forms.flatMap(([name, { [part]: field }]) => (field === false ? [] : [[name, field]])))
  // The compiler cannot check types that are built from names at run time. The cast is right, because `writable`
  // derives the types from the same options from which `formsOfField` makes the fields.
  return { stored: form("stored"), draft: form("draft"), change: form("change") } as unknown as FieldForms<F>
}
