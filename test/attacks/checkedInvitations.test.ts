/** Only a caller who knows the token of an invitation can learn whether the invitation is valid, used or withdrawn. */
import { afterAll, assert, beforeAll, it } from "@effect/vitest"
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { ownerPassword } from "../support/pod.ts"
import { onOneStorage } from "../support/storages.ts"
import { asOwner } from "../support/stores.ts"
import { anAttackScene, type AttackScene, assertOk, assertRefused } from "./attackScene.ts"

const ownerName = "Owner"

onOneStorage("the check of an invitation link", (storage) => {
  let ground: AttackScene
  beforeAll(async () => {
    ground = await anAttackScene(storage)
  })
  afterAll(() => ground?.pod.stop())

  const invite = async () => assertOk(await ground.owner.send("POST", "/api/hub/invitations", {}))
  const check = (token: unknown) => ground.pod.stranger.send("POST", "/setup/check-invite", { token })
  const accept = (token: string, email: string) =>
    ground.pod.stranger.send("POST", "/setup/accept-invite", { token, email, password: ownerPassword })
  const messageOf = async (answer: ReturnType<typeof check>): Promise<string> =>
    assertRefused(await answer, 409, "INVITATION_INVALID").error

  it("attack: a caller with a wrong token or with the id of an invitation learns only that the link is not valid", async () => {
    const [{ invitation, token }, withdrawn] = [await invite(), await invite()]
    assertOk(await ground.owner.send("DELETE", `/api/hub/invitations/${withdrawn.invitation.id}`))
    for (const wrong of [invitation.id, token.slice(1), `${token.slice(1)}A`, `${withdrawn.token.slice(1)}A`, ""]) {
      assert.include(await messageOf(check(wrong)), "This invitation link is not valid.")
    }
    for (const malformed of [null, 7, "x".repeat(201)]) assertRefused(await check(malformed), 400)
  })

  it("the holder of an invitation link can check whether the link is valid, used or withdrawn, and can still use a valid link after the check", async () => {
    const [used, withdrawn] = [await invite(), await invite()]
    for (const { token } of [used, used, withdrawn]) {
      assert.deepStrictEqual(assertOk(await check(token)), {
        success: true,
        createsAccount: true,
        joinsWorkspace: false,
        invitedBy: ownerName,
        workspaceName: null,
        role: null
      })
    }
    assertOk(await accept(used.token, "used@example.com"))
    assertOk(await ground.owner.send("DELETE", `/api/hub/invitations/${withdrawn.invitation.id}`))
    for (const [{ token }, words] of [
      [used, "was already used"],
      [withdrawn, "was withdrawn"]
    ] as const) {
      assert.include(await messageOf(check(token)), words)
      assert.include(await messageOf(accept(token, "again@example.com")), words)
    }
  })

  it("attack: a used, withdrawn or wrong link tells neither the name of the workspace nor the name of the inviter", async () => {
    const workspaceId = await ground.pod.aWorkspace(ground.owner, "Secret shipyard")
    const inviteThere = async () =>
      assertOk(await ground.owner.send("POST", "/api/hub/invitations", { workspaceId, role: "viewer" }))
    const [used, withdrawn] = [await inviteThere(), await inviteThere()]
    assert.deepInclude(assertOk(await check(used.token)), { workspaceName: "Secret shipyard", role: "viewer" })
    assertOk(await accept(used.token, "shipwright@example.com"))
    assertOk(await ground.owner.send("DELETE", `/api/hub/invitations/${withdrawn.invitation.id}`))
    for (const token of [used.token, withdrawn.token, `${used.token.slice(1)}A`]) {
      const text = JSON.stringify(assertRefused(await check(token), 409, "INVITATION_INVALID"))
      assert.notMatch(text, new RegExp(`Secret shipyard|${ownerName}|viewer|${workspaceId}`))
    }
  })

  // This test changes the database with SQL. In memory, the contract suite of the invitation store checks the same
  // states.
  it.skipIf(storage.kind === "memory")(
    "the check of an invitation link says if the link has expired, but does not say if the inviter has lost the right to invite",
    async () => {
      const [expired, closed] = [await invite(), await invite()]
      await ground.pod.run(
        asOwner(
          Effect.flatMap(SqlClient.SqlClient, (sql) =>
            Effect.zipRight(
              sql`UPDATE invitations SET expires_at = now() WHERE id = ${expired.invitation.id}::uuid`,
              sql`UPDATE invitations SET invited_by = ${ground.victim.id}::uuid WHERE id = ${closed.invitation.id}::uuid`
            )
          )
        )
      )
      assert.include(await messageOf(check(expired.token)), "has expired")
      assert.strictEqual(
        await messageOf(check(closed.token)),
        "This invitation no longer works. Ask the owner of the pod for a new link."
      )
    }
  )

  it("attack: one network address can check only a few invitation links", async () => {
    const statuses: Array<number> = []
    for (let tries = 0; tries < 25; tries++) statuses.push((await check("B".repeat(43))).status)
    assert.include(statuses, 429)
  })
})
