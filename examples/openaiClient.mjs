/**
 * Asks the pod a question with the OpenAI client. The answer uses only records that the key may read, and names these
 * records as sources.
 */
import OpenAI from "openai"

const client = new OpenAI({
  baseURL: `${process.env.POD_URL ?? "http://localhost:8787"}/v1`,
  apiKey: process.env.POD_API_KEY,
  maxRetries: 0
})
const question = process.argv[2] ?? "What has the roofer to do with paint?"

try {
  const { choices } = await client.chat.completions.create({
    model: "svc/auto",
    messages: [{ role: "user", content: question }]
  })
  console.log(choices[0].message.content)
} catch (error) {
  // A pod without a language model answers with a code that says so. The pod still finds the sources.
  console.log(`no answer: ${error.code}`)
}
