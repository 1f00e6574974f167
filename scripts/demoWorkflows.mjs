/**
 * The ninth act of `npm run demo`. An n8n workflow adds, finds and analyses texts. Each step of the workflow has its
 * own key, which allows only this step.
 */
import { firstSentence } from "./demoModel.mjs"

const mount = "/api/n8n"
const shown = (route, body) => `POST ${mount}/${route} ${JSON.stringify(body)}`

const draft = {
  type: "note",
  content: "The gate of the harbour basin leaks at its lower seal. Replace the seal before the spring tide.",
  tags: ["dock"],
  metadata: { from: "n8n" }
}

/**
 * Runs this act (part) of the demo. `call` sends a request, `me` contains the person's headers, and `mint` creates a
 * key. The pod must have a language model.
 */
export const workflowsDemo = async ({ call, me, mint, report }) => {
  report.chapter("9. A workflow of n8n", "Three steps of a workflow, each with a key of its own scope.")
  const keyFor = (scope) => mint({ keyName: scope, scope: [scope], grant: { permissions: ["*"] } })
  const [writer, reader, analyst] = [
    await keyFor("write:entities"),
    await keyFor("read:entities"),
    await keyFor("ai:analyze")
  ]
  const post = (route, { headers }, body) => call("POST", `${mount}/${route}`, headers, body)
  const kept = async (id) => (await call("GET", `/api/hub/entities/${id}`, me)).body

  const { body: made } = await post("entities", writer, draft)
  const note = await kept(made.entityId)
  report.step("The first step adds a note.", shown("entities", draft), [made.message, `its title: ${note.title}`])
  report.check("the note is kept with its text", draft.content, note.description)
  report.check("… and with its properties", draft.metadata.from, note.properties.from)

  const question = { query: "leaking gate of the basin", type: draft.type, limit: 3 }
  const { body: found } = await post("search", reader, question)
  report.step(
    "The second finds it by a question.",
    shown("search", question),
    found.results.map(({ relevanceScore, title, type }) => `${title} (${type}, ${relevanceScore.toFixed(2)})`)
  )
  report.check("the first result is the note", made.entityId, found.results[0]?.entityId)

  const order = { content: draft.content, analysisTypes: ["tags", "summary"] }
  const { body: analysis } = await post("analyze", analyst, order)
  report.step(
    "The third has the text analysed by the language model of the pod. Nothing is stored.",
    shown("analyze", { ...order, content: "…" }),
    [`tags: ${analysis.tags?.join(", ")}`, `summary: ${analysis.summary}`]
  )
  const words = new Set(draft.content.toLowerCase().match(/\p{L}+/gu))
  report.check(
    "the tags are words of the text",
    true,
    analysis.tags?.length > 0 && analysis.tags.every((tag) => words.has(tag))
  )
  report.check("… and the summary is its first sentence", firstSentence(draft.content), analysis.summary)
  report.check(
    "… and only what was asked for is answered",
    "success, summary, tags",
    Object.keys(analysis).sort().join(", ")
  )

  const refused = await post("entities", reader, draft)
  report.step(
    "The key of the second step tries the first one.",
    shown("entities", { ...draft, content: "…" }),
    `${refused.status} ${refused.body.code}: ${refused.body.error}`
  )
  report.check("it lacks the scope", "403 SCOPE_MISSING", `${refused.status} ${refused.body.code}`)
  const { body: after } = await post("search", reader, question)
  report.check("… and nothing was added", found.count, after.count)
}
