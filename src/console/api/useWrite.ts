/**
 * Sends a write from a screen. Then makes the reads of the given groups stale, and shows a message: what happened, or
 * that a person must approve the write.
 */
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { showToast } from "../ui/Toasts.tsx"

interface WaitingWrite {
  readonly proposalId: string
  readonly message: string
}

/**
 * The part of an answer that says that the write waits for a person's approval. Undefined if the write has happened.
 */
export const waitingWriteOf = (answer: unknown): WaitingWrite | undefined => {
  if (typeof answer !== "object" || answer === null) return undefined
  const { message, proposalId, status } = answer as Partial<WaitingWrite> & { readonly status?: unknown }
  return status === "proposed" && proposalId !== undefined ? { proposalId, message: message ?? "" } : undefined
}

interface Write<Input, Answer> {
  readonly run: (input: Input) => Promise<Answer>
  /** The groups of cached reads, such as `people`, that the write makes stale. */
  readonly stale: ReadonlyArray<string>
  /** The message after a successful write. If absent, no message appears. */
  readonly successMessage?: (answer: Answer, input: Input) => string
  readonly onDone?: (answer: Answer, input: Input) => void
}

export function useWrite<Input = void, Answer = unknown>({ run, stale, successMessage, onDone }: Write<Input, Answer>) {
  const queries = useQueryClient()
  const navigate = useNavigate()
  return useMutation({
    mutationFn: run,
    onSuccess: (answer, input) => {
      for (const group of stale) void queries.invalidateQueries({ queryKey: [group] })
      const waiting = waitingWriteOf(answer)
      if (waiting !== undefined) {
        showToast({
          text: waiting.message,
          action: {
            name: "Open the proposal",
            run: () => void navigate({ to: "/inbox/$id", params: { id: waiting.proposalId } })
          }
        })
        return
      }
      if (successMessage !== undefined) showToast({ text: successMessage(answer, input) })
      onDone?.(answer, input)
    }
  })
}
