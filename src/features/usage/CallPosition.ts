/**
 * The position of a reader in the calls of one key, as one text. Each pod stores its calls once a second. So a reader
 * can get a later call of one node before an earlier call of another node. So a position is not one id or time. It
 * names all calls that the reader has received and the pod still keeps.
 */
import { Schema } from "effect"
import { callsKept, type KeyCall } from "./KeyCall.ts"

/** The position of a reader who has received no call. */
const start = "0"

/** Converts an id to a shorter text without losing information. */
const wordOf = ({ id }: Pick<KeyCall, "id">): string => Buffer.from(id.replaceAll("-", ""), "hex").toString("base64url")

/** The position of a reader who has received these calls. */
export const positionAfter = (calls: ReadonlyArray<Pick<KeyCall, "id">>): string =>
  calls.length === 0 ? start : calls.map(wordOf).join(".")

/** Returns a function that says whether the reader at this position has received a call. */
export const receivedAt = (position: string): ((call: Pick<KeyCall, "id">) => boolean) => {
  const words = new Set(position.split("."))
  return (call) => words.has(wordOf(call))
}

export const CallPosition = Schema.String.pipe(
  Schema.maxLength(callsKept * 23),
  Schema.pattern(new RegExp(`^(?:${start}|[\\w-]{22}(?:\\.[\\w-]{22}){0,${callsKept - 1}})$`), {
    message: () =>
      "This text is not a position of this stream. Send the id of a call that this stream sent, or `0` for all calls that the pod keeps."
  })
)
