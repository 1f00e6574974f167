/**
 * The address of the pod. All surfaces of the pod have paths below it. It is correct on every page of the console and
 * behind any proxy.
 */
const rootPath = document.querySelector<HTMLMetaElement>('meta[name="pod-root"]')?.content ?? "../"

/** Absolute address of the pod, with a slash at its end. */
export const podRoot = new URL(rootPath, document.baseURI).href

/** Path of the console, without a slash at its end; the router needs it. */
export const consolePath = new URL(".", document.baseURI).pathname.replace(/\/$/, "")
