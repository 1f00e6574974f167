/**
 * The parts of a proposal that a search compares with a question. Each text is shortened, because an agent can make its
 * proposal very long.
 */
import type { JsonRecord } from "../gate/Write.ts"
import type { StoredProposal } from "./StoredProposal.ts"

export interface ProposalExcerpt extends Pick<StoredProposal, "id" | "proposalType" | "summary"> {
  /**
   * The title or the name in the proposed change, or else of the record that the proposal changes. Empty if both have
   * neither.
   */
  readonly title: string
  readonly profileSlug: string
  /** The beginning of the proposed description, and the beginning of the proposed content. */
  readonly text: string
}

// The maximum numbers of characters of the title and of the text. Migrations 0046 and 0126 use the same numbers.
const titleMax = 500
const slugMax = 100
const textMax = 2000

/** Makes the excerpt of a proposal. The database stores the excerpt beside the content of the proposal. */
export const excerptOf = ({ base, content, id, kind, proposalType, summary }: StoredProposal): ProposalExcerpt => {
  const textIn = (fields: JsonRecord, field: string, max: number) => {
    const value = fields[field]
    return typeof value === "string"
      ? Array.from(value.slice(0, 2 * max))
          .slice(0, max)
          .join("")
      : ""
  }
  const textOf = (field: string, max: number) => textIn(content, field, max)
  const titleIn = (fields: JsonRecord) => textIn(fields, "title", titleMax) || textIn(fields, "name", titleMax)
  return {
    id,
    proposalType,
    summary,
    title: titleIn(content) || titleIn(base?.fields ?? {}),
    profileSlug: textOf("profileSlug", slugMax) || (kind ?? "").slice(0, slugMax),
    text: `${textOf("description", textMax)} ${textOf("content", textMax)}`
  }
}

export interface ExcerptPlaces {
  /** The spaces to search. Null means every space that the caller may read. */
  readonly in: ReadonlyArray<string> | null
  readonly notIn: ReadonlyArray<string>
  /** The proposal must be about a record of these projects. Null means any record, with or without a project. */
  readonly inProjects: ReadonlyArray<string> | null
  readonly notInProjects: ReadonlyArray<string>
}
