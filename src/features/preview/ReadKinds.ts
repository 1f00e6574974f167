/**
 * Names the kinds of records that a key reads, for the sentence of a preview. A kind of which the key reads no record,
 * although the person has records of this kind, is named apart. So the sentence promises nothing that the counts of the
 * preview deny.
 */
import { Either } from "effect"
import type { GrantBounds } from "../../doors/Principal.ts"
import { everyPermission } from "../grants/Grant.ts"
import { parsePermission } from "../grants/Permission.ts"
import { knowledgeKind } from "../knowledge/KnowledgeEntry.ts"
import type { CountedType, PreviewedType } from "./PreviewedTypes.ts"

export interface ReadKinds {
  /** The plural names of the kinds that the key reads, such as `documents`. */
  readonly read: ReadonlyArray<string>
  /** The plural names of the kinds of which the key reads none of the person's records. */
  readonly unread: ReadonlyArray<string>
}

/** A kind that a permission lets a key read. The subject is null for `*`, and the kind is null for every kind. */
export interface ReadableKind {
  readonly subject: string | null
  readonly kind: string | null
}

/** The plural names of record types and subjects for which people do not use the technical names. */
const words: Readonly<Record<string, string>> = {
  knowledge_entry: "knowledge entries",
  memory: "memory facts",
  messaging: "messages",
  entity: "records of every kind"
}

const plural = (name: string) => words[name] ?? (name.endsWith("s") ? name : `${name}s`)

/** Returns true if the permissions of a grant include `*`. Ignores the limits of the grant. */
export const hasEveryPermission = ({ permissions }: Pick<GrantBounds, "permissions">): boolean =>
  permissions.some((permission) => permission.trim() === everyPermission)

const kindOf = (permission: string): ReadonlyArray<ReadableKind> => {
  const [subject = "", second, third] = Either.getOrElse(parsePermission(permission), () => [])
  const isEntity = subject === "entity"
  const action = isEntity ? third : second
  if (action !== undefined && action !== "read" && action !== "*") return []
  return [{ subject, kind: isEntity && second !== undefined && second !== "*" ? second : null }]
}

/** Returns the kinds that the permissions of a grant let a key read. */
export const readableKinds = (grant: GrantBounds): ReadonlyArray<ReadableKind> =>
  hasEveryPermission(grant) ? [{ subject: null, kind: null }] : grant.permissions.flatMap(kindOf)

/** The kind of entity `knowledge` has records of two types. Its permission is for the knowledge entries. */
const isOf =
  ({ kind, subject }: ReadableKind) =>
  (row: { readonly subject: string; readonly kind: string | null; readonly type: string }): boolean =>
    row.subject === subject && (kind === null || row.kind === kind) && (kind !== knowledgeKind || row.type !== "entity")

const numberOf = (types: ReadonlyArray<CountedType>, readable: ReadableKind): number =>
  types
    .flatMap(({ changer: { traits }, counts, type }) =>
      counts.map(({ count, kind }) => ({ type, subject: traits.subject, kind: traits.kind ?? kind, count }))
    )
    .filter(isOf(readable))
    .reduce((sum, { count }) => sum + count, 0)

const isEveryKind = ({ kind, subject }: ReadableKind) => subject === null || (subject === "entity" && kind === null)

/** Returns the kinds of which the key reads no record. Only for these, `kindsRead` needs the records of the person. */
export const idleKinds = (grant: GrantBounds, seen: ReadonlyArray<CountedType>): ReadonlyArray<ReadableKind> =>
  readableKinds(grant).filter((readable) => !isEveryKind(readable) && numberOf(seen, readable) === 0)

const nameOf = ({ kind, subject }: ReadableKind): string =>
  subject === null
    ? "everything that you can see"
    : plural(kind === knowledgeKind ? "knowledge_entry" : (kind ?? subject))

/**
 * Names the kinds that the key reads. `idle` has the kinds of which the key reads no record, and `own` has the numbers
 * of the person's records of these kinds. `closed` has the types that no operation of the key can read, although the
 * person has records of them.
 */
export const kindsRead = (
  grant: GrantBounds,
  {
    closed,
    idle,
    own
  }: {
    readonly idle: ReadonlyArray<ReadableKind>
    readonly own: ReadonlyArray<CountedType>
    readonly closed: ReadonlyArray<PreviewedType>
  }
): ReadKinds => {
  const readable = readableKinds(grant)
  const unread = idle.filter((kind) => numberOf(own, kind) > 0).map(nameOf)
  const exceptions = closed.filter(({ changer: { traits } }) =>
    readable.some((kind) => isEveryKind(kind) && (kind.subject === null || kind.subject === traits.subject))
  )
  return {
    read: [...new Set(readable.map(nameOf))].filter((name) => !unread.includes(name)),
    unread: [...new Set([...unread, ...exceptions.map(({ type }) => plural(type))])]
  }
}
