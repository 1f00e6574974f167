/**
 * Makes a cheap hash for two passwords: the password that all people in tests share, and one wrong guess. A test run
 * hashes them hundreds of times. All other passwords get the same expensive hash as in a pod.
 * `test/platform/signIn.test.ts` checks the cost of the expensive hash.
 */
import crypto, { type BinaryLike, type ScryptOptions } from "node:crypto"
import { syncBuiltinESMExports } from "node:module"

export const sharedPassword = "correct horse battery staple"
export const wrongGuess = "wrong horse battery staple"

const cheap = new Set<BinaryLike>([sharedPassword, wrongGuess])
const { scrypt } = crypto

/** Replaces `scrypt` in Node, because the pod itself has no setting for a cheaper hash. */
Object.assign(crypto, {
  scrypt: (
    password: BinaryLike,
    salt: BinaryLike,
    length: number,
    options: ScryptOptions,
    done: (failure: Error | null, key: Buffer) => void
  ) => scrypt(password, salt, length, cheap.has(password) ? { ...options, N: 2 } : options, done)
})
syncBuiltinESMExports()
