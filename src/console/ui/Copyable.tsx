/** A text with a button that copies it. After a click, the button says whether the text was copied. */
import { useEffect, useState } from "react"
import { Button } from "./Button.tsx"

/** `name` is the name of the text in the label of the button, such as `the key` in "Copy the key". */
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
      {/* A keyboard user must be able to focus a region that scrolls. */}
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
