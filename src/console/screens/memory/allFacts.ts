/** Every fact that holds now, for the export and the search for duplicates. */
import { hub } from "../../api/hub.ts"
import type { Fact } from "./duplicates.ts"

const pageSize = 100

/** Reads pages until `most` facts are read or none is left. `isAll`: nothing was left out. */
export const readFacts = async (
  most: number,
  signal?: AbortSignal
): Promise<{ readonly facts: ReadonlyArray<Fact>; readonly isAll: boolean }> => {
  const facts = new Map<string, Fact>()
  for (let offset = 0; offset < most; offset += pageSize) {
    const page = await hub("GET /api/hub/memory", { query: { limit: pageSize, offset } }, signal)
    // A fact that is written meanwhile moves the others, so one may come twice.
    for (const fact of page) facts.set(fact.id, fact)
    if (page.length < pageSize) return { facts: [...facts.values()], isAll: true }
  }
  return { facts: [...facts.values()], isAll: false }
}
