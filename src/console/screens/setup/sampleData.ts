/**
 * Makes and removes the sample data of a new pod, in the name of the pod's owner. Uses ordinary calls, as `pod seed`
 * does.
 */
import {
  orderCount,
  orderSteps,
  sampleFacts,
  sampleKnowledge,
  sampleProjects,
  sampleTasks
} from "../../../shared/SampleContent.ts"
import { hasSample, makeSample, removeSample, wasMade } from "../../../shared/Sample.ts"
import type { SampleCaller } from "../../../shared/SampleCalls.ts"
import { sessionHeaders } from "../../api/hub.ts"
import { ask } from "../../api/procedures.ts"
import { Refusal } from "../../api/refusal.ts"
import { podRoot } from "../../api/root.ts"

/**
 * The number of calls that make the content of the sample. Further calls make its agent, key, webhook and proposals.
 */
const contentCalls =
  sampleKnowledge.length +
  sampleProjects.length +
  sampleTasks.length +
  sampleFacts.length +
  orderCount * orderSteps.length
const furtherCalls = 20

export interface SampleProgress {
  readonly done: number
  readonly of: number
}

/** Calls the pod with the key of the sample's agent or, without a key, with the session of the person. */
const callPod: SampleCaller = async (method, path, body, key) => {
  const response = await fetch(new URL(path.slice(1), podRoot), {
    method,
    headers: {
      ...(key === undefined ? sessionHeaders() : { authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { "content-type": "application/json" })
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    credentials: "omit"
  })
  const answer: unknown = await response.json().catch(() => ({}))
  if (response.ok) return answer
  throw new Refusal(response.status, typeof answer === "object" && answer !== null ? { ...answer } : {})
}

/**
 * Makes the sample data. `made`: the sample exists now. `left`: the operator has set `POD_SEED`, so the pod makes the
 * sample itself and the console makes nothing.
 */
export const makeSampleData = async (onProgress: (progress: SampleProgress) => void): Promise<"made" | "left"> => {
  const settings = await ask("system.getSettings", {})
  if (settings.some(({ name, value }) => name === "POD_SEED" && value === "demo")) return "left"
  if (await wasMade(callPod)) return "made"
  const of = contentCalls + furtherCalls
  let done = 0
  await makeSample(async (...call) => {
    const answer = await callPod(...call)
    done += 1
    onProgress({ done: Math.min(done, of - 1), of })
    return answer
  })
  onProgress({ done: of, of })
  return "made"
}

export const hasSampleData = (): Promise<boolean> => hasSample(callPod)

/** Removes the sample data. Returns false if there were none. */
export const removeSampleData = (): Promise<boolean> => removeSample(callPod)
