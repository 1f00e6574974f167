/**
 * Finds the record types that a planned write could change, and the known traits (fixed properties of the writes) of
 * each type. A planned write is a write about which a caller only asks the gate.
 */
import type { Action, Subject } from "../../doors/Door.ts"
import type { GatedWrite, WriteTraits } from "./Write.ts"

/** A write that a caller plans, with the properties that are known so far. */
export interface PlannedWrite {
  readonly subject: Subject
  readonly kind: string | null
  /** The record type. Required if several record types share the subject, such as channels and the messages in them. */
  readonly targetType?: string | undefined
}

type TypedTraits = readonly [targetType: string, traits: WriteTraits]

/**
 * Returns the record types that a write could change, the most likely first. First come the types whose kind is the
 * kind of the write. Then comes the type whose name is the subject of the write, and then all other types that match.
 * Returns an empty list if no type of the pod matches.
 */
export const matchingTypes = (
  known: ReadonlyMap<string, WriteTraits>,
  { kind, subject, targetType }: PlannedWrite
): ReadonlyArray<TypedTraits> => {
  const found = [...known].filter(
    ([name, traits]) =>
      traits.subject === subject &&
      (targetType === undefined || targetType === name) &&
      (traits.kind == null || traits.kind === kind)
  )
  const rank = ([name, traits]: TypedTraits) => (traits.kind != null ? 0 : name === subject ? 1 : 2)
  return found.toSorted((one, other) => rank(one) - rank(other))
}

export const supportsAction = ({ actions }: WriteTraits, action: Action): boolean =>
  actions === undefined || actions.some((one) => one === action)

/**
 * Converts the traits of a record type (the fixed properties of its writes) to the fields of a write that the gate
 * reads.
 */
export const gateFieldsOf = ({ isDirect = false, isForPeople = false, subject }: WriteTraits) =>
  ({ subject, isDirect, isForPeople }) satisfies Partial<GatedWrite>
