/** The button that saves every fact of the person as one JSON file. */
import { useState } from "react"
import { Button } from "../../ui/Button.tsx"
import { saveFile } from "../../ui/saveFile.ts"
import { showToast } from "../../ui/Toasts.tsx"
import { readFacts } from "./allFacts.ts"

export const ExportButton = () => {
  const [isBusy, setBusy] = useState(false)
  const run = async () => {
    setBusy(true)
    try {
      const { facts } = await readFacts(Infinity)
      saveFile(`memory-${new Date().toISOString().slice(0, 10)}.json`, JSON.stringify(facts, undefined, 2))
      showToast({ text: facts.length === 1 ? "Saved 1 fact." : `Saved ${facts.length} facts.` })
    } catch (failure) {
      showToast({ text: failure instanceof Error ? failure.message : String(failure), stayMs: 20_000 })
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button isBusy={isBusy} onClick={() => void run()}>
      Export
    </Button>
  )
}
