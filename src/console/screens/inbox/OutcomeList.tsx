/** After a decision about several proposals, shows the result for each of them. */
import { Link } from "@tanstack/react-router"
import { Badge } from "../../ui/Badge.tsx"
import { Button } from "../../ui/Button.tsx"
import { Dialog } from "../../ui/Dialog.tsx"
import { type OutcomeLine, showBatch } from "./decisions.ts"

export const OutcomeList = ({ lines }: { readonly lines: ReadonlyArray<OutcomeLine> | undefined }) => {
  const done = (lines ?? []).filter(({ isDone }) => isDone).length
  const close = () => showBatch(undefined)
  return (
    <Dialog title={`${done} of ${lines?.length ?? 0} took effect`} isOpen={lines !== undefined} onClose={close}>
      <ul className="grid gap-2">
        {(lines ?? []).map(({ id, isDone, summary, text }) => (
          <li key={id} className="grid gap-0.5">
            <span className="flex flex-wrap items-center gap-2">
              <Badge tone={isDone ? "good" : "bad"}>{isDone ? "done" : "not done"}</Badge>
              <Link to="/inbox/$id" params={{ id }} onClick={close}>
                {summary}
              </Link>
            </span>
            <span className="text-muted">{text}</span>
          </li>
        ))}
      </ul>
      <div>
        <Button onClick={close}>Close the list</Button>
      </div>
    </Dialog>
  )
}
