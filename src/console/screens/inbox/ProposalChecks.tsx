/**
 * Shows the checks that a person should know before a decision. Each check is a sentence after a mark, and the sentence
 * is clear without the mark.
 */
import { Time } from "../../ui/Time.tsx"
import { actionOf, type ProposalWhole, riskOf } from "./inboxText.ts"

interface Check {
  readonly isFine: boolean
  readonly text: React.ReactNode
}

const checksOf = (proposal: ProposalWhole): ReadonlyArray<Check> => {
  const { baseVersion, conflicts, expiresAt, revision } = proposal
  const risk = riskOf(proposal)
  const action = actionOf(proposal)
  return [
    ...(risk === undefined ? [] : [{ isFine: false, text: `${risk.text}: check this carefully.` }]),
    conflicts.length > 0
      ? {
          isFine: false,
          text: `The record has changed since this was proposed: ${conflicts.length === 1 ? "1 field is" : `${conflicts.length} fields are`} in conflict.`
        }
      : {
          isFine: true,
          text:
            action === "create" || baseVersion === null
              ? "Creates a record, so no other change can conflict with it."
              : "Nobody else changed these fields since it was proposed."
        },
    ...(revision > 1
      ? [{ isFine: false, text: `The proposal was edited after it was made. This is revision ${revision}.` }]
      : []),
    ...(proposal.asker === null
      ? []
      : [
          proposal.asker.mayStill
            ? { isFine: true, text: "The person or agent that asked may still make this change." }
            : {
                isFine: false,
                text: proposal.asker.why ?? "The person or agent that asked may not make this change any more."
              }
        ]),
    {
      isFine: true,
      text: (
        <>
          Expires <Time at={expiresAt} /> if nobody decides.
        </>
      )
    }
  ]
}

export const ProposalChecks = ({ proposal }: { readonly proposal: ProposalWhole }) => (
  <ul className="grid gap-1">
    {checksOf(proposal).map(({ isFine, text }, at) => (
      <li key={at} className="flex gap-2">
        <span aria-hidden className={isFine ? "text-good" : "text-warn"}>
          {isFine ? "✓" : "⚠"}
        </span>
        <span className="sr-only">{isFine ? "Fine:" : "Attention:"}</span>
        <span>{text}</span>
      </li>
    ))}
  </ul>
)
