/** Restores facts on request of the person, and says what happened. */
import { useQueryClient } from "@tanstack/react-query"
import { hub } from "../../api/hub.ts"
import { showToast } from "../../ui/Toasts.tsx"

export const useRestore = () => {
  const queries = useQueryClient()
  const restore = async (ids: ReadonlyArray<string>): Promise<void> => {
    const outcomes = await Promise.allSettled(
      ids.map((id) => hub("POST /api/hub/memory/:id/restore", { params: { id } }))
    )
    await queries.invalidateQueries({ queryKey: ["memory"] })
    const failed = ids.filter((_, index) => outcomes[index]?.status === "rejected")
    if (failed.length === 0) return showToast({ text: "Remembered again." })
    showToast({
      text: `${failed.length} of ${ids.length} could not be restored.`,
      action: { name: "Retry", run: () => void restore(failed) }
    })
  }
  return restore
}
