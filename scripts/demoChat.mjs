/**
 * The eighth act of `npm run demo`. An OpenAI client chats with the pod, and a language model answers from the records
 * that the key may read.
 */
import { firstSentence } from "./demoModel.mjs"
import { notes, questions } from "./demoNotes.mjs"

const path = "/v1/chat/completions"
const { answer: wanted, text: question } = questions[1]
const note = notes.find(({ title }) => title === wanted)
const shown = JSON.stringify({ messages: [{ role: "user", content: question }] })
const listed = (sources) => `sources: ${sources.map(({ title }) => title).join("; ") || "none"}`

/**
 * Makes the official OpenAI client with a key of the pod. The import is not at the top of the file, because the first
 * start of the demo installs the packages after it has loaded this file.
 */
const openAiClient = async (base, { key }) => {
  const { default: OpenAI } = await import("openai")
  return new OpenAI({ apiKey: key, baseURL: `${base}/v1`, maxRetries: 0 })
}

const order = (workspaceId) => ({ model: "svc/auto", workspaceId, messages: [{ role: "user", content: question }] })

const wholeAnswer = async ({ client, report, workspaceId }) => {
  const { choices, sources, usage } = await client.chat.completions.create(order(workspaceId))
  const text = choices[0].message.content
  report.step(
    "The client needs the address of the pod and a key, and is answered in the form that it knows. Besides, the pod names the sources.",
    `POST ${path} ${shown}`,
    [...text.split("\n").filter((line) => line !== ""), listed(sources), `tokens: ${usage.total_tokens}`]
  )
  report.check("the first source is the note that answers the question", wanted, sources[0]?.title)
  report.check("… the model has read it", true, text.startsWith(firstSentence(note.text).replace(/\.$/, "")))
  report.check("… and the text cites it by its title", true, text.endsWith(`Sources:\n[1] ${wanted}`))
  return { sources, text }
}

const streamedAnswer = async ({ client, report, whole, workspaceId }) => {
  const stream = await client.chat.completions.create({ ...order(workspaceId), stream: true })
  const pieces = []
  let sources = []
  let finish
  for await (const chunk of stream) {
    const [choice] = chunk.choices
    if (choice?.delta.content) pieces.push(choice.delta.content)
    finish = choice?.finish_reason ?? finish
    sources = chunk.sources ?? sources
  }
  report.step(
    "The same question, streamed: the words arrive while the model writes them, and the sources with the last chunk.",
    `POST ${path} ${JSON.stringify({ ...JSON.parse(shown), stream: true })}`,
    [`${pieces.length} pieces: ${pieces.slice(0, 6).join("│")}│…`, `finish: ${finish}`, listed(sources)]
  )
  report.check("it came in more than one piece, to its end", "true stop", `${pieces.length > 1} ${finish}`)
  report.check("… the pieces are the whole answer", whole.text, pieces.join(""))
  report.check(
    "… with the same sources",
    whole.sources.map(({ id }) => id).join(" "),
    sources.map(({ id }) => id).join(" ")
  )
}

const narrowAnswer = async ({ base, kindKey, model, report, workspaceId }) => {
  const client = await openAiClient(base, kindKey)
  const before = model.sent.length
  const { choices, sources } = await client.chat.completions.create(order(workspaceId))
  const prompts = model.sent.slice(before)
  report.step("A key that reads only tasks asks the same.", `POST ${path} ${shown}`, [
    choices[0].message.content,
    listed(sources)
  ])
  report.check("the note is no source", false, sources.map(({ title }) => title).includes(wanted))
  report.check("… and the model got no word of it", "1 false", `${prompts.length} ${prompts[0]?.includes(note.text)}`)
}

/**
 * Runs this act (part) of the demo. `key` can read all notes of the third act, and `kindKey` can read only tasks.
 * `model` is the language model service that the pod calls.
 */
export const chatDemo = async ({ base, key, kindKey, mint, model, report, workspaceId }) => {
  report.chapter(
    "8. A client of OpenAI",
    "The pod has a language model now: a small service of this demo, which quotes the first source that the pod sends it."
  )
  const client = await openAiClient(base, key)
  const whole = await wholeAnswer({ client, report, workspaceId })
  await streamedAnswer({ client, report, whole, workspaceId })
  await narrowAnswer({ base, kindKey, model, report, workspaceId })
  const other = await mint({ keyName: "Hub only", scope: ["hub-protocol.read"], grant: { permissions: ["*"] } })
  const refused = await (
    await openAiClient(base, other)
  ).chat.completions
    .create(order(workspaceId))
    .catch((one) => one)
  report.check(
    "a key without the scope chat.stream is refused",
    "403 SCOPE_MISSING",
    `${refused.status} ${refused.code}`
  )
}

/** Shows the answer of a pod without a model: a refusal with a code, and the sources that the pod found. */
export const chatWithoutModel = async ({ base, key, report, workspaceId }) => {
  const client = await openAiClient(base, key)
  const refused = await client.chat.completions.create(order(workspaceId)).catch((one) => one)
  const sources = refused.error?.sources ?? []
  report.step("A client of OpenAI gets an error with a code, and the sources in it.", `POST ${path} ${shown}`, [
    `${refused.status} ${refused.code}`,
    listed(sources)
  ])
  report.check("the error says what is missing", "503 no_provider", `${refused.status} ${refused.code}`)
  report.check("… and its first source is the note", wanted, sources[0]?.title)
}
