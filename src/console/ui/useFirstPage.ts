/**
 * Shows the first page of a list if the pod refuses the cursor of the address. A cursor works only for the person who
 * got it, so a shared address keeps its filters and opens their first page.
 */
import { useEffect } from "react"
import { Refusal } from "../api/refusal.ts"
import { showToast } from "./Toasts.tsx"

const isRefusedCursor = (error: unknown) =>
  error instanceof Refusal && error.status === 400 && error.faults.some(({ path }) => path === "cursor")

export const useFirstPage = (error: unknown, onFirst: () => void) => {
  const isRefused = isRefusedCursor(error)
  useEffect(() => {
    if (!isRefused) return
    showToast({ text: "The address names a page that is not yours. This is the first page." })
    onFirst()
    // `onFirst` is a new function in each render, and only a new refusal matters.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [isRefused])
}
