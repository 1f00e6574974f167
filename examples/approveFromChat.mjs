/**
 * Sends each new proposal to a chat, with a link to decide on the proposal. The program receives the webhook calls of
 * the pod. It posts to an incoming webhook of the chat, for example of Slack or Mattermost. In production, put the
 * program behind TLS.
 */
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto"
import { createServer } from "node:http"
import { Webhook } from "standardwebhooks"

const pod = process.env.POD_URL ?? "http://localhost:8787"
const chat = process.env.CHAT_WEBHOOK_URL
const verifier = new Webhook(process.env.WEBHOOK_SECRET)
const headers = { authorization: `Bearer ${process.env.POD_API_KEY}`, "content-type": "application/json" }

const call = async (method, path, body) => {
  const response = await fetch(`${pod}/api/hub${path}`, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  })
  return { isDone: response.ok, answer: await response.json() }
}

// Without LINK_SECRET, the links stop working when this process ends.
const linkSecret = process.env.LINK_SECRET ?? randomBytes(32)

/** Signs a link. Without a signature, somebody could make a link for a proposal that was never sent to the chat. */
const signed = (path) => createHmac("sha256", linkSecret).update(path).digest("hex")
const isSigned = (path, signature) => {
  const [expected, given] = [Buffer.from(signed(path)), Buffer.from(signature)]
  return expected.length === given.length && timingSafeEqual(expected, given)
}

/** Posts the summary and the link to the chat. The link contains the hash of the content that the chat shows. */
const tell = async (id, self) => {
  const { answer } = await call("GET", `/proposals/${id}`)
  if (answer.status !== "pending") return
  const path = `/${id}/${answer.contentHash}`
  const link = `${self}${path}?${signed(path)}`
  await fetch(chat, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ text: `${answer.summary}\n${answer.reasoning ?? ""}\nDecide: ${link}` })
  })
  console.log(`told ${id}`)
}

// The link opens a page with buttons. Only a click on a button decides, because chat programs open every link for a
// preview.
const buttons = ["approve", "reject"].map((deed) => `<button name="deed" value="${deed}">${deed}</button>`).join(" ")
const page = `<!doctype html><title>Decide</title><form method="post">${buttons}</form>`

const bodyOf = (request) =>
  new Promise((resolve) => {
    const parts = []
    request.on("data", (part) => parts.push(part))
    request.on("end", () => resolve(Buffer.concat(parts).toString()))
  })

const handle = async (request) => {
  const { pathname, search } = new URL(request.url, "http://any")
  if (pathname === "/webhook") {
    const event = verifier.verify(await bodyOf(request), request.headers)
    if (event.type === "proposal.create")
      await tell(event.data.subjectId, process.env.SELF_URL ?? `http://${request.headers.host}`)
    return { status: 204 }
  }
  if (!isSigned(pathname, search.slice(1))) return { status: 404 }
  if (request.method !== "POST") return { status: 200, text: page }
  const deed = new URLSearchParams(await bodyOf(request)).get("deed") === "approve" ? "approve" : "reject"
  const [, id, contentHash] = pathname.split("/")
  // The pod refuses the decision if the content has changed since the link was made.
  const { answer, isDone } = await call("POST", `/proposals/${id}/${deed}`, deed === "approve" ? { contentHash } : {})
  console.log(isDone ? `${deed}: ${id}` : `refused: ${answer.code ?? answer.error}`)
  return { status: isDone ? 200 : 409, text: isDone ? `Done: ${deed}.` : answer.error }
}

const server = createServer((request, response) => {
  handle(request).then(
    ({ status, text = "" }) => response.writeHead(status, { "content-type": "text/html; charset=utf-8" }).end(text),
    () => response.writeHead(401).end()
  )
})
server.listen(Number(process.env.PORT ?? 8789), "127.0.0.1", () => console.log(`listening on ${server.address().port}`))
