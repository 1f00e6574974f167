/** Follows a subscription of the pod: a procedure that sends items as they happen. */
import { TRPCClientError } from "@trpc/client"
import type { ProcedureInput, ProcedureName, ProcedureOutput } from "./procedures.ts"
import { openStream, type OpenStream, verdictOn } from "./openStream.ts"
import { refusalOf } from "./refusal.ts"
import { podRoot } from "./root.ts"
import type { StreamState } from "./streamLoop.ts"

/** The type of the items of a subscription. Never for a procedure that is no subscription. */
export type ItemOf<N extends ProcedureName> =
  ProcedureOutput<N> extends AsyncIterable<{ readonly data: infer Item }> ? Item : never

/**
 * Follows the items of a subscription until the stream is closed. `lastEventId` in the input is the position after which
 * the items begin.
 */
export const followProcedure = <N extends ProcedureName>(
  name: N,
  input: ProcedureInput<N>,
  onItem: (item: ItemOf<N>) => void,
  onState: (state: StreamState) => void
): OpenStream => {
  const url = new URL(`trpc/${name}`, podRoot)
  url.searchParams.set("input", JSON.stringify(input))
  return openStream({
    url: url.href,
    since: undefined,
    // The pod refuses a subscription by a message in the stream, because it can no longer change the status.
    onFrame: ({ data, event }) => {
      if (event === "serialized-error") {
        return verdictOn(refusalOf(TRPCClientError.from({ error: JSON.parse(data) }), { operation: name }))
      }
      // A message without a name is an item. The pod sends items with their declared schema, so the cast is safe.
      if (event === undefined) onItem(JSON.parse(data) as ItemOf<N>)
      return undefined
    },
    onState,
    times: undefined
  })
}
