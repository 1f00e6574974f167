/**
 * The position of a reader in the logs of several spaces, as one short text. Each space numbers its events without
 * gaps, under a lock that ends with the commit. So a reader that knows the last number of a space misses nothing. There
 * is no such numbering over all spaces together. Ids and times are made before the commit, so a reader that follows ids
 * or times would skip a transaction that commits late. So a position has one number for each space. A space that the
 * position does not name is read from its beginning.
 */
import { ParseResult, Schema } from "effect"

/** For each space, the number of the last event that the reader has read. */
export type StreamPosition = ReadonlyMap<string, number>

const form = 1 // the first byte of a position; it says in which form the rest is written
const idBytes = 16
const textMax = 12_000 // characters; a request line and its headers together can have at most 16 KiB

const idOf = (bytes: Buffer): string =>
  bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5")

/**
 * Encodes a whole number as bytes. Each byte holds seven bits of the number, the lowest bits first. The top bit of a
 * byte says that more bytes follow.
 */
const numberBytes = (number: number): ReadonlyArray<number> => {
  const bytes: Array<number> = []
  let rest = number
  while (rest >= 0x80) {
    bytes.push((rest % 0x80) + 0x80)
    rest = Math.floor(rest / 0x80)
  }
  return [...bytes, rest]
}

export const positionText = (position: StreamPosition): string =>
  Buffer.concat([
    Buffer.from([form]),
    ...[...position]
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .flatMap(([spaceId, seq]) => [Buffer.from(spaceId.replaceAll("-", ""), "hex"), Buffer.from(numberBytes(seq))])
  ]).toString("base64url")

/** Reads a position. Returns undefined if the text is not exactly what `positionText` writes. */
export const positionOf = (text: string): StreamPosition | undefined => {
  const bytes = Buffer.from(text, "base64url")
  if (bytes[0] !== form) return undefined
  const position = new Map<string, number>()
  let at = 1
  while (at < bytes.length) {
    const spaceId = idOf(bytes.subarray(at, at + idBytes))
    at += idBytes
    let seq = 0
    let place = 1
    for (;;) {
      const byte = bytes[at++]
      if (byte === undefined) return undefined
      seq += (byte % 0x80) * place
      if (byte < 0x80) break
      place *= 0x80
    }
    if (!Number.isSafeInteger(seq)) return undefined
    position.set(spaceId, seq)
  }
  return positionText(position) === text ? position : undefined
}

/** The input field `since`, the position after which a stream of events begins. */
export const PositionText = Schema.transformOrFail(Schema.String.pipe(Schema.maxLength(textMax)), Schema.Any, {
  strict: true,
  decode: (text, _, ast) => {
    const position = positionOf(text)
    return position === undefined
      ? ParseResult.fail(
          new ParseResult.Type(
            ast,
            text,
            "This text is not a position of this stream. Send the id of an event that this stream sent."
          )
        )
      : ParseResult.succeed(position)
  },
  encode: (position) => ParseResult.succeed(positionText(position as StreamPosition))
}) as unknown as Schema.Schema<StreamPosition, string>
