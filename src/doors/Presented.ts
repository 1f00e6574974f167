/**
 * The credential that a caller sent to a public door. Dispatch does not check this credential. A few handlers of public
 * operations read it here and check it themselves, for example a provisioning token.
 */
import { Context } from "effect"
import type { PresentedCredential } from "./Principal.ts"

export class Presented extends Context.Reference<Presented>()("pod/Presented", {
  defaultValue: (): PresentedCredential => ({ kind: "none" })
}) {}
