/**
 * Creates many entities from lines of JSON. Each line is a body of `POST /api/hub/entities`. If the program was
 * interrupted, run it again: each line has its own `Idempotency-Key`, so within a day no line is written twice.
 */
import { createHash } from "node:crypto"
import { createReadStream } from "node:fs"
import { createInterface } from "node:readline"

const pod = process.env.POD_URL ?? "http://localhost:8787"
const headers = { authorization: `Bearer ${process.env.POD_API_KEY}`, "content-type": "application/json" }
const atOnce = 4

const write = async (line) => {
  const key = createHash("sha256").update(line).digest("hex")
  const sent = { method: "POST", headers: { ...headers, "idempotency-key": key }, body: line }
  const response = await fetch(`${pod}/api/hub/entities`, sent)
  // An answer with the status 429 or 503 says after how many seconds to try again.
  if (response.headers.has("retry-after")) {
    await new Promise((resolve) => setTimeout(resolve, Number(response.headers.get("retry-after")) * 1000))
    return write(line)
  }
  const answer = await response.json()
  if (!response.ok) throw new Error(`${response.status} ${answer.code ?? ""}: ${answer.error} (${line})`)
  return answer.status
}

const lines = createInterface({ input: process.argv[2] ? createReadStream(process.argv[2]) : process.stdin })
const counts = {}
let batch = []
const flush = async () => {
  for (const status of await Promise.all(batch.map(write))) counts[status] = (counts[status] ?? 0) + 1
  batch = []
}
for await (const line of lines) {
  if (line.trim() === "") continue
  batch.push(line)
  if (batch.length === atOnce) await flush()
}
await flush()
console.log(JSON.stringify(counts))
