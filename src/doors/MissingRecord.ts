/**
 * The refusal for a record that does not exist or that the caller cannot reach. The answer is the same in both cases,
 * so the caller cannot tell them apart.
 */
import { NotFound } from "./Failure.ts"

/**
 * Makes the refusal for a missing record. `noun` is the name of the record for people, such as the name of its type.
 */
export const missingRecord = (noun: string): NotFound =>
  new NotFound({ why: `There is no such ${noun}, or this credential has no access to it.` })
