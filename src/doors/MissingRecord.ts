/** The refusal for a record that is missing or out of the caller's reach: both get the same answer. */
import { NotFound } from "./Failure.ts"

/** `noun`: what the record is called, such as the name of its type. */
export const missingRecord = (noun: string): NotFound => new NotFound({ why: `There is no such ${noun}.` })
