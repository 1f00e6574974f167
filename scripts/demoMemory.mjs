/**
 * The fourth act of `npm run demo`. The pod remembers a conversation, replaces a fact, tells what it knew yesterday,
 * and forgets facts.
 */
import { mcpClient } from "./demoPod.mjs"

const hub = "/api/hub/memory"
const search = "/api/hub/knowledge/search"
const dayMs = 24 * 60 * 60 * 1000

const ago = (days) => new Date(Date.now() - days * dayMs).toISOString()
const dayOf = (time) => time.slice(0, 10)
const textsOf = (facts) => (facts.length === 0 ? ["nothing"] : facts.map(({ fact }) => fact))

const conversation = ({ at }) => [
  { role: "user", content: "The board visits the workshop. Which room has the big screen?", saidAt: at },
  { role: "assistant", content: "The glass room on the second floor; it seats twelve.", saidAt: at },
  { role: "user", content: "Then book it, and order coffee for ten people.", saidAt: at }
]

const remembered = async ({ base, key, report, send }) => {
  const at = ago(3)
  const sessionId = `planning ${dayOf(at)}`
  const turns = conversation({ at })
  const { body } = await send("POST", "/turns", { sessionId, turns })
  report.step(
    "A conversation of three days ago is written down turn by turn. Each turn carries the time when it was said.",
    `POST ${hub}/turns ${JSON.stringify({ sessionId, turns: "…" })}`,
    textsOf(body.facts)
  )
  report.check("three turns are remembered", 3, body.count)

  const found = await send("GET", "?q=which+room+for+the+board&limit=2")
  report.step(
    "It is recalled by its words. The reply lacks the word “board” and is found through the turn beside it.",
    `GET ${hub}?q=which+room+for+the+board&limit=2`,
    textsOf(found.body)
  )
  report.check(
    "the question and its reply are recalled",
    "0 1",
    found.body
      .map(({ turn }) => turn)
      .sort()
      .join(" ")
  )

  const client = await mcpClient(base, key.headers)
  const { structuredContent } = await client.callTool({
    name: "svc_recall",
    arguments: { query: "which room for the board", limit: 2, tokenBudget: 200 }
  })
  report.step(
    "A model recalls the same over MCP, within a budget of tokens.",
    'svc_recall {"query":"which room for the board","tokenBudget":200}',
    textsOf(structuredContent.facts)
  )
  report.check("the same first fact", found.body[0]?.id, structuredContent.facts[0]?.id)
  await client.close()
}

const superseded = async ({ ask, report, send }) => {
  const saidAt = ago(2)
  const before = { fact: "The release review is on Tuesday.", saidAt }
  const after = { fact: "The release review is on Friday." }
  const { body: old } = await send("POST", "", before)
  const { body: fresh } = await send("POST", "", after)
  const now = await send("GET", "?q=release+review&level=fact")
  report.step(
    "Two days ago somebody said one day for a review; now they say another. The newer fact takes the place of the older one.",
    [
      `POST ${hub} ${JSON.stringify(before)}`,
      `POST ${hub} ${JSON.stringify(after)}`,
      `GET ${hub}?q=release+review&level=fact`
    ],
    textsOf(now.body)
  )
  report.check("only the newer fact holds", fresh.fact, textsOf(now.body).join("; "))

  const query = "what did we say about the release review"
  const { body: asked } = await ask({ query })
  const [found] = asked.answers[0].items
  report.step(
    "A question in such words goes to memory too, beside what was written down as notes.",
    `POST ${search} ${JSON.stringify({ query })}`,
    [`asked: ${asked.routedTo.join(", ")}`, `first, from ${asked.primary}: ${found?.title}`]
  )
  report.check("memory answers it", `episodic: ${fresh.fact}`, `${asked.primary}: ${found?.title}`)

  const yesterday = ago(1)
  const then = await send("GET", `?q=release+review&level=fact&asOf=${yesterday}`)
  report.step(
    "What held yesterday? A fact counts from the time when it was said, not from when this demo wrote it: yesterday only the older one was true.",
    `GET ${hub}?q=release+review&level=fact&asOf=${yesterday}`,
    textsOf(then.body)
  )
  report.check("yesterday the older fact held", old.fact, textsOf(then.body).join("; "))
  const earlier = await send("GET", `?q=release+review&level=fact&asOf=${ago(3)}`)
  report.check("… and the day before it was said, neither", "nothing", textsOf(earlier.body).join("; "))

  const { body: history } = await send("GET", `/${fresh.id}/history`)
  report.step(
    "Nothing is destroyed: the history of a fact tells what became of it and by which rule, latest first.",
    `GET ${hub}/{id}/history`,
    history.map(({ fact, reason, what }) => `${what}${reason === null ? "" : ` (${reason})`}: ${fact}`)
  )
  report.check(
    "one ended, two added",
    "add add end",
    history
      .map(({ what }) => what)
      .sort()
      .join(" ")
  )
}

const forgotten = async ({ report, send }) => {
  const query = "coffee people"
  const preview = await send("POST", "/forget/preview", { query })
  report.step(
    "Forgetting by words can be looked at before: a fact must hold all of them.",
    `POST ${hub}/forget/preview ${JSON.stringify({ query })}`,
    textsOf(preview.body.facts)
  )
  report.check("the preview shows one turn", 1, preview.body.count)
  const gone = await send("POST", "/forget", { query })
  const after = await send("GET", "?q=coffee")
  report.step(
    "Forgetting does what the preview showed.",
    [`POST ${hub}/forget ${JSON.stringify({ query })}`, `GET ${hub}?q=coffee`],
    textsOf(after.body)
  )
  report.check("the same fact is forgotten", preview.body.facts[0]?.id, gone.body.facts[0]?.id)
  report.check("… and no longer recalled", 0, after.body.filter(({ fact }) => fact.includes("coffee")).length)
  const back = await send("POST", `/${gone.body.facts[0]?.id}/restore`)
  const again = await send("GET", "?q=coffee&limit=1")
  report.step(
    "What was forgotten by mistake can be taken up again.",
    [`POST ${hub}/{id}/restore`, `GET ${hub}?q=coffee&limit=1`],
    textsOf(again.body)
  )
  report.check("it holds again", gone.body.facts[0]?.id, back.body.validTo === null ? again.body[0]?.id : "ended")
}

/** Runs this act (part) of the demo. `call` sends a request, and `mint` creates a key. */
export const memoryDemo = async ({ base, call, mint, report }) => {
  report.chapter("4. Memory", "What programs remember for a person, with a key that may write. Nobody else reads it.")
  const scope = ["hub-protocol.read", "hub-protocol.write", "mcp.read"]
  const key = await mint({ keyName: "Memory", scope, grant: { permissions: ["*"] } })
  const send = (method, path, body) => call(method, hub + path, key.headers, body)
  const ask = (body) => call("POST", search, key.headers, body)
  await remembered({ base, key, report, send })
  await superseded({ ask, report, send })
  await forgotten({ report, send })
}
