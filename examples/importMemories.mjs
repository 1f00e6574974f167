/**
 * Imports the memories of another product as facts. It reads the JSON that such products export: a list of objects, or
 * an object that contains such a list. Each object has a text and perhaps a time. A second run adds no fact, because
 * the pod recognizes a repeated fact and only counts it.
 */
import { readFileSync } from "node:fs"

const pod = process.env.POD_URL ?? "http://localhost:8787"
const headers = { authorization: `Bearer ${process.env.POD_API_KEY}`, "content-type": "application/json" }

const exported = JSON.parse(readFileSync(process.argv[2] ?? 0, "utf8"))
const rows = Array.isArray(exported) ? exported : (Object.values(exported).find(Array.isArray) ?? [])

/** The value of the first of these fields that has a text. */
const textIn = (row, names) => names.map((name) => row[name]).find((value) => typeof value === "string" && value !== "")

const facts = rows.flatMap((row) => {
  const fact = typeof row === "string" ? row : textIn(row, ["memory", "fact", "text", "content"])
  if (fact === undefined) return []
  const time = textIn(row, ["created_at", "createdAt", "timestamp", "date"])
  return [{ fact, imported: true, ...(time === undefined ? {} : { saidAt: new Date(time).toISOString() }) }]
})

// The oldest facts come first, so that a newer fact replaces an older one.
facts.sort((one, other) => (one.saidAt ?? "").localeCompare(other.saidAt ?? ""))
for (const fact of facts) {
  const response = await fetch(`${pod}/api/hub/memory`, { method: "POST", headers, body: JSON.stringify(fact) })
  const answer = await response.json()
  if (!response.ok) throw new Error(`${response.status} ${answer.code ?? ""}: ${answer.error} (${fact.fact})`)
}
console.log(`remembered ${facts.length} of ${rows.length}`)
