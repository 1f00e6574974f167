/** Finds the names that a person needs to judge a proposal: who made it, in which workspace and with which key. */
import { Effect } from "effect"
import type { CliFailure } from "./CliFailure.ts"
import { type Fields, fieldsOf, rowsOf, textOf } from "./AnswerFields.ts"
import { allOf } from "./Lookups.ts"
import { cell, shortId } from "./Output.ts"
import { PodClient } from "./PodClient.ts"

export interface ProposalNames {
  /** The person or agent that made the proposal, such as `the agent Scribe`. */
  readonly maker: string
  /** The workspace of the proposal, such as `the workspace Acme`. */
  readonly workspace: string
  /** The key with which the proposal was made, such as `the key script`. Undefined if it was made without a key. */
  readonly key: string | undefined
}

/**
 * Names a record of a list. If the caller is not allowed to read the list, or if the list does not have the record, the
 * name is the beginning of the id.
 */
const nameIn = <R>(
  list: Effect.Effect<ReadonlyArray<Fields>, CliFailure, R>,
  noun: string,
  id: string,
  field = "name"
): Effect.Effect<string, never, R> =>
  list.pipe(
    Effect.orElseSucceed((): ReadonlyArray<Fields> => []),
    Effect.map((rows) => {
      const name = textOf(rows.find((row) => row["id"] === id)?.[field])
      return `${noun} ${name === "" ? shortId(id) : cell(name, 80)}`
    })
  )

export const proposalNames = (proposal: Fields): Effect.Effect<ProposalNames, never, PodClient> =>
  Effect.gen(function* () {
    const client = yield* PodClient
    const agents = Effect.map(client.procedure("agents.list"), ({ data }) => rowsOf(data))
    const self = Effect.map(client.request("GET", "/api/hub/users/me"), ({ data }) => [fieldsOf(data)])
    const workspaces = Effect.map(client.request("GET", "/api/hub/workspaces"), ({ data }) =>
      rowsOf(data, "workspaces", "items")
    )
    const [agent, workspace, key] = ["agentUserId", "workspaceId", "keyId"].map((name) => textOf(proposal[name]))
    return {
      maker: yield* agent === "" || agent === undefined
        ? nameIn(self, "the person", textOf(proposal["createdBy"]))
        : nameIn(agents, "the agent", agent),
      workspace:
        workspace === "" || workspace === undefined
          ? "the personal space"
          : yield* nameIn(workspaces, "the workspace", workspace),
      key: key === "" || key === undefined ? undefined : yield* nameIn(allOf("apiKeys.list"), "the key", key, "keyName")
    }
  })
