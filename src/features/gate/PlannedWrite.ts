/**
 * Finds the record types that a planned write could change, and the known traits of each type. A caller can ask the
 * gate about a planned write, which is not carried out.
 */
import type { Action, Subject } from "../../doors/Door.ts"
import type { GatedWrite, WriteTraits } from "./Write.ts"

/** A write that a caller plans, with the facts that are known so far. */
export interface PlannedWrite {
  readonly subject: Subject
  readonly kind: string | null
  /** The record type. Needed if several record types share the subject, such as channels and the messages in them. */
  readonly targetType?: string | undefined
}

type Typed = readonly [targetType: string, traits: WriteTraits]

/**
 * The record types that a write could change, the most likely first. The order is: the type that has the kind of the
 * write, the type with the name of the write's subject, all other types that match. Empty if no type of the pod
 * matches.
 */
export const matchingTypes = (
  known: ReadonlyMap<string, WriteTraits>,
  { kind, subject, targetType }: PlannedWrite
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

export const supportsAction = ({ actions }: WriteTraits, action: Action): boolean =>
  actions === undefined || actions.some((one) => one === action)

/** Converts the traits of a record type to the fields of a write that the gate reads. */
export const gateFieldsOf = ({ isDirect = false, isForPeople = false, subject }: WriteTraits) =>
  ({ subject, isDirect, isForPeople }) satisfies Partial<GatedWrite>
