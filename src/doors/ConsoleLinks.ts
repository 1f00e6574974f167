/** The paths of the console's screens, for the links that the pod gives to people. */
import { Context } from "effect"

export interface ConsolePaths {
  /** The screen on which a person reads a proposal and decides. */
  readonly proposal: (id: string) => string
  /**
   * The screen that makes the holder of a setup link the owner. The token is after `#`: browsers never send this part.
   */
  readonly setup: (token: string) => string
  /** The screen that accepts the link of an invitation. */
  readonly join: (token: string) => string
}

/** The paths of a console at a path such as `/admin`. */
export const consolePathsAt = (adminPath: string): ConsolePaths => ({
  proposal: (id) => `${adminPath}/inbox/${id}`,
  setup: (token) => `${adminPath}/setup#${token}`,
  join: (token) => `${adminPath}/join#${token}`
})

export const adminPathDefault = "/admin"

export class ConsoleLinks extends Context.Tag("pod/ConsoleLinks")<ConsoleLinks, ConsolePaths>() {}
