/** Finds the object that a call is about, in its input. */
import { isObjectId } from "../../shared/operationOfRoute.ts"

/** The id of the object: the first id in the input, except the `workspaceId`. */
export const objectIdIn = (input: unknown): string | undefined => {
  if (typeof input !== "object" || input === null) return undefined
  const fields = Object.entries(input).filter(
    ([name, value]) => /^id$|Id$/.test(name) && typeof value === "string" && isObjectId(value)
  )
  const [, id] = fields.find(([name]) => name !== "workspaceId") ?? []
  return id as string | undefined // the filter keeps only texts
}
