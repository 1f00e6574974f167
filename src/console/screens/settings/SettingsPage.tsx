/**
 * The Settings page: the person's account, the people of the pod, notifications, preferences, the vault and the audit.
 */
import { getRouteApi } from "@tanstack/react-router"
import type { ReactNode } from "react"
import { invitationsAtOnce } from "../../api/wholeLists.ts"
import type { PreviewedCall } from "../../ui/callForms.ts"
import { Page } from "../../ui/Page.tsx"
import { Tabs } from "../../ui/Tabs.tsx"
import { AccountPart } from "./AccountPart.tsx"
import { AuditPart, auditRead } from "./AuditPart.tsx"
import { NotificationsPart } from "./NotificationsPart.tsx"
import { PeoplePart, peopleRead } from "./PeoplePart.tsx"
import { PreferencesPart } from "./PreferencesPart.tsx"
import type { SettingsPart } from "./settingsParts.ts"
import { settingsParts } from "./settingsParts.ts"
import { VaultPart } from "./VaultPart.tsx"

const route = getRouteApi("/shell/settings")

export const SettingsPage = () => {
  const { show = "Account", after, about, last, since, until } = route.useSearch()
  const range = { last, since, until }
  const navigate = route.useNavigate()
  const go = (next: string | undefined) => void navigate({ search: (now) => ({ ...now, after: next }) })
  const parts: Readonly<
    Record<SettingsPart, { readonly content: ReactNode; readonly calls: ReadonlyArray<PreviewedCall> }>
  > = {
    Account: {
      content: <AccountPart />,
      calls: [
        { route: "GET /api/hub/users/me", input: {} },
        { procedure: "sessions.list", kind: "query", input: {} }
      ]
    },
    People: {
      content: <PeoplePart after={after} onGo={go} />,
      calls: [
        { route: "GET /api/hub/people", input: peopleRead(after) },
        { route: "GET /api/hub/invitations", input: { query: { limit: invitationsAtOnce } } }
      ]
    },
    Notifications: {
      content: <NotificationsPart />,
      calls: [{ route: "GET /api/hub/notifications/preferences", input: {} }]
    },
    Preferences: { content: <PreferencesPart />, calls: [{ procedure: "preferences.get", kind: "query", input: {} }] },
    Vault: {
      content: <VaultPart />,
      calls: [{ procedure: "secretsVault.getVaultMetadata", kind: "query", input: {} }]
    },
    Audit: {
      content: <AuditPart after={after} about={about} range={range} onGo={go} />,
      calls: [{ route: "GET /api/hub/events", input: auditRead(after, about, range) }]
    }
  }
  return (
    <Page
      title="Settings"
      about="Your account, the people of this pod, and what has been done in your name."
      calls={parts[show].calls}
    >
      <Tabs
        label="Parts of the settings"
        shown={show}
        onShow={(name) => void navigate({ search: name === "Account" ? {} : { show: name } })}
        tabs={settingsParts.map((name) => ({ name, content: name === show ? parts[name].content : null }))}
      />
    </Page>
  )
}
