/**
 * Calls the proposal store with the access rights of a given caller, and returns answers that are easy to compare in an
 * assertion.
 */
import { DateTime, Effect } from "effect"
import type { ReachShape } from "../../../src/doors/Reach.ts"
import type { ExcerptPlaces } from "../../../src/features/proposals/ProposalExcerpt.ts"
import { proposalHash, type StoredProposal } from "../../../src/features/proposals/StoredProposal.ts"
import {
  type NewProposal,
  type ProposalFilter,
  ProposalStore,
  type ProposalSettlement
} from "../../../src/features/proposals/ProposalStore.ts"
import { uuidv7 } from "../../../src/platform/Ids.ts"
import { withReach } from "../../support/stores.ts"
import { aPassed } from "../../support/passed.ts"

/** Two times: `farAhead` is after the test clock and the clock of a database, and `longAgo` is before both. */
export const farAhead = DateTime.unsafeMake("2999-01-01T00:00:00Z")
export const longAgo = DateTime.unsafeMake("1969-01-01T00:00:00Z")

export const aProposal = (made: Partial<NewProposal> & Pick<NewProposal, "spaceId" | "userId">): NewProposal => {
  const change = {
    action: "create" as const,
    targetType: "entity",
    targetId: uuidv7(),
    content: { title: "proposed" },
    ...made
  }
  return {
    id: uuidv7(),
    actorId: uuidv7(),
    subject: "entity",
    kind: "note",
    projectIds: [],
    mentions: [],
    proposalType: "entity.create",
    class: "objectWork",
    contentHash: proposalHash({ kind: "note", base: null, ...change }, []),
    revision: 1,
    editedBy: null,
    base: null,
    authority: {
      credentialKind: "key",
      credentialId: uuidv7(),
      holderId: uuidv7(),
      personId: made.userId
    },
    isPrivate: false,
    summary: "Create note “proposed”",
    reasoning: null,
    status: "pending",
    statusReason: null,
    reasonCode: null,
    decidedBy: null,
    applied: null,
    sessionId: null,
    correlationId: uuidv7(),
    expiresAt: farAhead,
    ...change
  }
}

const eventOf = (verb: string, id: string) => ({ type: `proposal.${verb}`, subjectId: id, data: { verb } })

const store = Effect.flatMap(ProposalStore, Effect.succeed)

export const fileProposal = (reach: ReachShape, made: NewProposal, passed = aPassed) =>
  Effect.flatMap(store, ({ add }) => withReach(reach)(add(made, eventOf("create", made.id), passed)))

/** Returns the proposal, or the tag of the refusal. */
export const getProposal = (reach: ReachShape, handle: string) =>
  Effect.flatMap(store, ({ get }) => Effect.merge(Effect.mapError(withReach(reach)(get(handle)), ({ _tag }) => _tag)))

export const lockProposal = (reach: ReachShape, id: string) =>
  Effect.flatMap(store, ({ lock }) => Effect.merge(Effect.mapError(withReach(reach)(lock(id)), ({ _tag }) => _tag)))

export const settleProposal = (reach: ReachShape, of: StoredProposal, change: ProposalSettlement, verb = "approve") =>
  Effect.flatMap(store, ({ changeLocked }) => withReach(reach)(changeLocked(of, change, eventOf(verb, of.id), aPassed)))

export const listProposals = (reach: ReachShape, filter: Partial<ProposalFilter> = {}) =>
  Effect.flatMap(store, ({ list }) =>
    withReach(reach)(
      list({
        spaceId: undefined,
        sessionId: undefined,
        status: "all",
        limit: 100,
        offset: 0,
        before: undefined,
        ...filter
      })
    )
  )

export const excerptsOf = (
  reach: ReachShape,
  spaces: ReadonlyArray<string> | null = null,
  limit = 100,
  projects: Partial<Pick<ExcerptPlaces, "inProjects" | "notInProjects">> = {}
) =>
  withReach(reach)(
    Effect.flatMap(ProposalStore, ({ excerpts }) =>
      excerpts({ in: spaces, notIn: [], inProjects: null, notInProjects: [], ...projects }, limit)
    )
  )

export const listIds = (...asked: Parameters<typeof listProposals>) =>
  Effect.map(listProposals(...asked), ({ proposals }) => proposals.map(({ id }) => id))

export const findPendingJoin = (reach: ReachShape, asked: Pick<StoredProposal, "actorId" | "authority" | "spaceId">) =>
  Effect.flatMap(store, ({ pendingAlike }) =>
    withReach(reach)(pendingAlike({ ...asked, ...asked.authority, proposalType: "join", content: null }, aPassed))
  ).pipe(Effect.map((found) => found?.id))
