/** A text with a button that copies it. After a click the button says whether the copy succeeded. */
import { useEffect, useState } from "react"
import { Button } from "./Button.tsx"

/** `name`: the name of the copied text in the button, such as `the key` in the button "Copy the key". */
export const Copyable = ({ text, name }: { readonly text: string; readonly name: string }) => {
  const [outcome, setOutcome] = useState("")
  useEffect(() => {
    if (outcome === "") return
    const timer = setTimeout(() => setOutcome(""), 3_000)
    return () => clearTimeout(timer)
  }, [outcome])
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setOutcome("Copied")
    } catch {
      setOutcome("Select the text and copy it by hand: the browser refused.")
    }
  }
  return (
    <div className="border-line bg-page grid min-w-0 gap-2 rounded-md border p-3">
      {/* A region that scrolls must be reachable by keyboard. */}
      <pre tabIndex={0} role="region" aria-label={name} className="overflow-x-auto whitespace-pre-wrap">
        {text}
      </pre>
      <div className="flex items-center gap-2">
        <Button onClick={() => void copy()}>Copy {name}</Button>
        <span role="status" className="text-muted">
          {outcome}
        </span>
      </div>
    </div>
  )
}
