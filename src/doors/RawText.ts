/** An answer that REST sends as text and not as JSON. The answer consists of exactly the stored bytes. */
import { Schema } from "effect"

/** Media types that no browser executes. The pod sends HTML as plain text. */
export const rawMediaTypes = ["text/plain", "text/markdown", "text/calendar"] as const

/** The success of an operation that sends `text` in UTF-8 with the media type `mediaType`. */
export const RawText = Schema.Struct({ mediaType: Schema.Literal(...rawMediaTypes), text: Schema.String })
export type RawText = typeof RawText.Type
