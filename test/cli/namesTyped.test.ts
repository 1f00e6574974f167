/** Tests how commands understand the name of a record that a person typed, and what they suggest for a wrong name. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Either } from "effect"
import { chosenName, chosenRow, chosenWord } from "../../src/cli/ChosenRow.ts"
import { textOf } from "../../src/cli/AnswerFields.ts"
import { aCommandScene, errorOf, type Fields } from "../support/commandScene.ts"

const rows = [
  { id: "0192f3ab-0000-7000-8000-000000000001", name: "Acme demo" },
  { id: "0192f3ab-0000-7000-8000-000000000002", name: "Harbour" },
  { id: "0192f3ac-0000-7000-8000-000000000003", name: "harbour" },
  { id: "0192f3ad-0000-7000-8000-000000000004", name: "Old  Mill", isActive: true },
  { id: "0192f3ae-0000-7000-8000-000000000005", name: "Old Mill", isActive: false }
]
const words = {
  idOf: ({ id }: { readonly [name: string]: unknown }) => textOf(id),
  nameOf: ({ name }: { readonly [name: string]: unknown }) => textOf(name),
  noun: "workspace",
  list: "pod api GET /api/hub/workspaces"
}
const choose = (text: string, more: Partial<Parameters<typeof chosenRow>[2]> = {}) =>
  Effect.runSync(Effect.either(chosenRow(rows, text, { ...words, ...more })))
const refusalOf = (text: string) => {
  const chosen = choose(text)
  assert.isTrue(Either.isLeft(chosen), text)
  return Either.getOrThrow(Either.flip(chosen))
}
const idOf = (text: string) => Either.getOrThrow(choose(text))["id"]

describe("the name of a record on the command line", () => {
  it("a name that several records have is refused, and the message lists the records with their ids", () => {
    const { code, exit, message } = refusalOf("HARBOUR")
    assert.deepStrictEqual([exit, code], ["badUsage", "AMBIGUOUS"])
    assert.include(message, `Harbour (${rows[1]?.id}), harbour (${rows[2]?.id})`)
  })

  it("a name that no record has is refused, and the message suggests the nearest names", () => {
    const hints: ReadonlyArray<readonly [string, RegExp]> = [
      ["Acme dmeo", /^Did you mean "Acme demo"\? To see all, run /],
      ["acme", /^Did you mean "Acme demo"\?/],
      ["Harbor", /^Did you mean Harbour or harbour\?/],
      ["something else", /^To see all, run `pod api GET/]
    ]
    for (const [text, hint] of hints) {
      const { exit, hint: given, message } = refusalOf(text)
      assert.strictEqual(exit, "notFound", text)
      assert.include(message, `There is no workspace "${text}".`)
      assert.match(given ?? "", hint)
    }
  })

  it("a record is found by its id, by the beginning of its id, by its exact name, and by its name in another case or with other spaces", () => {
    assert.strictEqual(idOf("0192f3ac-0000-7000-8000-000000000003"), rows[2]?.id)
    assert.strictEqual(idOf("0192F3AC"), rows[2]?.id)
    assert.strictEqual(idOf("harbour"), rows[2]?.id)
    assert.strictEqual(idOf(" acme   DEMO "), rows[0]?.id)
    assert.isTrue(Either.isLeft(choose("0192f3ab")))
  })

  it("of several records with the name, a preferred record is chosen if only one is preferred", () => {
    const chosen = choose("old mill", { isPreferred: ({ isActive }) => isActive === true })
    assert.strictEqual(Either.getOrThrow(chosen)["id"], rows[3]?.id)
  })

  it("a word of a fixed list and the name of a sign-in are found in any case, and a wrong one gets a suggestion", () => {
    const clients = ["claude-code", "cursor"] as const
    const seeAll = "The clients are claude-code and cursor."
    assert.strictEqual(Effect.runSync(chosenWord(clients, "Cursor", { noun: "client", seeAll })), "cursor")
    const wrong = Effect.runSync(Effect.flip(chosenWord(clients, "curser", { noun: "client", seeAll })))
    assert.deepInclude(wrong, { exit: "badUsage", hint: `Did you mean cursor? ${seeAll}` })
    const absent = Effect.runSync(Effect.flip(chosenName(["work"], "wrok", { noun: "profile", seeAll: "" })))
    assert.deepInclude(absent, { exit: "notFound", hint: "Did you mean work? " })
  })
})

describe("names of records that commands take", () => {
  const { json, pod, server } = aCommandScene()

  it("commands find workspaces, projects, agents, roles and keys by a name in another case", async () => {
    const { owner } = server()
    const workspaceId = await server().aWorkspace(owner, "North Harbour")
    const { body: project } = await owner.send("POST", "/api/hub/projects", { name: "New Roof" })
    await json("roles", "create", "--name", "Reader", "--permission", "entity.note.read")
    const made = await pod(["keys", "create", "--name", "Night Script", "--role", "READER", "--quiet"])
    assert.strictEqual(made.code, 0, made.stderr)
    assert.strictEqual((await json("keys", "show", "night script")).keyName, "Night Script")
    assert.strictEqual((await json("roles", "show", "reader")).name, "Reader")
    const limits = ["--workspace", "north harbour", "--project", "new roof", "--permission", "entity.note.read"]
    const narrow = await json("keys", "create", "--name", "Narrow", "--agent", "SCRIBE", ...limits)
    const { grant } = await json("keys", "show", narrow.id)
    assert.deepInclude(grant, { workspaceIds: [workspaceId], projectIds: [project.id] })
    const created = await json("create", "note", "Call", "--workspace", "NORTH harbour")
    const inWorkspace = await json("events", "list", "--workspace", "north  harbour", "--type", "entity.note.create")
    assert.deepStrictEqual(
      inWorkspace.map(({ subjectId }: Fields) => subjectId),
      [created.entity?.id ?? created.id]
    )
    const wrong = await pod(["events", "list", "--workspace", "North Harbor", "--json"])
    assert.strictEqual(wrong.code, 6)
    assert.match(errorOf(wrong)["hint"], /^Did you mean "North Harbour"\?/)
    for (const args of [
      ["get", "nots"],
      ["create", "nots", "Call"]
    ]) {
      const unknown = await pod([...args, "--json"])
      assert.strictEqual(unknown.code, 6, unknown.stderr)
      assert.strictEqual(errorOf(unknown)["message"], 'There is no kind "nots".')
      assert.match(errorOf(unknown)["hint"], /^Did you mean note\?/)
    }
  })
})
