/** Reads all current facts, for the export and for the search for duplicates. */
import { hub } from "../../api/hub.ts"
import type { Fact } from "./duplicates.ts"

const pageSize = 100

/** Reads pages of facts, at most `limit` facts. `isAll` is true if the result contains every fact. */
export const readFacts = async (
  limit: number,
  signal?: AbortSignal
): Promise<{ readonly facts: ReadonlyArray<Fact>; readonly isAll: boolean }> => {
  const facts = new Map<string, Fact>()
  for (let offset = 0; offset < limit; offset += pageSize) {
    const page = await hub("GET /api/hub/memory", { query: { limit: pageSize, offset } }, signal)
    // If somebody writes a fact while the console reads the pages, the older facts move by one place. The same fact can
    // then appear on two pages.
    for (const fact of page) facts.set(fact.id, fact)
    if (page.length < pageSize) return { facts: [...facts.values()], isAll: true }
  }
  return { facts: [...facts.values()], isAll: false }
}
