/** The endpoints and procedures of people: who the caller is, and the caller's agents. */
import { HttpApiGroup, OpenApi } from "@effect/platform"
import { RpcGroup } from "@effect/rpc"
import { Schema } from "effect"
import { mutation, NoInput, query } from "../../doors/DeclareProcedure.ts"
import { read } from "../../doors/DeclareRest.ts"
import { self, signedIn } from "../../doors/Door.ts"
import { Agent, AgentChange, AgentDraft, Me } from "./Person.ts"

const aboutCaller = self("hub-protocol.read")

export const PeopleApi = HttpApiGroup.make("people")
  .annotate(OpenApi.Description, "The caller: the person who owns the credential, and the agent if an agent calls.")
  .add(
    read("users.me", {
      path: "/users/me",
      success: Me,
      door: aboutCaller,
      summary: "Read who the caller is (a person or an agent), and the scopes of the credential."
    })
  )

export const PeopleProcedures = RpcGroup.make(
  query("svc.me", {
    input: NoInput,
    success: Me,
    door: aboutCaller,
    summary: "Read who the caller is (a person or an agent), and the scopes of the credential."
  }),
  mutation("agents.create", {
    input: AgentDraft,
    success: Agent,
    door: signedIn,
    summary:
      "Add an agent that acts for you. The agent can read what you can read, but can write only after you allow writes."
  }),
  mutation("agents.update", {
    about: "agentUserId",
    input: AgentChange,
    success: Agent,
    door: signedIn,
    summary:
      "Set what one of your agents may write, whether you approve its writes first, and whether the agent is suspended."
  }),
  query("agents.list", {
    input: NoInput,
    success: Schema.Array(Agent),
    door: signedIn,
    summary: "List your agents."
  })
)
