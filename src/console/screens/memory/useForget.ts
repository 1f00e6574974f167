/**
 * Forgets facts on request of the person. The pod hides the forgotten facts but does not delete them, so Undo can
 * restore them. Later, the person can restore them in the list of forgotten facts.
 */
import { useQueryClient } from "@tanstack/react-query"
import { hub } from "../../api/hub.ts"
import { showToast } from "../../ui/Toasts.tsx"
import { useRestore } from "./useRestore.ts"

export const useForget = () => {
  const queries = useQueryClient()
  const restore = useRestore()
  /** Forgets facts, and shows a message with Undo. Rejects with the refusal of the pod. */
  return async (input: { readonly query: string } | { readonly ids: ReadonlyArray<string> }): Promise<void> => {
    const forgotten = await hub("POST /api/hub/memory/forget", { body: input })
    await queries.invalidateQueries({ queryKey: ["memory"] })
    if (!("facts" in forgotten)) return showToast({ text: "This waits for an approval in the inbox." })
    const ids = forgotten.facts.map(({ id }) => id)
    showToast({
      text: ids.length === 1 ? "Forgot one fact." : `Forgot ${ids.length} facts.`,
      action: { name: "Undo", run: () => void restore(ids) }
    })
  }
}
