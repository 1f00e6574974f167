/** The handlers of people. They pass each call of an endpoint or a procedure to the service and return its result. */
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
