/** The paths of the surfaces, as refusals and answers name them. */

/** Hub REST, and the bridge below it. */
export const hubMount = "/api/hub"
/** The older mount of the same routes. */
export const hubMountAlias = "/api/hub-protocol"
/** The procedures for sign-in sessions. */
export const sessionMount = "/trpc"
/** The same procedures for keys. */
export const bridgeMount = `${hubMount}/trpc`
