/**
 * The tokens of a brand. Each kind of value has a separate grammar, so that no value can end the CSS declaration around
 * it.
 */
import { Schema } from "effect"
import { described } from "../../doors/Fields.ts"

const groupMax = 200 // the maximum number of tokens in one group

const nameForm = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/
const nameMax = 64 // the maximum number of characters in the name of a token

const isName = (name: string): boolean => name.length <= nameMax && nameForm.test(name)

/**
 * Makes the schema of a group of tokens by name. A name has small letters, digits and single hyphens, such as
 * `primary-dark`.
 */
const groupOf = <A, I>(value: Schema.Schema<A, I>) =>
  Schema.optionalWith(
    Schema.Record({ key: Schema.String, value }).pipe(
      Schema.filter((tokens) => {
        const names = Object.keys(tokens)
        if (names.length > groupMax) return `A group has at most ${groupMax} tokens.`
        const wrong = names.find((name) => !isName(name))
        return wrong === undefined
          ? true
          : {
              path: [wrong.slice(0, nameMax)],
              message: `The name of a token may have at most ${nameMax} characters: small letters, digits and single hyphens.`
            }
      })
    ),
    { default: () => ({}) }
  )

const number = "[-+]?\\d{1,4}(?:\\.\\d{1,6})?(?:%|deg)?"
const separatorPattern = "(?:, ?| ?/ ?| )"
const hex = "#(?:[0-9a-fA-F]{3,4}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})"
const functions = "(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch)"

/** A colour in hexadecimal, or a CSS colour function with plain numbers. */
const Color = Schema.String.pipe(
  Schema.pattern(new RegExp(`^(?:${hex}|${functions}\\(${number}(?:${separatorPattern}${number}){2,3}\\))$`)),
  Schema.maxLength(80)
)

const Size = Schema.String.pipe(Schema.pattern(/^(?:0|-?\d{1,5}(?:\.\d{1,4})?(?:px|rem|em|ch|%|vw|vh))$/))

const Font = Schema.Struct({
  family: described(
    "Name of the font family.",
    Schema.String.pipe(Schema.pattern(/^[A-Za-z0-9](?:[A-Za-z0-9 _-]{0,62}[A-Za-z0-9])?$/))
  ),
  fallback: described(
    "Font to use if the family is missing.",
    Schema.optionalWith(Schema.Literal("serif", "sans-serif", "monospace", "cursive", "fantasy", "system-ui"), {
      default: () => "sans-serif" as const
    })
  ),
  weight: described("Weight of the font, such as 400.", Schema.optional(Schema.Int.pipe(Schema.between(1, 1000))))
})

/**
 * A web address without characters that could end a quoted text, a bracket or a line. The pod never fetches the
 * address.
 */
const ImageUrl = Schema.String.pipe(
  Schema.pattern(/^https:\/\/[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*(?::\d{1,5})?(?:\/[A-Za-z0-9._~!$&*+,;=:@%/?-]*)?$/),
  Schema.maxLength(2048)
)

/**
 * Makes the schema of a text of one line with at most `max` characters. The schema refuses line breaks and other
 * control characters.
 */
export const singleLine = (max: number) =>
  // oxlint-disable-next-line no-control-regex -- a single line must not contain these characters
  Schema.String.pipe(Schema.pattern(/^[^\u0000-\u001f\u007f-\u009f\u2028\u2029]*$/), Schema.maxLength(max))

const Lines = Schema.Array(singleLine(500).pipe(Schema.minLength(1)))
  .pipe(Schema.maxItems(50))
  .annotations({ identifier: "BrandLines", description: "Short texts of the brand, one line each." })
const lines = Schema.optionalWith(Lines, { default: () => [] })

export const BrandTokens = Schema.Struct({
  colors: described("Colours by name.", groupOf(Color)),
  fonts: described("Fonts by name.", groupOf(Font)),
  sizes: described("Sizes by name, as CSS lengths.", groupOf(Size)),
  logo: described(
    "Picture of the logo; null means none.",
    Schema.optionalWith(
      Schema.NullOr(
        Schema.Struct({
          url: ImageUrl,
          alt: described("What the logo shows, in words.", Schema.optionalWith(singleLine(255), { default: () => "" }))
        })
      ),
      { default: () => null }
    )
  ),
  voice: described(
    "Tone of the brand's texts.",
    Schema.optionalWith(
      Schema.NullOr(
        Schema.Struct({
          summary: Schema.optionalWith(singleLine(1000), { default: () => "" }),
          tone: lines,
          does: lines,
          avoids: lines
        })
      ),
      { default: () => null }
    )
  )
  // `onExcessProperty` makes the pod refuse an unknown group of tokens. Without this option, the pod would drop an
  // unknown group silently.
}).annotations({
  identifier: "BrandTokens",
  description: "Colours, fonts, sizes and voice of the brand. A change replaces all of them.",
  parseOptions: { onExcessProperty: "error" }
})
export type BrandTokens = typeof BrandTokens.Type
