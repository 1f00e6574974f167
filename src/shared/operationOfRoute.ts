/**
 * Finds the operation of a request from the method and the path, such as `PATCH /api/hub/entities/<id>`. Also finds the
 * id of the object in the path.
 */

export interface RouteDoor {
  readonly name: string
  readonly method?: string | undefined
  /** The template of the path, such as `/api/hub/entities/:id`. Absent for a procedure and for a tool. */
  readonly path?: string | undefined
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export const isObjectId = (text: string): boolean => uuid.test(text)

/**
 * Compares a path with a template such as `/entities/:id`. Returns the values of the named parts. Returns undefined if
 * the path does not match the template.
 */
const matchPath = (template: string, path: string): ReadonlyArray<string> | undefined => {
  const [named, given] = [template.split("/"), path.replace(/\?.*$/, "").split("/")]
  if (named.length !== given.length) return undefined
  const values: Array<string> = []
  for (const [at, part] of named.entries()) {
    const isNamed = /^(?::\w+|\{\w+\})$/.test(part)
    const value = given[at] ?? ""
    if (!isNamed && part !== value) return undefined
    if (isNamed) values.push(value)
  }
  return values
}

/** Returns the full path. The argument can lack the prefix `/api/hub`, as in `/entities`. */
export const wholePath = (path: string): string =>
  path.startsWith("/api/") || path.startsWith("/v1/") ? path : `/api/hub${path}`

/** Returns the operation and the id of the object in the path. Returns undefined if the pod has no such route. */
export const operationOfRoute = (
  doors: ReadonlyArray<RouteDoor>,
  method: string,
  path: string
): { readonly operation: string; readonly objectId?: string } | undefined => {
  for (const door of doors) {
    const values =
      door.method === method.toUpperCase() && door.path !== undefined
        ? matchPath(door.path, wholePath(path))
        : undefined
    if (values === undefined) continue
    // The last id is the id of the object, as in `/workspaces/:workspaceId/members/:userId`.
    const objectId = values.findLast(isObjectId)
    return { operation: door.name, ...(objectId === undefined ? {} : { objectId }) }
  }
  return undefined
}
