/** Makes inputs with which every MCP tool succeeds: the required arguments, with ids of existing records. */
import { randomUUID } from "node:crypto"
import { type Approach } from "../doors/surfaces.ts"
import { makeThings } from "../doors/things.ts"
import { allApproaches } from "../doors/walk.ts"
import type { Caller, TestPod } from "../support/pod.ts"

export interface ToolInputs {
  /** All tools of the pod. */
  readonly tools: ReadonlyArray<Approach>
  /** A key that may call all tools. */
  readonly key: Caller
  /** Returns the least input of a tool. `required`: the names of the required arguments. */
  readonly leastInput: (way: Approach, required: ReadonlyArray<string>) => Promise<Record<string, unknown>>
}

const revised = { name: "Another track", description: null, status: "active", projectId: null, settings: {} }

/** Makes the records that the inputs name. */
export const makeToolInputs = async (pod: TestPod): Promise<ToolInputs> => {
  const ways = await allApproaches(pod, false)
  const things = await makeThings(pod, { ...pod.owner, id: pod.ownerId }, ways)
  const { workspaceId } = things.known()
  const made = async (path: string, body: object) => {
    const answer = await pod.owner.send("POST", `/api/hub${path}`, { workspaceId, ...body })
    if (answer.status >= 300) throw new Error(JSON.stringify(answer.body))
    return (answer.body.id ?? answer.body.document?.id ?? answer.body.thread?.id) as string
  }
  // Each id has the name of the tool argument that needs the id.
  const named: Readonly<Record<string, string>> = {
    documentId: await made("/documents", { title: "Kept", content: "# Words" }),
    projectId: await made("/projects", { name: "House" }),
    threadId: await made("/threads", { title: "Talk" }),
    sessionId: await made("/focus-sessions", { goal: "Ship" })
  }
  /**
   * Returns the extra arguments of a tool that requires one of several arguments. The schema of such a tool marks none
   * of them as required.
   */
  const oneOfSeveral = (tool: string): Record<string, unknown> =>
    tool === "svc_wait_for_answer"
      ? { threadId: named["threadId"], timeoutSeconds: 0 }
      : tool === "svc_store_file"
        ? { content: randomUUID(), mimeType: "text/plain" }
        : {}
  return {
    tools: ways.filter(({ place }) => place === "mcp"),
    key: await pod.aKey(pod.owner),
    leastInput: async (way, required) => {
      const { name } = way.operation
      // A proposal can be withdrawn only once, so each call gets a new proposal.
      if (name.includes("proposal")) await things.propose()
      const input = (await things.inputFor(way)) as Record<string, unknown>
      const values = { ...input, ...(name === "svc_revise_proposal" ? { data: revised } : {}), ...named }
      return {
        ...Object.fromEntries(Object.entries(values).filter(([argument]) => required.includes(argument))),
        ...oneOfSeveral(name)
      }
    }
  }
}
