/** Makes the events and the proposals of the sample workspace. */
import { field, hub, procedureOf, type SampleCaller, text } from "./SampleCalls.ts"
import { orderCount, orderSteps } from "./SampleContent.ts"

/**
 * Makes the six events of an order. Each step is the cause of the next step. Returns the ids of the events by their
 * types.
 */
const makeOrder = async (call: SampleCaller, workspaceId: string, order: number): Promise<Map<string, string>> => {
  const procedure = procedureOf(call)
  const ids = new Map<string, string>()
  let causationId: string | undefined
  for (const type of orderSteps) {
    const data = { order: `A-${1000 + order}`, trailers: (order % 3) + 1 }
    const cause = causationId === undefined ? {} : { causationId }
    causationId = text(await procedure("events.log", { type, data, workspaceId, ...cause }), "id")
    ids.set(type, causationId)
  }
  return ids
}

/**
 * Makes sixty events: six steps for each of ten orders. Also makes a webhook for sent parcels after the first order. The
 * first parcel gets a delivery that failed and was then repaired. The deliveries of the other parcels fail, because no
 * server receives calls at this address: the name is reserved (RFC 2606).
 */
export const makeEvents = async (
  call: SampleCaller,
  workspaceId: string,
  webhookName: string
): Promise<{ readonly events: number; readonly webhookId: string }> => {
  const first = await makeOrder(call, workspaceId, 1)
  const webhook = { name: webhookName, url: "https://warehouse.acme.example/pod", eventTypes: ["parcel.sent"] }
  const webhookId = text(field(await procedureOf(call)("webhooks.create", webhook), "subscription"), "id")
  await call("POST", `${hub}/setup/sample-delivery`, { webhookId, eventId: first.get("parcel.sent") })
  for (let order = 2; order <= orderCount; order++) await makeOrder(call, workspaceId, order)
  return { events: orderCount * orderSteps.length, webhookId }
}

/**
 * Makes six writes of the agent that wait for the decision of the person: an update, a new entity in a project, a link,
 * two deletions, and an update whose base is out of date.
 */
export const makeProposals = async (
  call: SampleCaller,
  {
    key,
    projects,
    tasks,
    workspaceId
  }: {
    readonly key: string
    readonly projects: ReadonlyArray<string>
    readonly tasks: ReadonlyArray<string>
    readonly workspaceId: string
  }
): Promise<number> => {
  const [joint = "", weigh = "", tubes = ""] = tasks
  const answers = [
    await call(
      "PATCH",
      `${hub}/entities/${joint}`,
      { title: "Choose the folding joint by May", reasoning: "The prototype is due in June." },
      key
    ),
    await call(
      "POST",
      `${hub}/entities`,
      {
        title: "Compare three folding joints",
        profileSlug: "task",
        workspaceId,
        projectId: projects[0],
        reasoning: "The choice needs numbers."
      },
      key
    ),
    await call(
      "POST",
      `${hub}/relations`,
      {
        workspaceId,
        sourceEntityId: weigh,
        targetEntityId: tubes,
        type: "depends-on",
        reasoning: "Without tubes there is no prototype."
      },
      key
    ),
    await call("DELETE", `${hub}/projects/${projects[2]}`, undefined, key),
    await call("DELETE", `${hub}/knowledge/sales.best-month?workspaceId=${workspaceId}`, undefined, key),
    await call(
      "PATCH",
      `${hub}/entities/${tubes}`,
      { title: "Order tubes for six prototypes", reasoning: "One may break." },
      key
    )
  ]
  // The person now changes the field that the last proposal changes. So the base of this proposal is out of date.
  await call("PATCH", `${hub}/entities/${tubes}`, { title: "Order tubes for eight prototypes" })
  return answers.filter((answer) => typeof field(answer, "proposalId") === "string").length
}
