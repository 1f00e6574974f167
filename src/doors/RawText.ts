/** An answer that REST sends as plain text and not as JSON: exactly the stored bytes. */
import { Schema } from "effect"

/** A browser executes none of these types; HTML is sent as plain text. */
export const rawMediaTypes = ["text/plain", "text/markdown"] as const

/** An operation whose `success` this is answers `text` under its media type, in UTF-8. */
export const RawText = Schema.Struct({ mediaType: Schema.Literal(...rawMediaTypes), text: Schema.String })
export type RawText = typeof RawText.Type
