/**
 * Decides which objects a search may read. This depends on the type of the object, on the rights of the caller, and on
 * the projects that a question names.
 */
import type { Bounds, ReachShape } from "../../doors/Reach.ts"
import { knowledgeBounds } from "../knowledge/KnowledgeTable.ts"
import type { SearchedType } from "./postings/IndexedObject.ts"

/**
 * The projects in which a searched object must be, and the projects in which it must not be. A knowledge entry is in no
 * project.
 */
export interface Filing {
  /** The object must be in one of these projects. Null means that any object matches, with or without a project. */
  readonly in: ReadonlyArray<string> | null
  /** The object must be in none of these projects. */
  readonly notIn: ReadonlyArray<string>
}

export const anyFiling: Filing = { in: null, notIn: [] }

export const searchedTypes: ReadonlyArray<SearchedType> = ["entity", "document", "knowledge"]

/** Returns the rows of a type that a call may read. */
export const boundsFor = (reach: ReachShape, type: SearchedType): Bounds =>
  type === "knowledge" ? knowledgeBounds(reach, "read") : reach.bounds(type, "read")

/**
 * Returns the spaces in which a call may read objects of the types that a search can find. If `requestedSpaces` is not
 * null, returns only spaces in this list.
 */
export const searchedSpaces = (
  reach: ReachShape,
  requestedSpaces: ReadonlyArray<string> | null
): ReadonlyArray<string> => {
  const reached = new Set(searchedTypes.flatMap((type) => boundsFor(reach, type).spaces))
  return [...reached].filter((spaceId) => requestedSpaces === null || requestedSpaces.includes(spaceId))
}
