/** The operations and the record types of the pod, in the form in which a preview lists them. */
import type { CatalogShape } from "../../doors/Catalog.ts"
import type { Operation } from "../../doors/Operation.ts"
import type { Principal } from "../../doors/Principal.ts"
import { operationRefusal } from "../access/Admission.ts"
import type { Changer } from "../gate/Changers.ts"
import type { Overview } from "../gate/Overview.ts"
import type { RuledRecord } from "./GrantRules.ts"

export const operationsOf = ({ procedures, rest, tools }: CatalogShape) => [
  ...rest.map((operation: Operation) => ({ surface: "rest" as const, operation })),
  ...[...procedures.values()].map((operation: Operation) => ({ surface: "procedure" as const, operation })),
  ...[...tools.values()].map((operation: Operation) => ({ surface: "tool" as const, operation }))
]

export interface PreviewedType {
  readonly type: string
  readonly changer: Changer
  /**
   * The reason why the key is allowed to call none of the operations that read records of this type. Null if the key is
   * allowed to call one of them, or if the type names no such operations.
   */
  readonly closedBy: string | null
}

/** A record type, and how many of its records a person or a key may read. */
export type CountedType = Pick<PreviewedType, "type" | "changer"> & Pick<Overview, "counts">

export const emptyOverview: Overview = { counts: [], samples: [] }

const whyNotReadable = (
  operations: ReturnType<typeof operationsOf>,
  draft: Principal,
  { readBy }: Changer
): string | null => {
  if (readBy === undefined) return null
  const refusals = operations
    .filter(({ operation }) => readBy.includes(operation.name))
    .map(({ operation }) => operationRefusal(draft, operation))
  return refusals.some((refusal) => refusal === null) ? null : (refusals[0]?.why ?? null)
}

/** Converts a record from `Overview.samples` to the form that `GrantRules.ts` needs. */
export const toRuledRecord = (
  { personId }: Principal,
  { traits }: Changer,
  { id, kind, workspaceId }: Overview["samples"][number]
): RuledRecord => ({ subject: traits.subject, kind: traits.kind ?? kind, spaceId: workspaceId ?? personId, id })

/**
 * Returns every record type, with the code that describes changes of its records (`Changer`). If the key is allowed to
 * call none of the operations that read records of the type, `closedBy` says why.
 */
export const typesOf = (
  all: ReadonlyArray<readonly [string, Changer]>,
  operations: ReturnType<typeof operationsOf>,
  draft: Principal
): ReadonlyArray<PreviewedType> =>
  all.map(([type, changer]) => ({ type, changer, closedBy: whyNotReadable(operations, draft, changer) }))
