/** Makes the events and the proposals of the sample workspace. */
import { field, hub, procedureOf, type SampleCaller, text } from "./SampleCalls.ts"
import { orderCount, orderSteps } from "./SampleContent.ts"

/** Makes sixty events: six steps for each of ten orders. Each step of an order is the cause of the next step. */
export const makeEvents = async (call: SampleCaller, workspaceId: string): Promise<number> => {
  const procedure = procedureOf(call)
  let count = 0
  for (let order = 1; order <= orderCount; order++) {
    let causationId: string | undefined
    for (const type of orderSteps) {
      const data = { order: `A-${1000 + order}`, trailers: (order % 3) + 1 }
      const cause = causationId === undefined ? {} : { causationId }
      causationId = text(await procedure("events.log", { type, data, workspaceId, ...cause }), "id")
      count += 1
    }
  }
  return count
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
