/** The name by which people call the command line, for messages that name a command. */

/** `npx pod` if npm or npx started the pod, else `pod`. `lifecycle` is the npm event that started the pod. */
export const commandOf = (lifecycle: string | undefined): "npx pod" | "pod" =>
  lifecycle === "start" || lifecycle === "npx" ? "npx pod" : "pod"
