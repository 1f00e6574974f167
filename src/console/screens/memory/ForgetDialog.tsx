/** The dialog in which a person forgets all facts about some words. It shows these facts before the person confirms. */
import { useState } from "react"
import { type AnswerOf, hub } from "../../api/hub.ts"
import { Button } from "../../ui/Button.tsx"
import { Dialog } from "../../ui/Dialog.tsx"
import { ErrorBox } from "../../ui/ErrorBox.tsx"
import { TextField, textsOf } from "../../ui/Field.tsx"
import { wordsMax } from "./memorySearch.ts"
import { useForget } from "./useForget.ts"

type Preview = AnswerOf<"POST /api/hub/memory/forget/preview"> & { readonly query: string }

const ForgetForm = ({ onClose }: { readonly onClose: () => void }) => {
  const forget = useForget()
  const [preview, setPreview] = useState<Preview>()
  const [error, setError] = useState<unknown>(undefined)
  const [isBusy, setBusy] = useState(false)
  const run = async (work: () => Promise<void>) => {
    setBusy(true)
    try {
      await work()
      setError(undefined)
    } catch (failure) {
      setError(failure)
    } finally {
      setBusy(false)
    }
  }
  const look = (query: string) =>
    run(async () => setPreview({ ...(await hub("POST /api/hub/memory/forget/preview", { body: { query } })), query }))
  return (
    <form
      className="grid gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        const { words = "" } = textsOf(event.currentTarget)
        if (words.trim() !== "") void look(words.trim())
      }}
    >
      <TextField
        label="Words"
        hint="Facts that contain all of these words."
        name="words"
        required
        autoFocus
        maxLength={wordsMax}
        onChange={() => setPreview(undefined)}
      />
      {error !== undefined && <ErrorBox error={error} />}
      {preview === undefined ? (
        <div>
          <Button type="submit" kind="primary" isBusy={isBusy}>
            Show what would be forgotten
          </Button>
        </div>
      ) : (
        <>
          <p role="status" className="font-medium">
            {preview.count === 0
              ? `No fact contains all of “${preview.query}”.`
              : `${preview.count === 1 ? "1 fact" : `${preview.count} facts`} would be forgotten:`}
          </p>
          <ul className="grid gap-2">
            {preview.facts.map(({ fact, id }) => (
              <li key={id} className="border-line border-l-4 pl-2 whitespace-pre-wrap">
                {fact}
              </li>
            ))}
          </ul>
          {preview.count > 0 && (
            <div>
              <Button
                kind="danger"
                isBusy={isBusy}
                onClick={() =>
                  void run(async () => {
                    // The console forgets only the facts that it has shown. A fact that was written meanwhile stays.
                    await forget({ ids: preview.facts.map(({ id }) => id) })
                    onClose()
                  })
                }
              >
                Forget {preview.count === 1 ? "this fact" : `these ${preview.count} facts`}
              </Button>
            </div>
          )}
        </>
      )}
    </form>
  )
}

export const ForgetDialog = ({ isOpen, onClose }: { readonly isOpen: boolean; readonly onClose: () => void }) => (
  <Dialog title="Forget everything about …" isOpen={isOpen} onClose={onClose}>
    {isOpen && <ForgetForm onClose={onClose} />}
  </Dialog>
)
