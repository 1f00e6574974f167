/** Proposals that wait and match a question: what an agent looks for may be proposed already. */
import { Context, Effect, Layer } from "effect"
import type { Reach } from "../../doors/Reach.ts"
import type { StoredProposal } from "../proposals/Proposal.ts"
import { reviewPathOf } from "../proposals/Filing.ts"
import { ProposalStore } from "../proposals/ProposalStore.ts"
import { analyse } from "../search/text/Analyser.ts"
import type { Question } from "../search/text/Question.ts"
import type { RetrievalResult } from "./RetrievalResult.ts"

type Match = NonNullable<RetrievalResult["pending"]>["matches"][number]

const readMost = 200 // proposals that wait, latest first
const shownMost = 5
const shareLeast = 0.5 // of the words of the question

const textOf = (content: StoredProposal["content"], field: string): string => {
  const value = content[field]
  return typeof value === "string" ? value : ""
}

export class Pending extends Context.Tag("pod/PendingMatches")<
  Pending,
  {
    /** Those that the caller may see and that hold at least half of the question's words, best first. */
    readonly matching: (
      question: Question,
      spaces: ReadonlyArray<string> | null
    ) => Effect.Effect<ReadonlyArray<Match>, never, Reach>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.map(ProposalStore, (store) => ({
      matching: (question, spaces) =>
        Effect.gen(function* () {
          const words = [...new Set(analyse(question.text))]
          if (words.length === 0) return []
          const { proposals } = yield* store.list({
            spaceId: spaces?.length === 1 ? spaces[0] : undefined,
            sessionId: undefined,
            status: "pending",
            limit: readMost,
            offset: 0,
            before: undefined
          })
          return proposals
            .filter(({ spaceId }) => spaces === null || spaces.includes(spaceId))
            .map((proposal) => matchOf(proposal, words))
            .filter(({ score }) => score >= shareLeast)
            .toSorted((one, other) => other.score - one.score || (one.proposalId < other.proposalId ? 1 : -1))
            .slice(0, shownMost)
        })
    }))
  )
}

const matchOf = (
  { base, content, id, kind, proposalType, summary }: StoredProposal,
  words: ReadonlyArray<string>
): Match => {
  const title = textOf(content, "title") || textOf(content, "name") || textOf(base?.fields ?? {}, "title")
  const there = new Set(analyse(`${summary} ${title} ${textOf(content, "description")} ${textOf(content, "content")}`))
  return {
    proposalId: id,
    proposalType,
    summary,
    entityTitle: title,
    profileSlug: kind ?? "",
    reviewUrl: reviewPathOf(id),
    score: words.filter((word) => there.has(word)).length / words.length
  }
}
