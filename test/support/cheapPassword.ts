/**
 * The hash of the password that the people of tests share, and of a wrong guess, at a small cost: a run makes hundreds of
 * them. Every other password costs what it costs in a pod, and `test/platform/signIn.test.ts` holds that cost.
 */
import crypto, { type BinaryLike, type ScryptOptions } from "node:crypto"
import { syncBuiltinESMExports } from "node:module"

export const sharedPassword = "correct horse battery staple"
export const wrongGuess = "wrong horse battery staple"

const cheap = new Set<BinaryLike>([sharedPassword, wrongGuess])
const { scrypt } = crypto

/** The function of the platform is replaced, because the pod itself has no setting for a cheaper hash. */
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
