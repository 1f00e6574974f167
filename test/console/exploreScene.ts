/**
 * Records for the tests of Explore: a kind with properties of several types, and functions that make and read records.
 */
import { assert } from "vitest"
import type { TestPod } from "../support/pod.ts"

/** Creates a record as the owner. Returns the body of the answer. */
export const made = async (pod: TestPod, path: string, body: object) => {
  const answer = await pod.owner.send("POST", `/api/hub/${path}`, body)
  assert.strictEqual(answer.status, 200, JSON.stringify(answer.body))
  return answer.body
}

export const entityOf = async (pod: TestPod, id: string) =>
  (await pod.owner.send("GET", `/api/hub/entities/${id}`)).body

/** Makes a kind in the owner's own space, with properties of several types. Returns its slug. */
export const aKind = async (pod: TestPod, slug: string) => {
  const { id } = await made(pod, "profiles", { slug, displayName: slug })
  let order = 0
  const property = (name: string, valueType: string, constraints: object = {}) =>
    made(pod, "property-defs", {
      profileId: id,
      slug: name,
      displayName: name[0]?.toUpperCase() + name.slice(1),
      valueType,
      constraints,
      uiHints: { displayOrder: ++order }
    })
  await property("berths", "number", { min: 1 })
  await property("open", "boolean")
  await property("founded", "date")
  await property("state", "select", { options: ["planned", "built", "closed"] })
  await property("goods", "multi_select", { options: ["grain", "timber", "ore"] })
  await property("pilots", "array")
  await property("site", "url")
  return slug
}
