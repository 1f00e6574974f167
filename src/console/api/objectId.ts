/** Finds the id of the object that a call is about. Looks for the id in the input of the call. */
import { isObjectId } from "../../shared/operationOfRoute.ts"

/**
 * The value of the field `id` or, without this field, of the first other field whose name ends with `Id`. `workspaceId`
 * is ignored, because it only says where the object is.
 */
export const objectIdIn = (input: unknown): string | undefined => {
  if (typeof input !== "object" || input === null) return undefined
  const fields = Object.entries(input).filter(
    ([name, value]) => /^id$|Id$/.test(name) && name !== "workspaceId" && typeof value === "string" && isObjectId(value)
  )
  const [, id] = fields.find(([name]) => name === "id") ?? fields[0] ?? []
  // The filter keeps only texts, so the cast is safe.
  return id as string | undefined
}
