/**
 * Finds waiting proposals that match a question, because the record that an agent looks for possibly exists only as a
 * proposal.
 */
import { Context, Effect, Layer } from "effect"
import { type ConsolePaths, ConsoleLinks } from "../../doors/ConsoleLinks.ts"
import type { Reach } from "../../doors/Reach.ts"
import type { ProposalExcerpt } from "../proposals/ProposalExcerpt.ts"
import { WaitingProposals } from "../proposals/WaitingProposals.ts"
import { analyse } from "../search/text/Analyser.ts"
import type { Question } from "../search/text/Question.ts"
import type { SearchPlaces } from "./AskedPlaces.ts"
import type { RetrievalResult } from "./RetrievalResult.ts"

type Match = NonNullable<RetrievalResult["pending"]>["matches"][number]

// the maximum number of waiting proposals to compare with a question; each has at most 6 kB
const readMax = 200
// the maximum number of proposals in an answer
const shownMax = 5
// the minimum share of the words of the question that a proposal must contain
const shareMin = 0.5

export class PendingMatches extends Context.Tag("pod/PendingMatches")<
  PendingMatches,
  {
    /**
     * Returns the waiting proposals in these spaces and projects that the caller may see and that contain at least half
     * of the words of the question. The best proposal comes first.
     */
    readonly matching: (question: Question, places: SearchPlaces) => Effect.Effect<ReadonlyArray<Match>, never, Reach>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.map(Effect.all([WaitingProposals, ConsoleLinks]), ([{ latest }, links]) => ({
      matching: Effect.fnUntraced(function* (question, { projects, spaces, without }) {
        const words = [...new Set(analyse(question.text))]
        if (words.length === 0) return []
        const places = {
          in: spaces,
          notIn: without.spaces,
          inProjects: projects,
          notInProjects: without.projects
        }
        return (yield* latest(places, readMax))
          .map((excerpt) => matchOf(excerpt, words, links))
          .filter(({ score }) => score >= shareMin)
          .toSorted((one, other) => other.score - one.score || (one.proposalId < other.proposalId ? 1 : -1))
          .slice(0, shownMax)
      })
    }))
  )
}

const matchOf = (excerpt: ProposalExcerpt, words: ReadonlyArray<string>, links: ConsolePaths): Match => {
  const { id, profileSlug, proposalType, summary, text, title } = excerpt
  const proposalWords = new Set(analyse(`${summary} ${title} ${text}`))
  return {
    proposalId: id,
    proposalType,
    summary,
    entityTitle: title,
    profileSlug,
    reviewPath: links.proposal(id),
    reviewUrl: links.proposalUrl(id),
    score: words.filter((word) => proposalWords.has(word)).length / words.length
  }
}
