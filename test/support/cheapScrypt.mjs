/**
 * Makes a cheap hash for two passwords: the password that all people in tests share, and one wrong guess. A test run
 * hashes them hundreds of times. All other passwords get the same expensive hash as in a pod. Suites import this file
 * through `cheapPassword.ts`. In the pods that suites start, Node loads this file first.
 */
import crypto from "node:crypto"
import { syncBuiltinESMExports } from "node:module"

export const sharedPassword = "correct horse battery staple"
export const wrongGuess = "wrong horse battery staple"

const cheap = new Set([sharedPassword, wrongGuess])
const { scrypt } = crypto

// Replaces `scrypt` in Node, because the pod itself has no setting for a cheaper hash.
Object.assign(crypto, {
  scrypt: (password, salt, length, options, done) =>
    scrypt(password, salt, length, cheap.has(password) ? { ...options, N: 2 } : options, done)
})
syncBuiltinESMExports()
