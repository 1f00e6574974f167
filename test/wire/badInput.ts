/** Request bodies and inputs that no normal client sends, to test how operations refuse them. */
import { gzipSync } from "node:zlib"

const json = { "content-type": "application/json" }

export interface BadBody {
  readonly name: string
  readonly body: string | Buffer
  readonly headers?: Readonly<Record<string, string>>
  readonly status: 400 | 413 | 415
  readonly isChunked?: boolean
}

const nested = (open: string, depth: number, close: string) => open.repeat(depth) + "1" + close.repeat(depth)

/** The limit in bytes of a request body, for the pods that get these bodies. */
export const bodyLimitBytes = 65_536

/** Bodies that the pod refuses before it checks their schema. */
export const unreadable: ReadonlyArray<BadBody> = [
  { name: "text that is not JSON", body: "{oops", status: 400 },
  { name: "two JSON values", body: "{} {}", status: 400 },
  { name: "a comment", body: "{/* */}", status: 400 },
  {
    name: "bytes that are not UTF-8",
    body: Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]),
    status: 400
  },
  { name: "UTF-16", body: Buffer.from('{"title":"x"}', "utf16le"), status: 400 },
  { name: "NUL in a text", body: '{"title":"a\\u0000b"}', status: 400 },
  { name: "NUL in a name", body: '{"a\\u0000b":1}', status: 400 },
  { name: "half of a surrogate pair", body: '{"title":"\\ud800"}', status: 400 },
  {
    name: "the other half of a surrogate pair, in a nested value",
    body: '{"properties":{"a":[{"b":"\\udc00"}]}}',
    status: 400
  },
  { name: "half of a surrogate pair in a name", body: '{"properties":{"\\udfff":1}}', status: 400 },
  { name: "arrays 10,000 deep", body: `{"properties":${nested("[", 10_000, "]")}}`, status: 400 },
  { name: "objects 10,000 deep", body: nested('{"a":', 10_000, "}"), status: 400 },
  { name: "brackets that never close", body: "[".repeat(60_000), status: 400 },
  { name: "a number too large for a float", body: '{"properties":{"a":1e400}}', status: 400 },
  { name: "a negative number too large for a float", body: '{"version":-1e400}', status: 400 },
  { name: "a whole number past 2^53", body: '{"properties":{"a":12345678901234567890}}', status: 400 },
  { name: "a prototype", body: '{"__proto__":{"title":"x"}}', status: 400 },
  { name: "a prototype deep inside", body: '{"properties":{"a":{"__proto__":{"b":1}}}}', status: 400 },
  { name: "JSON with a text media type", body: "{}", headers: { "content-type": "text/plain" }, status: 415 },
  {
    name: "JSON with a media type that only resembles JSON",
    body: "{}",
    headers: { "content-type": "application/jsonp" },
    status: 415
  },
  { name: "a form", body: "title=x", headers: { "content-type": "application/x-www-form-urlencoded" }, status: 415 },
  { name: "JSON without a media type", body: "{}", headers: {}, status: 415 },
  { name: "compressed JSON", body: gzipSync("{}"), headers: { ...json, "content-encoding": "gzip" }, status: 415 },
  { name: "too large a body with a content-length", body: JSON.stringify("x".repeat(bodyLimitBytes)), status: 413 },
  {
    name: "too large a body in chunks",
    body: JSON.stringify("x".repeat(3 * bodyLimitBytes)),
    isChunked: true,
    status: 413
  }
].map((one) => ({ headers: json, ...one }) as BadBody)

/** JSON values of many forms. The schema of an operation accepts some of them and refuses the others. */
export const misshapen: ReadonlyArray<readonly [name: string, value: unknown]> = [
  ["null", null],
  ["an array", []],
  ["an array of objects", [{}]],
  ["a text", "text"],
  ["an empty text", ""],
  ["a number", 7],
  ["true", true],
  ["an object without fields", {}],
  ["fields that are null", { title: null, key: null, email: null, token: null, keyName: null, type: null }],
  ["fields of another type", { title: 1, key: [], value: 0, email: {}, password: true, workspaceName: 3, keyId: 4 }],
  ["empty texts", { title: "", key: "", email: "", password: "", workspaceName: "", keyName: "", keyId: "" }],
  ["ids that are not UUIDs", { title: "x", key: "x", workspaceId: "not-an-id", keyId: "1 OR 1=1", eventId: "%00" }],
  ["a version that is not a number", { title: "x", version: "1" }],
  ["a fraction", { title: "x", version: 1.5 }]
]
