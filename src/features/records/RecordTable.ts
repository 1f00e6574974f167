/**
 * The in-memory tables of the store of records. There is one table for each record type. Also decides which rows a call
 * may touch.
 */
import { type Bounds, inSpaces, type ReachShape } from "../../doors/Reach.ts"
import { type MemoryTable, memoryTable, type Rows } from "../../platform/MemoryDatabase.ts"
import { type Common, fieldOf, type RecordType } from "./RecordType.ts"

export interface StoredRecord<A extends Common = Common> {
  readonly record: A
  readonly spaceId: string
  readonly isArchived: boolean
}

export const recordTable = <A extends Common>({ table }: RecordType<A>): MemoryTable<StoredRecord<A>> =>
  memoryTable(table, ({ record }) => record.id)

/** Returns true if another record of the space has the same values in the fields that must be unique. */
export const hasDuplicate = <A extends Common>(
  rows: Rows,
  type: RecordType<A>,
  candidate: StoredRecord<A>
): boolean => {
  const { unique } = type
  if (unique === undefined) return false
  const counts = ({ isArchived, record }: StoredRecord<A>) =>
    !isArchived &&
    unique.fields.every((field) => fieldOf(record, field) !== null) &&
    (unique.when === undefined || fieldOf(record, unique.when) === true)
  const isSame = (other: StoredRecord<A>) =>
    other.record.id !== candidate.record.id &&
    other.spaceId === candidate.spaceId &&
    unique.fields.every((field) => fieldOf(other.record, field) === fieldOf(candidate.record, field))
  return counts(candidate) && rows.all(recordTable(type)).some((other) => counts(other) && isSame(other))
}

/** Returns true if the record is private and belongs to another person than the caller. */
export const isPrivateToOther = <A extends Common>(
  { visibility }: Pick<RecordType<A>, "visibility">,
  { principal }: ReachShape,
  record: A
): boolean =>
  visibility !== "space" &&
  record.userId !== principal.personId &&
  (visibility === "own" || fieldOf(record, visibility.field) === visibility.own)

export const isRecordWithin =
  <A extends Common>(type: RecordType<A>, bounds: Bounds, reach: ReachShape) =>
  ({ record, spaceId }: StoredRecord<A>): boolean =>
    bounds.spaces.includes(spaceId) &&
    (bounds.objects === null || bounds.objects.includes(record.id)) &&
    bounds.projects === null &&
    !isPrivateToOther(type, reach, record)

/**
 * Finds the record with this id among the rows that `bounds` allows; if absent, the rows that the call may read. If
 * `isArchived` is true, it finds only an archived record. Otherwise it finds only a record that is not archived.
 */
export const recordAt = <A extends Common>(
  rows: Rows,
  reach: ReachShape,
  type: RecordType<A>,
  id: string,
  {
    bounds = reach.bounds(type.subject, "read"),
    isArchived = false
  }: { readonly bounds?: Bounds; readonly isArchived?: boolean } = {}
): StoredRecord<A> | undefined => {
  const found = rows.find(recordTable(type), id)
  return found !== undefined && found.isArchived === isArchived && isRecordWithin(type, bounds, reach)(found)
    ? found
    : undefined
}

/** Returns the records of a type that `bounds` allows. Leaves out archived records. */
export const recordsWithin = <A extends Common>(
  rows: Rows,
  reach: ReachShape,
  type: RecordType<A>,
  bounds: Bounds
): ReadonlyArray<StoredRecord<A>> => {
  const fits = isRecordWithin(type, bounds, reach)
  return rows.all(recordTable(type)).filter((row) => !row.isArchived && fits(row))
}

/**
 * Returns the limits for a list: the rows that the list is allowed to read. If the list names spaces, only rows in
 * these spaces are allowed.
 */
export const boundsOf = <A extends Common>(
  reach: ReachShape,
  type: RecordType<A>,
  spaces: ReadonlyArray<string> | null | undefined
): Bounds => {
  const bounds = reach.bounds(type.subject, "read")
  return spaces === null || spaces === undefined ? bounds : inSpaces(bounds, spaces)
}

/**
 * Lists all records of a type that the call may read in these spaces. If `spaces` is null, lists the records of every
 * space.
 */
export const readRecords = <A extends Common>(
  rows: Rows,
  reach: ReachShape,
  type: RecordType<A>,
  spaces: ReadonlyArray<string> | null = null
): ReadonlyArray<A> => recordsWithin(rows, reach, type, boundsOf(reach, type, spaces)).map(({ record }) => record)
