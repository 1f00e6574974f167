/** The refusal of what is not there for this caller: missing and out of reach are one answer, in one sentence. */
import { NotFound } from "./Failure.ts"

/** `noun`: what the record is called, such as the name of its type. */
export const noSuch = (noun: string): NotFound => new NotFound({ why: `There is no such ${noun}.` })
