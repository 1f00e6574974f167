/**
 * The inputs of a record type: the draft from which the pod creates a record, and the change with which it updates a
 * record.
 */
import { Schema } from "effect"
import { example, optionalOrNull, WorkspaceId } from "../../doors/Fields.ts"
import type { FieldForms, FieldTable } from "./RecordFields.ts"
import { createDetails, type DeclaredType, updateDetails } from "./RecordType.ts"

type Fields = Schema.Struct.Fields
type Sample<F extends Fields> = NoInfer<Schema.Schema.Encoded<Schema.Struct<F>>>

/** The field of a draft that names the space of the new record. */
export const inWorkspace = { workspaceId: optionalOrNull(WorkspaceId) }

/**
 * Makes the schema of an input, with a name for the API description and an example. Use this function if the input has
 * more or fewer fields than the inputs of `draftOf` and `changeOf`.
 */
export const inputOf = <F extends Fields>(identifier: string, fields: F, sample?: Sample<F>): Schema.Struct<F> => {
  const input = Schema.Struct(fields).annotations({ identifier })
  return sample === undefined ? input : example(input, sample)
}

type Draft<F extends FieldTable> = typeof inWorkspace & FieldForms<F>["draft"] & typeof createDetails
type Change<F extends FieldTable> = FieldForms<F>["change"] & typeof updateDetails

/** Makes the schema for the input of a create: the fields of a draft, the space, and the details of a write. */
export const draftOf = <F extends FieldTable>(
  { draft, identifier }: DeclaredType<F>,
  sample: Sample<Draft<F>>
): Schema.Struct<Draft<F>> =>
  inputOf<Draft<F>>(`${identifier}Draft`, { ...inWorkspace, ...draft, ...createDetails }, sample)

/**
 * Makes the schema for the input of an update: the fields of a change, the details of a write, and the version that the
 * caller read.
 */
export const changeOf = <F extends FieldTable>(
  { change, identifier }: DeclaredType<F>,
  sample: Sample<Change<F>>
): Schema.Struct<Change<F>> => inputOf<Change<F>>(`${identifier}Change`, { ...change, ...updateDetails }, sample)
