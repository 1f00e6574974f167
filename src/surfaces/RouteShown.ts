/** The route of a request as metrics and traces name it. */

/**
 * Returns the template of the path. A surface that answers several operations in one request is shown only by its own
 * path: a batch can contain any procedures, so their names would make an unlimited number of routes.
 */
export const routeShown = (route: string, mounts: ReadonlyArray<string>): string =>
  mounts.find((mount) => route.startsWith(mount)) ?? (route === "" ? "none" : route)
