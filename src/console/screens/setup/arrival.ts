/** Signs in a person whose account is new. So the person need not type the new password again. */
import { hub } from "../../api/hub.ts"
import { beginSession } from "../../api/session.ts"

/** Signs in, and returns whether this succeeded. If it fails, the person can use the sign-in page. */
export const signInNow = async ({ email, password }: { readonly email: string; readonly password: string }) => {
  try {
    beginSession(await hub("POST /auth/sign-in", { body: { email, password } }), true)
    return true
  } catch {
    return false
  }
}
