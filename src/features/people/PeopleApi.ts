/** What the surfaces open of people: who the caller is, and their agents. */
import { HttpApiGroup } from "@effect/platform"
import { RpcGroup } from "@effect/rpc"
import { Schema } from "effect"
import { mutation, NoInput, query, read } from "../../doors/Declare.ts"
import { Agent, AgentChange, AgentDraft, Me } from "./Person.ts"

const self = { scope: "hub-protocol.read", self: true } as const

export const PeopleApi = HttpApiGroup.make("people").add(
  read("users.me", {
    path: "/users/me",
    success: Me,
    door: self,
    summary: "Who the credential acts for, and its scopes."
  })
)

export const PeopleProcedures = RpcGroup.make(
  query("svc.me", { input: NoInput, success: Me, door: self, summary: "Who the credential acts for, and its scopes." }),
  mutation("agents.create", {
    input: AgentDraft,
    success: Agent,
    door: { session: true },
    summary: "Add an agent that acts for you; it reads what you read and writes nothing until you let it."
  }),
  mutation("agents.update", {
    about: "agentUserId",
    input: AgentChange,
    success: Agent,
    door: { session: true },
    summary: "Say what an agent of yours may write, whether you approve it first, and whether it is suspended."
  }),
  query("agents.list", {
    input: NoInput,
    success: Schema.Array(Agent),
    door: { session: true },
    summary: "List your agents."
  })
)
