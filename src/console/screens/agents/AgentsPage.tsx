/**
 * The Agents page. For each agent it shows what the agent may write, whether a person approves first, its keys, its
 * rules and its activity.
 */
import { useQuery } from "@tanstack/react-query"
import { getRouteApi } from "@tanstack/react-router"
import { procedureQuery, type ProcedureOutput } from "../../api/procedures.ts"
import { Badge } from "../../ui/Badge.tsx"
import { Button } from "../../ui/Button.tsx"
import { Dialog } from "../../ui/Dialog.tsx"
import { FindField, hasText } from "../../ui/FindField.tsx"
import { NoMatch } from "../../ui/NoMatch.tsx"
import { Empty, Page } from "../../ui/Page.tsx"
import { QueryResult } from "../../ui/QueryResult.tsx"
import { type Column, Table } from "../../ui/Table.tsx"
import { tabInAddress, Tabs } from "../../ui/Tabs.tsx"
import { Time } from "../../ui/Time.tsx"
import { useDrawer } from "../../ui/useDrawer.ts"
import { useListAddress } from "../../ui/useListAddress.ts"
import { AgentActivity } from "./AgentActivity.tsx"
import { type Agent, AgentForm } from "./AgentForm.tsx"
import { AgentKeys } from "./AgentKeys.tsx"
import { AgentRules } from "./AgentRules.tsx"
import { SuspendAgent } from "./SuspendAgent.tsx"

const route = getRouteApi("/shell/agents")

type Config = ProcedureOutput<"agentConfigs.list">[number]

const columnsOver = (
  configs: ReadonlyArray<Config>,
  workspaces: ReadonlyMap<string, string>,
  onOpen: (id: string) => void
): ReadonlyArray<Column<Agent>> => {
  const configOf = ({ id }: Agent) => configs.find(({ agentId }) => agentId === id)
  return [
    {
      name: "Name",
      isFixed: true,
      sortBy: ({ name }) => name,
      cell: ({ id, name }) => (
        <button
          type="button"
          className="text-accent min-h-6 text-left font-medium underline underline-offset-2"
          onClick={() => onOpen(id)}
        >
          {name}
        </button>
      )
    },
    {
      name: "May write",
      cell: ({ capabilities }) =>
        capabilities.length === 0 ? (
          <Badge>reads only</Badge>
        ) : (
          <span className="block max-w-80">{capabilities.includes("*") ? "Everything" : capabilities.join(", ")}</span>
        )
    },
    {
      name: "Approval",
      sortBy: ({ writesRequireProposal }) => (writesRequireProposal ? "you" : "writes"),
      cell: ({ writesRequireProposal }) =>
        writesRequireProposal ? "you approve its writes" : "writes without approval"
    },
    {
      name: "Workspaces",
      cell: (agent) =>
        configOf(agent)
          ?.roles.map(({ role, workspaceId }) => `${workspaces.get(workspaceId) ?? "a workspace"} (${role})`)
          .join(", ") ?? ""
    },
    {
      name: "Keys",
      isNumber: true,
      sortBy: (agent) => configOf(agent)?.keyCount,
      cell: (agent) => configOf(agent)?.keyCount ?? ""
    },
    {
      name: "State",
      sortBy: ({ isSuspended }) => (isSuspended ? "suspended" : "active"),
      cell: ({ isSuspended }) => (
        <Badge tone={isSuspended ? "bad" : "good"}>{isSuspended ? "suspended" : "active"}</Badge>
      )
    },
    { name: "Created", sortBy: ({ createdAt }) => createdAt, cell: ({ createdAt }) => <Time at={createdAt} /> }
  ]
}

export const AgentsPage = () => {
  const { agent: open, q, sort, tab } = route.useSearch()
  const list = useListAddress({ q, sort })
  const agents = useQuery(procedureQuery("agents.list", {}))
  const configs = useQuery(procedureQuery("agentConfigs.list", {}))
  const workspaces = useQuery(procedureQuery("workspaces.list", {}))
  const drawer = useDrawer()
  const openAgent = (agent: string) => drawer.open({ agent })
  const close = () => drawer.close({ agent: undefined, tab: undefined })
  const chosen = agents.data?.find(({ id }) => id === open)
  const names = new Map((workspaces.data ?? []).map(({ id, name }) => [id, name]))
  return (
    <Page
      title="Agents"
      about="Agents act for you with keys of their own. They read what you see, and write what you allow."
      actions={
        <Button kind="primary" onClick={() => openAgent("new")}>
          New agent
        </Button>
      }
      calls={[
        { procedure: "agents.list", kind: "query", input: {} },
        { procedure: "agentConfigs.list", kind: "query", input: {} }
      ]}
    >
      <QueryResult what="your agents" query={agents}>
        {(all) =>
          all.length === 0 ? (
            <Empty title="You have no agent yet.">
              <p>An agent reads what you see. Its writes wait for your approval until you say otherwise.</p>
              <Button onClick={() => openAgent("new")}>Create the first agent</Button>
            </Empty>
          ) : (
            <Table
              above={<FindField hint="Name, capability or workspace" {...list.find} />}
              label="Agents"
              columnsName="agents"
              isWhole
              sort={list.sort}
              columns={columnsOver(configs.data ?? [], names, openAgent)}
              rows={all.filter((agent) => {
                const roles = configs.data?.find(({ agentId }) => agentId === agent.id)?.roles ?? []
                return hasText(q, [
                  agent.name,
                  ...agent.capabilities,
                  ...roles.map(({ workspaceId }) => names.get(workspaceId))
                ])
              })}
              empty={<NoMatch one="agent" many="agents" text={q} onClear={list.showAll} />}
              keyOf={({ id }) => id}
              isChosen={({ id }) => id === open}
            />
          )
        }
      </QueryResult>
      <Dialog title="New agent" isOpen={open === "new"} onClose={close} shape="drawer">
        {open === "new" && <AgentForm onDone={({ id }) => drawer.show({ agent: id }, { isSaved: true })} />}
      </Dialog>
      <Dialog title={chosen?.name ?? "Agent"} isOpen={chosen !== undefined} onClose={close} shape="drawer">
        {chosen !== undefined && (
          <>
            <div className="flex flex-wrap gap-2">
              <SuspendAgent agent={chosen} />
            </div>
            <Tabs
              label="Parts of the agent"
              {...tabInAddress(
                [
                  {
                    name: "Capabilities",
                    content: <AgentForm key={chosen.id} agent={chosen} onDone={() => undefined} />,
                    isKept: true
                  },
                  { name: "Keys", content: <AgentKeys agentId={chosen.id} /> },
                  { name: "Rules", content: <AgentRules agentId={chosen.id} /> },
                  { name: "What it did", content: <AgentActivity agentId={chosen.id} /> }
                ],
                tab,
                (next) => drawer.show({ tab: next })
              )}
            />
          </>
        )}
      </Dialog>
    </Page>
  )
}
