/**
 * The parts of a proposal that a search compares with a question. Each text is shortened, because an agent can make its
 * proposal very long.
 */
import type { StoredProposal } from "./StoredProposal.ts"

export interface ProposalExcerpt extends Pick<StoredProposal, "id" | "proposalType" | "summary"> {
  /** The title or the name in the proposed change. Empty if the change has neither. */
  readonly title: string
  readonly profileSlug: string
  /** The beginning of the proposed description, and the beginning of the proposed content. */
  readonly text: string
}

// The maximum numbers of characters of the title and of the text. Migration 0046 uses the same numbers.
const titleMax = 500
const slugMax = 100
const textMax = 2000

/** Makes the excerpt of a proposal. The database stores the excerpt beside the content of the proposal. */
export const excerptOf = ({ content, id, proposalType, summary }: StoredProposal): ProposalExcerpt => {
  const textOf = (field: string, most: number) => {
    const value = content[field]
    return typeof value === "string"
      ? Array.from(value.slice(0, 2 * most))
          .slice(0, most)
          .join("")
      : ""
  }
  return {
    id,
    proposalType,
    summary,
    title: textOf("title", titleMax) || textOf("name", titleMax),
    profileSlug: textOf("profileSlug", slugMax),
    text: `${textOf("description", textMax)} ${textOf("content", textMax)}`
  }
}

export interface ExcerptPlaces {
  /** The spaces to search. Null means every space that the caller may read. */
  readonly in: ReadonlyArray<string> | null
  readonly notIn: ReadonlyArray<string>
}
