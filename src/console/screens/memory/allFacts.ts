/** Reads all current facts, for the export and for the search for duplicates. */
import { manyPages, type PagePlace } from "../../api/everyPage.ts"
import { hubPage } from "../../api/hub.ts"
import type { Fact } from "./duplicates.ts"

const pageSize = 100

/** Reads pages of facts, at most `limit` facts. `isAll` is true if the result contains every fact. */
export const readFacts = async (
  limit: number,
  signal?: AbortSignal
): Promise<{ readonly facts: ReadonlyArray<Fact>; readonly isAll: boolean }> => {
  const list = {
    atOnce: pageSize,
    read: (query: PagePlace, stop: AbortSignal | undefined) => hubPage("GET /api/hub/memory", { query }, stop)
  }
  const { answer, next } = await manyPages<Fact>(list, limit, signal)
  return { facts: answer, isAll: next === undefined }
}
