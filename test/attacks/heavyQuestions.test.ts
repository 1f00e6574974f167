/** A caller with a valid key sends small questions and facts that could keep the whole pod busy for minutes. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { PostingIndex } from "../../src/features/search/postings/PostingIndex.ts"
import { aText } from "../features/search/postings/corpus.ts"
import { aPod, type Caller, type TestPod } from "../support/pod.ts"
import { anAttackScene, assertOk } from "./attackScene.ts"

let pod: TestPod
beforeAll(async () => {
  pod = await aPod({ kind: "memory" })
})
afterAll(() => pod.stop())

/** Returns words of seven letters. All are different, and their order looks random. */
const words = (count: number, from = 0): ReadonlyArray<string> =>
  Array.from({ length: count }, (_, at) => {
    let rest = ((from + at) * 2_654_435_761) % 26 ** 7
    return Array.from({ length: 7 }, () => {
      const letter = String.fromCharCode(97 + (rest % 26))
      rest = Math.floor(rest / 26)
      return letter
    }).join("")
  })

const document = (caller: Caller, title: string, content: string) =>
  caller.send("POST", "/api/hub/documents", { title, content }).then(assertOk)

/** Returns the titles that a question finds. Fails if the answer says in `degraded` that a search gave up. */
const titlesFor = async (caller: Caller, query: string) => {
  const body = assertOk(await caller.send("POST", "/api/hub/knowledge/search", { query }))
  assert.deepStrictEqual(body.degraded, [])
  return body.answers[0].items.map(({ title }: { title: string }) => title) as ReadonlyArray<string>
}

describe("attack: a caller sends a question that is expensive to answer", () => {
  let person: Caller
  beforeAll(async () => {
    person = await pod.aPerson()
    const page = "harbour crane quay schooner anchor lighthouse ".repeat(120)
    for (let at = 0; at < 4; at += 1) await document(person, `Log ${at}`, page.repeat(50))
    await document(person, "Names", words(60_000).join(" "))
  })

  it("if a question contains the same phrase hundreds of times, the search finds all matching documents and does not give up", async () => {
    const found = await titlesFor(person, '"harbour crane" '.repeat(240).trim())
    assert.deepStrictEqual(found.toSorted(), ["Log 0", "Log 1", "Log 2", "Log 3"])
  })

  it("if a question contains hundreds of misspelt words, the pod corrects only the first ten", async () => {
    const misspelt = words(400).map((word) => `${word}q`)
    const { body } = await person.send("POST", "/api/hub/knowledge/search", { query: misspelt.join(" ") })
    const corrected = body.understanding.corrected.map(({ from }: { from: string }) => from)
    assert.deepStrictEqual(corrected, misspelt.slice(0, 10))
  })

  it("the pod uses each phrase and each excluded word of a question only once, and uses at most sixteen phrases of a question", async () => {
    const query = `${'"harbour crane" -squid '.repeat(20)}${words(20)
      .map((word) => `"${word}"`)
      .join(" ")}`
    const { body } = await person.send("POST", "/api/hub/knowledge/search", { query, parseOnly: true })
    const { excluded, phrases } = body.understanding
    assert.deepStrictEqual([phrases.length, phrases[0], excluded], [16, "harbour crane", ["squid"]])
  })
})

describe("attack: a caller stores a memory fact that is expensive to compare", () => {
  const remember = async (person: Caller, fact: string) =>
    assertOk(await person.send("POST", "/api/hub/memory", { fact })) as { readonly id: string; readonly count: number }

  const facts: Readonly<Record<string, string>> = {
    "a hundred thousand spaces": `The a${" ".repeat(99_900)}b is c`,
    "twenty thousand negations": `I ${"not ".repeat(24_000)}`,
    "thirty thousand repetitions of a word": `The ${"is ".repeat(33_000)}\nx`,
    "tens of thousands of full stops": `The a ${".".repeat(99_000)}x`
  }
  for (const [what, fact] of Object.entries(facts)) {
    it(`the pod stores a memory fact with ${what}, and stores the next facts too`, async () => {
      const person = await pod.aPerson()
      for (const end of ["", " again", " once more"]) {
        assert.strictEqual((await remember(person, `${fact.slice(0, 99_900)}${end}`)).count, 1)
      }
    })
  }

  it("a memory fact of thousands of characters never replaces another fact, and is never replaced by another fact", async () => {
    const person = await pod.aPerson()
    const long = (text: string) => `${text} ${"and that is all there is to say ".repeat(100)}`
    const facts = ["I live in Rome.", long("I moved to Berlin"), "I moved to Oslo."]
    for (const fact of facts) await remember(person, fact)
    const { body } = await person.send("GET", "/api/hub/memory?limit=10")
    const storedFacts = body.facts ?? body.items ?? body
    assert.sameMembers(
      storedFacts.map(({ fact }: { fact: string }) => fact),
      facts.slice(1)
    )
  })
})

describe("attack: an agent makes such long proposals that a search of a person has no time to read other proposals", () => {
  it("a search looks for the words of a question only in the beginning of a long proposal", async () => {
    const { agent, owner, pod: scene, workspaceId } = await anAttackScene({ kind: "memory" })
    try {
      const propose = (title: string, description: string) =>
        agent.send("POST", "/api/hub/entities", { title, description, profileSlug: "note", workspaceId }).then(assertOk)
      await propose("Early", `zeppelin ${"filler ".repeat(100_000)}`)
      await propose("Late", `${"filler ".repeat(100_000)} zeppelin`)
      const body = assertOk(await owner.send("POST", "/api/hub/knowledge/search", { query: "zeppelin" }))
      const titles = body.pending.matches.map(({ entityTitle }: { entityTitle: string }) => entityTitle)
      assert.deepStrictEqual(titles, ["Early"])
    } finally {
      await scene.stop()
    }
  })
})

describe("attack: one workspace has so many proposals that a search misses the proposals of another workspace", () => {
  it("a question in one workspace finds the matching proposal of this workspace, however many later proposals wait in another workspace", async () => {
    const { agent, owner, pod: scene, workspaceId } = await anAttackScene({ kind: "memory" })
    try {
      const propose = (title: string, place: object) =>
        agent.send("POST", "/api/hub/entities", { title, profileSlug: "note", ...place }).then(assertOk)
      await propose("zeppelin", { workspaceId })
      for (let at = 0; at < 200; at++) await propose(`Noise ${at}`, {})
      const asked = { query: "zeppelin", workspaceId }
      const body = assertOk(await owner.send("POST", "/api/hub/knowledge/search", asked))
      assert.strictEqual(body.pending?.matches[0].entityTitle, "zeppelin")
    } finally {
      await scene.stop()
    }
  })
})

describe("attack: a caller fills the search index with invented words", () => {
  it("the search index stores only the beginning of a word of thousands of letters", async () => {
    const long = "x".repeat(5000)
    await document(pod.owner, "Long", `${long}y`)
    assert.deepStrictEqual(await titlesFor(pod.owner, `${long.slice(0, 3000)}z`), ["Long"])
  })

  it("a search index stores only as many words as fit into half of its memory, and still finds texts by these words", () => {
    const index = new PostingIndex(500_000)
    index.put(aText({ id: "first", title: "", text: "lighthouse" }))
    index.put(aText({ id: "noise", title: "", text: words(5000).join(" ") }))
    index.put(aText({ id: "last", title: "", text: "lighthouse" }))
    assert.isTrue(index.isFull)
    assert.lengthOf(index.vocabulary, 500)
    assert.strictEqual(index.postingsOf("lighthous")?.count, 2)
  })

  it("a full search index accepts new words after the words of removed texts are gone", () => {
    const index = new PostingIndex(500_000)
    index.put(aText({ id: "noise", title: "", text: words(5000).join(" ") }))
    index.remove("noise")
    index.put(aText({ id: "later", title: "", text: "lighthouse" }))
    assert.deepStrictEqual(index.vocabulary, ["lighthous"])
  })

  it("when the search index of a workspace is full, a new text can still be found by words that the index already has", async () => {
    const small = await aPod({ kind: "memory" }, { searchMemoryBytes: 1_000_000 })
    try {
      await document(small.owner, "First", "the lighthouse is rusty")
      assert.deepStrictEqual(await titlesFor(small.owner, "lighthouse"), ["First"])
      await document(small.owner, "Noise", words(20_000).join(" "))
      await document(small.owner, "Last", "the lighthouse is painted")
      assert.deepStrictEqual((await titlesFor(small.owner, "lighthouse")).toSorted(), ["First", "Last"])
    } finally {
      await small.stop()
    }
  })
})
