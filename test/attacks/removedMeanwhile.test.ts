/**
 * Attacks: one call ends a workspace, a membership, a thread, a vault entry or the access of a person. At the same
 * moment another call uses it. Afterwards, either one of the two calls was refused, or nothing of the ended thing can
 * be used.
 */
import { afterAll, assert, beforeAll, it } from "@effect/vitest"
import { sampleTemplate, sampleType } from "../../src/shared/SampleMark.ts"
import { whileLogIsHeld } from "../support/heldLog.ts"
import { setRole } from "../support/membership.ts"
import { aPod, type Answer, type Caller, ownerPassword, type TestPod } from "../support/pod.ts"
import { connected } from "../support/postgresServer.ts"
import { aDatabaseOn, describePostgres, type TestDatabase } from "../support/postgres.ts"
import { assertOk, procedureData } from "./attackScene.ts"

describePostgres("attacks: something ends while somebody writes to it", (server) => {
  let pod: TestPod
  let database: TestDatabase
  let agentId: string
  let agent: Caller
  const storage = { kind: "postgres" as const, url: "" }
  beforeAll(async () => {
    database = await aDatabaseOn(server)
    storage.url = database.url
    pod = await aPod(storage)
    agentId = procedureData(await pod.owner.mutate("agents.create", { name: "Scribe", capabilities: ["*"] })).id
    agent = await pod.aKey(pod.owner, { agentId })
  }, 60_000)
  afterAll(async () => {
    await pod?.stop()
    await database?.drop()
  })

  const send = (method: string, path: string, body?: object) => pod.owner.send(method, `/api/hub/${path}`, body)
  const count = (text: string, values: ReadonlyArray<string>) =>
    connected(database.url, async (client) => {
      const { rows } = await client.query<{ readonly count: number }>(text, [...values])
      return rows[0]?.count ?? 0
    })
  const liveEntities = (workspaceId: string) =>
    count("SELECT count(*)::integer AS count FROM entities WHERE space_id = $1 AND archived_at IS NULL", [workspaceId])
  /** Runs the two calls once in each order, on the records that `prepare` makes. */
  const inBothOrders = async <S>(
    prepare: (round: number) => Promise<S>,
    spaceOf: (scene: S) => string,
    calls: (scene: S) => readonly [() => Promise<Answer>, () => Promise<Answer>],
    check: (scene: S, one: Answer, other: Answer) => Promise<void>
  ) => {
    for (const round of [0, 1, 2, 3]) {
      const scene = await prepare(round)
      const [one, other] = calls(scene)
      const isReversed = round % 2 === 1
      const answers = await whileLogIsHeld(database.url, spaceOf(scene), isReversed ? [other, one] : [one, other])
      for (const { body, status } of answers) assert.isBelow(status, 500, JSON.stringify(body))
      await check(scene, answers[isReversed ? 1 : 0], answers[isReversed ? 0 : 1])
    }
  }

  it("if a person reverts the creation of a workspace while somebody creates an entity in it, either the entity or the revert is refused", async () => {
    await inBothOrders(
      async (round) => {
        const wish = { workspaceName: `Wish ${round}`, proposalId: `wish-${round}` }
        const asked = assertOk(await agent.send("POST", "/api/hub/workspaces/from-definition", wish))
        assertOk(await send("POST", `proposals/${asked.proposalId}/approve`, {}))
        return { proposalId: asked.proposalId as string, workspaceId: asked.proposedId as string }
      },
      ({ workspaceId }) => workspaceId,
      ({ proposalId, workspaceId }) => [
        () => send("POST", `proposals/${proposalId}/revert`),
        () => send("POST", "entities", { title: "Plan", profileSlug: "note", workspaceId })
      ],
      async ({ workspaceId }, reverted, created) => {
        const isCreated = created.status === 200
        if (isCreated) assert.deepInclude([reverted.status, reverted.body.code], "WORKSPACE_IN_USE")
        else assert.strictEqual(reverted.status, 200, JSON.stringify(reverted.body))
        assert.strictEqual(await liveEntities(workspaceId), isCreated ? 1 : 0)
      }
    )
  })

  it("if the owner removes a sample workspace while somebody creates an entity in it, no entity and no event of the workspace is left", async () => {
    await inBothOrders(
      async (round) => {
        const definition = {
          workspaceName: `Sample ${round}`,
          templateId: sampleTemplate,
          workspaceType: sampleType
        }
        const { workspaceId } = assertOk(await send("POST", "workspaces/from-definition", definition))
        return workspaceId as string
      },
      (workspaceId) => workspaceId,
      (workspaceId) => [
        () => send("POST", "setup/sample-removal", {}),
        () => send("POST", "entities", { title: "Plan", profileSlug: "note", workspaceId })
      ],
      async (workspaceId, removed) => {
        assertOk(removed)
        for (const table of ["entities", "events", "memberships", "spaces"]) {
          const column = table === "spaces" ? "id" : "space_id"
          const left = await count(`SELECT count(*)::integer AS count FROM ${table} WHERE ${column} = $1`, [
            workspaceId
          ])
          assert.strictEqual(left, 0, table)
        }
        // The row that marks the log of this workspace as closed remains. It prevents further events in this log.
        const log = "stream_heads WHERE space_id = $1 AND seq = 0 AND is_closed"
        assert.strictEqual(await count(`SELECT count(*)::integer AS count FROM ${log}`, [workspaceId]), 1)
      }
    )
  })

  it("if a member is removed from a workspace at the same moment as the member's agent is added to it, the agent is not a member after both calls", async () => {
    const workspaceId = await pod.aWorkspace(pod.owner, "Shared")
    await inBothOrders(
      async (round) => {
        const email = `leaving${round}@example.com`
        const { id } = await pod.aPerson(email)
        await setRole(pod, storage, id, workspaceId, "admin")
        const { body } = await pod.stranger.send("POST", "/auth/sign-in", { email, password: ownerPassword })
        const person = pod.as({ "x-session-token": body.token as string })
        const made = procedureData(await person.mutate("agents.create", { name: "Own", capabilities: ["*"] }))
        return { id, person, ownAgentId: made.id as string }
      },
      () => workspaceId,
      ({ id, ownAgentId, person }) => [
        () => send("DELETE", `workspaces/${workspaceId}/members/${id}`),
        () => person.send("POST", "/api/hub/workspaces/enroll-agent", { agentUserId: ownAgentId, workspaceId })
      ],
      async ({ ownAgentId }, left, enrolled) => {
        assertOk(left)
        if (enrolled.status !== 200) assert.include([401, 403], enrolled.status, JSON.stringify(enrolled.body))
        const members = await count(
          "SELECT count(*)::integer AS count FROM memberships WHERE user_id = $1 AND space_id = $2",
          [ownAgentId, workspaceId]
        )
        assert.strictEqual(members, 0)
      }
    )
  })

  it("if a person reverts the creation of a thread while somebody posts in it, either the message or the revert is refused", async () => {
    const workspaceId = await pod.aWorkspace(pod.owner, "Talks")
    assertOk(await send("POST", "workspaces/enroll-agent", { agentUserId: agentId, workspaceId }))
    await inBothOrders(
      async (round) => {
        const asked = assertOk(await agent.send("POST", "/api/hub/threads", { title: `Talk ${round}`, workspaceId }))
        assertOk(await send("POST", `proposals/${asked.proposalId}/approve`, {}))
        return { proposalId: asked.proposalId as string, threadId: asked.proposedId as string }
      },
      () => workspaceId,
      ({ proposalId, threadId }) => [
        () => send("POST", `proposals/${proposalId}/revert`),
        () => send("POST", `threads/${threadId}/messages`, { role: "user", content: "Hello" })
      ],
      async ({ threadId }, reverted, posted) => {
        assert.sameMembers([reverted.status === 200, posted.status === 200], [true, false])
        const messages = await count("SELECT count(*)::integer AS count FROM messages WHERE thread_id = $1", [threadId])
        assert.strictEqual(messages, posted.status === 200 ? 1 : 0)
      }
    )
  })

  it("if a person shares and deletes a vault entry at the same moment, the pod keeps no share of the entry", async () => {
    const workspaceId = await pod.aWorkspace(pod.owner, "Sharing")
    const reader = await pod.aPerson("reader@example.com")
    await setRole(pod, storage, reader.id, workspaceId, "viewer")
    await inBothOrders(
      async (round) =>
        procedureData(await pod.owner.mutate("secretsVault.create", { name: `Entry ${round}`, value: "a value" }))
          .id as string,
      () => pod.ownerId,
      (id) => [
        () => pod.owner.mutate("secretsVault.delete", { id }),
        () => pod.owner.mutate("secretsVault.share", { id, personId: reader.id, workspaceId })
      ],
      async (id, deleted, shared) => {
        assertOk(deleted)
        assert.include([200, 404], shared.status, JSON.stringify(shared.body))
        assert.strictEqual(
          await count("SELECT count(*)::integer AS count FROM vault_shares WHERE entry_id = $1", [id]),
          0
        )
      }
    )
  })

  it("if a person shares a vault entry while the reader is removed from the workspace, the pod keeps no share of the entry", async () => {
    await inBothOrders(
      async (round) => {
        const workspaceId = await pod.aWorkspace(pod.owner, `Leaving ${round}`)
        const reader = await pod.aPerson(`departing${round}@example.com`)
        await setRole(pod, storage, reader.id, workspaceId, "viewer")
        const draft = { name: `Entry of ${round}`, value: "a value" }
        const id = procedureData(await pod.owner.mutate("secretsVault.create", draft)).id as string
        return { id, personId: reader.id, workspaceId }
      },
      () => pod.ownerId,
      (share) => [
        () => send("DELETE", `workspaces/${share.workspaceId}/members/${share.personId}`),
        () => pod.owner.mutate("secretsVault.share", share)
      ],
      async ({ id }, removed, shared) => {
        assertOk(removed)
        assert.include([200, 404], shared.status, JSON.stringify(shared.body))
        assert.strictEqual(
          await count("SELECT count(*)::integer AS count FROM vault_shares WHERE entry_id = $1", [id]),
          0
        )
      }
    )
  })

  it("if a person is suspended while signing in, the new session is not valid after the suspension has ended", async () => {
    for (const round of [0, 1]) {
      const email = `suspended${round}@example.com`
      const { id } = await pod.aPerson(email)
      const [suspended, signedIn] = await whileLogIsHeld(database.url, pod.ownerId, [
        () => send("PATCH", `people/${id}`, { isSuspended: true }),
        () => pod.stranger.send("POST", "/auth/sign-in", { email, password: ownerPassword })
      ])
      assertOk(suspended)
      assertOk(await send("PATCH", `people/${id}`, { isSuspended: false }))
      if (signedIn.status === 200) {
        const session = pod.as({ "x-session-token": signedIn.body.token as string })
        assert.strictEqual((await session.send("GET", "/api/hub/users/me")).status, 401)
      } else assert.strictEqual(signedIn.status, 401)
    }
  })

  it("if a person changes the password while somebody signs in with the old password, the new session is not valid", async () => {
    for (const round of [0, 1]) {
      const email = `changing${round}@example.com`
      const person = await pod.aPerson(email)
      const passwords = { currentPassword: ownerPassword, newPassword: "another long passphrase 7" }
      const [changed, signedIn] = await whileLogIsHeld(database.url, person.id, [
        () => person.send("POST", "/api/hub/users/me/password", passwords),
        () => pod.stranger.send("POST", "/auth/sign-in", { email, password: ownerPassword })
      ])
      assertOk(changed)
      if (signedIn.status === 200) {
        const session = pod.as({ "x-session-token": signedIn.body.token as string })
        assert.strictEqual((await session.send("GET", "/api/hub/users/me")).status, 401)
      } else assert.strictEqual(signedIn.status, 401)
    }
  })
})
