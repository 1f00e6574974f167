/** The blocks of an answer: what each substrate found, their order, and how well they answer together. */
import type { Part } from "./Degradable.ts"
import type { RetrievalResult, RetrievedItem, Understanding } from "./RetrievalResult.ts"
import { type Route, type Substrate, substrates } from "./Routing.ts"

export interface Block {
  readonly items: ReadonlyArray<RetrievedItem>
  /** The texts that the items stand for, by their ids. */
  readonly texts: ReadonlyArray<readonly [id: string, text: string]>
  readonly verdict: RetrievalResult["verdict"]
  readonly corrected: Understanding["corrected"]
  readonly isWithoutVectors: boolean
  /** Whether something may be missing because an index has no room for all of its space. */
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

/** The intent, if it found something; else the first that did. */
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

const topMost = 3 // items that must hold one of the named kind

/** A confident answer that holds none of the kinds the question names is not so sure. */
export const graded = ({ profileTypes }: Route, { items, verdict }: Block): RetrievalResult["verdict"] => {
  if (verdict !== "confident" || profileTypes.length === 0) return verdict
  const isNamed = ({ profileSlug }: RetrievedItem) => profileSlug !== undefined && profileTypes.includes(profileSlug)
  return items.slice(0, topMost).some(isNamed) ? "confident" : "ambiguous"
}

export const noticeOf = (count: number): string =>
  count === 1 ? "A proposal that waits for a person matches." : `${count} proposals that wait for a person match.`
