/** The handlers of people: they translate between the service and its endpoints and procedures. */
import { Effect, Layer } from "effect"
import { implement, implementProcedures } from "../../doors/Implement.ts"
import { People } from "./People.ts"
import { PeopleApi, PeopleProcedures } from "./PeopleApi.ts"

const rest = implement(
  PeopleApi,
  Effect.map(People, (people) => ({ "users.me": () => people.me }))
)

const procedures = implementProcedures(
  PeopleProcedures,
  Effect.map(People, (people) => ({
    "svc.me": () => people.me,
    "agents.create": (draft) => people.createAgent(draft),
    "agents.update": ({ agentId, ...change }) => people.updateAgent(agentId, change),
    "agents.list": () => people.agents
  }))
)

export const layer = Layer.mergeAll(rest, procedures)
