/** Keeps the token of an invitation link in the memory of the tab while the person signs in. */

// long enough for a sign-in, and short enough for a computer that several people use
const keptMs = 15 * 60_000

let currentToken = ""
let timer: ReturnType<typeof setTimeout> | undefined

export const forgetLinkToken = (): void => {
  currentToken = ""
  clearTimeout(timer)
}

/** Keeps the token until `forgetLinkToken`, and for at most 15 minutes. */
export const keepLinkToken = (token: string): void => {
  forgetLinkToken()
  currentToken = token
  timer = setTimeout(forgetLinkToken, keptMs)
}

/** The kept token. An empty text if there is none. */
export const keptLinkToken = (): string => currentToken
