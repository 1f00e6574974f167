/**
 * The endpoints of accounts. People change their own name and password. The owner and the administrators of the pod list and
 * suspend people. The owner appoints administrators.
 */
import { HttpApiGroup, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { operatorOnly, sessionOnly, read } from "../../doors/DeclareRest.ts"
import { fullGrant, operator, signedIn } from "../../doors/Door.ts"
import { NotFound } from "../../doors/Failure.ts"
import { Id } from "../../doors/Id.ts"
import { described, example, idPath } from "../../doors/Fields.ts"
import { pageOf } from "../../doors/Page.ts"
import { pageQuery } from "../../doors/PageFields.ts"
import { PersonName, PodPerson } from "./Person.ts"

const pageDefault = 50
// the maximum number of people on a page
const pageMax = 200

export const AccountApi = HttpApiGroup.make("accounts")
  .annotate(
    OpenApi.Description,
    "People of the pod. Everybody can change their own name and password. The owner and administrators manage all people."
  )
  .add(
    read("people.list", {
      path: "/people",
      query: Schema.Struct(pageQuery("people", pageDefault, pageMax)),
      success: pageOf(PodPerson),
      door: fullGrant("hub-protocol.read"),
      summary:
        "List the people of the pod in the order in which they joined. Only for the pod's owner and administrators."
    })
  )
  .add(
    sessionOnly("people.update", {
      method: "PATCH",
      path: "/people/:id",
      params: idPath,
      payload: example(
        Schema.Struct({
          isSuspended: described(
            "`true` suspends the person: all calls of the person and of the person's agents stop at once. `false` ends the suspension.",
            Schema.optional(Schema.Boolean)
          ),
          isAdministrator: described(
            "`true` makes the person an administrator, who may invite people and suspend members. Only the pod's owner may set this.",
            Schema.optional(Schema.Boolean)
          )
        }),
        { isSuspended: true }
      ),
      success: PodPerson,
      door: signedIn,
      errors: [NotFound],
      summary:
        "Suspend a person with all their keys and agents, or appoint an administrator. Only for the pod's owner and administrators."
    })
  )
  .add(
    sessionOnly("people.rename", {
      method: "PATCH",
      path: "/users/me",
      payload: example(Schema.Struct({ name: described("Your new name. Other people see it.", PersonName) }), {
        name: "Ana Lind"
      }),
      success: Schema.Struct({ id: Id, name: Schema.String }),
      door: signedIn,
      summary: "Change your name. Your keys and sessions stay valid."
    })
  )
  .add(
    sessionOnly("people.changePassword", {
      method: "POST",
      path: "/users/me/password",
      payload: example(
        Schema.Struct({
          currentPassword: Schema.String.pipe(Schema.maxLength(1024)),
          newPassword: described("12 to 128 characters.", Schema.String.pipe(Schema.maxLength(1024)))
        }),
        { currentPassword: "correct horse battery staple", newPassword: "a longer horse battery staple" }
      ),
      success: Schema.Struct({
        success: Schema.Literal(true),
        endedSessions: described("How many of your other sign-in sessions this call ended.", Schema.Int),
        message: Schema.String
      }),
      door: signedIn,
      summary:
        "Change your password. Send the current password too. The change ends your other sessions; your keys stay valid."
    })
  )
  .add(
    operatorOnly("people.resetOwnerPassword", {
      method: "POST",
      path: "/setup/owner-password",
      payload: example(
        Schema.Struct({ newPassword: described("12 to 128 characters.", Schema.String.pipe(Schema.maxLength(1024))) }),
        { newPassword: "correct horse battery staple" }
      ),
      success: Schema.Struct({
        success: Schema.Literal(true),
        /** The e-mail address with which the owner signs in. */
        email: Schema.NullOr(Schema.String),
        endedSessions: described("How many sign-in sessions of the owner this call ended.", Schema.Int)
      }),
      door: operator("give the owner a new password", "pod owner reset-password"),
      summary: "Set a new password for the owner; the current password is not needed."
    })
  )
