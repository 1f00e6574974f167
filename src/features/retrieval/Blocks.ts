/** The blocks of an answer: what each substrate found, their order, and how well they answer together. */
import type { Part } from "./Degradable.ts"
import type { RetrievalResult, RetrievedItem, Understanding } from "./RetrievalResult.ts"
import { type Route, type Substrate, substrates } from "./Routing.ts"

export interface Block {
  readonly items: ReadonlyArray<RetrievedItem>
  /** The whole texts of the items, by the id of the item. */
  readonly texts: ReadonlyArray<readonly [id: string, text: string]>
  readonly verdict: RetrievalResult["verdict"]
  readonly corrected: Understanding["corrected"]
  readonly isWithoutVectors: boolean
  /** Whether the answer may miss items, because an index left out a part of its space for lack of memory. */
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

export interface Answered extends Part<Block> {
  readonly substrate: Substrate
}

/** The substrate of the intent if it found items, otherwise the first substrate that found items. */
export const primaryOf = ({ intent }: Route, answered: ReadonlyArray<Answered>): Substrate => {
  const order: ReadonlyArray<Substrate> = [intent, "structured", "procedural", "episodic", "semantic"]
  const hasItems = (name: Substrate) =>
    answered.some(({ substrate, value }) => substrate === name && value.items.length > 0)
  return order.find(hasItems) ?? intent
}

export const inOrder = (primary: Substrate, answered: ReadonlyArray<Answered>): RetrievalResult["answers"] =>
  [primary, ...substrates.filter((substrate) => substrate !== primary)].flatMap((name) =>
    answered
      .filter(({ substrate }) => substrate === name)
      .map(({ degraded, substrate, value }) => ({
        substrate,
        items: value.items,
        status: degraded.length === 0 ? ("ok" as const) : ("error" as const)
      }))
  )

const topMost = 3 // one of so many first items must have a kind that the question names, for the verdict `confident`

/** The verdict. `confident` becomes `ambiguous` if none of the first items has a kind that the question names. */
export const graded = ({ profileTypes }: Route, { items, verdict }: Block): RetrievalResult["verdict"] => {
  if (verdict !== "confident" || profileTypes.length === 0) return verdict
  const isNamed = ({ profileSlug }: RetrievedItem) => profileSlug !== undefined && profileTypes.includes(profileSlug)
  return items.slice(0, topMost).some(isNamed) ? "confident" : "ambiguous"
}

export const noticeOf = (count: number): string =>
  count === 1 ? "A proposal that waits for a person matches." : `${count} proposals that wait for a person match.`
