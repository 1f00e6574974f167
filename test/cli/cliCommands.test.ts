/**
 * Tests the commands that show and change records of a pod: what they print, what they refuse, and what they change.
 */
import { assert, describe, it } from "@effect/vitest"
import { aReceiver } from "../support/receiver.ts"
import { aCommandScene, type Fields, errorOf, note } from "../support/commandScene.ts"

const { agent, json, pod, program, propose, server, started } = aCommandScene()
const nowhere = "0192f3ab-0000-7000-8000-000000000000"

describe("the commands of `pod events`", () => {
  it("`pod events tail` prints the matching events that happen after the command starts, and ends after the given number of events", async () => {
    const tail = await started([
      "events",
      "tail",
      "--type",
      "entity.note.create",
      "--count",
      "2",
      "-o",
      "ndjson",
      "--debug"
    ])
    await tail.untilOutput("→ 200")
    const ids: Array<string> = []
    for (const title of ["one", "two"]) {
      await server().owner.send("POST", "/api/hub/projects", { name: title })
      ids.push((await server().owner.send("POST", "/api/hub/entities", note(title))).body.id)
    }
    const { code, stderr, stdout } = await tail.ended
    assert.strictEqual(code, 0, stderr)
    const events = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Fields)
    assert.deepStrictEqual(
      events.map(({ subjectId, type }) => [type, subjectId]),
      ids.map((id) => ["entity.note.create", id])
    )
  })

  it("`pod events tail` with a key that may not read events prints the refusal and ends", async () => {
    const key = await server().aKey(server().owner, { scope: ["hub-protocol.write"] })
    const refused = await pod(["events", "tail", "--json"], { environment: { POD_API_KEY: key.secret } })
    assert.strictEqual(refused.code, 5, refused.stderr)
    assert.strictEqual(errorOf(refused)["code"], "SCOPE_MISSING")
  })

  it("`pod events trace` prints the tree of causes and effects of an event, and marks this event in the tree", async () => {
    const id = await propose("caused by an approval")
    await json("proposals", "approve", id, "--yes")
    const [made] = await json("events", "list", "--type", "entity.note.create", "-n", "1")
    const drawn = await pod(["events", "trace", made.id])
    assert.strictEqual(drawn.code, 0, drawn.stderr)
    const lines = drawn.stdout.trimEnd().split("\n")
    assert.strictEqual(lines.filter((line) => line.includes("→ ")).length, 1, drawn.stdout)
    assert.include(
      lines.find((line) => line.includes("→ ")),
      made.id
    )
    const tree = await json("events", "trace", made.id)
    const idsIn = (branch: Fields): ReadonlyArray<string> => [
      branch["event"].id,
      ...branch["causes"].flatMap((each: Fields) => idsIn(each))
    ]
    assert.include(idsIn(tree), made.id)
    assert.strictEqual((await pod(["events", "trace", nowhere])).code, 6)
  })
})

describe("the commands of `pod proposals`", () => {
  it("`pod proposals list` and `pod proposals show` print the waiting changes and the commands to decide, and `pod proposals approve` writes the change that was shown", async () => {
    const id = await propose("call the roofer")
    assert.include(
      (await json("proposals", "list")).map((each: Fields) => each["id"]),
      id
    )
    const shown = await pod(["proposals", "show", id])
    assert.include(shown.stdout, "call the roofer")
    assert.include(shown.stdout, "pending")
    assert.match(shown.stderr, /^To decide: pod proposals approve [0-9a-f-]+, or pod proposals reject /)
    const approved = await json("proposals", "approve", id, "--yes")
    const { body } = await server().owner.send("GET", `/api/hub/entities/${approved.primaryId}`)
    assert.strictEqual(body.title, "call the roofer")
    const again = await pod(["proposals", "approve", id, "--json", "--yes"])
    assert.strictEqual(again.code, 7, again.stderr)
    assert.strictEqual((await pod(["proposals", "show", nowhere])).code, 6)
  })

  it("the command `pod proposals reject` changes no record, and the agent can read the reason of the rejection", async () => {
    const id = await propose("buy a boat")
    const rejected = await pod(["proposals", "reject", id, "--reason", "We have one.", "--yes"])
    assert.strictEqual(rejected.stdout, "Rejected.\n", rejected.stderr)
    const { body } = await agent().send("GET", `/api/hub/proposals/${id}`)
    assert.include(JSON.stringify(body), "We have one.")
    assert.deepStrictEqual(
      (await json("proposals", "list", "--status", "rejected")).map((each: Fields) => each["id"]),
      [id]
    )
  })

  it("`pod proposals watch` prints the waiting proposals, and then each new proposal, until the person presses Ctrl-C", async () => {
    const first = await propose("there before")
    const watch = await started(["proposals", "watch", "--debug"])
    await watch.untilOutput("there before")
    await watch.untilOutput("entityType=proposal → 200")
    const second = await propose("made meanwhile")
    await watch.untilOutput("made meanwhile")
    watch.signal("SIGINT")
    const { code, stdout } = await watch.ended
    assert.strictEqual(code, 130)
    for (const id of [first, second]) await server().owner.send("POST", `/api/hub/proposals/${id}/reject`, {})
    assert.match(stdout, /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4} {2}\S+ {2}pending/m)
  })
})

describe("the commands of `pod webhooks`", () => {
  it("the commands `pod webhooks test`, `deliveries` and `replay` accept the name of a webhook", async () => {
    const receiver = await aReceiver((response) => void response.writeHead(500).end())
    await server().owner.mutate("webhooks.create", {
      name: "slack",
      url: receiver.url,
      eventTypes: ["entity.task.create"]
    })
    assert.deepInclude((await json("webhooks", "list"))[0], { name: "slack", active: true })
    const sent = await pod(["webhooks", "test", "slack"])
    assert.include(sent.stdout, "is sending the test event", sent.stderr)
    await receiver.until(() => true)
    const unfit = await pod(["webhooks", "replay", "slack"])
    assert.strictEqual(unfit.code, 2, unfit.stderr)
    assert.strictEqual((await pod(["webhooks", "replay", "slack", "--failed", "--since", "soon"])).code, 2)
    await server().owner.send("POST", "/api/hub/entities", { title: "sent", profileSlug: "task" })
    await receiver.until(({ body }) => body.type === "entity.task.create")
    const calls = await json("webhooks", "deliveries", "slack")
    assert.isTrue(
      calls.some((each: Fields) => each["eventType"] === "entity.task.create"),
      JSON.stringify(calls)
    )
    const [call] = calls
    assert.isString((await pod(["webhooks", "deliveries", "slack"])).stdout.match(call.id)?.[0])
    assert.strictEqual((await pod(["webhooks", "deliveries", "slack", "--since", "soon"])).code, 2)
    assert.strictEqual((await json("webhooks", "deliveries", "slack", "--since", "1h")).length, calls.length)
    assert.deepStrictEqual(await json("webhooks", "deliveries", "slack", "--until", "1h"), [])
    assert.strictEqual((await pod(["webhooks", "replay", "slack", "--missed", "--since", "7d"])).code, 0)
    assert.strictEqual((await pod(["webhooks", "replay", "slack", "--failed", "--since", "30m"])).code, 0)
    assert.strictEqual((await pod(["webhooks", "deliveries", "other"])).code, 6)
    await receiver.stop()
  })
})

describe("keys from access roles", () => {
  it("a key from a role is refused if it is limited to a workspace that the role does not have", async () => {
    await server().aWorkspace(server().owner, "Harbour")
    await server().aWorkspace(server().owner, "Yard")
    const permissions = ["--permission", "entity.note.read"]
    await pod(["roles", "create", "--name", "harbour", ...permissions, "--workspace", "Harbour"])
    const refused = await pod(["keys", "create", "--name", "k", "--role", "harbour", "--workspace", "Yard", "--json"])
    assert.strictEqual(refused.code, 2, refused.stderr)
    assert.include(errorOf(refused)["message"], "The role harbour is limited to other workspaces")
  })

  it("a key from a role can have a workspace, and further permissions: it gets a copy of the role's grant with them", async () => {
    const harbour = (await json("roles", "show", "harbour")).grant.workspaceIds
    const yard = await server().aWorkspace(server().owner, "Shipyard")
    await pod(["roles", "create", "--name", "everywhere", "--permission", "entity.note.read"])
    const grantOf = async (...words: ReadonlyArray<string>) => {
      const made = await json("keys", "create", "--name", words.join(" "), ...words)
      return (await json("keys", "show", made.id)).grant
    }
    const narrow = await grantOf("--role", "everywhere", "--workspace", "Shipyard")
    assert.deepStrictEqual([narrow.permissions, narrow.workspaceIds], [["entity.note.read"], [yard]])
    const wider = await grantOf("--role", "harbour", "--permission", "document.read")
    assert.deepStrictEqual([wider.permissions, wider.workspaceIds], [["entity.note.read", "document.read"], harbour])
    const whole = await grantOf("--role", "harbour")
    assert.deepStrictEqual([whole.permissions, whole.workspaceIds], [["entity.note.read"], harbour])
    const preview = await json(
      "keys",
      "create",
      "--name",
      "p",
      "--role",
      "everywhere",
      "--workspace",
      "Shipyard",
      "--preview"
    )
    assert.include(preview.sentence, "Shipyard")
    for (const role of ["harbour", "everywhere"]) await pod(["roles", "delete", role, "--yes"])
  })

  it("`pod keys check -` reads the secret of a key from stdin, also before the option `--can`", async () => {
    const { key } = await json("keys", "create", "--name", "from stdin")
    const run = await program(["keys", "check", "-", "--can", "entities.list", "--json"], { input: `${key}\n` })
    assert.strictEqual(run.code, 0, run.stderr)
    assert.strictEqual((JSON.parse(run.stdout) as { data: Fields }).data["verdict"], "allow")
  })
})

describe("the commands of `pod roles`", () => {
  it("a person creates, shows, edits and deletes an access role with `pod roles`, and `pod roles edit` keeps the fields for which no option is given", async () => {
    const workspaceId = await server().aWorkspace(server().owner, "Acme")
    assert.strictEqual((await pod(["roles", "create", "--name", "empty"])).code, 2)
    const made = await json(
      "roles",
      "create",
      "--name",
      "reader",
      "--permission",
      "entity.note.read",
      "--workspace",
      "Acme"
    )
    assert.deepInclude(made.grant, { permissions: ["entity.note.read"], workspaceIds: [workspaceId] })
    const edited = await json("roles", "edit", "reader", "--permission", "entity.read", "--description", "Reads.")
    assert.deepInclude(edited.grant, { permissions: ["entity.read"], workspaceIds: [workspaceId] })
    assert.strictEqual(edited.description, "Reads.")
    const renamed = await json("roles", "edit", made.id.slice(0, 13), "--name", "researcher")
    assert.deepInclude(renamed, { name: "researcher", description: "Reads." })
    assert.deepInclude(renamed.grant, { permissions: ["entity.read"], workspaceIds: [workspaceId] })
    assert.include((await pod(["roles", "show", "researcher"])).stdout, "entity.read")
    assert.strictEqual((await pod(["roles", "edit", "reader", "--name", "x"])).code, 6)
    assert.strictEqual((await pod(["roles", "edit", "researcher", "--permission", "entity..read"])).code, 2)
    assert.strictEqual((await pod(["roles", "delete", "researcher", "--yes"])).code, 0)
    assert.deepStrictEqual(await json("roles", "list"), [])
  })
})
