/** A proposal as a question is compared with it. An agent decides how long a proposal is, so each text is cut. */
import type { StoredProposal } from "./Proposal.ts"

export interface ProposalExcerpt extends Pick<StoredProposal, "id" | "proposalType" | "summary"> {
  /** The title or the name in the change; empty where it has none. */
  readonly title: string
  readonly profileSlug: string
  /** The beginnings of the description and of the content. */
  readonly text: string
}

// In characters, as in migration 0046.
const titleMost = 500
const slugMost = 100
const textMost = 2000

/** The excerpt as the database keeps it beside the content. */
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
    title: textOf("title", titleMost) || textOf("name", titleMost),
    profileSlug: textOf("profileSlug", slugMost),
    text: `${textOf("description", textMost)} ${textOf("content", textMost)}`
  }
}

/** The spaces of a question. */
export interface ExcerptPlaces {
  /** Null: all that the caller reads. */
  readonly in: ReadonlyArray<string> | null
  readonly notIn: ReadonlyArray<string>
}
