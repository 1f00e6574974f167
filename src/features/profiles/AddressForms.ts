/**
 * The forms of e-mail addresses, web addresses and phone numbers. The functions here do not check whether an address
 * exists.
 */
import { parsedUrl } from "../../platform/ParsedUrl.ts"

// the maximum number of characters of an e-mail address (RFC 5321 4.5.3.1)
const emailMax = 254
const localMax = 64
const labelMax = 63
// the maximum number of characters of a web address
const addressMax = 2048
// the maximum number of characters of a phone number, with the separators between the digits
const phoneMax = 40

const label = /^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]*[\p{L}\p{M}\p{N}])?$/u
const localPart = /^[^\s@"(),:;<>[\]\\.]+(?:\.[^\s@"(),:;<>[\]\\.]+)*$/u

const isDomain = (text: string): boolean => {
  const labels = text.split(".")
  return labels.length > 1 && labels.every((one) => one.length <= labelMax && label.test(one))
}

/** Returns true if a text is exactly one e-mail address, without display name or quotes. */
export const isEmail = (text: string): boolean => {
  if (text.length > emailMax) return false
  const at = text.lastIndexOf("@")
  return at > 0 && at <= localMax && localPart.test(text.slice(0, at)) && isDomain(text.slice(at + 1))
}

export const isWebAddress = (text: string): boolean =>
  text.length <= addressMax && /^https?:\/\/[^\s/]/iu.test(text) && !/\s/u.test(text) && parsedUrl(text) !== undefined

const extension = /(?:x|ext\.?|#) ?(\d{1,6})$/iu

export interface PhoneNumber {
  /** Whether the number begins with the code of a country. */
  readonly isInternational: boolean
  readonly digits: string
  /** The extension of the number. Empty if the number has no extension. */
  readonly extension: string
}

/**
 * Reads a phone number. The number has 3 to 15 digits (ITU-T E.164), and can have the separators that people write
 * between digits. Returns null for any other text.
 */
export const phoneNumber = (text: string): PhoneNumber | null => {
  if (text.length > phoneMax) return null
  const [tail = "", within = ""] = extension.exec(text) ?? []
  const main = text.slice(0, text.length - tail.length).trim()
  if (!/^\+?[\d ().\-/\u00a0\u2010\u2011]+$/u.test(main)) return null
  const allDigits = main.replace(/\D/gu, "")
  const isInternational = main.startsWith("+") || allDigits.startsWith("00")
  const digits = isInternational ? allDigits.replace(/^00/u, "") : allDigits
  return digits.length < 3 || digits.length > 15 ? null : { isInternational, digits, extension: within }
}

export const isPhone = (text: string): boolean => phoneNumber(text) !== null
