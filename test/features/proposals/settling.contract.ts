/**
 * How every store of proposals handles decisions and requests to join. The tests run on memory, PGlite and PostgreSQL.
 */
import { assert, it } from "@effect/vitest"
import { Cause, Effect, Exit, type Layer } from "effect"
import { uuidv7 } from "../../../src/platform/Ids.ts"
import { Transaction } from "../../../src/platform/Transaction.ts"
import { aMember, eventsIn, upTo } from "../../support/people.ts"
import { aReach } from "../../support/reach.ts"
import { ProposalStore } from "../../../src/features/proposals/ProposalStore.ts"
import { withReach, type Stores } from "../../support/stores.ts"
import {
  aProposal,
  fileProposal,
  getProposal,
  lockProposal,
  findPendingJoin,
  longAgo,
  settleProposal
} from "./proposalCalls.ts"
import { aPassed } from "../../support/passed.ts"

export const settlingContract = (stores: Layer.Layer<Stores>) => {
  const rule = <E>(name: string, work: Effect.Effect<void, E, Stores>) =>
    it.effect(name, () => Effect.provide(work, stores))

  rule(
    "when a caller edits a proposal or decides on it, exactly the given fields change, and the log gets one event",
    Effect.gen(function* () {
      const { personId: userId, spaceId, reach } = yield* aMember()
      const made = yield* fileProposal(
        reach,
        aProposal({ spaceId, userId, base: { version: 1, fields: { title: "a" } } })
      )
      const edit = {
        content: { title: "edited" },
        contentHash: "1".repeat(64),
        revision: 2,
        editedBy: userId,
        base: null
      }
      const edited = yield* settleProposal(reach, made, edit, "update")
      const edits = { settledEventId: edited.settledEventId, updatedAt: edited.updatedAt }
      assert.deepStrictEqual(edited, { ...made, ...edit, ...edits })
      assert.isNull(edited.decidedAt)
      const applied = { before: null, content: edited.content, hash: edited.contentHash }
      const decision = {
        status: "approved" as const,
        decidedBy: userId,
        applied,
        statusReason: "fine",
        reasonCode: "other"
      }
      const approved = yield* settleProposal(reach, edited, decision)
      const { decidedAt, settledEventId, updatedAt } = approved
      assert.deepStrictEqual(approved, { ...edited, ...decision, decidedAt, settledEventId, updatedAt })
      assert.isNotNull(decidedAt)
      assert.deepStrictEqual(yield* getProposal(reach, made.id), approved)
      const eventTypes = (yield* eventsIn(spaceId, userId)).slice(1).map(({ id, type }) => [id, type])
      assert.deepStrictEqual(eventTypes, [
        [made.filedEventId, "proposal.create"],
        [edited.settledEventId, "proposal.update"],
        [settledEventId, "proposal.approve"]
      ])
    })
  )

  rule(
    "a call that decides on a missing proposal fails with an internal error and writes no event",
    Effect.gen(function* () {
      const { personId: userId, spaceId, reach } = yield* aMember()
      const made = yield* fileProposal(reach, aProposal({ spaceId, userId }))
      const exit = yield* Effect.exit(settleProposal(reach, { ...made, id: uuidv7() }, { status: "approved" }))
      assert.isTrue(Exit.isFailure(exit) && Cause.isDie(exit.cause))
      assert.lengthOf(yield* eventsIn(spaceId, userId), 2)
      assert.deepStrictEqual(yield* getProposal(reach, made.id), made)
    })
  )

  rule(
    "when many callers decide on one pending proposal at the same moment, exactly one decision takes effect",
    Effect.gen(function* () {
      const { personId: userId, spaceId, reach } = yield* aMember()
      const { atomically } = yield* Transaction
      const { id } = yield* fileProposal(reach, aProposal({ spaceId, userId }))
      const decide = (at: number) =>
        atomically(
          Effect.gen(function* () {
            const found = yield* lockProposal(reach, id)
            if (typeof found === "string" || found.status !== "pending") return false
            yield* settleProposal(reach, found, { status: "rejected", decidedBy: userId, statusReason: `${at}` })
            return true
          })
        )
      const outcomes = yield* Effect.forEach(upTo(8), decide, { concurrency: "unbounded" })
      assert.lengthOf(outcomes.filter(Boolean), 1)
      const at = outcomes.indexOf(true) + 1
      assert.propertyVal(yield* getProposal(reach, id), "statusReason", `${at}`)
      assert.lengthOf(yield* eventsIn(spaceId, userId), 3)
    })
  )

  rule(
    "the proposal store finds a pending request to join a workspace by its agent, space and credential, even for a key that may not read members",
    Effect.gen(function* () {
      const { personId: userId, spaceId, reach } = yield* aMember()
      const agentId = uuidv7()
      const { authority } = aProposal({ userId, spaceId })
      const wish = {
        userId,
        authority,
        subject: "member",
        kind: null,
        targetType: "member",
        proposalType: "join"
      } as const
      const asked = { actorId: agentId, authority, spaceId }
      yield* fileProposal(reach, aProposal({ ...wish, spaceId, actorId: agentId, expiresAt: longAgo }))
      yield* fileProposal(reach, aProposal({ ...wish, spaceId, actorId: uuidv7() }))
      yield* fileProposal(reach, aProposal({ ...wish, spaceId, actorId: agentId, proposalType: "member.create" }))
      assert.isUndefined(yield* findPendingJoin(reach, asked))
      const waiting = yield* fileProposal(reach, aProposal({ ...wish, spaceId, actorId: agentId }))
      const narrow = aReach({ personId: userId, spaces: [spaceId], grant: { permissions: ["entity.note"] } })
      for (const asking of [reach, narrow]) assert.strictEqual(yield* findPendingJoin(asking, asked), waiting.id)
      assert.isUndefined(yield* findPendingJoin(reach, { ...asked, spaceId: userId }))
      // The search ignores a pending request that was made with another credential. If the other credential is revoked,
      // nobody can approve that request.
      const other = { ...authority, credentialId: uuidv7() }
      assert.isUndefined(yield* findPendingJoin(reach, { ...asked, authority: other }))
      // If the search also compares the content, it finds only a request with the same content. The order of the fields
      // does not matter.
      const alike = (content: object) =>
        Effect.flatMap(ProposalStore, ({ pendingAlike }) =>
          withReach(reach)(
            pendingAlike({ ...asked, ...authority, proposalType: "join", content: { ...content } }, aPassed)
          )
        )
      const reordered = Object.fromEntries(Object.entries(waiting.content).toReversed())
      assert.strictEqual((yield* alike(reordered))?.id, waiting.id)
      assert.isUndefined(yield* alike({ ...waiting.content, more: 1 }))
      yield* settleProposal(reach, waiting, { status: "rejected", decidedBy: userId })
      assert.isUndefined(yield* findPendingJoin(reach, asked))
    })
  )
}
