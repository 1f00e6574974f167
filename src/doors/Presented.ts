/**
 * The credential that a caller sent to a public door. Dispatch does not check it there. A few handlers check a
 * credential themselves, such as a provisioning token, and read it here.
 */
import { Context } from "effect"
import type { PresentedCredential } from "./Principal.ts"

export class Presented extends Context.Reference<Presented>()("pod/Presented", {
  defaultValue: (): PresentedCredential => ({ kind: "none" })
}) {}
