/**
 * Shows the first page of a list if the pod refuses the cursor in the address (`after`). A cursor works only for the
 * person who got it, so a shared address keeps its filters and opens their first page.
 */
import { useNavigate } from "@tanstack/react-router"
import { useEffect } from "react"
import { Refusal } from "../api/refusal.ts"
import { showToast } from "./Toasts.tsx"

const isRefusedCursor = (error: unknown) =>
  error instanceof Refusal && error.status === 400 && error.faults.some(({ path }) => path === "cursor")

export const useFirstPage = (error: unknown): void => {
  const navigate = useNavigate()
  const isRefused = isRefusedCursor(error)
  useEffect(() => {
    if (!isRefused) return
    showToast({ text: "The address names a page that is not yours. This is the first page." })
    // The refused address leaves the history, so that Back does not return to it. The search of every screen with pages
    // has the field `after`, so the cast is safe.
    void navigate({ to: ".", search: ((now: object) => ({ ...now, after: undefined })) as never, replace: true })
  }, [isRefused, navigate])
}
