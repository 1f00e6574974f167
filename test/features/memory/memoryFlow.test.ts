/**
 * Memory over HTTP: first the requests that the pod refuses, then the behaviour of each route. The routes are tested
 * together, because each of them reads facts that the others wrote.
 */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { uuidv7 } from "../../../src/platform/Ids.ts"
import { aPod, type Caller, type TestPod } from "../../support/pod.ts"
import { storages } from "../../support/storages.ts"
import { anEmbedding } from "./factRows.ts"

const hub = "/api/hub/memory"

const post = (caller: Caller, path: string, body: unknown) => caller.send("POST", `${hub}${path}`, body)
const texts = ({ body }: { readonly body: ReadonlyArray<{ readonly fact: string }> }) => body.map(({ fact }) => fact)
const ask = async (caller: Caller, query: string) => texts(await caller.send("GET", `${hub}?${query}`))

describe.each(storages)("the memory of a person %s", (_where, storage) => {
  let pod: TestPod
  let person: Caller & { readonly id: string }
  beforeAll(async () => {
    pod = await aPod(storage)
  })
  afterAll(() => pod?.stop())
  const someone = async () => (person = await pod.aPerson())

  it("a person cannot read, search, forget or restore the facts of another person", async () => {
    await someone()
    const embedding = anEmbedding(7)
    const { body: fact } = await post(person, "", { fact: "The vault code is under the mat.", embedding })
    const other = await pod.aPerson()
    assert.deepStrictEqual(await ask(other, "q=vault"), [])
    assert.deepStrictEqual(await ask(other, ""), [])
    assert.deepStrictEqual((await post(other, "/search", { userId: other.id, embedding })).body, [])
    assert.deepStrictEqual((await other.send("DELETE", `${hub}/${fact.id}?userId=${other.id}`)).body, {
      success: false
    })
    assert.strictEqual((await other.send("GET", `${hub}/${fact.id}/history`)).status, 404)
    assert.strictEqual((await post(other, `/${fact.id}/restore`, {})).status, 404)
    assert.strictEqual((await post(other, "/forget", { ids: [fact.id] })).body.count, 0)
    assert.strictEqual((await post(other, "/forget/preview", { query: "vault" })).body.count, 0)
    const entries = [{ action: "forget", target: fact.id, content: "" }]
    assert.strictEqual((await post(other, "/writes", { entries })).body.count, 0)
    assert.deepStrictEqual(await ask(person, "q=vault"), ["The vault code is under the mat."])
  })

  it("the pod refuses a memory write or search with the id of another person, and ignores the id of another person in a memory listing", async () => {
    await someone()
    const other = await pod.aPerson()
    const { body: fact } = await post(person, "", { fact: "Mine.", userId: person.id })
    const userId = other.id
    const statuses = [
      await post(person, "", { fact: "Theirs.", userId }),
      await post(person, "/search", { userId, embedding: anEmbedding(0) }),
      await post(person, "/turns", { sessionId: "s", turns: [{ role: "user", content: "Hi" }], userId }),
      await post(person, "/sessions", { sessionId: "s", summary: "Hi", userId }),
      await post(person, "/writes", { entries: [{ action: "remember", target: "t", content: "Hi" }], userId }),
      await post(person, "/forget", { ids: [fact.id], userId }),
      await person.send("DELETE", `${hub}/${fact.id}?userId=${userId}`)
    ].map(({ status }) => status)
    assert.deepStrictEqual(
      statuses,
      Array.from({ length: 7 }, () => 403)
    )
    assert.deepStrictEqual(await ask(person, ""), ["Mine."])
    const named = await person.send("GET", `${hub}?userId=${userId}`)
    assert.deepStrictEqual(
      named.body.map((each: { readonly fact: string }) => each.fact),
      ["Mine."]
    )
  })

  it("an invalid memory request is refused and stores no fact", async () => {
    await someone()
    for (const [path, body] of [
      ["", { fact: "" }],
      ["", { fact: "x".repeat(100_001) }],
      ["", { fact: "half \ud800" }],
      ["", { fact: "x", confidence: 1.1 }],
      ["", { fact: "x", embedding: [1, 2, 3] }],
      ["", { fact: "x", embedding: anEmbedding(0).map(() => 1e300) }],
      ["", { fact: "x", sourceEntityId: uuidv7() }],
      ["", { fact: "x", sourceMessageId: uuidv7() }],
      ["/turns", { sessionId: "s", turns: [] }],
      ["/turns", { sessionId: "s", turns: [{ role: "pirate", content: "Hi" }] }],
      ["/turns", { sessionId: "", turns: [{ role: "user", content: "Hi" }] }],
      ["/sessions", { sessionId: "s", summary: "" }],
      ["/sessions", { sessionId: "s", summary: "x", turnCount: 0 }],
      ["/writes", { entries: [] }],
      ["/writes", { entries: [{ action: "remember", target: "t", content: "" }] }],
      ["/writes", { entries: Array.from({ length: 51 }, () => ({ action: "remember", target: "t", content: "x" })) }],
      ["/search", { userId: person.id, embedding: anEmbedding(0), limit: 101 }],
      ["/search", { embedding: anEmbedding(0) }],
      ["/forget", {}],
      ["/forget", { query: "x", ids: [uuidv7()] }]
    ] as const) {
      const { status } = await post(person, path, body)
      assert.strictEqual(status, 400, `${path} ${JSON.stringify(body).slice(0, 80)}`)
    }
    assert.deepStrictEqual(await ask(person, ""), [])
  })

  it("a fact with a source that the caller cannot read is refused, and a source that the caller can read is stored", async () => {
    await someone()
    const theirs = await pod.owner.send("POST", "/api/hub/entities", { title: "Theirs", profileSlug: "note" })
    const refused = await post(person, "", { fact: "From there.", sourceEntityId: theirs.body.id })
    assert.strictEqual(refused.status, 400)
    const own = await person.send("POST", "/api/hub/entities", { title: "Own", profileSlug: "note" })
    const kept = await post(person, "", { fact: "From here.", sourceEntityId: own.body.id })
    assert.strictEqual(kept.body.sourceEntityId, own.body.id)
  })

  it("a source id that is not a UUID belongs to another system, so the pod stores and returns it without looking it up", async () => {
    await someone()
    const sources = { sourceEntityId: "crm:42", sourceMessageId: "msg_123" }
    const made = await post(person, "", { fact: "From elsewhere.", ...sources })
    assert.strictEqual(made.status, 200)
    assert.deepInclude(made.body, sources)
    const turns = [{ role: "user", content: "Said elsewhere." }]
    const { facts } = (await post(person, "/turns", { sessionId: "s", turns, ...sources })).body
    assert.deepInclude(facts[0], sources)
    const found = await person.send("GET", `${hub}?q=elsewhere`)
    for (const fact of found.body) assert.deepInclude(fact, sources)
    assert.lengthOf(found.body, 2)
    for (const sourceMessageId of ["", "x".repeat(201), uuidv7(), uuidv7().toUpperCase()]) {
      assert.strictEqual((await post(person, "", { fact: "x", sourceMessageId })).status, 400, sourceMessageId)
    }
  })

  it("the answer to a new memory fact has the documented fields and the trust of the fact, and a search by words finds the fact", async () => {
    await someone()
    const { body, status } = await post(person, "", { fact: "Ana prefers green tea." })
    assert.strictEqual(status, 200)
    assert.deepInclude(body, {
      userId: person.id,
      fact: "Ana prefers green tea.",
      confidence: 0.8,
      sourceEntityId: null,
      sourceMessageId: null,
      trust: "person",
      level: "fact",
      count: 1,
      validTo: null
    })
    await post(person, "", { fact: "The printer is on the second floor." })
    assert.deepStrictEqual(await ask(person, "q=preferring+tea"), ["Ana prefers green tea."])
    assert.deepStrictEqual(await ask(person, "query=printers&limit=1"), ["The printer is on the second floor."])
    assert.deepStrictEqual(await ask(person, "limit=1"), ["The printer is on the second floor."])
  })

  it("each turn of a conversation becomes one fact, the summary of the conversation becomes the last fact, and a turn that is sent again only increases the count of its fact", async () => {
    await someone()
    const turns = [
      { role: "user", content: "Where is the harbour?" },
      { role: "assistant", content: "Behind the station." },
      { role: "user", content: "Where is the harbour?" }
    ]
    const { body } = await post(person, "/turns", { sessionId: "day one", turns, summary: "About the harbour." })
    assert.strictEqual(body.count, 4)
    assert.deepStrictEqual(texts({ body: body.facts }), [
      "day one[turn:0] user: Where is the harbour?",
      "day one[turn:1] assistant: Behind the station.",
      "day one[turn:2] user: Where is the harbour?",
      "day one [summary] About the harbour."
    ])
    assert.deepStrictEqual(
      body.facts.map(({ confidence, level }: Record<string, unknown>) => [level, confidence]),
      [
        ["turn", 0.8],
        ["turn", 0.8],
        ["turn", 0.8],
        ["summary", 0.9]
      ]
    )
    const again = await post(person, "/turns", {
      sessionId: "day one",
      turns: [...turns, { role: "user", content: "Thanks." }]
    })
    assert.deepStrictEqual(
      again.body.facts.map(({ count, fact }: Record<string, unknown>) => [count, fact]),
      [
        [2, "day one[turn:0] user: Where is the harbour?"],
        [2, "day one[turn:1] assistant: Behind the station."],
        [2, "day one[turn:2] user: Where is the harbour?"],
        [1, "day one[turn:3] user: Thanks."]
      ]
    )
    const later = await post(person, "/turns", { sessionId: "day one", turns: [{ role: "user", content: "Bye." }] })
    assert.deepStrictEqual(texts({ body: later.body.facts }), ["day one[turn:4] user: Bye."])
    assert.lengthOf(await ask(person, "limit=100"), 6)
  })

  it("a memory search finds a turn of a conversation by the words of the turns before and after it, until these turns are forgotten", async () => {
    await someone()
    const turns = [
      { role: "user", content: "Which restaurant was it?" },
      { role: "assistant", content: "Trattoria Lucia." },
      { role: "user", content: "Unrelated chatter." }
    ]
    const { body } = await post(person, "/turns", { sessionId: "s", turns })
    assert.sameMembers(
      await ask(person, "q=restaurant"),
      body.facts.map(({ fact }: { readonly fact: string }) => fact)
    )
    await person.send("DELETE", `${hub}/${body.facts[0].id}?userId=${person.id}`)
    assert.deepStrictEqual(await ask(person, "q=restaurant"), [])
  })

  it("a memory search finds the turns of a conversation by the day of the conversation", async () => {
    await someone()
    const turn = (content: string, saidAt: string) => ({ role: "user", content, saidAt })
    await post(person, "/turns", {
      sessionId: uuidv7(),
      turns: [turn("We signed it.", "2023-08-14T09:00:00Z")]
    })
    await post(person, "/turns", {
      sessionId: uuidv7(),
      turns: [turn("We signed another one.", "2022-03-02T09:00:00Z")]
    })
    assert.match((await ask(person, "q=signed+14+August+2023"))[0], /We signed it\.$/)
  })

  it("the summary of a conversation is one fact, and a later summary of the same conversation replaces it", async () => {
    await someone()
    const { body } = await post(person, "/sessions", {
      sessionId: "plan",
      summary: "Planned.",
      turnCount: 4,
      tags: ["a", "b"],
      metadata: { kind: "call" }
    })
    assert.strictEqual(body.facts[0].fact, 'plan summary: Planned. turns: 4 tags: a, b metadata: {"kind":"call"}')
    assert.strictEqual(body.facts[0].confidence, 0.95)
    await post(person, "/sessions", { sessionId: "plan", summary: "Planned anew." })
    assert.deepStrictEqual(await ask(person, ""), ["plan summary: Planned anew. turns: 0 tags:  metadata: "])
  })

  it("the memory actions `remember`, `update` and `forget` change the facts of the person, and the history contains every change", async () => {
    await someone()
    const write = async (...entries: ReadonlyArray<readonly [string, string, string]>) =>
      (
        await post(person, "/writes", {
          entries: entries.map(([action, target, content]) => ({ action, target, content }))
        })
      ).body
    const first = await write(["remember", "desk", "Window seat"], ["remember", "food", "No nuts"])
    assert.deepStrictEqual(texts({ body: first.facts }), [
      "[write:remember:desk] Window seat",
      "[write:remember:food] No nuts"
    ])
    const [old] = first.facts
    const { facts } = await write(["update", "desk", "Corner seat"])
    assert.sameMembers(await ask(person, ""), ["[write:update:desk] Corner seat", "[write:remember:food] No nuts"])
    const again = await write(["update", facts[0].id, "Standing desk"], ["forget", "food", ""])
    assert.strictEqual(again.count, 2)
    assert.strictEqual(again.facts[1].endReason, "forget")
    assert.strictEqual((await ask(person, "")).length, 1)
    const { body: history } = await person.send("GET", `${hub}/${old.id}/history`)
    assert.deepStrictEqual(
      history.map(({ fact, reason, what }: Record<string, unknown>) => [what, reason, fact]),
      [
        ["end", "update", "[write:update:desk] Corner seat"],
        ["add", null, "[write:update:desk] Standing desk"],
        ["end", "update", "[write:remember:desk] Window seat"],
        ["add", null, "[write:update:desk] Corner seat"],
        ["add", null, "[write:remember:desk] Window seat"]
      ]
    )
    assert.strictEqual((await write(["forget", "nothing of that name", ""])).count, 0)
  })

  it("facts with the same meaning become one fact with a count, unless a name or a negation differs", async () => {
    await someone()
    const first = await post(person, "", { fact: "The standup is at 9 on Monday." })
    const again = await post(person, "", { fact: "the standup is really at 9 on monday" })
    assert.deepStrictEqual([again.body.id, again.body.count], [first.body.id, 2])
    for (const fact of ["The standup isn't at 9 on Monday.", "Marta leads the standup.", "Marie leads the standup."]) {
      assert.strictEqual((await post(person, "", { fact })).body.count, 1, fact)
    }
    const { body: history } = await person.send("GET", `${hub}/${first.body.id}/history`)
    assert.include(
      history.map(({ fact }: { readonly fact: string }) => fact),
      "the standup is really at 9 on monday"
    )
  })

  it("a list of forgotten facts accepts neither words nor `asOf`, and a restored fact is no longer in the list", async () => {
    await someone()
    const { body: fact } = await post(person, "", { fact: "The code of the door is on paper." })
    await post(person, "", { fact: "The door is green." })
    await post(person, "/forget", { ids: [fact.id] })
    for (const more of ["q=door", "query=door", "asOf=2021-01-01T00:00:00Z"]) {
      const { body, status } = await person.send("GET", `${hub}?forgotten=true&${more}`)
      assert.strictEqual(status, 400)
      assert.match(body.error, /Leave out the words and `asOf`/)
    }
    assert.deepStrictEqual(await ask(person, "forgotten=true"), ["The code of the door is on paper."])
    assert.deepStrictEqual(await ask(person, "forgotten=true&trust=import"), [])
    assert.deepStrictEqual(await ask(await pod.aPerson(), "forgotten=true"), [])
    await post(person, `/${fact.id}/restore`, {})
    assert.deepStrictEqual(await ask(person, "forgotten=true"), [])
    assert.lengthOf(await ask(person, "forgotten=false"), 2)
  })

  it("a new fact replaces the older fact that it contradicts, and restoring the older fact undoes the replacement", async () => {
    await someone()
    const { body: old } = await post(person, "", { fact: "Ana lives in Berlin." })
    const { body: fresh } = await post(person, "", { fact: "Ana moved to Munich." })
    assert.deepStrictEqual(await ask(person, ""), ["Ana moved to Munich."])
    const { body: history } = await person.send("GET", `${hub}/${old.id}/history`)
    assert.deepInclude(history[0], { what: "end", reason: "rule 1", supersededBy: fresh.id })
    const { body: back } = await post(person, `/${old.id}/restore`, {})
    assert.deepInclude(back, { id: old.id, validTo: null, supersededBy: null })
    assert.lengthOf(await ask(person, ""), 2)
  })

  it("an imported fact never replaces a fact that the person stated", async () => {
    await someone()
    await post(person, "", { fact: "Ana lives in Berlin." })
    const { body } = await post(person, "", { fact: "Ana lives in Oslo.", imported: true })
    assert.strictEqual(body.trust, "import")
    assert.lengthOf(await ask(person, ""), 2)
    assert.deepStrictEqual(await ask(person, "trust=import"), ["Ana lives in Oslo."])
    assert.deepStrictEqual(await ask(person, "q=lives&trust=person"), ["Ana lives in Berlin."])
  })

  it("a memory request with a past time in `asOf` finds the facts that were valid at that time, and the present time in `asOf` does not change the answer", async () => {
    await someone()
    await post(person, "", { fact: "The lead is Jonas.", validFrom: "2020-01-01T00:00:00Z" })
    await post(person, "", { fact: "The office is in Bern.", validFrom: "2022-01-01T00:00:00Z" })
    await post(person, "", { fact: "The roof is green.", validFrom: "2999-01-01T00:00:00Z" })
    assert.deepStrictEqual(await ask(person, "asOf=2021-01-01T00:00:00Z"), ["The lead is Jonas."])
    assert.deepStrictEqual(await ask(person, "q=the+lead+office+roof&asOf=2021-01-01T00:00:00Z"), [
      "The lead is Jonas."
    ])
    const now = new Date(Date.now() + 1000).toISOString()
    for (const query of ["", "q=lead+office+roof"]) {
      assert.deepStrictEqual(await ask(person, `${query}&asOf=${now}`), await ask(person, query))
    }
    assert.lengthOf(await ask(person, ""), 2)
  })

  it("a replaced fact ends at the time when the new fact becomes valid, so that the two facts are never valid at the same time", async () => {
    await someone()
    const jonas = { fact: "The lead of the team is Jonas.", saidAt: "2025-03-03T00:00:00Z" }
    const marta = { fact: "The lead of the team is Marta.", saidAt: "2025-05-01T00:00:00Z" }
    await post(person, "", jonas)
    await post(person, "", marta)
    for (const query of ["", "q=lead+team&"]) {
      assert.deepStrictEqual(await ask(person, `${query}asOf=2025-04-01T00:00:00Z`), [jonas.fact])
      assert.deepStrictEqual(await ask(person, `${query}asOf=2025-06-01T00:00:00Z`), [marta.fact])
    }
    assert.deepStrictEqual(await ask(person, ""), [marta.fact])
  })

  it("a search by vector ranks the person's current facts by cosine similarity, and a vector of zeros finds nothing", async () => {
    await someone()
    const near = await post(person, "", { fact: "Near.", embedding: anEmbedding(5, 0.1) })
    await post(person, "", { fact: "Far.", embedding: anEmbedding(5, 3) })
    await post(person, "", { fact: "Across.", embedding: anEmbedding(900) })
    await post(person, "", { fact: "Without." })
    await post(person, "", { fact: "Zero.", embedding: anEmbedding(0).map(() => 0) })
    const search = async (more: object = {}) =>
      texts(await post(person, "/search", { userId: person.id, embedding: anEmbedding(5), ...more }))
    assert.deepStrictEqual(await search(), ["Near.", "Far.", "Across."])
    assert.deepStrictEqual(await search({ limit: 1 }), ["Near."])
    await person.send("DELETE", `${hub}/${near.body.id}?userId=${person.id}`)
    assert.deepStrictEqual(await search(), ["Far.", "Across."])
    assert.deepStrictEqual(await search({ embedding: anEmbedding(0).map(() => 0) }), [])
  })

  it("forgetting facts by words forgets exactly the facts that the preview shows", async () => {
    await someone()
    for (const fact of ["The old office is in Ulm.", "Jonas left the old office keys.", "The new office is in Bern."]) {
      await post(person, "", { fact })
    }
    const preview = await post(person, "/forget/preview", { query: "old office" })
    assert.strictEqual(preview.body.count, 2)
    assert.lengthOf(await ask(person, ""), 3)
    const forgotten = await post(person, "/forget", { query: "old office" })
    const ids = ({ body }: { readonly body: { readonly facts: ReadonlyArray<{ readonly id: string }> } }) =>
      body.facts.map(({ id }) => id)
    assert.sameMembers(ids(forgotten), ids(preview))
    assert.deepStrictEqual(await ask(person, ""), ["The new office is in Bern."])
    assert.strictEqual((await post(person, "/forget", { query: "of the" })).body.count, 0)
  })

  it("concurrent writes of the same fact increase the count of the fact, and turns that are written concurrently get consecutive numbers", async () => {
    await someone()
    const all = await Promise.all([
      ...Array.from({ length: 6 }, () => post(person, "", { fact: "Said by all." })),
      ...Array.from({ length: 6 }, (_, at) =>
        post(person, "/turns", { sessionId: "busy", turns: [{ role: "user", content: `Turn ${at}` }] })
      )
    ])
    assert.deepStrictEqual([...new Set(all.map(({ status }) => status))], [200])
    const { body } = await person.send("GET", `${hub}?limit=100`)
    const facts = body.filter(({ level }: { readonly level: string }) => level === "fact")
    assert.deepStrictEqual(
      facts.map(({ count }: { readonly count: number }) => count),
      [6]
    )
    const turns = body.flatMap(({ turn }: { readonly turn: number | null }) => turn ?? [])
    assert.sameMembers(turns, [0, 1, 2, 3, 4, 5])
  })
})
