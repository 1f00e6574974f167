/**
 * The credential that a caller sent to a public door. Dispatch does not look at it there; the few handlers that check a
 * credential of their own, such as a provisioning token, read it here.
 */
import { Context } from "effect"
import type { PresentedCredential } from "./Principal.ts"

export class Presented extends Context.Reference<Presented>()("pod/Presented", {
  defaultValue: (): PresentedCredential => ({ kind: "none" })
}) {}
