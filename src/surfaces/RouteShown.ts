/** The route of a request as metrics and traces name it. */

/**
 * The template of the path; of surfaces that answer several operations in one request only their path, because a batch can
 * hold any procedures, and their names would make names of routes without end.
 */
export const routeShown = (route: string, mounts: ReadonlyArray<string>): string =>
  mounts.find((mount) => route.startsWith(mount)) ?? (route === "" ? "none" : route)
