/** Reads openapi.json and the catalog, the public descriptions of the pod's operations. Reads each only once. */
import { queryOptions, useQuery } from "@tanstack/react-query"
import { entriesOf, type Entry, type OpenApi } from "../../api/reference.ts"
import type { Refusal } from "../../api/refusal.ts"
import { catalogQuery, readDescription } from "../../api/useCatalog.ts"

export interface Reference {
  readonly version: string
  readonly entries: ReadonlyArray<Entry>
}

const referenceQuery = queryOptions<Reference, Refusal>({
  queryKey: ["reference"],
  // The descriptions change only with the version of the pod, and a new version also reloads the console.
  staleTime: Infinity,
  queryFn: async ({ client, signal }) => {
    const [api, catalog] = await Promise.all([
      readDescription<OpenApi>("openapi.json", signal),
      client.fetchQuery(catalogQuery)
    ])
    return { version: api.info.version, entries: entriesOf(api, catalog) }
  }
})

export const useReference = () => useQuery(referenceQuery)
