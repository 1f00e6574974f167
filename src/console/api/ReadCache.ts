/**
 * The cache of the reads. It differs from the cache of the library in one rule: if data become stale while they are
 * read, they are read once more when that read ends. The pod can have answered the running read before the change, but
 * the library takes the first answer for a list as fresh.
 */
import {
  type InvalidateOptions,
  type InvalidateQueryFilters,
  type Query,
  QueryClient,
  type QueryKey
} from "@tanstack/react-query"

export class ReadCache extends QueryClient {
  readonly #awaited = new WeakSet<Query>()

  /**
   * By default, a running read of known data is cancelled and begins anew. With `cancelRefetch: false` it may end first,
   * so that changes in quick succession do not hold back every answer.
   */
  override async invalidateQueries<Key extends QueryKey>(
    filters?: InvalidateQueryFilters<Key>,
    options: InvalidateOptions = {}
  ): Promise<void> {
    const uncancelled = this.getQueryCache()
      .findAll(filters)
      .filter(
        ({ state }) => state.fetchStatus === "fetching" && (state.data === undefined || options.cancelRefetch === false)
      )
    await Promise.all([super.invalidateQueries(filters, options), ...uncancelled.map((query) => this.#again(query))])
  }

  /** Reads again after the running read. Several changes during one read lead to one further read. */
  async #again(query: Query): Promise<void> {
    if (this.#awaited.has(query)) return
    this.#awaited.add(query)
    await query.promise?.catch(() => undefined)
    this.#awaited.delete(query)
    await super.invalidateQueries({ queryKey: query.queryKey, exact: true })
  }
}
