/** What the gate can be asked of a write that nobody has made yet: which type it is of, and what only the record tells. */
import type { Action, Subject } from "../../doors/Door.ts"
import type { GatedWrite, Traits } from "./Write.ts"

/** A write as somebody thinks of it. */
export interface Imagined {
  readonly subject: Subject
  readonly kind: string | null
  /** Where several types of records share the subject, such as channels and the messages in them. */
  readonly targetType?: string | undefined
}

type Typed = readonly [targetType: string, traits: Traits]

/**
 * The types that a write could be of, the likeliest first: the only one of that kind, the one that is called as the subject
 * is, then the others. None where nothing of the sort is written here.
 */
export const typesFor = (
  known: ReadonlyMap<string, Traits>,
  { kind, subject, targetType }: Imagined
): ReadonlyArray<Typed> => {
  const found = [...known].filter(
    ([name, traits]) =>
      traits.subject === subject &&
      (targetType === undefined || targetType === name) &&
      (traits.kind == null || traits.kind === kind)
  )
  const rank = ([name, traits]: Typed) => (traits.kind != null ? 0 : name === subject ? 1 : 2)
  return found.toSorted((one, other) => rank(one) - rank(other))
}

/** Whether there is such a write of the type at all. */
export const isDone = ({ actions }: Traits, action: Action): boolean =>
  actions === undefined || actions.some((one) => one === action)

/** What holds of every write of a type, as the gate is asked about one. */
export const gatedBy = ({ isDirect = false, isForPeople = false, subject }: Traits) =>
  ({ subject, isDirect, isForPeople }) satisfies Partial<GatedWrite>
