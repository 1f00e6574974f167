/** Finds the route of a request in the form that metrics and traces show. */

/**
 * Returns the template of the path. If a surface answers several operations in one request, returns only the path of
 * the surface. A batch can contain any procedures, so their names would make an unlimited number of routes.
 */
export const routeShown = (route: string, mounts: ReadonlyArray<string>): string =>
  mounts.find((mount) => route.startsWith(mount)) ?? (route === "" ? "none" : route)
