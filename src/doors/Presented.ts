/**
 * The credential that a caller sent to a public door. Dispatch does not check it. A few handlers of public operations
 * read the credential here and check it themselves. An example of such a credential is a provisioning token.
 */
import { Context } from "effect"
import type { PresentedCredential } from "./Principal.ts"

export class Presented extends Context.Reference<Presented>()("pod/Presented", {
  defaultValue: (): PresentedCredential => ({ kind: "none" })
}) {}
