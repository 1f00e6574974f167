/** The forms in which the store of records takes and returns a record. */
import { Struct } from "effect"
import type { Common, OwnFields } from "./RecordType.ts"

/** A record together with its space, which the gate needs. */
export interface LocatedRecord<A> {
  readonly record: A
  readonly spaceId: string
}

/** Some fields of a record, with the fields that every record has. */
export type RecordHead<A extends Common, K extends keyof OwnFields<A>> = Pick<A, K | keyof Common>

const commonNames = ["id", "userId", "workspaceId", "version", "createdAt", "updatedAt"] as const

export const headOf = <A extends Common, K extends keyof OwnFields<A> & string>(record: A, fields: ReadonlyArray<K>) =>
  // The cast is correct, because the record has every field of its type.
  Struct.pick(record, ...commonNames, ...fields) as RecordHead<A, K>

export interface RecordEdit<A extends Common> {
  readonly fields: Partial<OwnFields<A>>
  /** The version that the record must have. If this is null or absent, the write replaces any version. */
  readonly expectedVersion?: number | null
}

export interface NewRecord<A extends Common> {
  readonly id: string
  readonly spaceId: string
  readonly fields: OwnFields<A>
}
