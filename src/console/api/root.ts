/**
 * The address of the pod, correct on every page of the console and behind any proxy. The paths of REST, the procedures
 * and MCP are below this address.
 */
const rootPath = document.querySelector<HTMLMetaElement>('meta[name="pod-root"]')?.content ?? "../"

/** The absolute address of the pod, with a slash at the end. */
export const podRoot = new URL(rootPath, document.baseURI).href

/** The path of the console, without a slash at the end, as the router needs it. */
export const consolePath = new URL(".", document.baseURI).pathname.replace(/\/$/, "")
