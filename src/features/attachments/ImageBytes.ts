/** Reads pictures: decodes base64, and detects the type from the first bytes. */
import { Either } from "effect"
import { type Invalid, invalid, TooLarge, UnsupportedMedia } from "../../doors/Failure.ts"

export const imageMax = 10 * 1024 * 1024 // the maximum number of bytes of one picture

const base64Max = Math.ceil(imageMax / 3) * 4 // the number of characters in the base64 text of the largest picture
const base64Form = /^[A-Za-z0-9+/]*={0,2}$/
// The beginning of a data URL, which browsers put before the base64 text.
const dataUrl = /^data:[^,;]{0,100}(?:;[^,;]{0,100})*?;base64,/

export type ImageType = "image/png" | "image/jpeg" | "image/gif" | "image/webp"

const startsWith = (bytes: Uint8Array, signature: ReadonlyArray<number>, from = 0): boolean =>
  signature.every((byte, at) => bytes[from + at] === byte)
const ascii = (text: string): ReadonlyArray<number> => [...Buffer.from(text, "latin1")]

const signatures: ReadonlyArray<readonly [ImageType, (bytes: Uint8Array) => boolean]> = [
  ["image/png", (bytes) => startsWith(bytes, [0x89, ...ascii("PNG\r\n"), 0x1a, 0x0a])],
  ["image/jpeg", (bytes) => startsWith(bytes, [0xff, 0xd8, 0xff])],
  ["image/gif", (bytes) => startsWith(bytes, ascii("GIF87a")) || startsWith(bytes, ascii("GIF89a"))],
  ["image/webp", (bytes) => startsWith(bytes, ascii("RIFF")) && startsWith(bytes, ascii("WEBP"), 8)]
]

export const imageTypeOf = (bytes: Uint8Array): ImageType | null =>
  signatures.find(([, isOne]) => isOne(bytes))?.[0] ?? null

export interface Image {
  readonly bytes: Buffer
  readonly mimeType: ImageType
}

/**
 * Decodes a picture from a base64 text. The text can begin with the prefix of a data URL, such as
 * `data:image/png;base64,`. The function detects the type of the picture from the bytes and ignores a type in the
 * request. Fails with TooLarge above 10 MB, with Invalid for bad base64, and with UnsupportedMedia for every type
 * except PNG, JPEG, GIF and WebP.
 */
export const imageOf = (data: string): Either.Either<Image, Invalid | TooLarge | UnsupportedMedia> => {
  const text = data.slice(dataUrl.exec(data)?.[0].length ?? 0)
  if (text.length > base64Max) return Either.left(TooLarge.bytes(imageMax))
  if (text === "" || !base64Form.test(text)) return Either.left(invalid("data", "must be base64"))
  const bytes = Buffer.from(text, "base64")
  if (bytes.length > imageMax) return Either.left(TooLarge.bytes(imageMax))
  const mimeType = imageTypeOf(bytes)
  return mimeType === null
    ? Either.left(new UnsupportedMedia({ why: "Attach a picture: PNG, JPEG, GIF or WebP." }))
    : Either.right({ bytes, mimeType })
}
