/** The paths of the console's screens, for the links that the pod gives to people. */
import { Context } from "effect"
import { withoutLastSlashes } from "../platform/ParsedUrl.ts"

export interface ConsolePaths {
  /** Returns the path of the screen on which a person reads a proposal and decides. */
  readonly proposal: (id: string) => string
  /** Returns the whole URL of the screen for a proposal, which an agent can show to a person. */
  readonly proposalUrl: (id: string) => string
  /**
   * Returns the path of the screen on which the holder of a setup link becomes the owner of the pod. The token is after
   * `#`, because browsers do not send this part of a URL to the server.
   */
  readonly setup: (token: string) => string
  /** Returns the path of the screen that accepts the link of an invitation. */
  readonly join: (token: string) => string
  /** Returns the path of the screen that makes a key. The link fills these values into the form of the screen. */
  readonly newKey: (search: NewKeyValues) => string
}

/** The values that a link can fill into the form for a key (`src/console/screens/keys/keysRoutes.ts`). */
export interface NewKeyValues {
  /** The id of a key whose rights the new key copies. */
  readonly from?: string
  /** The id of the agent that will hold the key. */
  readonly agent?: string
  /** Permissions of the new key, in addition to those of the copied key. */
  readonly permissions?: ReadonlyArray<string>
  /** Scopes of the new key, in place of those of the copied key. */
  readonly scopes?: ReadonlyArray<string>
}

/**
 * Makes the paths of the console. `adminPath`: the path of the console, such as `/admin`. `baseUrl`: the address at
 * which people reach the pod; it can have a path.
 */
export const consolePathsAt = (adminPath: string, baseUrl: string): ConsolePaths => ({
  proposal: (id) => `${adminPath}/inbox/${id}`,
  proposalUrl: (id) => `${withoutLastSlashes(baseUrl)}${adminPath}/inbox/${id}`,
  setup: (token) => `${adminPath}/setup#${token}`,
  join: (token) => `${adminPath}/join#${token}`,
  newKey: (search) => {
    const given = Object.entries(search).flatMap(([name, value]) => {
      const text = typeof value === "string" ? value : value?.join(",")
      // A comma needs no escape in a query, and a link with plain commas is easier to read.
      return text === undefined || text === "" ? [] : [`${name}=${encodeURIComponent(text).replaceAll("%2C", ",")}`]
    })
    return `${adminPath}/keys/new${given.length === 0 ? "" : `?${given.join("&")}`}`
  }
})

export const adminPathDefault = "/admin"

export class ConsoleLinks extends Context.Tag("pod/ConsoleLinks")<ConsoleLinks, ConsolePaths>() {}
