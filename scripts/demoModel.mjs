/**
 * Runs a language model for `npm run demo`: an OpenAI-compatible service on this machine that quotes the texts that it
 * receives.
 */
import { createServer } from "node:http"

// The service pauses after each group of this many chunks, so that a reader sees the chunks arrive.
const quickly = 4
// A word with at least this many letters becomes a tag.
const longWord = 7
const tagsMax = 4

export const firstSentence = (text) => text.split(/(?<=[.!?])\s/, 1)[0]

/**
 * Returns a simple analysis that understands nothing: the long words of the text become tags, and the first sentence of
 * the text becomes the summary.
 */
const analysisOf = (text) => {
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? []
  const tags = [...new Set(words.filter((word) => word.length >= longWord))].slice(0, tagsMax)
  return JSON.stringify({ tags, summary: firstSentence(text) })
}

/** Returns the answer of the model: the first sentence of the first source, or the analysis of a text. */
const answerTo = ({ messages }) => {
  const asked = messages.at(-1).content
  if (asked.startsWith("{")) return analysisOf(JSON.parse(asked).text)
  const source = /^SOURCES\n(\{.*\})$/m.exec(asked)?.[1]
  if (source === undefined) return "The sources do not hold the answer."
  return `${firstSentence(JSON.parse(source).text).replace(/\.$/, "")} [1].`
}

const eventOf = (value) => `data: ${JSON.stringify(value)}\n\n`
const pieceOf = (content, finish = null) =>
  eventOf({ choices: [{ index: 0, delta: { content }, finish_reason: finish }] })

/** Starts the language model service. `sent` contains the texts of all requests that the service has received. */
export const startModel = async () => {
  const sent = []
  const server = createServer((request, response) => {
    let body = ""
    request.setEncoding("utf8")
    request.on("data", (part) => (body += part))
    request.on("end", async () => {
      sent.push(body)
      const words = answerTo(JSON.parse(body)).split(/(?<= )/)
      response.writeHead(200, { "content-type": "text/event-stream" })
      for (const [at, word] of words.entries()) {
        response.write(pieceOf(word))
        if (at % quickly === 0) await new Promise(setImmediate)
      }
      const usage = { prompt_tokens: body.split(/\s+/).length, completion_tokens: words.length }
      const total = { ...usage, total_tokens: usage.prompt_tokens + usage.completion_tokens }
      response.end(`${pieceOf("", "stop")}${eventOf({ choices: [], usage: total })}data: [DONE]\n\n`)
    })
  })
  await new Promise((listening) => server.listen(0, "127.0.0.1", listening))
  return {
    settings: { POD_LLM_URL: `http://127.0.0.1:${server.address().port}/v1`, POD_LLM_MODEL: "quoting" },
    sent,
    stop: () => new Promise((stopped) => server.close(stopped))
  }
}
