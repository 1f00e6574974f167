/**
 * Makes the records that the calls of the tests refer to: one record for each group of operations, with the create
 * operation of the group.
 */
import type { Caller, TestPod } from "../support/pod.ts"
import { aStoredKey } from "./callers.ts"
import { type Known, sampleFor } from "./samples.ts"
import { type Approach, ask } from "./surfaces.ts"
import { aRow } from "./world.ts"

export interface Things {
  /** Values for fields, by field name: ids and names of existing records. */
  readonly known: () => Known
  /**
   * Returns a valid input for the operation. The input refers to a record of the operation's group, such as `entities`.
   */
  readonly inputFor: (way: Approach) => Promise<unknown>
  /** Makes a proposal as an agent. From then on, the inputs for the operations of proposals name this proposal. */
  readonly propose: () => Promise<void>
}

const track = { name: "A track", description: null, status: "active", projectId: null, settings: {} }

/**
 * Makes a workspace that belongs to `maker`, with three notes and a knowledge entry. Also makes a pending proposal, and
 * later the other records that an input needs.
 */
export const makeThings = async (
  pod: TestPod,
  maker: Caller & { readonly id: string },
  ways: ReadonlyArray<Approach>
): Promise<Things> => {
  const bearer = ({ secret }: { readonly secret: string }) => pod.as({ authorization: `Bearer ${secret}` })
  const key = bearer(await aStoredKey(pod, maker.id))
  const workspaceId = await pod.aWorkspace(maker, "Ours")
  const { id } = await aRow(maker, maker.id, { workspaceId, kind: "note" })
  await maker.send("POST", "/api/hub/knowledge", { key: "kept", value: 1, workspaceId })
  const able = await maker.mutate("agents.create", { name: "Able", capabilities: ["*"] })
  const agentId = able.body.result.data.id as string
  const scribe = bearer(await aStoredKey(pod, maker.id, { agentId, capabilities: ["*"] }))
  const entity = { profileSlug: "note", type: "note", status: "active" }
  const proposed = { targetType: "track", proposalType: "create", data: track }
  const [linked, unlinked] = [
    await aRow(maker, maker.id, { workspaceId, kind: "note", title: "Linked" }),
    await aRow(maker, maker.id, { workspaceId, kind: "note", title: "Not linked" })
  ]
  const ids = {
    id,
    entityId: id,
    sourceEntityId: id,
    targetEntityId: unlinked.id,
    agentUserId: agentId,
    userId: maker.id
  }
  let known: Known = { ...ids, key: "kept", workspaceId, ...entity, ...proposed }
  const made = new Map<string, Known>()

  const itsOwn = async ({ operation: { name } }: Approach): Promise<Known> => {
    const [group] = name.split(".")
    const create = ways.find(({ operation, place }) => operation.name === `${group}.create` && place === "rest")
    if (create !== undefined && !made.has(group)) {
      const { body } = await ask(key, create, sampleFor(create, { ...known, targetEntityId: linked.id }, "the least"))
      const { id: ownId } = (body ?? {}) as { readonly id?: string }
      made.set(group, ownId === undefined ? {} : { id: ownId })
    }
    return made.get(group) ?? {}
  }

  const propose = async () => {
    const { body } = await scribe.send("POST", "/api/hub/tracks", track)
    const { proposalId } = body as { readonly proposalId: string }
    known = { ...known, proposalId }
    made.set("proposals", { id: proposalId })
  }
  await propose()
  return {
    known: () => known,
    inputFor: async (way) => sampleFor(way, { ...known, ...(await itsOwn(way)) }, "the least"),
    propose
  }
}
