/** The route of a request, in the form that metrics and traces show. */

/**
 * Returns the template of the path. If a surface answers several operations in one request, only its own path is shown.
 * A batch can contain any procedures, so their names would make an unlimited number of routes.
 */
export const routeShown = (route: string, mounts: ReadonlyArray<string>): string =>
  mounts.find((mount) => route.startsWith(mount)) ?? (route === "" ? "none" : route)
