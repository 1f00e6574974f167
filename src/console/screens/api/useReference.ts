/** Reads openapi.json and the catalog, each only once. They are the public descriptions of the pod's operations. */
import { useQuery } from "@tanstack/react-query"
import { refusalOf, Refusal } from "../../api/refusal.ts"
import { podRoot } from "../../api/root.ts"
import { type Catalog, entriesOf, type Entry, type OpenApi } from "./reference.ts"

const read = async <A>(path: string, signal: AbortSignal): Promise<A> => {
  const response = await fetch(new URL(path, podRoot), { credentials: "omit", signal })
  if (!response.ok) throw new Refusal(response.status, { error: `${path} could not be read.` })
  return (await response.json()) as A
}

export interface Reference {
  readonly version: string
  readonly entries: ReadonlyArray<Entry>
}

export const useReference = () =>
  useQuery<Reference, Refusal>({
    queryKey: ["reference"],
    staleTime: Infinity, // the descriptions change only with the version of the pod; a new version also reloads the console
    queryFn: async ({ signal }) => {
      try {
        const [api, catalog] = await Promise.all([
          read<OpenApi>("openapi.json", signal),
          read<Catalog>("docs/catalog.json", signal)
        ])
        return { version: api.info.version, entries: entriesOf(api, catalog) }
      } catch (failure) {
        throw failure instanceof DOMException ? failure : refusalOf(failure)
      }
    }
  })
