/** The route of a request as metrics and traces name it. */

/**
 * The template of the path. For surfaces that answer several operations in one request it is only the path of the
 * surface. A batch can contain any procedures, so their names would make an unlimited number of routes.
 */
export const routeShown = (route: string, mounts: ReadonlyArray<string>): string =>
  mounts.find((mount) => route.startsWith(mount)) ?? (route === "" ? "none" : route)
