/**
 * Answers a repeated mutation with its first answer, if the caller still has the access with which the pod made that
 * answer, and still reads the records that it shows. The first answer can contain a whole record, which the caller
 * perhaps may no longer read.
 */
import { Effect, Predicate } from "effect"
import { Conflict, type Failure } from "./Failure.ts"
import { type Fingerprint, Idempotency, type IdempotentAnswer } from "./Idempotency.ts"
import { MembershipRole, type PodRole, type Principal } from "./Principal.ts"
import { Reach } from "./Reach.ts"
import { collectShown, RecordReaders, type ShownRecord } from "./ShownRecords.ts"

/** The access that decides what a principal can read. */
type Access = Pick<Principal, "podRole" | "memberships" | "scopes" | "grant" | "workspaceId">

/**
 * An answer in its stored form, with the access of the caller at that time, and the records whose stored fields it
 * shows. Answers that were stored before an update of the pod name no records.
 */
interface StoredAnswer {
  readonly answer: unknown
  readonly access: Access
  readonly shown?: ReadonlyArray<ShownRecord>
}

const accessOf = ({ grant, memberships, podRole, scopes, workspaceId }: Principal): Access => ({
  podRole,
  memberships,
  scopes,
  grant,
  workspaceId
})

// the roles in the pod, the one with the most rights first
const podRoles: ReadonlyArray<PodRole> = ["owner", "administrator", "member"]

/** Returns true if a role gives no more rights than another role. `roles` has the role with the most rights first. */
const givesNoMore = <Role>(roles: ReadonlyArray<Role>, role: Role, other: Role) =>
  roles.indexOf(role) >= roles.indexOf(other)

/** Returns true if a principal still has all rights of an earlier access. Further rights do not matter. */
const stillHas = (principal: Principal, earlier: Access): boolean => {
  const roles = new Map(principal.memberships.map(({ role, spaceId }) => [spaceId, role]))
  return (
    givesNoMore(podRoles, earlier.podRole, principal.podRole) &&
    earlier.memberships.every(({ role, spaceId }) => {
      const present = roles.get(spaceId)
      return present !== undefined && givesNoMore(MembershipRole.literals, role, present)
    }) &&
    earlier.scopes.every((scope) => principal.scopes.includes(scope)) &&
    JSON.stringify(earlier.grant) === JSON.stringify(principal.grant) &&
    earlier.workspaceId === principal.workspaceId
  )
}

/** The conflict of a repeated request whose caller has lost a right, or a record, since the first request. */
const answerNotShown = new Conflict({
  code: "IDEMPOTENT_ANSWER_NOT_KEPT",
  why: "The pod has already carried out a request with this idempotency key. Since then, your rights were reduced, or a record left what your credential may read. So the pod does not show the first answer again. Read the record to see what you may read now."
})

/** Answers stored before an update of the pod have no access. The pod does not show them again. */
const isKept = (stored: unknown): stored is StoredAnswer =>
  Predicate.hasProperty(stored, "access") && Predicate.hasProperty(stored.access, "memberships")

/**
 * Makes the function that runs a mutation once (`Idempotency.once`). A repetition fails with Conflict if the caller has
 * lost a right since the first request, or no longer reads a record that the answer shows.
 */
export const makeKeptAnswers = Effect.gen(function* () {
  const { once } = yield* Idempotency
  const { readsAll } = yield* RecordReaders
  return Effect.fnUntraced(function* <E extends Failure, R>(
    fingerprint: Fingerprint,
    keepsAnswer: boolean,
    effect: Effect.Effect<unknown, E, R>
  ): Effect.fn.Return<IdempotentAnswer, E | Conflict, R | Reach> {
    const { authority, principal } = yield* Reach
    const shown = collectShown(authority)
    const { answer: stored, isReplay } = yield* once(
      principal.credential.id,
      fingerprint,
      keepsAnswer,
      Effect.map(effect, (answer): StoredAnswer => ({ answer, access: accessOf(principal), shown }))
    )
    if (!isKept(stored)) return yield* answerNotShown
    if (isReplay && !(stillHas(principal, stored.access) && (yield* readsAll(stored.shown ?? []))))
      return yield* answerNotShown
    return { answer: stored.answer, isReplay }
  })
})
