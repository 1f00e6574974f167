/** Proposals that wait and match a question: what an agent looks for may be proposed already. */
import { Context, Effect, Layer } from "effect"
import type { Forbidden } from "../../doors/Failure.ts"
import { Reach } from "../../doors/Reach.ts"
import type { Proposal } from "../proposals/Proposal.ts"
import { reviewPathOf } from "../proposals/Filing.ts"
import { Proposals } from "../proposals/Proposals.ts"
import { analyse } from "../search/text/Analyser.ts"
import type { Question } from "../search/text/Question.ts"
import type { Narrowing } from "./AskedPlaces.ts"
import type { RetrievalResult } from "./RetrievalResult.ts"

type Match = NonNullable<RetrievalResult["pending"]>["matches"][number]

const readMax = 200 // proposals that wait, latest first
const shownMax = 5
const readMost = 10_000 // characters of each text: an agent decides how long they are, and a person's question waits for them
const shareLeast = 0.5 // of the words of the question

/** The fields of the change, which the data of a proposal hold beside its circumstances. */
const fieldsOf = ({ data: { data } }: Proposal): Proposal["data"] =>
  typeof data === "object" && data !== null && !Array.isArray(data) ? (data as Proposal["data"]) : {} // what is stored there is JSON

const textOf = (content: Proposal["data"], field: string): string => {
  const value = content[field]
  return typeof value === "string" ? value.slice(0, readMost) : ""
}

export class Pending extends Context.Tag("pod/PendingMatches")<
  Pending,
  {
    /** Those that the caller may see and that hold at least half of the question's words, best first. */
    readonly matching: (
      question: Question,
      places: Pick<Narrowing, "spaces" | "without">
    ) => Effect.Effect<ReadonlyArray<Match>, Forbidden, Reach>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.map(Proposals, (proposals) => ({
      matching: (question, { spaces, without }) =>
        Effect.gen(function* () {
          const words = [...new Set(analyse(question.text))]
          if (words.length === 0) return []
          const { personId } = (yield* Reach).principal
          const { items } = yield* proposals.list({ status: "pending", view: "full", limit: readMax, offset: 0 })
          return items
            .filter(({ workspaceId }) => spaces === null || spaces.includes(workspaceId ?? personId))
            .filter(({ workspaceId }) => !without.spaces.includes(workspaceId ?? personId))
            .map((proposal) => matchOf(proposal, words))
            .filter(({ score }) => score >= shareLeast)
            .toSorted((one, other) => other.score - one.score || (one.proposalId < other.proposalId ? 1 : -1))
            .slice(0, shownMax)
        })
    }))
  )
}

const matchOf = (proposal: Proposal, words: ReadonlyArray<string>): Match => {
  const { id, proposalType, summary } = proposal
  const fields = fieldsOf(proposal)
  const title = textOf(fields, "title") || textOf(fields, "name")
  const there = new Set(analyse(`${summary} ${title} ${textOf(fields, "description")} ${textOf(fields, "content")}`))
  return {
    proposalId: id,
    proposalType,
    summary,
    entityTitle: title,
    profileSlug: textOf(fields, "profileSlug"),
    reviewUrl: reviewPathOf(id),
    score: words.filter((word) => there.has(word)).length / words.length
  }
}
