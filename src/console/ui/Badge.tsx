/** A short word with a colour. The word must be clear without the colour. */
import type { ReactNode } from "react"

export type Tone = "plain" | "accent" | "good" | "warn" | "bad"

const tones: Readonly<Record<Tone, string>> = {
  plain: "bg-page text-text border-line",
  accent: "bg-accent-soft text-text border-transparent",
  good: "bg-good-soft text-good border-transparent",
  warn: "bg-warn-soft text-warn border-transparent",
  bad: "bg-bad-soft text-bad border-transparent"
}

export const Badge = ({ tone = "plain", children }: { readonly tone?: Tone; readonly children: ReactNode }) => (
  <span
    className={`inline-block max-w-full rounded border px-1.5 py-0.5 text-xs font-medium wrap-break-word md:whitespace-nowrap ${tones[tone]}`}
  >
    {children}
  </span>
)
