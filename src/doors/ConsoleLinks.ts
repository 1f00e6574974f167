/** The paths of the console's screens, for the links that the pod gives to people. */
import { Context } from "effect"

export interface ConsolePaths {
  /** The screen on which a person reads a proposal and decides. */
  readonly proposal: (id: string) => string
  /** The whole address of that screen. Undefined if the operator has set no public address of the pod. */
  readonly proposalUrl: (id: string) => string | undefined
  /**
   * The screen that makes the holder of a setup link the owner. The token is after `#`: browsers never send this part.
   */
  readonly setup: (token: string) => string
  /** The screen that accepts the link of an invitation. */
  readonly join: (token: string) => string
  /** The screen that makes a key, filled in with these values. A list is separated by commas. */
  readonly newKey: (search: NewKeyValues) => string
}

/** The values that a link can fill into the form for a key (src/console/screens/keys/keysRoutes.ts). */
export interface NewKeyValues {
  /** The id of a key whose rights the new key copies. */
  readonly from?: string
  /** The id of the agent that will hold the key. */
  readonly agent?: string
  /** Permissions, in addition to those of the copied key. */
  readonly permissions?: ReadonlyArray<string>
  /** Scopes, in place of those of the copied key. */
  readonly scopes?: ReadonlyArray<string>
}

/** The paths of a console at a path such as `/admin`, of a pod with this public address. */
export const consolePathsAt = (adminPath: string, publicUrl?: string): ConsolePaths => ({
  proposal: (id) => `${adminPath}/inbox/${id}`,
  proposalUrl: (id) =>
    publicUrl === undefined ? undefined : new URL(`${adminPath}/inbox/${id}`, publicUrl).toString(),
  setup: (token) => `${adminPath}/setup#${token}`,
  join: (token) => `${adminPath}/join#${token}`,
  newKey: (search) => {
    const given = Object.entries(search).flatMap(([name, value]) => {
      const text = typeof value === "string" ? value : value?.join(",")
      // Commas and stars may stand in a query as they are, so the link stays readable.
      return text === undefined || text === "" ? [] : [`${name}=${encodeURIComponent(text).replaceAll("%2C", ",")}`]
    })
    return `${adminPath}/keys/new${given.length === 0 ? "" : `?${given.join("&")}`}`
  }
})

export const adminPathDefault = "/admin"

export class ConsoleLinks extends Context.Tag("pod/ConsoleLinks")<ConsoleLinks, ConsolePaths>() {}
