/** `npm run test:browser`: tests the console and the pages in a real browser, on the built server. */
import { inBrowser, suitesOf } from "./vitest.config.ts"

export default suitesOf(inBrowser.map((folder) => `${folder}/*.test.ts`))
