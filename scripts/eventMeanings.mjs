/**
 * Says what each type of event means, and which operations write it. `eventTypes.mjs` finds the types in the sources.
 * The reference cannot be made if a type is missing here, if no source writes a type, or if an operation does not
 * exist.
 */
const hub = (method, path) => `${method} /api/hub/${path}`

const entityWrites = [hub("POST", "entities"), "svc_create_entity", "svc_capture", "POST /api/n8n/entities"]
const approval = "or an approved proposal"

export const eventMeanings = {
  "access.refused": ["The pod refused a call with 403.", ["every operation"]],
  "agent.create": ["An agent was created.", ["agents.create", hub("POST", "setup/agent")]],
  "agent.update": [
    "The name, capabilities or mode of an agent changed, or it was suspended or resumed.",
    ["agents.update"],
    ["the changed fields"]
  ],
  "ai.nudge.posted": ["An agent sent a message about a workspace to its person.", [hub("POST", "proactive/post")]],
  "apiKey.create": [
    "A key was created.",
    ["apiKeys.create", "apiKeys.createForWorkspace", hub("POST", "setup/agent"), hub("POST", "setup/service")]
  ],
  "apiKey.revoke": ["A key was revoked.", ["apiKeys.revoke", "connections.revoke"]],
  "apiKey.rotate": ["A key was replaced by a new key.", ["apiKeys.rotate"]],
  "apiKey.update": ["A key got another name.", ["apiKeys.rename"]],
  "automation.failed": ["A run of a rule failed, and the pod does not repeat it.", ["the runs of rules"]],
  "automation.notify": ["A rule notified a person.", ["the runs of rules"]],
  "automation.run": ["A rule called a webhook about an event of another person.", ["the runs of rules"]],
  "calendar.create": ["A person got a new address for their calendar feed.", [hub("POST", "calendar/feed")]],
  "calendar.delete": ["A calendar feed ended.", [hub("DELETE", "calendar/feed")]],
  "document.create": [
    "A new entity got its content as a document. Documents without such an entity have the event in the table above.",
    entityWrites
  ],
  "document.delete": [
    "The document of an entity was archived, because the approved creation of the entity was reverted.",
    [hub("POST", "proposals/{id}/revert")]
  ],
  "entity.<kind>.create": [
    "An entity was created. `<kind>` is the profile of the entity, such as `note`; for a knowledge entry that was written at `/entities`, `<kind>` is `knowledge`.",
    [...entityWrites, approval]
  ],
  "entity.<kind>.delete": ["An entity was archived.", [hub("DELETE", "entities/{id}"), approval]],
  "entity.<kind>.restore": ["An archived entity was restored.", [hub("POST", "proposals/{id}/revert")]],
  "entity.<kind>.update": [
    "Fields of an entity changed, or the entity got a file.",
    [
      hub("PATCH", "entities/{id}"),
      hub("POST", "entities/{id}/attachments"),
      "svc_update_entity",
      "svc_store_file",
      approval
    ]
  ],
  "entity.knowledge.create": [
    "A knowledge entry was created.",
    [hub("POST", "knowledge"), hub("PUT", "knowledge/{key}")]
  ],
  "entity.knowledge.delete": ["A knowledge entry was deleted.", [hub("DELETE", "knowledge/{key}")]],
  "entity.knowledge.restore": ["A deleted knowledge entry was restored.", [hub("POST", "proposals/{id}/revert")]],
  "entity.knowledge.update": ["A knowledge entry was written again.", [hub("PUT", "knowledge/{key}")]],
  "facet.create": [
    "A new entity got a role. Roles of existing entities have the event in the table above.",
    [hub("POST", "entities")]
  ],
  "governance.rule.create": ["A governance rule was created.", ["governanceRules.create"]],
  "governance.rule.delete": ["A governance rule was revoked.", ["governanceRules.revoke"]],
  "invitation.create": ["An invitation was created.", [hub("POST", "invitations")]],
  "invitation.use": ["Somebody joined with an invitation.", ["POST /setup/accept-invite"]],
  "invitation.withdraw": ["An invitation was withdrawn.", [hub("DELETE", "invitations/{id}")]],
  "member.create": [
    "A person or an agent became a member of a workspace.",
    [hub("POST", "workspaces/enroll-agent"), hub("POST", "workspaces/provision-agent"), "POST /setup/accept-invite"]
  ],
  "member.delete": [
    "A member left a workspace or was removed; `before` has the role that a person had.",
    [hub("DELETE", "workspaces/{workspaceId}/members/{userId}")]
  ],
  "member.update": [
    "A member got another role; `before` has the former role.",
    [hub("PATCH", "workspaces/{workspaceId}/members/{userId}")]
  ],
  "memory.create": [
    "Facts were stored, counted again or superseded.",
    [
      hub("POST", "memory"),
      hub("POST", "memory/turns"),
      hub("POST", "memory/sessions"),
      hub("POST", "memory/writes"),
      "svc_remember_fact"
    ]
  ],
  "memory.delete": [
    "Facts were forgotten.",
    [hub("POST", "memory/forget"), hub("DELETE", "memory/{id}"), hub("POST", "memory/writes")]
  ],
  "memory.update": [
    "Facts were changed or restored.",
    [hub("POST", "memory/{id}/restore"), hub("POST", "memory/writes")]
  ],
  "message.create": [
    "A message was written in a thread.",
    [
      hub("POST", "threads/{id}/messages"),
      hub("POST", "threads/{id}/messages.batch"),
      "POST /api/external/chat/stream",
      "svc_post_message"
    ]
  ],
  "messaging.update": ["A channel was marked as read.", [hub("PUT", "messaging/channels/{id}/read")]],
  "notification.create": ["A person got a notification.", ["the pod, after another event"]],
  "notification.update": [
    "Notifications were read or dismissed, or the preferences for notifications changed.",
    [
      hub("POST", "notifications/{id}/read"),
      hub("POST", "notifications/{id}/dismiss"),
      hub("POST", "notifications/read-all"),
      hub("POST", "notifications/dismiss-all"),
      hub("PATCH", "notifications/preferences"),
      "notifCenter.markRead"
    ],
    ["deed?", "isAll?", "preferences?"]
  ],
  "person.appoint": ["A person became an administrator of the pod.", [hub("PATCH", "people/{id}")]],
  "person.changePassword": [
    "The password of a person was changed.",
    [hub("POST", "users/me/password"), hub("POST", "setup/owner-password")]
  ],
  "person.dismiss": ["A person is no administrator any more.", [hub("PATCH", "people/{id}")]],
  "person.endOtherSessions": ["A person ended all their other sign-in sessions.", ["sessions.endOthers"]],
  "person.endSession": ["A person ended one of their sign-in sessions.", ["sessions.end"]],
  "person.rename": ["A person changed their name.", [hub("PATCH", "users/me")]],
  "person.resume": ["A suspended person may act again.", [hub("PATCH", "people/{id}")]],
  "person.suspend": ["A person was suspended, with all their keys and agents.", [hub("PATCH", "people/{id}")]],
  "pod.rename": ["The pod got another name, or its name was removed.", [hub("PUT", "setup/pod-name")]],
  "preference.update": ["A person's preferences changed.", ["preferences.set", "preferences.merge"]],
  "proposal.approve": [
    "A person approved a proposal. The events of the change have the id of this event in `causationId`.",
    [hub("POST", "proposals/{id}/approve"), "proposals.approve"]
  ],
  "proposal.create": [
    "A write became a proposal.",
    [
      "every write of an agent",
      hub("POST", "proposals"),
      hub("POST", "proposals/dev-approval"),
      hub("POST", "documents/proposals")
    ]
  ],
  "proposal.reject": ["A person rejected a proposal.", [hub("POST", "proposals/{id}/reject"), "proposals.reject"]],
  "proposal.revert": ["A person reverted an approved change.", [hub("POST", "proposals/{id}/revert")]],
  "proposal.update": ["A proposal was edited.", [hub("PATCH", "proposals/{id}"), "proposals.updateProposal"]],
  "proposal.withdraw": [
    "An agent withdrew its own proposal.",
    [hub("POST", "proposals/{id}/reject"), "proposals.reject"]
  ],
  "relation.create": [
    "Two records were linked.",
    [hub("POST", "relations"), hub("POST", "projects/{id}/entities"), "svc_link_entities", approval]
  ],
  "relation.delete": [
    "A relation was deleted.",
    [hub("DELETE", "relations/{id}"), hub("DELETE", "projects/{id}/entities/{entityId}"), approval]
  ],
  "relation.restore": ["A deleted relation was restored.", [hub("POST", "proposals/{id}/revert")]],
  "search_index.update": ["The person asked for a new search index.", ["typesense.initializeCollections"]],
  "skill.invoke": ["A skill was run.", ["POST /api/external/skills/{id}/invoke"]],
  "thread.move": [
    "A thread got a message, so the place of the thread in the list changed.",
    [hub("POST", "threads/{id}/messages")]
  ],
  "vault.begin": ["The vault of a person was created.", ["secretsVault.create"]],
  "vault.create": ["A secret was stored.", ["secretsVault.create"]],
  "vault.delete": ["A secret was deleted.", ["secretsVault.delete"]],
  "vault.recover": ["A person opened their vault again with the recovery key.", ["secretsVault.recover"]],
  "vault.recovery": ["A person got a new recovery key.", ["secretsVault.generateRecoveryKey"]],
  "vault.share": ["A secret was shared with a person.", ["secretsVault.share"]],
  "vault.unlock": ["A person opened their vault.", ["secretsVault.recordUnlock"]],
  "vault.unshare": ["A secret is not shared any more.", ["secretsVault.unshare"]],
  "vault.update": ["Fields of a secret changed.", ["secretsVault.update"]],
  "webhook.disabled": ["The pod stopped calling a webhook; `reason` says why.", ["the deliveries of webhooks"]],
  "workspace.create": [
    "A workspace was created.",
    [hub("POST", "workspaces/from-definition"), hub("POST", "workspaces/provision-agent")]
  ],
  "workspace.delete": [
    "A workspace of the sample data was deleted, or the approved creation of a workspace was reverted.",
    [hub("POST", "setup/sample-removal"), hub("POST", "proposals/{id}/revert")]
  ],
  "workspace.failed": [
    "The creation of a workspace failed at the step that `step` names.",
    [hub("POST", "workspaces/provision-agent"), hub("POST", "workspaces/{workspaceId}/retry-provisioning")]
  ],
  "workspace.profiles": [
    "A new workspace got its profiles.",
    [hub("POST", "workspaces/provision-agent"), hub("POST", "workspaces/from-definition")]
  ],
  "workspace.ready": [
    "A new workspace is complete.",
    [hub("POST", "workspaces/provision-agent"), hub("POST", "workspaces/{workspaceId}/retry-provisioning")]
  ],
  "workspace.update": [
    "The settings of a workspace, or its policy for agents, changed; `before` has the former values.",
    [
      hub("PATCH", "workspaces/{workspaceId}"),
      hub("PATCH", "workspaces/{workspaceId}/public-projection"),
      "governance.setPolicy"
    ]
  ]
}

/** The writers of events other than operations. `eventMeanings` uses exactly these texts. */
export const otherWriters = new Set([
  approval,
  "every operation",
  "every write of an agent",
  "the pod, after another event",
  "the runs of rules",
  "the deliveries of webhooks"
])
