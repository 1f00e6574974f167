/** Shows a light that turns green at the first call of a key. If the pod refuses the call, a sentence says why. */
import { useEffect, useRef, useState } from "react"
import type { OpenStream } from "../../api/openStream.ts"
import { refusalOf } from "../../api/refusal.ts"
import type { StreamState } from "../../api/streamLoop.ts"
import { followProcedure } from "../../api/subscription.ts"
import { ErrorBox } from "../../ui/ErrorBox.tsx"
import { Time } from "../../ui/Time.tsx"
import { type KeyCall, lightOf, withCall } from "./firstCall.ts"

// the position before all calls of a key
const start = "0"

const looks = {
  waiting: { box: "border-line", dot: "border-control animate-pulse bg-transparent", word: "Waiting" },
  connected: { box: "border-good bg-good-soft", dot: "border-good bg-good", word: "Green" },
  refused: { box: "border-bad bg-bad-soft", dot: "border-bad bg-bad", word: "Red" }
} as const

/** Why the light does not wait for a call yet, or no longer waits for one. Undefined while the stream is open. */
const notWatching: Readonly<Record<StreamState["name"], string | undefined>> = {
  connecting: "Connecting to the pod …",
  live: undefined,
  waiting: "Connecting to the pod …",
  ended: "The console does not watch this key."
}

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
  const [calls, setCalls] = useState<ReadonlyArray<KeyCall>>([])
  const [stream, setStream] = useState<StreamState>({ name: "connecting" })
  const open = useRef<OpenStream | undefined>(undefined)
  useEffect(() => {
    setCalls([])
    open.current = followProcedure(
      "apiKeys.watchCalls",
      { keyId, ...(isNew ? { lastEventId: start } : {}) },
      (call) => setCalls((before) => withCall(before, call)),
      setStream
    )
    return open.current.close
  }, [keyId, isNew])
  const light = lightOf(calls, toolCount)
  const { box, dot, word } = looks[light.state]
  const sentence = (light.state === "waiting" ? notWatching[stream.name] : undefined) ?? light.sentence
  return (
    <section aria-label="First call" className={`grid gap-2 rounded-md border p-3 ${box}`}>
      <p role="status" className="flex items-center gap-3 text-base font-medium">
        <span aria-hidden className={`size-4 shrink-0 rounded-full border-2 ${dot}`} />
        <span className="sr-only">{word}. </span>
        <span className="min-w-0 wrap-anywhere">{sentence}</span>
      </p>
      {light.advice !== undefined && <p>{light.advice}</p>}
      {light.call !== undefined && (
        <p className="text-muted">
          {light.call.operation ?? "The first message of MCP"}, from {light.call.address ?? "an unknown address"},{" "}
          <Time at={light.call.at} />
        </p>
      )}
      {light.state === "waiting" && stream.name === "live" && (
        <p className="text-muted">
          If the client reports 401 and nothing appears here, the client does not send this key. Check that the client
          sends the header <code>Authorization: Bearer …</code>.
        </p>
      )}
      {stream.name === "waiting" && (
        <p className="text-muted">The console has lost the connection to the pod, and connects again.</p>
      )}
      {stream.name === "ended" && <ErrorBox error={refusalOf(stream.error)} onRetry={() => open.current?.reopen()} />}
    </section>
  )
}
