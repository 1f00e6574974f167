/**
 * The third act of `npm run demo`. It asks questions in everyday language over REST and MCP, and shows what a key with
 * a narrow grant finds.
 */
import { chatWithoutModel } from "./demoChat.mjs"
import { mcpClient } from "./demoPod.mjs"
import { notes, projects, questions } from "./demoNotes.mjs"

const door = "/api/hub/knowledge/search"
const inWorkshop = (body) => JSON.stringify({ ...body, workspaceId: "…" })
const asked = (body) => `POST ${door} ${inWorkshop(body)}`

/** Returns the snippet of a search result, with the matched words in brackets. */
const marked = ({ marks, snippet }) =>
  marks
    .toReversed()
    .reduce((text, { from, to }) => `${text.slice(0, from)}[${text.slice(from, to)}]${text.slice(to)}`, snippet)

const itemsOf = ({ answers }) => answers.flatMap(({ items }) => items)
const titlesOf = (items) => items.map(({ title }) => title)
const titleOf = (items) => items[0]?.title ?? "nothing"
const listed = (items) =>
  items.length === 0 ? ["nothing"] : items.map(({ profileSlug, title }) => `${title} (${profileSlug})`)

/** Writes the notes into a workspace and its projects. */
const writeNotes = async ({ call, me, workspaceOf }) => {
  const workspaceId = await workspaceOf("Workshop")
  const ids = new Map()
  for (const name of projects) {
    const { body } = await call("POST", "/api/hub/projects", me, { workspaceId, name })
    ids.set(name, body.id)
  }
  for (const { kind, project, text, title } of notes) {
    const projectId = project === undefined ? {} : { projectId: ids.get(project) }
    const { body, status } = await call("POST", "/api/hub/entities", me, {
      workspaceId,
      profileSlug: kind,
      title,
      description: text,
      ...projectId
    })
    if (status !== 200) throw new Error(`a note was answered with ${status}: ${JSON.stringify(body)}`)
  }
  return { workspaceId, craneId: ids.get("Harbour crane") }
}

const questionsInWords = async ({ ask, report, workspaceId }) => {
  const results = []
  for (const { text } of questions) results.push(await ask({ query: text, workspaceId, limit: 3 }))
  const [{ text }, ...further] = questions
  const [first] = itemsOf(results[0])
  report.step(
    "A question in plain words finds the note that answers it. The matched words stand in brackets.",
    asked({ query: text }),
    [
      `verdict: ${results[0].verdict}`,
      `first: ${titleOf(itemsOf(results[0]))}`,
      ...(first === undefined ? [] : [marked(first), `why: ${first.why}`])
    ]
  )
  report.check("words of the question are marked", true, first !== undefined && first.marks.length > 0)
  report.step(
    "Further questions.",
    further.map(({ text: query }) => asked({ query })),
    results.slice(1).map((result) => `verdict: ${result.verdict}, first: ${titleOf(itemsOf(result))}`)
  )
  for (const [at, { answer }] of questions.entries()) {
    report.check(`the first hit of question ${at + 1} answers it`, answer, titleOf(itemsOf(results[at])))
    report.check("… and the verdict says that its words are covered", "confident", results[at].verdict)
  }
}

const formsOfQuestions = async ({ ask, report, workspaceId }) => {
  const misspelt = "what sounds like gravle in a pump"
  const corrected = await ask({ query: misspelt, workspaceId, limit: 3 })
  const changes = corrected.understanding.corrected
  report.step(
    "A misspelt word is searched for as the nearest word that the caller may see, and the answer says so.",
    asked({ query: misspelt }),
    [
      `corrected: ${changes.map(({ from, to }) => `${from} → ${to}`).join(", ")}`,
      `first: ${titleOf(itemsOf(corrected))}`
    ]
  )
  report.check("one word is corrected", "gravle → gravel", changes.map(({ from, to }) => `${from} → ${to}`).join(", "))
  report.check("… and the note is found", "Cavitation in the cooling pump", titleOf(itemsOf(corrected)))

  const plain = itemsOf(await ask({ query: "grease", workspaceId }))
  const query = 'grease project:"Harbour crane" type:note'
  const filtered = itemsOf(await ask({ query, workspaceId }))
  report.step(
    "Filters in the question narrow it: here to the notes of one project.",
    [asked({ query: "grease" }), asked({ query })],
    [`without filters: ${titlesOf(plain).join("; ")}`, `with both: ${titlesOf(filtered).join("; ")}`]
  )
  report.check("three things speak of grease", 3, plain.length)
  report.check(
    "… and one of them is a note of the crane",
    "Slewing ring takes grease every fifty hours",
    titlesOf(filtered).join("; ")
  )

  const [vague, strange] = ["why does a wing lose its lift at a high angle of attack", "who won the chess tournament"]
  const [partly, nothing] = [await ask({ query: vague, workspaceId }), await ask({ query: strange, workspaceId })]
  report.step(
    "The verdict says how well the words of a question are covered. It is less sure where some of them stand in no note, and empty where no note deals with them.",
    [asked({ query: vague }), asked({ query: strange })],
    [`verdict: ${partly.verdict}, first: ${titleOf(itemsOf(partly))}`, `verdict: ${nothing.verdict}`]
  )
  report.check("the one is ambiguous, the other empty", "ambiguous empty", `${partly.verdict} ${nothing.verdict}`)
}

const withoutModel = async ({ call, key, report, workspaceId }) => {
  const [{ answer, text }] = questions
  const { body } = await call("POST", "/api/hub/knowledge/answer", key.headers, {
    question: text,
    workspaceId,
    limit: 3
  })
  report.step(
    "A language model may write the answer (POD_LLM_URL). This pod has none: it gives the sources and says what is missing.",
    `POST /api/hub/knowledge/answer ${inWorkshop({ question: text })}`,
    [`answer: ${body.answer}`, `why: ${body.error}`, `sources: ${titlesOf(body.sources).join("; ")}`]
  )
  report.check("there is no answer in words", "null not_entitled", `${body.answer} ${body.failure?.code}`)
  report.check("… but the first source is the note", answer, titleOf(body.sources))
}

const overMcp = async ({ ask, base, key, report, workspaceId }) => {
  const client = await mcpClient(base, key.headers)
  const [{ text: query }] = questions
  const [first] = itemsOf(await ask({ query, workspaceId, limit: 3 }))
  const stepTitles = [
    "An MCP client asks the same with the tool svc_ask …",
    "… and with svc_find, whose answer is shorter."
  ]
  for (const [at, name] of ["svc_ask", "svc_find"].entries()) {
    const { structuredContent } = await client.callTool({ name, arguments: { query, workspaceId, limit: 3 } })
    const { items, verdict } = structuredContent
    report.step(stepTitles[at], `${name} ${inWorkshop({ query })}`, [`verdict: ${verdict}`, `first: ${titleOf(items)}`])
    report.check(`${name} has the same first hit as REST`, first.id, items[0]?.id)
  }
  await client.close()
}

const refusals = async ({ base, call, kindKey, projectKey, report, workspaceId }) => {
  const body = { query: "grease", workspaceId }
  for (const [stepTitle, key] of [
    [
      "A key that reads tasks only is refused at this door, because an answer would mix many kinds of records.",
      kindKey
    ],
    ["So is a key for one project.", projectKey]
  ]) {
    const refused = await call("POST", door, key.headers, body)
    report.step(stepTitle, asked({ query: body.query }), [`${refused.status} ${refused.body.code}`, refused.body.error])
    report.check("the search is refused", "403 GRANT_DOOR_UNSUPPORTED", `${refused.status} ${refused.body.code}`)
  }
  const client = await mcpClient(base, kindKey.headers)
  const { content, isError } = await client.callTool({ name: "svc_ask", arguments: body })
  report.step(
    "Over MCP the tool refuses the same key, and says who can give the permission.",
    `svc_ask ${inWorkshop({ query: body.query })}`,
    content[0].text.split("\n")[0]
  )
  report.check(
    "svc_ask is refused",
    true,
    isError === true && content.some(({ text }) => text.includes("GRANT_DOOR_UNSUPPORTED"))
  )
  await client.close()
  const memory = await call("GET", "/api/hub/memory?q=grease", kindKey.headers)
  report.check(
    "the memory of the person is refused too",
    "403 GRANT_DOOR_UNSUPPORTED",
    `${memory.status} ${memory.body.code}`
  )
}

// This many questions are shown with their first hit.
const shownOfCollection = 3
// This many questions of a collection are asked.
const askedOfCollection = 20

/**
 * Asks questions of the collection. The collection contains the judgements of people: which documents answer each
 * question.
 */
const collectionQuestions = async ({ ask, collection, report }) => {
  const titles = new Map(collection.documents.map(({ number, title }) => [number, title]))
  const chosen = collection.questions.slice(0, askedOfCollection)
  let answered = 0
  for (const [at, { relevant, text }] of chosen.entries()) {
    const result = await ask({ query: text, limit: 10 })
    const wanted = new Set(relevant.map((number) => titles.get(number)))
    const items = itemsOf(result)
    if (items.some(({ title }) => wanted.has(title))) answered++
    if (at < shownOfCollection) {
      report.step(
        "A question of your collection, asked of everything that was written so far.",
        `POST ${door} ${JSON.stringify({ query: text })}`,
        [`verdict: ${result.verdict}`, `first: ${titleOf(items)}`, ...items.slice(0, 1).map(marked)]
      )
    }
  }
  report.say(
    `\n  ${answered} of ${chosen.length} questions of the collection have a judged answer among their first ten hits.`
  )
  report.check("at least half of them do", true, answered * 2 >= chosen.length)
}

/**
 * Runs this act (part) of the demo. `call` sends a request, `me` contains the person's headers, `mint` creates a key,
 * and `workspaceOf` creates a workspace. `collection` is the user's own collection, or undefined. The documents of the
 * collection are already stored. Returns the data that the sixth act needs after the second start of the pod.
 */
export const searchDemo = async ({ base, call, collection, me, mint, report, workspaceOf }) => {
  report.chapter(
    "3. Search, without a model",
    `${notes.length} notes of an invented workshop are written, and questions are asked right after. No model is configured: the pod compares words by their stems.`
  )
  const { craneId, workspaceId } = await writeNotes({ call, me, workspaceOf })
  const scope = ["hub-protocol.read", "mcp.read", "chat.stream"]
  const key = await mint({ keyName: "Full", scope, grant: { permissions: ["*"] } })
  const kindKey = await mint({ keyName: "Tasks only", scope, grant: { permissions: ["entity.task.read"] } })
  const projectKey = await mint({
    keyName: "Crane only",
    scope,
    grant: { permissions: ["entity.*.read"], projectIds: [craneId] }
  })
  const ask = async (body, headers = key.headers) => (await call("POST", door, headers, body)).body
  await questionsInWords({ ask, report, workspaceId })
  await formsOfQuestions({ ask, report, workspaceId })
  await withoutModel({ call, key, report, workspaceId })
  await chatWithoutModel({ base, key, report, workspaceId })
  await overMcp({ ask, base, key, report, workspaceId })
  await refusals({ base, call, kindKey, projectKey, report, workspaceId })
  if (collection !== undefined) await collectionQuestions({ ask, collection, report })
  return { key, kindKey, projectKey, workspaceId }
}

/**
 * Runs the sixth act (part) of the demo, after a second start with POD_SCOPED_RETRIEVAL=on. Keys with narrow grants can
 * now search, and they find only what they may read.
 */
export const scopedSearchDemo = async ({ call, key, kindKey, projectKey, report, workspaceId }) => {
  report.chapter(
    "6. The same keys, in a pod with POD_SCOPED_RETRIEVAL=on",
    "The pod was stopped and started again on the same directory, with this setting and with a language model. The keys are the same."
  )
  const body = { query: "grease", workspaceId }
  const found = async ({ headers }) => itemsOf((await call("POST", door, headers, body)).body)
  const [all, ofKind, ofProject] = [await found(key), await found(kindKey), await found(projectKey)]
  report.step("The full key finds what it found before.", asked({ query: "grease" }), listed(all))
  report.check("three things", 3, all.length)
  report.step("The key that reads tasks finds the task alone.", asked({ query: "grease" }), listed(ofKind))
  report.check("one task", "Inspect the hoist rope", titlesOf(ofKind).join("; "))
  report.step(
    "The key for the project of the crane finds what is filed there.",
    asked({ query: "grease" }),
    listed(ofProject)
  )
  report.check(
    "two things of the crane",
    "Inspect the hoist rope; Slewing ring takes grease every fifty hours",
    titlesOf(ofProject).sort().join("; ")
  )
  const { body: typo } = await call("POST", door, kindKey.headers, { query: "concerte", workspaceId })
  report.step(
    "What a key may not read changes nothing: not even a misspelt word is corrected to a word that it may not see.",
    asked({ query: "concerte" }),
    [`corrected: ${typo.understanding.corrected.map(({ to }) => to).join(", ") || "nothing"}`, ...listed(itemsOf(typo))]
  )
  report.check(
    "nothing is corrected and nothing found",
    "0 0",
    `${typo.understanding.corrected.length} ${itemsOf(typo).length}`
  )
}
