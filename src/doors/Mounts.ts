/** The base paths of the surfaces (REST, procedures and others). Refusals and answers name these paths. */

/** The base path of Hub REST. The bridge (procedures for keys) is below it. */
export const hubMount = "/api/hub"
/** An older path of the Hub REST routes, which still works. */
export const hubMountAlias = "/api/hub-protocol"
/** The path of the procedures for sign-in sessions. */
export const sessionMount = "/trpc"
/** The path of the procedures for keys. They are the same procedures as for sessions. */
export const bridgeMount = `${hubMount}/trpc`
/** The routes that an OpenAI client calls below its base address. */
export const openAiMount = "/v1"
/** The routes of chat clients and of clients that run skills. */
export const externalMount = "/api/external"
/** The routes that workflows of n8n call. */
export const n8nMount = "/api/n8n"
