/** A person can list and end their own sessions. Nobody else can list or end these sessions. */
import { afterAll, assert, beforeAll, it } from "@effect/vitest"
import { type Caller, ownerPassword } from "../support/pod.ts"
import { onOneStorage } from "../support/storages.ts"
import { anAttackScene, eventsOf, type AttackScene, assertOk, assertRefused, procedureData } from "./attackScene.ts"

interface Listed {
  readonly id: string
  readonly userAgent: string | null
  readonly isCurrent: boolean
}

onOneStorage("the list of a person's own sessions", (storage) => {
  let ground: AttackScene
  beforeAll(async () => {
    ground = await anAttackScene(storage)
  })
  afterAll(() => ground?.pod.stop())

  const another = async (email: string, program: string) => {
    const body = { email, password: ownerPassword }
    const { token } = assertOk(await ground.pod.stranger.send("POST", "/auth/sign-in", body, { "user-agent": program }))
    return ground.pod.as({ "x-session-token": token })
  }
  const listed = async (by: Caller): Promise<ReadonlyArray<Listed>> =>
    procedureData(await by.query("sessions.list", {}))
  const status = async (caller: Caller) => (await caller.send("GET", "/api/hub/users/me")).status

  it("a person's list of sessions shows the program of each session and marks the session of the request, but contains no token", async () => {
    const email = "many@example.com"
    const person = await ground.pod.aPerson(email)
    const phone = await another(email, "A phone/1.0")
    const sessions = await listed(phone)
    assert.lengthOf(sessions, 2)
    assert.deepStrictEqual(
      sessions.map(({ isCurrent }) => isCurrent),
      [true, false]
    )
    assert.strictEqual(sessions[0]?.userAgent, "A phone/1.0")
    for (const caller of [person, phone]) {
      assert.notInclude(JSON.stringify(sessions), caller.headers["x-session-token"]?.split(".")[0])
    }
  })

  it("if a person ends one session, only that session ends, and the event log gets one event about the end", async () => {
    const email = "one@example.com"
    const person = await ground.pod.aPerson(email)
    const phone = await another(email, "A phone/1.0")
    const id = (await listed(person)).find(({ isCurrent }) => !isCurrent)?.id
    assertOk(await person.mutate("sessions.end", { sessionId: id }))
    assert.deepStrictEqual(await Promise.all([person, phone].map(status)), [200, 401])
    assertRefused(await person.mutate("sessions.end", { sessionId: id }), 404)
    assert.isDefined(
      (await eventsOf(person)).find(({ type, subjectId }) => type === "person.endSession" && subjectId === id)
    )
  })

  it("a request to end a session gets 400 if it contains no valid session id", async () => {
    const person = await ground.pod.aPerson("wrong@example.com")
    for (const sessionId of ["", "x", "\0", 7, null]) {
      assertRefused(await person.mutate("sessions.end", { sessionId }), 400)
    }
  })

  it("a person who ends all other sessions keeps the session of this request and all keys", async () => {
    const email = "everywhere@example.com"
    const person = await ground.pod.aPerson(email)
    const [second, third] = [await another(email, "b"), await another(email, "c")]
    const key = await ground.pod.aKey(person)
    assert.deepStrictEqual(procedureData(await person.mutate("sessions.endOthers", {})), { endedSessions: 2 })
    assert.deepStrictEqual(await Promise.all([person, second, third, key].map(status)), [200, 401, 401, 200])
    assert.isDefined((await eventsOf(person)).find(({ type }) => type === "person.endOtherSessions"))
  })

  it("attack: a person who knows the id of another person's session can neither end nor see this session", async () => {
    const victim = await ground.pod.aPerson("watched@example.com")
    const thief = await ground.pod.aPerson("watching@example.com")
    const [session] = await listed(victim)
    assert.notInclude(JSON.stringify(await listed(thief)), session?.id)
    assertRefused(await thief.mutate("sessions.end", { sessionId: session?.id }), 404)
    assertOk(await thief.mutate("sessions.endOthers", {}))
    assert.strictEqual(await status(victim), 200)
  })

  it("attack: a key, even with full access, can neither list nor end sessions", async () => {
    const person = await ground.pod.aPerson("keyed@example.com")
    const key = await ground.pod.aKey(person)
    assertRefused(await key.query("sessions.list", {}), 403)
    assertRefused(await key.mutate("sessions.endOthers", {}), 403)
    assert.strictEqual(await status(person), 200)
  })
})
