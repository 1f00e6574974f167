/** The schema of ids. */
import { Schema } from "effect"
import { isUuid } from "../platform/Ids.ts"
import { notAccepted, withQuickParts } from "./CompiledSchema.ts"

const description = "a Universally Unique Identifier"

const SentId = Schema.String.annotations({
  description,
  jsonSchema: {
    type: "string",
    format: "uuid",
    pattern: "^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$"
  }
})
const LowerCaseId = Schema.String.pipe(
  Schema.filter(isUuid, { identifier: "UUID", description, arbitrary: () => (check) => check.uuid() })
)

/**
 * A UUID in an input or an answer. PostgreSQL ignores the case of letters in ids, and some clients send capital
 * letters. So an input is decoded to lower case, and equal ids are equal texts everywhere in the pod.
 */
export const Id = withQuickParts(
  Schema.transform(SentId, LowerCaseId, {
    strict: true,
    decode: (sent) => sent.toLowerCase(),
    encode: (id) => id
  }).annotations({ identifier: "UUID" }),
  {
    decode: (sent) => (typeof sent === "string" && isUuid(sent) ? sent.toLowerCase() : notAccepted),
    encode: (id) => (typeof id === "string" && isUuid(id) ? id : notAccepted)
  }
)
