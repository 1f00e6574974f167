/**
 * The fifth act of `npm run demo`. An event of the pod reaches a webhook, an event stream after a lost connection, an
 * automation rule and a person.
 */
import { createHmac } from "node:crypto"
import { createServer } from "node:http"

const hub = "/api/hub"

/** Starts a receiver of webhooks. `next` waits for the next call. */
const aReceiver = async () => {
  const calls = []
  const waiting = []
  const server = createServer((request, response) => {
    let body = ""
    request.on("data", (part) => (body += part))
    request.on("end", () => {
      response.writeHead(204).end()
      const call = { headers: request.headers, body }
      const wake = waiting.shift()
      if (wake === undefined) calls.push(call)
      else wake(call)
    })
  })
  await new Promise((listening) => server.listen(0, "127.0.0.1", listening))
  return {
    url: `http://127.0.0.1:${server.address().port}/in`,
    next: () => (calls.length > 0 ? calls.shift() : new Promise((wake) => waiting.push(wake))),
    stop: () => new Promise((stopped) => server.close(stopped))
  }
}

/** True if the signature of a webhook call is valid. Every receiver must check this (Standard Webhooks). */
const isSigned = ({ body, headers }, secret) => {
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64")
  const signed = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`
  const expected = `v1,${createHmac("sha256", key).update(signed).digest("base64")}`
  return headers["webhook-signature"].split(" ").includes(expected)
}

const webhookStep = async ({ call, log, me, report }) => {
  const receiver = await aReceiver()
  const draft = { name: "Ledger", url: receiver.url, eventTypes: ["parcel.arrived"] }
  const { secret, subscription } = (await call("POST", "/trpc/webhooks.create", me, draft)).body.result.data
  const event = await log("parcel.arrived", { from: "the printer" })
  const received = await receiver.next()
  const delivery = JSON.parse(received.body)
  report.step(
    "A webhook follows one type of event. The receiver checks the signature over the exact body before it believes the call.",
    [
      `POST /trpc/webhooks.create ${JSON.stringify({ ...draft, url: "http://127.0.0.1:…/in" })}`,
      "events.log parcel.arrived"
    ],
    [
      `POST /in  webhook-id: ${received.headers["webhook-id"]}`,
      `webhook-signature: ${received.headers["webhook-signature"]}`
    ]
  )
  report.check("the signature is right", true, isSigned(received, secret))
  report.check(
    "… and wrong for a body that was changed",
    false,
    isSigned({ ...received, body: `${received.body} ` }, secret)
  )
  report.check("it tells of this event", event.id, delivery.id ?? delivery.data?.id)
  await call("POST", "/trpc/webhooks.delete", me, { id: subscription.id })
  await receiver.stop()
}

/** Opens the stream of events. `next` waits for the next event, and `cut` ends the connection. */
const openStream = async (base, headers, lastEventId) => {
  const stop = new AbortController()
  const more = lastEventId === undefined ? {} : { "last-event-id": lastEventId }
  const response = await fetch(`${base}${hub}/events/stream?type=parcel.moved`, {
    headers: { ...headers, ...more },
    signal: stop.signal
  })
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  let text = ""
  const next = async () => {
    for (;;) {
      const end = text.indexOf("\n\n")
      if (end >= 0) {
        const lines = text.slice(0, end).split("\n")
        text = text.slice(end + 2)
        const field = (name) => lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2)
        const data = field("data")
        if (field("event") === "event" && data) return { position: field("id"), event: JSON.parse(data) }
        continue
      }
      const { done, value } = await reader.read()
      if (done) throw new Error("the stream has ended")
      text += value
    }
  }
  return { next, cut: () => stop.abort() }
}

const streamStep = async ({ base, log, mint, report }) => {
  const key = await mint({ keyName: "Screen", scope: ["realtime:observe"], grant: { permissions: ["*"] } })
  const before = await openStream(base, key.headers)
  const first = await log("parcel.moved", { step: 1 })
  const seen = await before.next()
  before.cut()
  const missed = [await log("parcel.moved", { step: 2 }), await log("parcel.moved", { step: 3 })]
  const after = await openStream(base, key.headers, seen.position)
  const caught = [await after.next(), await after.next()]
  const live = await log("parcel.moved", { step: 4 })
  const last = await after.next()
  after.cut()
  report.step(
    "A screen watches events with a key that may do nothing else. Its connection is cut, two events happen, and it goes on from where it was.",
    [`GET ${hub}/events/stream?type=parcel.moved`, `the same, with Last-Event-ID: ${seen.position.slice(0, 24)}…`],
    [
      `before the cut: step ${seen.event.data.step}`,
      `after it: steps ${[...caught, last].map(({ event }) => event.data.step).join(", ")}`
    ]
  )
  const ids = [seen, ...caught, last].map(({ event }) => event.id)
  report.check(
    "no event is missing, and none came twice",
    [first, ...missed, live].map(({ id }) => id).join(" "),
    ids.join(" ")
  )
}

/** Repeats a request until `fits` accepts the answer. The pod answers some requests before all their work is done. */
const until = async (ask, fits) => {
  for (;;) {
    const { body } = await ask()
    if (fits(body)) return body
  }
}

const ruleStep = async ({ call, me, report }) => {
  const rule = {
    intent: "Tell me of inspections",
    scope: { kind: "pod" },
    sentence: "WHEN a task is created WHERE title contains inspect THEN notify me"
  }
  const { body: made } = await call("POST", `${hub}/rules`, me, rule)
  const task = async (title) => (await call("POST", `${hub}/entities`, me, { title, profileSlug: "task" })).body.title
  await task("Order paint")
  const title = await task("Please inspect the ladder")
  const unread = () => call("GET", `${hub}/notifications?unread=true&kind=automation_notice`, me)
  const notices = await until(unread, (notifications) => notifications.length > 0)
  report.step(
    "A rule in words runs for each task with this word in its title, and tells its person. A second task does not match.",
    [`POST ${hub}/rules ${JSON.stringify(rule.sentence)}`, `POST ${hub}/entities ${JSON.stringify({ title })}`],
    notices.map(({ text, title: line }) => `${line}${text === null ? "" : `: ${text}`}`)
  )
  report.check("the person is told once", 1, notices.length)
  const path = `${hub}/subscriptions?kind=automation&eventType=entity.task.create`
  const hasEnded = ({ items }) => items.every(({ reactions: [first] }) => first?.status === "success")
  const { items: pulse } = await until(() => call("GET", path, me), hasEnded)
  report.step(
    "The pulse shows the event together with the rule that reacted to it.",
    `GET ${path}`,
    pulse.map(
      ({ reactions, subject }) =>
        `${subject} → ${reactions.map(({ label, status }) => `${label}, ${status}`).join("; ")}`
    )
  )
  report.check(
    "one event, one run",
    `Task created: ${title} Tell me of inspections success`,
    pulse.map(({ reactions: [first], subject }) => `${subject} ${first?.label} ${first?.status}`).join(" | ")
  )
  await call("POST", `${hub}/notifications/${notices[0].id}/read`, me)
  report.check("… and nothing is unread after it was read", 0, (await unread()).body.length)
  await call("DELETE", `${hub}/rules/${made.ruleId}`, me)
}

/**
 * Runs this act (part) of the demo. `call` sends a request, `me` contains the person's headers, and `mint` creates a
 * key.
 */
export const listenersDemo = async ({ base, call, me, mint, report }) => {
  report.chapter("5. Listening", "What happens in the pod reaches whoever asked for it.")
  const log = async (type, data) => (await call("POST", "/trpc/events.log", me, { type, data })).body.result.data
  const scene = { base, call, log, me, mint, report }
  await webhookStep(scene)
  await streamStep(scene)
  await ruleStep(scene)
}
