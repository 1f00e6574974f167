/**
 * The password that all people in tests share, and a wrong guess. Both have a cheap hash in this process.
 * `test/platform/signIn.test.ts` checks the cost of the expensive hash.
 */
export { sharedPassword, wrongGuess } from "./cheapScrypt.mjs"
