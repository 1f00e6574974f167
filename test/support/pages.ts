/** Reads the pages of a store's list in tests. */
import { Effect } from "effect"
import type { Page } from "../../src/doors/Page.ts"
import type { PagePlace } from "../../src/doors/PageOrder.ts"

export const itemsOf = <A, E, R>(page: Effect.Effect<Page<A>, E, R>) => Effect.map(page, ({ items }) => items)

/**
 * Reads a list by cursor, page by page, and returns the ids of each page. `between` runs after the first page, and can
 * add or remove rows.
 */
export const idsByCursor = <E, R, E2 = never, R2 = never>(
  list: (place: PagePlace) => Effect.Effect<Page<{ readonly id: string }>, E, R>,
  limit: number,
  between: Effect.Effect<unknown, E2, R2> = Effect.void
) =>
  Effect.gen(function* () {
    const pages: Array<ReadonlyArray<string>> = []
    for (let place: PagePlace | null = { limit }; place !== null;) {
      const { items, next }: Page<{ readonly id: string }> = yield* list(place)
      pages.push(items.map(({ id }) => id))
      if (pages.length === 1) yield* between
      place = next === null ? null : { limit, cursor: next }
    }
    return pages
  })
