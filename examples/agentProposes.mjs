/** Writes as an agent. The write becomes a proposal, and the program waits until a person has decided. */
const pod = process.env.POD_URL ?? "http://localhost:8787"
const headers = { authorization: `Bearer ${process.env.POD_API_KEY}`, "content-type": "application/json" }

const call = async (method, path, body) => {
  const response = await fetch(`${pod}/api/hub${path}`, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  })
  const answer = await response.json()
  if (!response.ok) throw new Error(`${response.status} ${answer.code ?? ""}: ${answer.error}`)
  return answer
}

const written = await call("POST", "/entities", {
  profileSlug: "note",
  title: "Order slates",
  reasoning: "The roofer asked for them."
})
if (written.status !== "proposed") {
  console.log(`written at once: ${written.id}`)
} else {
  console.log(`proposed: ${written.proposalId}, a person decides at ${pod}${written.reviewPath}`)
  const everyMs = 1_000
  for (;;) {
    const { status, reviewComment } = await call("GET", `/proposals/${written.proposalId}`)
    if (status !== "pending") {
      console.log(`decided: ${status}${reviewComment ? ` (${reviewComment})` : ""}`)
      break
    }
    await new Promise((resolve) => setTimeout(resolve, everyMs))
  }
}
