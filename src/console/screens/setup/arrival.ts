/** Signs in the person who has just been made, so that nobody types a new password twice. */
import { hub } from "../../api/hub.ts"
import { beginSession } from "../../api/session.ts"

/** Whether the sign-in succeeded. If it fails, the person signs in on the sign-in page. */
export const signInNow = async ({ email, password }: { readonly email: string; readonly password: string }) => {
  try {
    beginSession(await hub("POST /auth/sign-in", { body: { email, password } }), true)
    return true
  } catch {
    return false
  }
}
