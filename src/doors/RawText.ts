/** An answer that goes out over REST as a text itself and not as JSON: what is kept, byte for byte. */
import { Schema } from "effect"

/** Nothing among them that a browser runs: HTML goes out as plain text. */
export const rawMediaTypes = ["text/plain", "text/markdown"] as const

/** An operation whose `success` this is answers `text` under its media type, in UTF-8. */
export const RawText = Schema.Struct({ mediaType: Schema.Literal(...rawMediaTypes), text: Schema.String })
export type RawText = typeof RawText.Type
