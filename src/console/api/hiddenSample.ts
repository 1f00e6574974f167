/**
 * Finds the sample data that the person has hidden. The preferences of the person store whether the sample is hidden.
 * Home, the inbox and the choice of a workspace leave out a hidden sample. The pages that list everything still show
 * it.
 */
import { useQueries, useQuery, useQueryClient } from "@tanstack/react-query"
import { sampleTemplate, sampleType } from "../../shared/SampleMark.ts"
import { hubQuery } from "./hub.ts"
import { change, procedureQuery } from "./procedures.ts"

/** The name of the field in the free-form preferences. */
const field = "isSampleHidden"

// the console leaves out at most this many proposals of a hidden workspace
const proposalsMax = 200

/** Whether the person has hidden the sample. Undefined until the pod has answered. */
export const useIsSampleHidden = (): boolean | undefined => {
  const { data, isError } = useQuery(procedureQuery("preferences.get", {}))
  return data === undefined && !isError ? undefined : data?.uiPreferences[field] === true
}

/** Returns a function that hides the sample, or shows it again. */
export const useHideSample = () => {
  const queries = useQueryClient()
  return async (isHidden: boolean): Promise<void> => {
    await change("preferences.merge", { uiPreferences: { [field]: isHidden ? true : null } })
    await queries.invalidateQueries({ queryKey: ["preferences"] })
  }
}

interface WorkspaceMark {
  readonly templateId: string | null
  readonly workspaceType: string | null
}

export const isSampleWorkspace = ({ templateId, workspaceType }: WorkspaceMark): boolean =>
  templateId === sampleTemplate && workspaceType === sampleType

/** The ids of the hidden sample workspaces. `isKnown` is false until the pod has answered which ones are hidden. */
export const useHiddenWorkspaces = () => {
  const isHidden = useIsSampleHidden()
  const { data, isError } = useQuery({ ...hubQuery("GET /api/hub/workspaces", {}), enabled: isHidden === true })
  const ids = isHidden === true ? (data?.workspaces ?? []).filter(isSampleWorkspace).map(({ id }) => id) : []
  // The list may be in the cache before the pod has answered whether the sample is hidden.
  return { ids, isKnown: isHidden === false || (isHidden === true && (data !== undefined || isError)) }
}

/**
 * The workspaces that a person can choose: all except the hidden ones. `exceptId` is offered also if it is hidden,
 * because the page already shows it. Undefined until the pod has answered which ones are hidden.
 */
export const useOfferedWorkspaces = (exceptId: string | undefined) => {
  const { data } = useQuery(hubQuery("GET /api/hub/workspaces", {}))
  const { ids, isKnown } = useHiddenWorkspaces()
  return isKnown ? data?.workspaces.filter(({ id }) => !ids.includes(id) || id === exceptId) : undefined
}

/**
 * The query as if it had no answer yet, while `isKnown` is false. Else a page would show hidden rows for a moment: a
 * query that is not enabled still has the answer from the cache.
 */
export const onceKnown = <Query extends { readonly data: unknown }>(isKnown: boolean, query: Query): Query =>
  isKnown ? query : { ...query, data: undefined }

/** The ids of the waiting proposals in hidden sample workspaces. */
export const useHiddenProposals = () => {
  const { ids, isKnown } = useHiddenWorkspaces()
  const lists = useQueries({
    queries: ids.map((workspaceId) =>
      hubQuery("GET /api/hub/proposals", {
        query: { status: "pending", view: "basic", workspaceId, limit: proposalsMax }
      })
    )
  })
  return {
    ids: lists.flatMap(({ data }) => (data?.proposals ?? []).map(({ id }) => id)),
    isKnown: isKnown && lists.every(({ isPending }) => !isPending)
  }
}

/**
 * The id of the hidden webhook of the sample. The pod logs the id when the sample is made. `isKnown` is false until the
 * pod has answered.
 */
export const useHiddenWebhook = () => {
  const isHidden = useIsSampleHidden()
  const { data, isPending } = useQuery({
    ...procedureQuery("events.list", { type: "sample.made", limit: 1 }),
    enabled: isHidden === true
  })
  const id = data?.[0]?.data["webhookId"]
  return {
    id: isHidden === true && typeof id === "string" ? id : undefined,
    isKnown: isHidden === false || (isHidden === true && !isPending)
  }
}

// at most this many samples are looked up; there can be several, because a person can remove the sample and make it
// again
const samplesMax = 20

export const sampleMakersQuery = procedureQuery("events.list", { type: "sample.made", limit: samplesMax })

/**
 * The agent of the sample and its keys, also those of a removed sample. The agent is the same in every sample. `isKnown`
 * is false until the pod has answered.
 */
export const useSampleMakers = () => {
  const { data, isPending } = useQuery(sampleMakersQuery)
  const idsOf = (name: string) =>
    (data ?? []).map((event) => event.data[name]).filter((id): id is string => typeof id === "string")
  return { isKnown: !isPending, agentId: idsOf("agentId")[0], keyIds: idsOf("keyId") }
}
