/** Reads openapi.json and the catalog, each only once. They are the public descriptions of the pod's operations. */
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
  staleTime: Infinity, // the descriptions change only with the version of the pod; a new version also reloads the console
  queryFn: async ({ client, signal }) => {
    const [api, catalog] = await Promise.all([
      readDescription<OpenApi>("openapi.json", signal),
      client.fetchQuery(catalogQuery)
    ])
    return { version: api.info.version, entries: entriesOf(api, catalog) }
  }
})

export const useReference = () => useQuery(referenceQuery)
