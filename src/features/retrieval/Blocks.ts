/**
 * The blocks of an answer. Each block has the items that were found in one group of records, such as memory. This file
 * selects the first block, and decides how well the items fit the question.
 */
import type { Part } from "./Degradable.ts"
import type { RetrievalResult, RetrievedItem, Understanding } from "./RetrievalResult.ts"
import { type Route, type Substrate, substrates } from "./Routing.ts"

export interface Block {
  readonly items: ReadonlyArray<RetrievedItem>
  /** The whole texts of the items. Each text has the id of its item. */
  readonly texts: ReadonlyArray<readonly [id: string, text: string]>
  readonly verdict: RetrievalResult["verdict"]
  readonly corrected: Understanding["corrected"]
  readonly isWithoutVectors: boolean
  /** True if the answer possibly lacks items, because an index was too large for memory. */
  readonly isIncomplete: boolean
}

export const emptyBlock: Block = {
  items: [],
  texts: [],
  verdict: "empty",
  corrected: [],
  isWithoutVectors: false,
  isIncomplete: false
}

export interface AnsweredBlock extends Part<Block> {
  readonly substrate: Substrate
}

/**
 * Selects the substrate whose block comes first in the answer. This is the substrate that the question suggests, if the
 * search found items in it. Otherwise it is the first substrate in the list below in which the search found items.
 */
export const primaryOf = ({ intent }: Route, answered: ReadonlyArray<AnsweredBlock>): Substrate => {
  const order: ReadonlyArray<Substrate> = [intent, "structured", "procedural", "episodic", "semantic"]
  const hasItems = (name: Substrate) =>
    answered.some(({ substrate, value }) => substrate === name && value.items.length > 0)
  return order.find(hasItems) ?? intent
}

export const sortAnswers = (primary: Substrate, answered: ReadonlyArray<AnsweredBlock>): RetrievalResult["answers"] =>
  [primary, ...substrates.filter((substrate) => substrate !== primary)].flatMap((name) =>
    answered
      .filter(({ substrate }) => substrate === name)
      .map(({ degraded, substrate, value }) => ({
        substrate,
        items: value.items,
        status: degraded.length === 0 ? ("ok" as const) : ("error" as const)
      }))
  )

// the number of first items of a block that the pod compares with the kinds that the question names
const topMax = 3

/**
 * Returns the final verdict on a block. `confident` becomes `ambiguous` if the question names kinds and none of the
 * first items has one of these kinds.
 */
export const finalVerdict = ({ profileTypes }: Route, { items, verdict }: Block): RetrievalResult["verdict"] => {
  if (verdict !== "confident" || profileTypes.length === 0) return verdict
  const isNamed = ({ profileSlug }: RetrievedItem) => profileSlug !== undefined && profileTypes.includes(profileSlug)
  return items.slice(0, topMax).some(isNamed) ? "confident" : "ambiguous"
}

export const noticeOf = (count: number): string =>
  count === 1
    ? "A proposal that waits for a person matches the question."
    : `${count} proposals that wait for a person match the question.`
