/** Finds the route of a request in the form that metrics and traces show. */
import { isAtOrBelow } from "../doors/Mounts.ts"

/**
 * Returns the template of the path. If one request can call several operations, as over tRPC and MCP, returns only the
 * base path, such as `/trpc`. A batch can contain any procedures, so their names would make an unlimited number of
 * routes.
 */
export const routeShown = (route: string, mounts: ReadonlyArray<string>): string =>
  mounts.find((mount) => isAtOrBelow(mount, route)) ?? (route === "" ? "none" : route)
