/** Finds the id of the object that a call is about, in the input of the call. */
import { isObjectId } from "../../shared/operationOfRoute.ts"

/**
 * The value of the field `id`. Without this field, the value of the first other field for an id. `workspaceId` is
 * ignored, because it only says where the object is.
 */
export const objectIdIn = (input: unknown): string | undefined => {
  if (typeof input !== "object" || input === null) return undefined
  const fields = Object.entries(input).filter(
    ([name, value]) => /^id$|Id$/.test(name) && name !== "workspaceId" && typeof value === "string" && isObjectId(value)
  )
  const [, id] = fields.find(([name]) => name === "id") ?? fields[0] ?? []
  return id as string | undefined // The filter keeps only texts, so the cast is safe.
}
