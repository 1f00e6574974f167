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
    keys: { title: "Keys", text: "What a key may know of itself. Keys are made and revoked over `/trpc`." },
    workspaces: { title: "Workspaces", text: "Spaces that several people share, with a role each." },
    entities: { title: "Entities", text: "Anything the pod knows of, each of some kind: its profile." },
    knowledge: { title: "Knowledge", text: "Values that a space keeps under keys." },
    probes: { title: "Probes", text: "For whoever runs the pod: does it live, can it serve?" },
    signIn: { title: "Sign-in", text: "How a person signs in and out, and how the pod gets its owner." }
  },
  parameters: {
    limit: "At most this many.",
    offset: "Leave out this many first.",
    workspaceId: "A workspace the caller belongs to.",
    projectId: "Only what belongs to this project.",
    profileSlug: "Only this kind.",
    type: "The same as profileSlug, for older clients.",
    q: "Words to look for.",
    scope: "Where to look: the caller's own space, their workspaces, or both.",
    includePodWide: "Whether the caller's own space is searched beside the workspaces.",
    sort: "The order; there is one.",
    id: "Its id.",
    userId: "Taken for the path's sake: the credential says who asks.",
    key: "The key, URI-encoded.",
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
    "entities.create": { profileSlug: "note", title: "First note", properties: { mood: "curious" } },
    "entities.update": { title: "A better title", properties: { mood: "content" } },
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
