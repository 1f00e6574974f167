/** The error for a refused claim. A claim makes a person the owner of a new pod. */
import { Effect } from "effect"
import { Conflict } from "../../doors/Failure.ts"
import { type AlreadyClaimed, type SetupLinkInvalid, setupLinkMinutes } from "./Person.ts"

const askForNewLink = "Run `pod setup-link` on the machine of the pod for a new link, or restart the pod."

/**
 * Converts the reason of a refusal to the error that the caller gets. The error tells about a setup link (used or
 * expired) only if the pod itself made this link.
 */
export const claimRefusal = (refused: AlreadyClaimed | SetupLinkInvalid): Conflict => {
  if (refused._tag === "AlreadyClaimed") {
    return new Conflict({
      code: "ALREADY_CLAIMED",
      why: refused.isByThisLink
        ? "This setup link was already used, so the pod has an owner. The owner can sign in, or get a new password with `pod owner reset-password` on the machine of the pod. A pod has only one owner."
        : "This pod already has an owner. Sign in, or ask the owner for an invitation."
    })
  }
  return new Conflict({
    code: "SETUP_LINK_INVALID",
    why: refused.isExpired
      ? `This setup link has expired: a link works for ${setupLinkMinutes} minutes. ${askForNewLink}`
      : `This setup link is not valid. ${askForNewLink}`
  })
}

/** The handlers for `Effect.catchTags` that convert the two reasons of a refused claim to errors. */
export const claimFailures = {
  AlreadyClaimed: (refused: AlreadyClaimed) => Effect.fail(claimRefusal(refused)),
  SetupLinkInvalid: (refused: SetupLinkInvalid) => Effect.fail(claimRefusal(refused))
}
