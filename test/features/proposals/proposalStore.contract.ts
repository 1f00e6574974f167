/** Who can read which proposal in every store of proposals. The tests run on memory, PGlite and PostgreSQL. */
import { assert, it } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import { subjects } from "../../../src/doors/Door.ts"
import type { ReachShape } from "../../../src/doors/Reach.ts"
import { uuidv7 } from "../../../src/platform/Ids.ts"
import { aMember, aPerson, aWorkspaceOf, eventsIn, upTo } from "../../support/people.ts"
import { aReach } from "../../support/reach.ts"
import type { Stores } from "../../support/stores.ts"
import { aPassedOf } from "../../support/passed.ts"
import { addEntity, anEntity, removeEntity } from "../entities/entityCalls.ts"
import {
  aProposal,
  excerptsOf,
  fileProposal,
  getProposal,
  lockProposal,
  listIds,
  listProposals,
  longAgo,
  settleProposal
} from "./proposalCalls.ts"

const absent = "ProposalNotFound"

/** Asserts that the caller with these access rights cannot find the proposal in any way. */
const isHidden = (reach: ReachShape, id: string, caller: string) =>
  Effect.gen(function* () {
    assert.strictEqual(yield* getProposal(reach, id), absent, `${caller}: a read finds the proposal`)
    assert.strictEqual(yield* lockProposal(reach, id), absent, `${caller}: a lock finds the proposal`)
    const { proposals, total } = yield* listProposals(reach)
    const excerpts = yield* excerptsOf(reach)
    assert.notInclude(
      excerpts.map((each) => each.id),
      id,
      `${caller}: a question finds the proposal`
    )
    assert.notInclude(
      proposals.map((each) => each.id),
      id,
      `${caller}: a listing shows the proposal`
    )
    assert.strictEqual(total, proposals.length, `${caller}: a count includes the proposal`)
  })

export const proposalStoreContract = (stores: Layer.Layer<Stores>) => {
  const rule = <E>(name: string, work: Effect.Effect<void, E, Stores>) =>
    it.effect(name, () => Effect.provide(work, stores))

  rule(
    "a proposal is hidden from callers who may not read proposals in its space or may not read the record that it is about",
    Effect.gen(function* () {
      const { personId: userId, spaceId, reach } = yield* aMember()
      const [targetId, projectId] = [uuidv7(), uuidv7()]
      const { id } = yield* fileProposal(reach, aProposal({ spaceId, userId, targetId, projectIds: [projectId] }))
      const otherSpace = yield* aWorkspaceOf(userId)
      const own = { personId: userId, spaces: [spaceId] }
      const may = (...permissions: ReadonlyArray<string>) => aReach({ ...own, grant: { permissions } })
      yield* isHidden(aReach(), id, "a stranger")
      yield* isHidden(aReach({ personId: userId, spaces: [otherSpace] }), id, "another workspace")
      yield* isHidden(aReach({ ...own, workspaceId: otherSpace }), id, "a key confined elsewhere")
      yield* isHidden(aReach({ ...own, grant: { workspaceIds: [otherSpace] } }), id, "a grant elsewhere")
      yield* isHidden(may("entity"), id, "a grant without proposals")
      yield* isHidden(may("proposal"), id, "a grant without the thing itself")
      yield* isHidden(may("proposal", "entity.task.read"), id, "a grant for another kind")
      yield* isHidden(may("proposal", "track.read", "document"), id, "a grant for other things")
      yield* isHidden(aReach({ ...own, grant: { entityIds: [id] } }), id, "a grant for another object")
      yield* isHidden(aReach({ ...own, grant: { projectIds: [uuidv7()] } }), id, "a grant for another project")
      for (const narrow of [
        may("proposal.read", "entity.note.read"),
        aReach({ ...own, grant: { entityIds: [targetId] } }),
        aReach({ ...own, grant: { projectIds: [projectId, uuidv7()] } }),
        aReach({ ...own, role: "viewer" }),
        aReach({ personId: yield* aPerson, spaces: [spaceId] })
      ]) {
        assert.deepStrictEqual(yield* listIds(narrow), [id])
        assert.propertyVal(yield* getProposal(narrow, id), "id", id)
        assert.propertyVal(yield* lockProposal(narrow, id), "id", id)
      }
    })
  )

  rule(
    "only the owner of a private record can read a proposal about that record",
    Effect.gen(function* () {
      const { personId: userId, spaceId, reach } = yield* aMember()
      const { id } = yield* fileProposal(reach, aProposal({ spaceId, userId, isPrivate: true }))
      yield* isHidden(aReach({ personId: yield* aPerson, spaces: [spaceId] }), id, "another owner of the workspace")
      assert.deepStrictEqual(yield* listIds(reach), [id])
      assert.propertyVal(yield* getProposal(reach, id), "isPrivate", true)
    })
  )

  rule(
    "a key for a project reads the proposals about records in that project, even after these records were deleted",
    Effect.gen(function* () {
      const { personId: userId, spaceId, reach } = yield* aMember()
      const [projectId, elsewhere] = [uuidv7(), uuidv7()]
      const entity = yield* addEntity(reach, anEntity({ spaceId, projectId }))
      const about = { spaceId, userId, action: "delete" as const, targetId: entity.id, content: {} }
      const { id } = yield* fileProposal(reach, aProposal(about))
      const own = { personId: userId, spaces: [spaceId] }
      const inProject = aReach({ ...own, grant: { projectIds: [projectId] } })
      const inAnother = aReach({ ...own, grant: { projectIds: [elsewhere] } })
      assert.deepStrictEqual(yield* listIds(inProject), [id])
      yield* isHidden(inAnother, id, "a grant for another project, the record is there")
      assert.strictEqual(yield* removeEntity(reach, entity.id), entity.id)
      assert.deepStrictEqual(yield* listIds(inProject), [id])
      assert.propertyVal(yield* getProposal(inProject, id), "id", id)
      yield* isHidden(inAnother, id, "a grant for another project, the record was deleted")
    })
  )

  rule(
    "for every type of record, only a caller who may read this type can read a proposal for a record of this type",
    Effect.gen(function* () {
      const { personId: userId, spaceId, reach } = yield* aMember()
      for (const subject of subjects) {
        const kind = subject === "entity" ? "note" : null
        const { id } = yield* fileProposal(reach, aProposal({ spaceId, userId, subject, kind, targetType: subject }))
        assert.propertyVal(yield* getProposal(reach, id), "subject", subject)
        // A permission in a grant cannot contain capital letters.
        const others = subjects.filter((other) => other !== subject && /^[a-z_]+$/.test(other))
        const grant = { permissions: [...others, "proposal"] }
        // This record is a proposal itself, so the permission for proposals covers the record too.
        if (subject === "proposal") continue
        yield* isHidden(aReach({ personId: userId, spaces: [spaceId], grant }), id, subject)
      }
      assert.lengthOf(yield* listIds(reach), subjects.length)
    })
  )

  rule(
    "a stored proposal has all the fields of the request and the id of its event",
    Effect.gen(function* () {
      const { personId: userId, spaceId, reach } = yield* aMember()
      const whole = aProposal({
        spaceId,
        userId,
        action: "update",
        projectIds: [uuidv7(), uuidv7()],
        content: { title: 'ключ 🗝️ "quoted" \\ {braces}', properties: { a: null, b: [1, { c: "" }] } },
        base: { version: 3, fields: { title: "before", properties: null } },
        authority: {
          credentialKind: "key",
          credentialId: uuidv7(),
          holderId: uuidv7(),
          personId: userId
        },
        summary: "Change “a, b”",
        reasoning: "line\nbreak",
        sessionId: uuidv7()
      })
      for (const made of [whole, aProposal({ spaceId, userId, kind: null, subject: "track" })]) {
        const kept = yield* fileProposal(reach, made)
        const { createdAt, filedEventId, updatedAt, ...rest } = kept
        assert.deepStrictEqual(rest, { ...made, settledEventId: null, decidedAt: null })
        assert.deepStrictEqual(createdAt, updatedAt)
        assert.deepStrictEqual(yield* getProposal(reach, made.id), kept)
        assert.deepStrictEqual(yield* lockProposal(reach, made.id), kept)
        assert.deepStrictEqual((yield* listProposals(reach)).proposals[0], kept)
        const event = (yield* eventsIn(spaceId, userId)).at(-1)
        assert.deepInclude(event, { id: filedEventId, type: "proposal.create", subjectId: made.id, userId })
      }
    })
  )

  rule(
    "the event of a new proposal has the id of the gate decision that made the write a proposal",
    Effect.gen(function* () {
      const { personId: userId, spaceId, reach } = yield* aMember()
      const decision = {
        id: uuidv7(),
        verdict: "propose" as const,
        rung: "otherwise",
        permission: "entity.note.create"
      }
      const { filedEventId } = yield* fileProposal(reach, aProposal({ spaceId, userId }), aPassedOf(decision))
      // The id of the decision is the id of the event.
      assert.strictEqual(filedEventId, decision.id)
      const [, event] = yield* eventsIn(spaceId, userId)
      assert.propertyVal(event, "id", decision.id)
      assert.propertyVal(event.decision, "rung", "otherwise")
    })
  )

  rule(
    "a listing of proposals shows the latest first, can be filtered by space, focus session and status, and has a total that includes the proposals of all pages",
    Effect.gen(function* () {
      const { personId: userId, spaceId, reach } = yield* aMember()
      const sessionId = uuidv7()
      const made: Array<string> = []
      for (const at of upTo(12)) {
        const of = { spaceId: at % 3 === 0 ? userId : spaceId, sessionId: at % 4 === 0 ? sessionId : null }
        const { id } = yield* fileProposal(reach, aProposal({ ...of, userId }))
        made.push(id)
      }
      const newest = made.toReversed()
      const rejected = yield* lockProposal(reach, made[2])
      if (typeof rejected === "string") return assert.fail(rejected)
      yield* settleProposal(reach, rejected, { status: "rejected", decidedBy: userId })
      assert.deepStrictEqual(yield* listIds(reach), newest)
      assert.lengthOf(yield* listIds(reach, { spaceId: userId }), 4)
      assert.lengthOf(yield* listIds(reach, { sessionId }), 3)
      assert.deepStrictEqual(yield* listIds(reach, { status: "rejected" }), [made[2]])
      assert.deepStrictEqual(yield* listIds(reach, { spaceId: uuidv7() }), [])
      assert.deepStrictEqual(yield* listIds(reach, { spaceId: userId, sessionId }), [made[11]])
      const pending = newest.filter((id) => id !== made[2])
      for (const limit of [1, 4, 11, 50]) {
        const offsets = upTo(Math.ceil(11 / limit)).map((at) => (at - 1) * limit)
        const pages = yield* Effect.forEach(offsets, (offset) =>
          listProposals(reach, { status: "pending", limit, offset })
        )
        assert.deepStrictEqual(
          pages.flatMap(({ proposals }) => proposals.map(({ id }) => id)),
          pending
        )
        assert.deepStrictEqual([...new Set(pages.map(({ total }) => total))], [11])
      }
      const beyond = yield* listProposals(reach, { status: "pending", offset: 50 })
      assert.deepStrictEqual(beyond, { proposals: [], total: 11 })
      // New proposals do not change the page that follows a given row.
      yield* fileProposal(reach, aProposal({ spaceId, userId }))
      assert.deepStrictEqual(
        yield* listIds(reach, { status: "pending", before: pending[3], limit: 4 }),
        pending.slice(4, 8)
      )
      assert.strictEqual((yield* listProposals(reach, { status: "pending", before: pending[3] })).total, 12)
    })
  )

  rule(
    "after the expiry time of a proposal, every reader sees it as expired and no longer as pending",
    Effect.gen(function* () {
      const { personId: userId, spaceId, reach } = yield* aMember()
      const { id } = yield* fileProposal(reach, aProposal({ spaceId, userId, expiresAt: longAgo }))
      const living = yield* fileProposal(reach, aProposal({ spaceId, userId }))
      assert.deepStrictEqual(yield* listIds(reach, { status: "pending" }), [living.id])
      assert.deepStrictEqual(yield* listIds(reach, { status: "expired" }), [id])
      for (const proposal of [yield* getProposal(reach, id), yield* lockProposal(reach, id)])
        assert.propertyVal(proposal, "status", "expired")
      const { proposals } = yield* listProposals(reach)
      assert.deepStrictEqual(
        proposals.map(({ status }) => status),
        ["pending", "expired"]
      )
      // A proposal that was decided before its expiry keeps its status.
      const late = aProposal({ spaceId, userId, expiresAt: longAgo })
      const kept = yield* fileProposal(reach, late)
      yield* settleProposal(reach, kept, { status: "approved", decidedBy: userId })
      assert.propertyVal(yield* getProposal(reach, late.id), "status", "approved")
    })
  )

  rule(
    "the beginning of an id finds a proposal only if exactly one proposal that the caller may read has this beginning",
    Effect.gen(function* () {
      const { personId: userId, spaceId, reach } = yield* aMember()
      const foreign = yield* aMember()
      const id = `abcd1234-0000-7000-8000-${uuidv7().slice(24)}`
      const theirs = `abcd1234-0000-7000-8001-${uuidv7().slice(24)}`
      yield* fileProposal(reach, aProposal({ spaceId, userId, id }))
      yield* fileProposal(foreign.reach, aProposal({ spaceId: foreign.spaceId, userId: foreign.personId, id: theirs }))
      for (const handle of [id, id.toUpperCase(), "abcd", "ABCD1234-0", id.slice(0, 35)]) {
        assert.propertyVal(yield* getProposal(reach, handle), "id", id, handle)
      }
      for (const handle of [theirs, "abce", "bcd1", "abcd1235", "abcd%", "____"]) {
        assert.strictEqual(yield* getProposal(reach, handle), absent, handle)
      }
      const both = aReach({ personId: userId, spaces: [spaceId, foreign.spaceId] })
      assert.strictEqual(yield* getProposal(both, "abcd"), "HandleAmbiguous")
      assert.propertyVal(yield* getProposal(both, theirs.slice(0, 23)), "id", theirs)
    })
  )

  rule(
    "the excerpt of a pending proposal contains the beginnings of its texts, and changes when the proposal is edited",
    Effect.gen(function* () {
      const { personId: userId, spaceId, reach } = yield* aMember()
      const other = yield* aWorkspaceOf(userId)
      const both = aReach({ personId: userId, spaces: [spaceId, other] })
      const content = { title: "", name: "Crane", profileSlug: "note", description: "🦑".repeat(3000), content: 7 }
      const first = yield* fileProposal(reach, aProposal({ spaceId, userId, content }))
      yield* fileProposal(reach, aProposal({ spaceId, userId, expiresAt: longAgo }))
      const elsewhere = yield* fileProposal(both, aProposal({ spaceId: other, userId, content: { title: ["Quay"] } }))
      const { id, proposalType, summary } = first
      const expected = { id, proposalType, summary, title: "Crane", profileSlug: "note" }
      assert.deepStrictEqual(yield* excerptsOf(both, [spaceId]), [{ ...expected, text: `${"🦑".repeat(2000)} ` }])
      const all = yield* excerptsOf(both)
      assert.deepStrictEqual(
        all.map(({ title, id: each, text }) => [each, title, text.trim().length > 0]),
        [
          [elsewhere.id, "", false],
          [id, "Crane", true]
        ]
      )
      assert.deepStrictEqual(
        (yield* excerptsOf(both, null, 1)).map((each) => each.id),
        [elsewhere.id]
      )
      yield* settleProposal(reach, first, { content: { title: "Quay", content: "schooner" } }, "edit")
      assert.deepStrictEqual(yield* excerptsOf(both, [spaceId]), [{ ...expected, title: "Quay", text: " schooner" }])
      yield* settleProposal(reach, first, { status: "rejected", decidedBy: userId })
      assert.deepStrictEqual(yield* excerptsOf(both, [spaceId]), [])
    })
  )

  rule(
    "the excerpts for a project leave out the proposals about records outside of the project",
    Effect.gen(function* () {
      const { personId: userId, spaceId, reach } = yield* aMember()
      const [projectId, other] = [uuidv7(), uuidv7()]
      const filed = (made: object) =>
        Effect.map(fileProposal(reach, aProposal({ spaceId, userId, ...made })), ({ id }) => id)
      const without = yield* filed({})
      const elsewhere = yield* filed({ projectIds: [other], content: { title: "Pier", projectId: other } })
      const about = [
        yield* filed({ projectIds: [projectId] }),
        yield* filed({ targetType: "track", content: { name: "Quay", projectId } }),
        yield* filed({ targetType: "track", action: "update", base: { version: 1, fields: { projectId } } }),
        yield* filed({ targetType: "project", action: "update", targetId: projectId })
      ]
      const found = (...asked: Parameters<typeof excerptsOf>) =>
        Effect.map(excerptsOf(...asked), (excerpts) => excerpts.map(({ id }) => id).toReversed())
      assert.deepStrictEqual(yield* found(reach, null, 100, { inProjects: [] }), [])
      assert.deepStrictEqual(yield* found(reach, null, 100, { inProjects: [projectId] }), about)
      assert.deepStrictEqual(yield* found(reach, null, 100, { notInProjects: [projectId] }), [without, elsewhere])
    })
  )

  rule(
    "if the content of a proposal has no title and no kind, the excerpt has the title and the kind of the record that the proposal changes",
    Effect.gen(function* () {
      const { personId: userId, spaceId, reach } = yield* aMember()
      const filed = (title: string, content: object) =>
        fileProposal(
          reach,
          aProposal({ spaceId, userId, kind: "note", content: { ...content }, base: { version: 1, fields: { title } } })
        )
      yield* filed("Pier", {})
      yield* filed("Mole", { title: "Breakwater", profileSlug: "task" })
      assert.deepStrictEqual(
        (yield* excerptsOf(reach, [spaceId])).map(({ profileSlug, title }) => [profileSlug, title]),
        [
          ["task", "Breakwater"],
          ["note", "Pier"]
        ]
      )
    })
  )
}
