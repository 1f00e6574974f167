/** The second act of `npm run demo`. An agent proposes, a person decides, and the log shows every step. */

/** Writes the events as lines of a tree. Each event is below the event that caused it. */
const treeOf = (events, names) => {
  const ids = new Set(events.map(({ id }) => id))
  const ordered = events.toSorted((one, other) => (one.id < other.id ? -1 : 1))
  const line = ({ type, actorId, data }) => {
    const more = [data.reason, data.title].find((text) => typeof text === "string" && text !== "")
    return `${type} by ${names.get(actorId) ?? "somebody"}${more === undefined ? "" : `: ${more}`}`
  }
  const below = (parent, indent) =>
    ordered
      .filter(({ causationId }) => (parent === undefined ? !ids.has(causationId) : causationId === parent.id))
      .flatMap((event) => [`${indent}${line(event)}`, ...below(event, `${indent}  `)])
  return below(undefined, "    ")
}

/**
 * Runs this act (part) of the demo. `call` sends a request, `me` contains the person's headers, `mint` creates a key,
 * and `expect` adds a row to the table. `documents` are stored documents of `workspaceId` that the agent may write.
 * Returns the events of this act as lines.
 */
export const proposalsDemo = async ({ call, me, mint, expect, agent, ownerId, workspaceId, documents }) => {
  const [first, second, third] = documents
  const hub = (path) => `/api/hub${path}`
  const decide = (id, verb, body = {}) => call("POST", hub(`/proposals/${id}/${verb}`), me, body)
  const titleOf = async ({ id }) => (await call("GET", hub(`/entities/${id}`), me)).body.title

  await call("POST", "/trpc/agents.update", me, { agentId: agent.id, capabilities: ["entity.knowledge.update"] })
  const narrow = await mint({
    keyName: "Librarian, narrow",
    scope: ["hub-protocol.read", "hub-protocol.write"],
    grant: { permissions: ["entity.knowledge", "proposal"], workspaceIds: [workspaceId] },
    agentId: agent.id
  })
  const change = (document, title) =>
    call("PATCH", hub(`/entities/${document.id}`), narrow.headers, { title, reasoning: "The title should say more." })

  const join = await change(first, "anything")
  expect("an agent that was never let in", "proposed join", `${join.body.status} ${join.body.proposalType}`)
  expect("… is let in by its person", 200, (await decide(join.body.proposalId, "approve")).status)

  const [one, two, three] = [
    await change(first, `${first.title} (catalogued)`),
    await change(second, `${second.title} (catalogued)`),
    await change(third, `${third.title} (catalogued)`)
  ]
  const states = [one, two, three].map(({ body }) => body.status)
  expect("three changes of real documents", "proposed proposed proposed", states.join(" "))
  expect("… change nothing yet", first.title, await titleOf(first))
  const own = await call("POST", hub(`/proposals/${one.body.proposalId}/approve`), narrow.headers, {})
  expect("the agent approves its own", "403 PEOPLE_ONLY", `${own.status} ${own.body.code}`)

  const seen = (await call("GET", hub(`/proposals/${one.body.proposalId}`), me)).body
  const approved = await decide(one.body.proposalId, "approve", { contentHash: seen.contentHash })
  expect("the person approves what they saw", 200, approved.status)
  expect("… and it is written", `${first.title} (catalogued)`, await titleOf(first))

  const edited = `${second.title} (catalogued, as the person put it)`.slice(0, 500)
  await call("PATCH", hub(`/proposals/${two.body.proposalId}`), me, { data: { title: edited } })
  expect("the person edits another, then approves", 200, (await decide(two.body.proposalId, "approve")).status)
  expect("… and their words are written", edited, await titleOf(second))

  await decide(three.body.proposalId, "reject", { reason: "The title is fine as it is." })
  const rejected = (await call("GET", hub(`/proposals/${three.body.proposalId}`), narrow.headers)).body
  expect("the agent reads why the third was rejected", "The title is fine as it is.", rejected.statusReason)

  expect("the person takes the first back", 200, (await decide(one.body.proposalId, "revert")).status)
  expect("… and it is as it was", first.title, await titleOf(first))

  const kinds = ["proposal.create", "proposal.update", "proposal.approve", "proposal.reject", "proposal.revert"]
  const log = async (type) =>
    (await call("GET", `/trpc/events.list?input=${encodeURIComponent(JSON.stringify({ type, limit: 100 }))}`, me)).body
      .result.data
  const events = (await Promise.all([...kinds, "entity.knowledge.update", "member.create"].map(log))).flat()
  expect(
    "in the log: asked, approved, rejected, taken back",
    "4 3 1 1",
    [kinds[0], kinds[2], kinds[3], kinds[4]].map((kind) => events.filter(({ type }) => type === kind).length).join(" ")
  )
  return treeOf(
    events,
    new Map([
      [agent.id, agent.name],
      [ownerId, "the person"]
    ])
  )
}
