/**
 * The endpoints for sign-in, for sign-out, and for the claim of a new pod by its owner. Their paths do not begin with
 * `/api/hub`.
 */
import { HttpApiGroup, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { open, sessionOnly } from "../../doors/DeclareRest.ts"
import { everybody, signedIn } from "../../doors/Door.ts"
import { Done, example, described, Timestamp } from "../../doors/Fields.ts"
import { Id } from "../../doors/Id.ts"

const shortText = (max: number) => Schema.String.pipe(Schema.maxLength(max))
const linkToken = described("Part of the setup link after `#`.", shortText(200))

export const SignInApi = HttpApiGroup.make("signIn")
  .annotate(OpenApi.Description, "How a person signs in and out, and how the pod gets its owner.")
  .annotate(OpenApi.Override, { "x-displayName": "Sign-in" })
  .add(
    open("auth.signIn", {
      method: "POST",
      path: "/auth/sign-in",
      payload: example(Schema.Struct({ email: shortText(320), password: shortText(1024) }), {
        email: "you@example.com",
        password: "correct horse battery staple"
      }),
      success: Schema.Struct({
        token: described("Session token: send it in the header `X-Session-Token`.", Schema.String),
        expiresAt: Timestamp,
        user: described(
          "Person who signed in.",
          Schema.Struct({ id: Id, name: Schema.String, email: Schema.NullOr(Schema.String) })
        )
      }),
      door: everybody("the e-mail address and the password are enough; the pod limits attempts"),
      summary: "Sign in with e-mail and password; the answer has a sign-in token."
    })
  )
  .add(
    sessionOnly("auth.signOut", {
      method: "POST",
      path: "/auth/sign-out",
      success: Done,
      door: signedIn,
      summary: "End the sign-in session that makes this call."
    })
  )
  .add(
    open("setup.checkLink", {
      method: "POST",
      path: "/setup/check-link",
      payload: example(Schema.Struct({ token: linkToken }), {
        token: "the-part-of-the-setup-link-after-the-hash"
      }),
      success: Done,
      door: everybody("while the pod has no owner, the setup link is enough"),
      summary: "Ask whether a setup link still works, without using the link."
    })
  )
  .add(
    open("setup.claim", {
      method: "POST",
      path: "/setup/claim",
      payload: example(
        Schema.Struct({
          token: linkToken,
          email: shortText(320),
          password: described("12 to 128 characters.", shortText(1024)),
          name: Schema.optionalWith(shortText(100), { default: () => "" })
        }),
        {
          token: "the-part-of-the-setup-link-after-the-hash",
          email: "you@example.com",
          password: "correct horse battery staple",
          name: "You"
        }
      ),
      success: Done,
      door: everybody("while the pod has no owner, the setup link is enough; it works once"),
      summary: "Become the owner of the pod with the one-time setup link."
    })
  )
