/** Reads `/docs/catalog.json`, which describes every procedure and every MCP tool of the pod. Reads it only once. */
import { queryOptions, useQuery } from "@tanstack/react-query"
import type { Catalog } from "./reference.ts"
import { Refusal, refusalOf } from "./refusal.ts"
import { podRoot } from "./root.ts"

/** Reads a public description of the pod. `path` is below the root of the pod. Rejects with a `Refusal`. */
export const readDescription = async <A>(path: string, signal: AbortSignal): Promise<A> => {
  try {
    const response = await fetch(new URL(path, podRoot), { credentials: "omit", signal })
    if (!response.ok) throw new Refusal(response.status, { error: `${path} could not be read.` })
    // The caller names the declared type of the document at this path, so the cast is safe.
    return (await response.json()) as A
  } catch (failure) {
    throw refusalOf(failure)
  }
}

export const catalogQuery = queryOptions<Catalog, Refusal>({
  queryKey: ["catalog"],
  // The description changes only with the version of the pod, and a new version also reloads the console.
  staleTime: Infinity,
  queryFn: ({ signal }) => readDescription<Catalog>("docs/catalog.json", signal)
})

export const useCatalog = () => useQuery(catalogQuery)
