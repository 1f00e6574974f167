/** Keeps the quotas: refuses a new record if its owner already has as many as the quota allows. */
import { Effect } from "effect"
import { Forbidden } from "../../doors/Failure.ts"
import { Reach } from "../../doors/Reach.ts"
import { Transaction } from "../../platform/Transaction.ts"
import { type Quota, type QuotaName, quotas } from "./Quota.ts"
import { QuotaStore } from "./QuotaStore.ts"

export interface QuotaKeeper {
  /**
   * Runs the work that adds a record, and fails if the owner then has more records than the quota allows. The records
   * of one owner are added one after another, because two simultaneous calls could each see room for their record.
   */
  readonly within: <A, E, R>(
    name: QuotaName,
    work: Effect.Effect<A, E, R>,
    added?: AddedRecord<A>
  ) => Effect.Effect<A, E | Forbidden, R | Reach>
  /** Fails if the owner has no room for further records. Inside a transaction, others wait until it ends. */
  readonly room: (name: QuotaName, further?: FurtherRecords) => Effect.Effect<void, Forbidden, Reach>
}

/** Whose quota is judged. If absent, the quota of the caller: of its person, or of the agent that asks. */
interface QuotaOwner {
  readonly ownerId?: string | undefined
}

interface AddedRecord<A> extends QuotaOwner {
  /** Returns false if the work has added no record, for example because it has found an existing one. */
  readonly isAdded?: (added: A) => boolean
}

interface FurtherRecords extends QuotaOwner {
  /** The number of further records. One, if absent. */
  readonly count?: number
}

const full = ({ max, owner, what }: Quota) =>
  new Forbidden({
    code: "QUOTA_REACHED",
    why:
      owner === "person"
        ? `A person can have at most ${max} ${what}. Delete or end one first.`
        : `An agent can have at most ${max} ${what}. Wait until a person decides, or withdraw one.`,
    required: [],
    granted: [],
    details: { limit: max }
  })

/** The services that the quotas need. */
export type QuotaNeeds = QuotaStore | Transaction

export const quotaKeeper: Effect.Effect<QuotaKeeper, never, QuotaNeeds> = Effect.gen(function* () {
  const store = yield* QuotaStore
  const { exclusively } = yield* Transaction

  const ownerOf = ({ owner }: Quota, ownerId: string | undefined) =>
    Effect.map(Reach, ({ principal }) => ownerId ?? (owner === "person" ? principal.personId : principal.holder.id))
  const atMost = (quota: Quota, ownerId: string, most: number) =>
    Effect.flatMap(store.count(quota, ownerId), (count) => (count > most ? Effect.fail(full(quota)) : Effect.void))
  const lockOf = (name: QuotaName, ownerId: string) => `quota ${name} of ${ownerId}`

  return {
    within: (name, work, { isAdded = () => true, ownerId: named } = {}) =>
      Effect.flatMap(ownerOf(quotas[name], named), (ownerId) =>
        exclusively(
          lockOf(name, ownerId),
          Effect.tap(work, (added) => (isAdded(added) ? atMost(quotas[name], ownerId, quotas[name].max) : Effect.void))
        )
      ),
    room: (name, { count = 1, ownerId: named } = {}) =>
      Effect.flatMap(ownerOf(quotas[name], named), (ownerId) =>
        exclusively(lockOf(name, ownerId), atMost(quotas[name], ownerId, quotas[name].max - count))
      )
  }
})
