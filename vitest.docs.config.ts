/** `npm run test:docs`: runs the commands, the guide and the examples of the documentation, and compiles generated clients. */
import { ofDocs, suitesOf } from "./vitest.config.ts"

export default suitesOf([ofDocs])
