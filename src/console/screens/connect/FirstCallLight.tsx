/** Shows a light that turns green at the first call of a key. If the pod refuses the call, a sentence says why. */
import { useQuery } from "@tanstack/react-query"
import { useEffect, useState } from "react"
import { procedureQuery } from "../../api/procedures.ts"
import { ErrorBox } from "../../ui/ErrorBox.tsx"
import { Time } from "../../ui/Time.tsx"
import { lightOf } from "./firstCall.ts"

const everyMs = 1_500

const looks = {
  waiting: { box: "border-line", dot: "border-control animate-pulse bg-transparent", word: "Waiting" },
  connected: { box: "border-good bg-good-soft", dot: "border-good bg-good", word: "Green" },
  refused: { box: "border-bad bg-bad-soft", dot: "border-bad bg-bad", word: "Red" }
} as const

interface FirstCallLightProps {
  readonly keyId: string
  /**
   * True if the key was made a moment ago, so the light shows all calls of the key. If false, the light shows only
   * calls that happen after the light has appeared.
   */
  readonly isNew?: boolean
  /** The number of MCP tools that the key may call. Undefined if the number is not known. */
  readonly toolCount?: number | undefined
}

export const FirstCallLight = ({ isNew = false, keyId, toolCount }: FirstCallLightProps) => {
  const usage = useQuery({ ...procedureQuery("apiKeys.usage", { keyId }), refetchInterval: everyMs, staleTime: 0 })
  const [known, setKnown] = useState<string | null | undefined>(isNew ? null : undefined)
  const calls = usage.data?.calls
  useEffect(() => {
    if (calls !== undefined) setKnown((before) => (before === undefined ? (calls[0]?.id ?? null) : before))
  }, [calls])
  const light = lightOf(known === undefined ? [] : (calls ?? []), known ?? null, toolCount)
  const { box, dot, word } = looks[light.state]
  return (
    <section aria-label="First call" className={`grid gap-2 rounded-md border p-3 ${box}`}>
      <p role="status" className="flex items-center gap-3 text-base font-medium">
        <span aria-hidden className={`size-4 shrink-0 rounded-full border-2 ${dot}`} />
        <span className="sr-only">{word}. </span>
        <span className="min-w-0 wrap-anywhere">{light.sentence}</span>
      </p>
      {light.advice !== undefined && <p>{light.advice}</p>}
      {light.call !== undefined && (
        <p className="text-muted">
          {light.call.operation ?? "The first message of MCP"}, from {light.call.address ?? "an unknown address"},{" "}
          <Time at={light.call.at} />
        </p>
      )}
      {light.state === "waiting" && (
        <p className="text-muted">
          If the client reports 401 and nothing appears here, the client does not send this key. Check that the client
          sends the header <code>Authorization: Bearer …</code>.
        </p>
      )}
      {usage.error !== null && <ErrorBox error={usage.error} onRetry={() => void usage.refetch()} />}
    </section>
  )
}
