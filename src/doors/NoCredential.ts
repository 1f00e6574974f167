/**
 * The refusal of a call without a credential that its surface (REST, tRPC or MCP) accepts. It says which credential to
 * send, and in which header.
 */
import type { Surface } from "./Call.ts"
import type { Door } from "./Door.ts"
import { Unauthorized } from "./Failure.ts"
import { bridgeMount, hubMount, sessionMount } from "./Mounts.ts"
import type { PresentedCredential } from "./Principal.ts"

const signInPath = "POST /auth/sign-in"

const onRest = (door: Door | undefined): string | undefined => {
  if (door?._tag === "Session")
    return `Only a signed-in person may call this operation. Send a sign-in token in \`X-Session-Token\`; ${signInPath} returns one.`
  if (door?._tag === "Operator")
    return `Only the operator of the pod may call this operation. Run \`${door.command}\` on the machine of the pod.`
  return undefined
}

const onSession = ({ kind }: PresentedCredential): string =>
  kind === "bearer"
    ? `${sessionMount} accepts only sign-in sessions, but the request has the header Authorization. Send a key to ${bridgeMount}, or send a sign-in token in \`X-Session-Token\` without Authorization.`
    : `Send a sign-in token in \`X-Session-Token\`; ${signInPath} returns one. Keys call the same procedures below ${bridgeMount}.`

const onBridge = ({ kind }: PresentedCredential): string =>
  kind === "session"
    ? `${bridgeMount} accepts only keys, in \`Authorization: Bearer\`, but the request has only \`X-Session-Token\`. A sign-in token works below ${sessionMount}.`
    : `Send a key in \`Authorization: Bearer\`. Sign-in sessions call the same procedures below ${sessionMount}.`

const onMcp = ({ kind }: PresentedCredential): string =>
  kind === "session"
    ? `/mcp accepts only keys, in \`Authorization: Bearer\`, but the request has only \`X-Session-Token\`. Send a key; a signed-in person makes one with ${sessionMount}/apiKeys.create.`
    : `Send a key in \`Authorization: Bearer\`. Sign-in tokens work below ${hubMount} and ${sessionMount}.`

const sentence = (surface: Surface, presented: PresentedCredential, door: Door | undefined): string | undefined => {
  switch (surface) {
    case "rest":
      return onRest(door)
    case "session":
      return onSession(presented)
    case "bridge":
      return onBridge(presented)
    case "mcp":
      return onMcp(presented)
  }
}

/**
 * Makes the refusal of a call without an accepted credential. `door` is the door of the operation. It is undefined if
 * the request did not name an operation.
 */
export const noCredential = (surface: Surface, presented: PresentedCredential, door?: Door): Unauthorized => {
  const why = sentence(surface, presented, door)
  return new Unauthorized({ reason: "no_auth", ...(why === undefined ? {} : { why }) })
}
