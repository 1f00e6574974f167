/** The schema of ids. */
import { Schema } from "effect"

/**
 * A UUID in an input or an answer. PostgreSQL compares ids without regard to capital letters, and some clients send capitals, so an
 * input is decoded to small letters: everywhere in the pod, equal ids are equal texts.
 */
export const Id = Schema.transform(
  // Without an identifier of its own, so that a description of a field stands in the description of the API.
  Schema.UUID.annotations({ description: "a Universally Unique Identifier" }),
  Schema.String.annotations({ arbitrary: () => (check) => check.uuid() }),
  { strict: true, decode: (sent) => sent.toLowerCase(), encode: (id) => id }
).annotations({ identifier: "UUID" })
