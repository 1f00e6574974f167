/**
 * Forgets facts on request of the person. The pod hides the forgotten facts but does not delete them, so Undo can
 * restore them.
 */
import { useQueryClient } from "@tanstack/react-query"
import { hub } from "../../api/hub.ts"
import { showToast } from "../../ui/Toasts.tsx"

const undoMs = 10_000

export const useForget = () => {
  const queries = useQueryClient()
  const refresh = () => queries.invalidateQueries({ queryKey: ["memory"] })
  const restore = async (ids: ReadonlyArray<string>): Promise<void> => {
    const outcomes = await Promise.allSettled(
      ids.map((id) => hub("POST /api/hub/memory/:id/restore", { params: { id } }))
    )
    await refresh()
    const failed = ids.filter((_, index) => outcomes[index]?.status === "rejected")
    if (failed.length === 0) return showToast({ text: "Remembered again." })
    showToast({
      text: `${failed.length} of ${ids.length} could not be restored.`,
      action: { name: "Retry", run: () => void restore(failed) },
      stayMs: undoMs
    })
  }
  /** Forgets facts, and shows a message with Undo. Rejects with the refusal of the pod. */
  return async (input: { readonly query: string } | { readonly ids: ReadonlyArray<string> }): Promise<void> => {
    const forgotten = await hub("POST /api/hub/memory/forget", { body: input })
    await refresh()
    if (!("facts" in forgotten)) return showToast({ text: "This waits for an approval in the inbox." })
    const ids = forgotten.facts.map(({ id }) => id)
    showToast({
      text: ids.length === 1 ? "Forgot one fact." : `Forgot ${ids.length} facts.`,
      action: { name: "Undo", run: () => void restore(ids) },
      stayMs: undoMs
    })
  }
}
