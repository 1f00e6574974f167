/** The description of the REST API, made from its declarations: what `/openapi.json` answers and the repository keeps. */
import { HttpApi, OpenApi } from "@effect/platform"
import { Context, Option } from "effect"
import { Declaration, type Declared } from "./doors/Declare.ts"
import { HubApi, hubMount, hubMountAlias } from "./HubApi.ts"
import { type Draft, openApiDocument, type OpenApiDocument, type Spoken } from "./surfaces/OpenApiDocument.ts"
import { version } from "./Version.ts"

const about = `One pod keeps what a team knows and lets apps, scripts and agents in through keys that never do more than the person behind them.

**Passing a door.** Every operation states what it takes: a *scope* says which operations a credential may call at all, the *grant* of a key says what it may touch, and no key ever does more than its person may. \`x-pod-scope\` and \`x-pod-permissions\` say it for each operation, and a refusal says it again with what the credential has.

**Credentials.** Send a key as \`Authorization: Bearer svc_…\`, or a sign-in token as \`X-Session-Token\`. Never put either in a URL.

**Failures.** Each is a JSON object with a text \`error\`. What a credential may not read does not exist for it: 404.

**Unknown fields.** A field of a body or a query that an operation does not know is refused with 400 and the nearest known name, so that nothing misspelt gives more than was meant. \`Prefer: handling=lenient\` has such fields ignored and named in \`X-Svc-Ignored-Fields\`, except where authority is given or narrowed. \`userId\` and \`agentUserId\` may stand anywhere a key may call: a write may name its caller only, and a read ignores them.

**Repeating a write.** Send \`Idempotency-Key\` and a write can be sent again without happening twice.

The routes below \`${hubMount}\` are also answered below \`${hubMountAlias}\`.`

const spoken: Spoken = {
  info: {
    title: "Pod",
    version,
    summary: "A team's knowledge, behind keys that never do more than their person.",
    description: about,
    contact: { name: "Whoever runs this pod" },
    license: { name: "Unlicensed, all rights reserved", identifier: "LicenseRef-Unlicensed" }
  },
  groups: {
    system: { title: "System", text: "What this pod is, and every door it has." },
    people: { title: "People", text: "Who a credential acts for." },
    accounts: { title: "Accounts", text: "One's own password, and for the owner of the pod who is in it." },
    invitations: { title: "Invitations", text: "One-time links by which people come into the pod." },
    join: { title: "Join", text: "How somebody who was invited becomes a person of the pod." },
    keys: { title: "Keys", text: "What a key may know of itself. Keys are made and revoked over `/trpc`." },
    digest: { title: "Digest", text: "What a workspace holds, in figures and one line." },
    context: { title: "Context", text: "What the caller did last." },
    projection: { title: "Public", text: "What workspaces let everybody read, without any credential." },
    workspaces: { title: "Workspaces", text: "Spaces that several people share, with a role each." },
    entities: { title: "Entities", text: "Anything the pod knows of, each of some kind: its profile." },
    attachments: { title: "Attachments", text: "Pictures and files that belong to an entity." },
    facets: { title: "Facets", text: "The roles that an entity plays besides what it is." },
    profiles: { title: "Profiles", text: "The kinds of entity there are, and the roles that entities may play." },
    propertyDefs: {
      title: "Property definitions",
      text: "What the properties of a kind have to be, for the entities of one space."
    },
    knowledge: { title: "Knowledge", text: "Values that a space keeps under keys." },
    projects: { title: "Projects", text: "What somebody is up to, with the entities filed in it, wherever they live." },
    rules: { title: "Rules", text: "What is to be known, or done each time something happens, in words and compiled." },
    commands: { title: "Commands", text: "What a person calls up by name; shared, or for whoever made it alone." },
    brands: { title: "Brands", text: "What the things of a space look and sound like." },
    channels: { title: "Channels", text: "Places where threads belong together." },
    threads: { title: "Threads", text: "Conversations, and what is said in them." },
    messaging: { title: "Messaging", text: "What a person has not read yet." },
    focusSessions: { title: "Focus sessions", text: "What a person set out to do, and how it went: theirs alone." },
    relations: { title: "Relations", text: "How entities are connected, as far as both ends may be read." },
    relationDefs: {
      title: "Relation definitions",
      text: "What types of relations mean, and which kinds they connect."
    },
    documents: { title: "Documents", text: "Texts that people and agents write, every write of them kept." },
    views: { title: "Views", text: "How a collection is laid out for people." },
    artifacts: { title: "Artifacts", text: "What was produced, where it is put, and whether it is kept." },
    probes: { title: "Probes", text: "For whoever runs the pod: does it live, can it serve?" },
    signIn: { title: "Sign-in", text: "How a person signs in and out, and how the pod gets its owner." }
  },
  parameters: {
    limit: "At most this many.",
    workspace: "The workspace that lets something out.",
    role: "Only this role; one that is not let out is as if none was named.",
    offset: "Leave out this many first.",
    workspaceId: "A workspace the caller belongs to.",
    projectId: "Only what belongs to this project.",
    profileSlug: "Only this kind.",
    facetSlug: "Only what plays this role, as far as the caller reads roles.",
    type: "Only this type; for entities the same as profileSlug, for older clients.",
    q: "Words to look for.",
    scope: "Where to look: the caller's own space, their workspaces, or both.",
    includePodWide: "Whether the caller's own space is searched beside the workspaces.",
    sort: "The order; there is one.",
    id: "Its id.",
    includeProposed: "Also those that wait for a person.",
    triggerSlug: "Only what is called up by this.",
    format: "How it is written out.",
    userId: "Taken for the path's sake: the credential says who asks.",
    entityId: "The entity it is about.",
    cursor: "Where to go on: the header X-Svc-Next-Cursor of the page before.",
    profileId: "Only those of this profile.",
    profileKind: "Only kinds, or only roles.",
    detail: "How much is said of each.",
    slug: "The slug of a role.",
    attachmentId: "The id of an attachment.",
    state: "Only artifacts in this state.",
    placement: "Only artifacts that are put there.",
    revision: "Which write of the document.",
    sessionId: "Only what belongs to this focus session.",
    key: "The key, URI-encoded.",
    parentChannelId: "Only the threads of this channel, or the branches of this thread.",
    messageId: "Up to and with this message; the latest, when left out.",
    namespace: "Only this namespace.",
    status: "Only this status."
  },
  bodies: {
    "auth.signIn": { email: "you@example.com", password: "correct horse battery staple" },
    "setup.claim": {
      token: "the-part-of-the-setup-link-after-the-hash",
      email: "you@example.com",
      password: "correct horse battery staple",
      name: "You"
    },
    "workspaces.fromDefinition": { workspaceName: "Research" },
    "workspaces.update": { description: "What we look into." },
    "workspaces.provisionAgent": { agentUserId: "0190a5e2-7b1c-7c3d-8e4f-5a6b7c8d9e0f" },
    "workspaces.enrollAgent": { agentUserId: "0190a5e2-7b1c-7c3d-8e4f-5a6b7c8d9e0f", role: "editor" },
    "workspaces.setProviderRouting": {
      mode: "local",
      defaultProvider: "ollama",
      providers: [{ id: "ollama", enabled: true, baseUrl: "http://localhost:11434", defaultModel: "small" }]
    },
    "workspaces.setSourceEdges": { sourceRoles: { inbox: "primary" } },
    "workspaces.setPublicProjection": { enabled: true, roles: ["company"], fields: ["title", "website"] },
    "profiles.create": { slug: "recipe", displayName: "Recipe", description: "How to cook something." },
    "propertyDefs.create": {
      profileId: "00000000-0000-7000-8000-000000000005",
      slug: "due",
      valueType: "date",
      constraints: { min: "2020-01-01" }
    },
    "entities.create": { profileSlug: "note", title: "First note", properties: { mood: "curious" } },
    "projects.create": { name: "Harbour", description: "Everything about the new harbour." },
    "relationDefs.create": { slug: "owns", displayName: "Owns", inverseLabel: "Owned by", sourceKinds: ["company"] },
    "entities.update": { title: "A better title", properties: { mood: "content" } },
    "rules.classify": { text: "Whenever a task is created, notify me." },
    "rules.parse": { text: "Whenever a task is created, notify me." },
    "rules.create": {
      intent: "Tell me of new tasks.",
      scope: { kind: "pod" },
      sentence: { when: "a task is created", then: "notify me" }
    },
    "documents.create": { title: "Harbour", content: "# Harbour\n\nThe quay is wet.", type: "markdown" },
    "documents.update": { baseRevision: 1, content: "# Harbour\n\nThe quay is dry." },
    "documents.restoreRevision": { revision: 1 },
    "documents.propose": {
      documentId: "01890a5d-ac96-774b-bcce-b302099a8057",
      proposalType: "ai_edit",
      originalContent: "The quay is wet.",
      changes: [{ op: "replace", range: { start: 12, end: 15 }, text: "dry" }],
      proposedContent: "The quay is dry."
    },
    "views.create": { name: "Board", type: "kanban", config: { groupBy: "status" } },
    "views.arrange": { widgets: [{ kind: "list", width: 2 }] },
    "artifacts.create": {
      workspaceId: null,
      userId: "",
      kind: "url",
      title: "The tide table",
      refId: "https://example.com/tides",
      originKind: "user"
    },
    "artifacts.update": { state: "kept", placement: "library" },
    "commands.create": { name: "Weekly report", triggerSlug: "report", sharing: "user" },
    "brands.create": { name: "Acme", isDefault: true, tokens: { colors: { primary: "#0055ff" } } },
    "channels.create": { title: "Releases", type: "chat" },
    "channels.update": { title: "Releases and patches" },
    "threads.create": { title: "What goes into the next release?", externalSource: "chat", externalId: "C042/17" },
    "threads.update": { contextSummary: "The release waits for one fix." },
    "threads.say": { role: "user", content: "Is the fix in?" },
    "threads.sayAll": {
      messages: [
        { role: "user", content: "Is the fix in?" },
        { role: "assistant", content: "It was merged this morning." }
      ]
    },
    "focusSessions.create": { goal: "Get the release out", correlationId: "release-42" },
    "focusSessions.update": { progress: 60 },
    "knowledge.create": { key: "deploy.branch", value: "main" },
    "knowledge.put": { value: { branch: "main", reviewed: true } }
  }
}

const declarations = (): ReadonlyMap<string, Declared> => {
  const found = new Map<string, Declared>()
  HttpApi.reflect(HubApi, {
    onGroup: () => {},
    onEndpoint: ({ mergedAnnotations }) => {
      // The annotations are a context of whatever was annotated; asking for one that is missing answers none.
      const declared = Context.getOption(mergedAnnotations as Context.Context<Declaration>, Declaration)
      if (Option.isNone(declared)) return
      if (found.has(declared.value.name)) throw new Error(`Two REST operations are called ${declared.value.name}.`)
      found.set(declared.value.name, declared.value)
    }
  })
  return found
}

/** The OpenAPI 3.1 document. In: the pod's public address, when it has one; the committed document has none. */
export const describeApi = (publicUrl?: string): OpenApiDocument =>
  // The library's document is of this shape; its type lists every keyword, of which the draft reads a few.
  openApiDocument(OpenApi.fromApi(HubApi) as unknown as Draft, declarations(), spoken, publicUrl)
