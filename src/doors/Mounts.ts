/** The base paths of REST, the procedures and other interfaces. Refusals and answers name these paths. */

/** The base path of the Hub API over REST. The path of the procedures for keys is below it. */
export const hubMount = "/api/hub"
/** An older base path for the same REST routes. The pod still serves it. */
export const hubMountAlias = "/api/hub-protocol"
/** The path of the procedures for sign-in sessions. */
export const sessionMount = "/trpc"
/** The path of the procedures for keys. They are the same procedures as for sessions. */
export const bridgeMount = `${hubMount}/trpc`
/** The base path of the routes for OpenAI clients. */
export const openAiMount = "/v1"
/** The base path of the routes for chat clients and for clients that run skills. */
export const externalMount = "/api/external"
/** The base path of the routes for workflows of n8n. */
export const n8nMount = "/api/n8n"

/** Returns true if a path is the base path `mount` or is below it. `/v10` is not below `/v1`. */
export const isAtOrBelow = (mount: string, path: string): boolean => path === mount || path.startsWith(`${mount}/`)
