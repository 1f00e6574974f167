/**
 * Names the kinds of records that a key reads, for the sentence of a preview. If the person has records of a kind but
 * the key reads none of them, this kind is in a separate list (`unread`). So the sentence never says that a key reads
 * records that the counts of the preview do not contain.
 */
import { Effect, Either } from "effect"
import type { GrantBounds } from "../../doors/Principal.ts"
import type { Reach } from "../../doors/Reach.ts"
import { pluralOf } from "../../shared/pluralOf.ts"
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
interface ReadableKind {
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

const plural = (name: string) => words[name] ?? pluralOf(name)

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
const readableKinds = (grant: GrantBounds): ReadonlyArray<ReadableKind> =>
  hasEveryPermission(grant) ? [{ subject: null, kind: null }] : grant.permissions.flatMap(kindOf)

/**
 * Makes the function that tests whether a row belongs to a kind. Two types of records can have the kind `knowledge`:
 * entities and knowledge entries. For this kind, the test accepts only knowledge entries.
 */
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

const nameOf = ({ kind, subject }: ReadableKind): string =>
  subject === null
    ? "everything that you can see"
    : plural(kind === knowledgeKind ? "knowledge_entry" : (kind ?? subject))

/**
 * Names the kinds of records that the key reads. `seen` has the numbers of records that the key reads, and `missed` has
 * records of the person that the key does not read. Counts the person's own records only for a kind of which the key
 * reads no record, because counting takes time.
 */
export const kindsRead = Effect.fnUntraced(function* (
  grant: GrantBounds,
  types: ReadonlyArray<PreviewedType>,
  seen: ReadonlyArray<CountedType>,
  missed: ReadonlyArray<{ readonly type: string }>
): Effect.fn.Return<ReadKinds, never, Reach> {
  const readable = readableKinds(grant)
  const idle = readable.filter((kind) => !isEveryKind(kind) && numberOf(seen, kind) === 0)
  const own = yield* Effect.forEach(
    types.filter(({ changer }) => idle.some(({ subject }) => subject === changer.traits.subject)),
    ({ changer, type }) =>
      Effect.map(changer.overview?.counts ?? Effect.succeed([]), (counts) => ({ type, changer, counts }))
  )
  const unread = idle.filter((kind) => numberOf(own, kind) > 0).map(nameOf)
  // A permission for every kind also covers record types that none of the key's operations can read. These types are
  // the exceptions.
  const exceptions = types.filter(
    ({ changer: { traits }, closedBy, type }) =>
      closedBy !== null &&
      missed.some((each) => each.type === type) &&
      readable.some((kind) => isEveryKind(kind) && (kind.subject === null || kind.subject === traits.subject))
  )
  return {
    read: [...new Set(readable.map(nameOf))].filter((name) => !unread.includes(name)),
    unread: [...new Set([...unread, ...exceptions.map(({ type }) => plural(type))])]
  }
})
