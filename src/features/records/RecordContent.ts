/**
 * Reads the content of a change of a record. The content has the fields of the record, and beside them the fields that
 * only the rules of the record type read.
 */
import { Effect, Schema } from "effect"
import { Invalid } from "../../doors/Failure.ts"
import { strictDecoder } from "../../doors/Faults.ts"
import type { Change, JsonRecord } from "../gate/Write.ts"
import type { GovernedOptions } from "./RecordOperations.ts"
import type { Common, OwnFields, RecordType } from "./RecordType.ts"

export interface RecordContent<A extends Common> {
  /** Returns the content without the fields that only the rules read. */
  readonly ownPart: (content: JsonRecord) => JsonRecord
  /** Reads the fields of the record. Fails with Invalid if a field is unknown or has a wrong value. */
  readonly fieldsOf: (content: JsonRecord) => Effect.Effect<Partial<OwnFields<A>>, Invalid>
  /** Reads the fields that only the rules read. */
  readonly ruleInputOf: (content: JsonRecord) => Effect.Effect<JsonRecord, Invalid>
  /** Checks that the content of a create has every field of the type, because the columns have no default values. */
  readonly checkComplete: (change: Pick<Change, "action" | "content">) => Effect.Effect<void, Invalid>
}

export const recordContent = <A extends Common>(
  type: RecordType<A>,
  { filled, ruleFields = {} }: Pick<GovernedOptions<A>, "filled" | "ruleFields">
): RecordContent<A> => {
  const decode = strictDecoder(type.content)
  // The compiler does not know the names of the fields in `ruleFields`, so the schema needs a type cast. The cast is
  // right, because the schema decodes to JSON for any names.
  const decodeRuleInput = strictDecoder(
    Schema.partial(Schema.Struct(ruleFields)) as unknown as Schema.Schema<JsonRecord>
  )
  const ruleNames = Object.keys(ruleFields)
  const picked = (content: JsonRecord, isForRules: boolean): JsonRecord =>
    Object.fromEntries(Object.entries(content).filter(([name]) => ruleNames.includes(name) === isForRules))
  // Most types have no such fields, and their content needs no copy.
  const ownPart = (content: JsonRecord) => (ruleNames.length === 0 ? content : picked(content, false))

  return {
    ownPart,
    fieldsOf: (content) => decode(ownPart(content)),
    ruleInputOf: (content) => decodeRuleInput(ruleNames.length === 0 ? {} : picked(content, true)),
    checkComplete: ({ action, content }) => {
      const missing =
        action === "create"
          ? type.fields.filter((field) => !Object.hasOwn(content, field) && filled?.includes(field) !== true)
          : []
      return missing.length === 0
        ? Effect.void
        : Effect.fail(new Invalid({ faults: missing.map((path) => ({ path, message: "is missing" })) }))
    }
  }
}
