/**
 * Finds a proposal, locks the proposal until the transaction ends, and describes its change again from the current
 * rows.
 */
import { Effect } from "effect"
import { inSameCall } from "../../doors/BeforeAnswer.ts"
import { missingRecord } from "../../doors/MissingRecord.ts"
import { Conflict, invalid, NotFound, type WriteRefusal } from "../../doors/Failure.ts"
import { inSpaces, Reach, type ReachShape } from "../../doors/Reach.ts"
import { RecordReaders } from "../../doors/ShownRecords.ts"
import { type Changer, changeOf } from "../gate/Changers.ts"
import { probeRefusal } from "../gate/GovernanceGate.ts"
import type { RequestedWrite, Change } from "../gate/Write.ts"
import { isByAgent, type StoredProposal } from "./StoredProposal.ts"
import { ProposalStore } from "./ProposalStore.ts"

export const proposalNotFound = missingRecord("proposal")

/** Returns true if the caller may read proposals at all. */
export const readsProposals = ({ bounds }: Pick<ReachShape, "bounds">): boolean =>
  bounds("proposal", "read").spaces.length > 0

const unreadableProposal = new NotFound({
  why: `${proposalNotFound.why} This credential may read no proposal, because it lacks the permission proposal.read.`
})

/**
 * The refusal for a proposal that the caller did not find. An agent often proposes with a key that may not read
 * proposals, and would search for its own proposal in vain. So the refusal says what the key lacks. This depends on the
 * credential alone, so it does not show whether the proposal exists.
 */
const notFound = Effect.flatMap(Reach, (reach) =>
  Effect.fail(readsProposals(reach) ? proposalNotFound : unreadableProposal)
)

type Store = typeof ProposalStore.Service

/** Finds the proposal with this id, or the only proposal whose id begins with these characters. */
export const findByHandle = (store: Store, handle: string) =>
  Effect.catchTags(store.get(handle), {
    ProposalNotFound: () => notFound,
    HandleAmbiguous: () =>
      Effect.fail(
        invalid("id", "Several proposals have an id that begins with these characters. Send more characters of the id.")
      )
  })

/** Makes the functions that lock a proposal before it is edited, approved, rejected or reverted. */
export const proposalLocks = Effect.gen(function* () {
  const store = yield* ProposalStore
  const readers = yield* RecordReaders
  const type = "proposal"
  readers.register(type, (id) => Effect.orElseSucceed(Effect.as(store.get(id), true), () => false))

  /**
   * Locks a proposal. Every edit, approval, rejection and revert begins with this lock, and the answer shows the
   * proposal. A key with the scope `probe` is not allowed to do any of these, so the lock refuses such a key.
   */
  const lock = Effect.fnUntraced(function* (id: string) {
    const { principal } = yield* Reach
    if (principal.scopes.includes("probe")) return yield* probeRefusal(principal)
    const locked = yield* Effect.catchTag(store.lock(id), "ProposalNotFound", () => notFound)
    yield* readers.note(type, locked.id)
    return locked
  })

  /** Locks a proposal that still waits for a decision. Fails with Conflict if the proposal no longer waits. */
  const lockPending = (id: string) =>
    Effect.filterOrFail(
      lock(id),
      ({ status }) => status === "pending",
      ({ status }) =>
        new Conflict({
          code: "PROPOSAL_SETTLED",
          why: `This proposal is not pending any more, so it cannot be changed. Its status is ${status}.`
        })
    )

  return { lock, lockPending }
})

/**
 * Returns the rights with which the pod describes and writes a proposal: the rights of the call, limited to the space
 * of the proposal. The principal is the person or agent that requested the change. So the written rows name this person
 * or agent, and not the caller.
 */
export const reachOfRequester = (reach: ReachShape, proposal: StoredProposal): ReachShape => ({
  ...reach,
  principal: {
    ...reach.principal,
    holder: { id: proposal.actorId, kind: isByAgent(proposal) ? "agent" : "person", capabilities: [] },
    personId: proposal.userId
  },
  authority:
    reach.authority.kind === "system"
      ? reach.authority
      : inSameCall(reach.authority, { ...reach.authority, personId: proposal.userId }),
  bounds: (subject, action) => inSpaces(reach.bounds(subject, action), [proposal.spaceId])
})

/**
 * Describes the change of a proposal again, from the given content and the current rows. Fails with Invalid if the new
 * description names another subject or another space than the proposal.
 */
export const describeAgain = (
  changer: Changer,
  proposal: StoredProposal,
  request: Pick<RequestedWrite, "action" | "content"> = proposal
): Effect.Effect<Change, WriteRefusal, Reach> =>
  Effect.gen(function* () {
    const reach = yield* Reach
    const { spaceId, targetId, targetType } = proposal
    // The pod reads records with all rights of the call. Only the write is limited to the space of the proposal.
    const change = yield* Effect.provideService(
      changeOf(targetType, changer, { ...request, targetId, spaceId }),
      Reach,
      {
        ...reachOfRequester(reach, proposal),
        bounds: reach.bounds
      }
    )
    if (request.action !== proposal.action) return change
    if (change.subject !== proposal.subject || change.object.spaceId !== spaceId) {
      return yield* invalid(
        "data",
        "An edit cannot move a proposal to another subject or space. Create a new proposal instead."
      )
    }
    return change
  })
