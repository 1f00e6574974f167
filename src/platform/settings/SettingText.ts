/** The text forms of setting values. Each schema has a sentence about its allowed values. */
import { isIP } from "node:net"
import { Option, ParseResult, Schema, SchemaAST } from "effect"
import { parsedUrl, withoutLastSlashes } from "../ParsedUrl.ts"

/** A schema that reads a setting from its text. Its description says which values are allowed. */
export type SettingText<A> = Schema.Schema<A, string>

/**
 * Returns the allowed values, as the rest of a sentence that begins with "must be". The report of wrong settings, the
 * example file and the documentation all use this text.
 */
export const allowedValuesText = (schema: Schema.Schema.AnyNoContext): string =>
  Option.getOrElse(SchemaAST.getDescriptionAnnotation(schema.ast), () => "a value of the documented form")

/** Makes a schema from a function that reads a text, and a function that writes the value back as text. */
const textCodec = <A extends string | number>(
  description: string,
  target: Schema.Schema<A>,
  read: (text: string) => Option.Option<A>,
  write: (value: A) => string = String
): SettingText<A> =>
  Schema.transformOrFail(Schema.String, target, {
    strict: true,
    decode: (text, _, ast) =>
      // The issue does not contain the text, because the text might be a secret that was pasted under the wrong name.
      Option.match(read(text), {
        onNone: () => ParseResult.fail(new ParseResult.Type(ast, undefined, description)),
        onSome: ParseResult.succeed
      }),
    encode: (value) => ParseResult.succeed(write(value))
  }).annotations({ description })

/** Makes a schema that accepts a text if `isAllowed` returns true for it, and does not change the text. */
export const textWhere = (description: string, isAllowed: (text: string) => boolean): SettingText<string> =>
  textCodec(description, Schema.String, Option.liftPredicate(isAllowed))

export const wholeNumber = (min: number, max: number, note = ""): SettingText<number> =>
  textCodec(`a whole number from ${min} to ${max}${note}`, Schema.Number, (text) =>
    /^\d{1,9}$/.test(text) ? Option.liftPredicate(Number(text), (value) => value >= min && value <= max) : Option.none()
  )

/** Reads one of a few words in any letter case, because people often write `LOG_LEVEL=INFO` for `info`. */
export const oneOf = <const Word extends string>(...words: ReadonlyArray<Word>): SettingText<Word> =>
  textCodec(words.join(", ").replace(/, ([^,]+)$/, " or $1"), Schema.Literal(...words), (text) =>
    Option.fromNullable(words.find((word) => word === text.toLowerCase()))
  )

/**
 * Reads a boolean. Only `true`, `false`, `1` and `0` are allowed. Otherwise `yes`, `on` or a typing error could become
 * false without a message.
 */
export const trueOrFalse: SettingText<boolean> = Schema.transform(oneOf("true", "false", "1", "0"), Schema.Boolean, {
  strict: true,
  decode: (word) => word === "true" || word === "1",
  encode: (value) => (value ? "true" : "false")
}).annotations({ description: "true or false (1 or 0)" })

const quantity = (what: string, units: Readonly<Record<string, number>>, min: string, max: string, example: string) => {
  const read = (text: string): Option.Option<number> => {
    const [, digits, unit] = /^(\d{1,9})([a-z]+)$/.exec(text.toLowerCase()) ?? []
    const factor = unit !== undefined && Object.hasOwn(units, unit) ? units[unit] : undefined
    return digits === undefined || factor === undefined ? Option.none() : Option.some(Number(digits) * factor)
  }
  const bound = (text: string) => Option.getOrThrow(read(text))
  const smallestFirst = Object.entries(units).sort(([, one], [, other]) => one - other)
  /** Writes the value in the largest unit that gives a whole number. */
  const write = (value: number) => {
    const [unit, factor] = smallestFirst.findLast(([, each]) => value > 0 && value % each === 0) ?? smallestFirst[0]
    return `${value / factor}${unit}`
  }
  return textCodec(
    `a ${what} from ${min} to ${max}, such as ${example}`,
    Schema.Number,
    (text) => Option.filter(read(text), (value) => value >= bound(min) && value <= bound(max)),
    write
  )
}

/** Reads a duration such as `30s`, `15m`, `12h` or `7d` as seconds. */
export const duration = (min: string, max: string): SettingText<number> =>
  quantity("duration", { s: 1, m: 60, h: 3_600, d: 86_400 }, min, max, "12h or 7d")

/** Reads a duration such as `30s` as seconds, or `off` as 0. */
export const durationOrOff = (min: string, max: string): SettingText<number> => {
  const given = duration(min, max)
  return Schema.Union(
    Schema.transform(Schema.Literal("off"), Schema.Literal(0), {
      strict: true,
      decode: () => 0 as const,
      encode: () => "off" as const
    }),
    given
  ).annotations({ description: `off, or ${allowedValuesText(given)}` })
}

/** Reads a size such as `512kb` or `10mb` as bytes. A kilobyte has 1024 bytes. */
export const size = (min: string, max: string): SettingText<number> =>
  quantity("size", { kb: 1_024, mb: 1_048_576, gb: 1_073_741_824 }, min, max, "512kb or 10mb")

/** Reads entries separated by commas. An empty text is an empty list. */
export const listOf = (description: string, entry: SettingText<string>): SettingText<ReadonlyArray<string>> =>
  Schema.transform(Schema.String, Schema.Array(entry), {
    strict: true,
    decode: (text) =>
      text
        .split(",")
        .map((part) => part.trim())
        .filter((part) => part !== ""),
    encode: (entries) => entries.join(",")
  }).annotations({ description })

const urlWith = (text: string, protocols: ReadonlyArray<string>): Option.Option<URL> =>
  Option.filter(Option.fromNullable(parsedUrl(text)), (url) => protocols.includes(url.protocol) && url.hostname !== "")

/**
 * Reads a URL without a slash at its end, so that a path can be appended. A URL with credentials is refused, because
 * every printed link would show the credentials.
 */
export const webUrl: SettingText<string> = textCodec(
  "an http or https URL without credentials, query or fragment, such as https://pod.example.com",
  Schema.String,
  (text) =>
    urlWith(text, ["http:", "https:"]).pipe(
      Option.filter((url) => url.username === "" && url.password === "" && !/[?#]/.test(text)),
      Option.map((url) => withoutLastSlashes(url.href))
    )
)

/**
 * Reads an origin as a browser sends it in the header `Origin`: scheme, host and port. `*` is refused, because then
 * the pages of every site could call the pod.
 */
export const webOrigin: SettingText<string> = textCodec(
  "an origin such as https://app.example.com",
  Schema.String,
  (text) =>
    urlWith(text, ["http:", "https:"]).pipe(
      Option.filter((url) => url.href === `${url.origin}/`),
      Option.map((url) => url.origin)
    )
)

export const postgresUrl: SettingText<string> = textWhere(
  "a PostgreSQL URL such as postgres://user:password@host:5432/pod",
  (text) => /^postgres(ql)?:\/\//.test(text) && parsedUrl(text) !== undefined
)

/** Reads an address to listen on. Brackets around an IPv6 address belong to URLs and are removed. */
export const hostName: SettingText<string> = textCodec(
  "an IP address or host name without port, such as 127.0.0.1 or 0.0.0.0",
  Schema.String,
  (text) => {
    const bare = text.replace(/^\[(.*)\]$/, "$1")
    if (isIP(bare) !== 0) return Option.some(bare)
    // A text of only digits and dots is a mistyped address and not a host name.
    const isName = /^(?![\d.]+$)[a-z\d]([a-z\d-]*[a-z\d])?(\.[a-z\d]([a-z\d-]*[a-z\d])?)*$/i.test(text)
    return isName && text.length <= 253 ? Option.some(text) : Option.none()
  }
)

/** Reads one address, or a range of addresses in CIDR form. */
export const addressRange: SettingText<string> = textWhere("an address or a range such as 10.0.0.0/8", (text) => {
  const [address = "", prefix, ...rest] = text.split("/")
  const family = isIP(address)
  if (family === 0 || rest.length > 0) return false
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (family === 4 ? 32 : 128))
})

export const emailAddress: SettingText<string> = textWhere(
  "an email address such as owner@example.com",
  (text) => text.length <= 254 && /^[\w.%+'-]+@[a-z\d-]+(\.[a-z\d-]+)+$/i.test(text)
)

/**
 * Reads 32 random bytes or more, as hex or base64. Nobody can prove that bytes are random, but a text that repeats can
 * be refused. 32 random bytes contain about 30 different values. The probability that they contain fewer than 16 is
 * below one in 10^12.
 */
export const randomBytes: SettingText<string> = textWhere(
  "32 or more random bytes written as hex (64 characters) or base64 (43 characters)",
  (text) => {
    const isHex = /^([\da-f]{2})+$/i.test(text)
    if (!isHex && !/^[\w+/-]+={0,2}$/.test(text)) return false
    const bytes = Buffer.from(text, isHex ? "hex" : "base64")
    return bytes.length >= 32 && new Set(bytes).size >= 16
  }
)

export const modelName: SettingText<string> = textWhere("1 to 200 printable characters without spaces", (text) =>
  /^[\x21-\x7e]{1,200}$/.test(text)
)

/** Reads a text that can be sent in a header after `Bearer`. Any other character would end or break the header. */
export const bearerKey: SettingText<string> = textWhere("1 to 4000 printable characters without spaces", (text) =>
  /^[\x21-\x7e]{1,4000}$/.test(text)
)

/**
 * Reads the hash of a password. The sign-in stores such a hash as two hexadecimal texts: a salt of 16 bytes, and 64
 * bytes that the hash function computes from the password and the salt.
 */
export const passwordHash: SettingText<string> = textWhere(
  "a line that `pod owner hash-password` has printed",
  (text) => /^[0-9a-f]{32}:[0-9a-f]{128}$/.test(text)
)

/** The first parts of the paths that the pod itself serves. The path of the console must not use them. */
const ownPaths = new Set(
  "account api assets auth docs favicon.ico join livez mcp metrics openapi.json readyz setup startupz trpc v1".split(
    " "
  )
)

/** The path of the console. It has no trailing slash, and must not hide a path that the pod itself serves. */
export const consolePath: SettingText<string> = textWhere(
  "a path such as /admin or /ops/pod, of small letters, digits and -, that the pod does not use for anything else",
  (text) => /^(\/[a-z0-9][a-z0-9-]*){1,4}$/.test(text) && !ownPaths.has(text.split("/")[1] ?? "")
)
