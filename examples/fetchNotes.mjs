/** Creates two notes, and lists all notes that the key may read, page by page. */
const pod = process.env.POD_URL ?? "http://localhost:8787"
const headers = { authorization: `Bearer ${process.env.POD_API_KEY}`, "content-type": "application/json" }

const call = async (path, options = {}) => {
  const response = await fetch(`${pod}/api/hub${path}`, { headers, ...options })
  const answer = await response.json()
  // In the body of a refusal, `error` explains the reason to people, and `code` names the reason for programs.
  if (!response.ok) throw new Error(`${response.status} ${answer.code ?? ""}: ${answer.error}`)
  return { answer, next: response.headers.get("x-svc-next-cursor") }
}

for (const title of ["Buy paint", "Call the roofer"]) {
  const { answer } = await call("/entities", { method: "POST", body: JSON.stringify({ profileSlug: "note", title }) })
  console.log(`created ${answer.id} ${answer.title}`)
}

let cursor
do {
  const query = new URLSearchParams({ profileSlug: "note", limit: "1", ...(cursor ? { cursor } : {}) })
  const { answer, next } = await call(`/entities?${query}`)
  for (const { id, title } of answer) console.log(`${id} ${title}`)
  cursor = next
} while (cursor !== null)
