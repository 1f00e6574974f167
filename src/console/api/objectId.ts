/** Finds the object that a call is about, in its input. */
import { isObjectId } from "../../shared/operationOfRoute.ts"

/**
 * The id of the object: the `id` of the input, or else the first other id. The `workspaceId` is never meant, because it
 * only says where the object is.
 */
export const objectIdIn = (input: unknown): string | undefined => {
  if (typeof input !== "object" || input === null) return undefined
  const fields = Object.entries(input).filter(
    ([name, value]) => /^id$|Id$/.test(name) && name !== "workspaceId" && typeof value === "string" && isObjectId(value)
  )
  const [, id] = fields.find(([name]) => name === "id") ?? fields[0] ?? []
  return id as string | undefined // the filter keeps only texts
}
