/** A proposal in the hands of whoever decides on it: held until the transaction ends, and described anew. */
import { Effect } from "effect"
import { Conflict, type WriteRefusal, invalid, NotFound } from "../../doors/Failure.ts"
import { inSpaces, Reach, type ReachShape } from "../../doors/Reach.ts"
import { type Changer, changeOf } from "../gate/Changers.ts"
import type { Asked, Change } from "../gate/Write.ts"
import { isAgents, type StoredProposal } from "./Proposal.ts"
import type { ProposalStore } from "./ProposalStore.ts"

export const absent = new NotFound({ why: "There is no such proposal." })

type Store = typeof ProposalStore.Service

/** The proposal a caller means. */
export const byHandle = (store: Store, handle: string) =>
  Effect.catchTags(store.get(handle), {
    ProposalNotFound: () => Effect.fail(absent),
    HandleAmbiguous: () => Effect.fail(invalid("id", "More than one proposal begins like this. Say more of its id."))
  })

export const heldOf = (store: Store, id: string) =>
  Effect.catchTag(store.hold(id), "ProposalNotFound", () => Effect.fail(absent))

/** Held, and nobody has decided on it. */
export const heldPending = (store: Store, id: string) =>
  Effect.filterOrFail(
    heldOf(store, id),
    ({ status }) => status === "pending",
    ({ status }) => new Conflict({ code: "PROPOSAL_SETTLED", why: `The proposal is ${status.replace("_", " ")}.` })
  )

/**
 * The reach under which a proposal is described and written: the credential of the call lives behind it and its rights bound
 * it, and the rows say who made the change and for whom. Never more than the call may touch in that one space.
 */
export const onBehalf = (reach: ReachShape, proposal: StoredProposal): ReachShape => ({
  ...reach,
  principal: {
    ...reach.principal,
    holder: { id: proposal.actorId, kind: isAgents(proposal) ? "agent" : "person", capabilities: [] },
    personId: proposal.userId
  },
  authority: reach.authority.kind === "system" ? reach.authority : { ...reach.authority, personId: proposal.userId },
  bounds: (subject, action) => inSpaces(reach.bounds(subject, action), [proposal.spaceId])
})

/**
 * What a proposal asks for, described anew from a content and from the rows as they stand. Fails with Invalid where that is
 * about another subject or space than was asked for.
 */
export const changeNow = (
  changer: Changer,
  held: StoredProposal,
  asked: Pick<Asked, "action" | "content"> = held
): Effect.Effect<Change, WriteRefusal, Reach> =>
  Effect.gen(function* () {
    const reach = yield* Reach
    const { spaceId, targetId, targetType } = held
    // Looked at with all that the call reads, and written in the one space alone.
    const change = yield* Effect.provideService(changeOf(targetType, changer, { ...asked, targetId, spaceId }), Reach, {
      ...onBehalf(reach, held),
      bounds: reach.bounds
    })
    if (asked.action !== held.action) return change
    if (change.subject !== held.subject || change.object.spaceId !== spaceId) {
      return yield* invalid("data", "A proposal stays about what it was made for. Propose something else anew.")
    }
    return change
  })
