/**
 * Says which proposals are about the records of a project. A search that is limited to the project finds the same
 * records.
 */
import type { Rows } from "../../platform/MemoryDatabase.ts"
import { filingOf } from "../entities/EntityTable.ts"
import type { ExcerptPlaces } from "./ProposalExcerpt.ts"
import type { StoredProposal } from "./StoredProposal.ts"

/**
 * Returns true if the proposal is about one of these projects, a record that is filed there, or a document of an entity
 * that is filed there. A search that is limited to a project finds the same records.
 */
const isAboutProjects = (
  rows: Rows,
  projects: ReadonlyArray<string>,
  { action, base, content, projectIds, spaceId, targetId }: StoredProposal
): boolean => {
  const named = (field: string) => [content[field] ?? base?.fields[field]].filter((id) => typeof id === "string")
  return (
    [targetId, ...named("projectId"), ...(action === "create" ? projectIds : [])].some((id) => projects.includes(id)) ||
    [targetId, ...named("entityId")].some((entityId) =>
      projects.some((id) => filingOf(rows, { entityId, projectId: id })?.spaceId === spaceId)
    )
  )
}

/** Returns true if a search of these spaces and projects covers the proposal. */
export const isInPlaces = (rows: Rows, places: ExcerptPlaces, proposal: StoredProposal): boolean =>
  (places.in === null || places.in.includes(proposal.spaceId)) &&
  !places.notIn.includes(proposal.spaceId) &&
  (places.inProjects === null || isAboutProjects(rows, places.inProjects, proposal)) &&
  !isAboutProjects(rows, places.notInProjects, proposal)
