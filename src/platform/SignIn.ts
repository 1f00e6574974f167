/**
 * Defines the sign-in of people: the interface of the service, its errors, and the rules for e-mail addresses and
 * passwords.
 */
import { Context, Option, Schema } from "effect"
import type { Effect, Redacted } from "effect"

// the minimum length of a password in UTF-16 units, because better-auth counts these units
export const passwordLengthMin = 12
// the maximum length of a password in UTF-16 units; it limits how much text the server must normalise and hash for one
// attempt
export const passwordLengthMax = 128

/**
 * A trimmed ASCII address in lower case. The pod allows only addresses that better-auth also accepts at sign-in, so
 * every account with such an address can sign in. For example, better-auth refuses a host without a dot
 * (`owner@localhost`) before it looks for the person.
 */
export const EmailAddress = Schema.compose(Schema.Trim, Schema.Lowercase).pipe(
  Schema.maxLength(254),
  Schema.pattern(/^(?:[a-z0-9_'+-]+\.)*[a-z0-9_'+-]*[a-z0-9_+-]@(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,63}$/),
  Schema.brand("EmailAddress")
)
export type EmailAddress = typeof EmailAddress.Type

/** Returns the address by which the pod looks up a person. Returns none if no account can have this address. */
export const findEmailAddress = (email: string): Option.Option<EmailAddress> =>
  // The length is checked before decoding, so that a megabyte of text is not trimmed and lower-cased.
  email.length > 1024 ? Option.none() : Schema.decodeOption(EmailAddress)(email)

/**
 * Returns true if the pod allows this password for an account: 12 to 128 characters, without NUL and without a lone
 * half of a surrogate pair.
 */
export const isPossiblePassword = (password: string): boolean =>
  password.length >= passwordLengthMin && password.length <= passwordLengthMax && !/[\0\p{Surrogate}]/u.test(password)

/**
 * The sign-in is refused. The failure is the same for an unknown person, a wrong password and an impossible input, so
 * the answer does not reveal which of the three it is.
 */
export class SignInRefused extends Schema.TaggedError<SignInRefused>()("SignInRefused", {}) {
  override get message() {
    return "The e-mail address or the password is wrong."
  }
}

/** There were too many failed attempts from this client or for this e-mail address. */
export class SignInThrottled extends Schema.TaggedError<SignInThrottled>()("SignInThrottled", {
  retryAfterSeconds: Schema.Int
}) {
  override get message() {
    return `Too many sign-in attempts. Try again in ${this.retryAfterSeconds} seconds.`
  }
}

/**
 * The session cannot be used. The failure is the same for an expired, an unknown, a forged and a signed-out session.
 */
export class SessionInvalid extends Schema.TaggedError<SessionInvalid>()("SessionInvalid", {}) {
  override get message() {
    return "The session is not valid. Sign in again."
  }
}

/** A new password is refused, because nobody could ever sign in with this password. */
export class PasswordUnacceptable extends Schema.TaggedError<PasswordUnacceptable>()("PasswordUnacceptable", {}) {
  override get message() {
    return `A password must have ${passwordLengthMin} to ${passwordLengthMax} characters, without NUL and without half a surrogate pair.`
  }
}

export interface SignInAttempt {
  readonly email: string
  readonly password: Redacted.Redacted
  readonly client: {
    /**
     * The real address of the client. The caller reads forwarded addresses only from trusted proxies. The pod counts
     * the attempts of each address.
     */
    readonly address: string
    readonly userAgent: string | undefined
  }
}

/** A session without its token, so the session can be shown to others. */
export interface SignInSession {
  readonly sessionId: string
  readonly userId: string
  readonly expiresAt: Date
}

export interface NewSignIn extends SignInSession {
  /** The signed token. This is the only copy, because the database stores only a hash of it. */
  readonly token: Redacted.Redacted
}

/**
 * Never call these functions inside an open transaction. These functions take a connection of their own. The embedded
 * database has only one connection, so the call would wait for its own transaction. Inside a transaction, insert the
 * rows of `passwordAccount`, or delete from `auth_sessions` directly.
 */
export class SignIn extends Context.Tag("pod/SignIn")<
  SignIn,
  {
    /**
     * Opens a session. Fails in the same way, and after the same time, for an unknown person and for a wrong password.
     */
    readonly signIn: (attempt: SignInAttempt) => Effect.Effect<NewSignIn, SignInRefused | SignInThrottled>
    /** Ends the session with this id. An unknown id is not an error. */
    readonly signOut: (sessionId: string) => Effect.Effect<void>
    /** Ends every session of a person at once, after a suspension or a change of the password. */
    readonly signOutEverywhere: (userId: string) => Effect.Effect<void>
    /**
     * Finds the session of a token. A malformed token fails with `SessionInvalid`, like an unknown token, and never
     * causes a defect. The use of a session does not extend its life.
     */
    readonly verify: (token: Redacted.Redacted) => Effect.Effect<SignInSession, SessionInvalid>
    /**
     * How many values the session secret has, and how many valid sessions were not signed with the first value. Such a
     * session stays valid as long as the pod also has the value that signed it.
     */
    readonly secretUse: Effect.Effect<{ readonly values: number; readonly older: number }>
    /** Makes the hash of a password for a new account, in the form that `signIn` reads. */
    readonly hashPassword: (password: Redacted.Redacted) => Effect.Effect<string, PasswordUnacceptable>
    /**
     * Returns true if the password matches the hash. Uses no database. Returns false for a password that no account can
     * have.
     */
    readonly matchesPassword: (hash: string, password: Redacted.Redacted) => Effect.Effect<boolean>
  }
>() {}

/**
 * Rows of `auth_users` and `auth_accounts` for a new person with a password, by column name. The caller inserts them in
 * the same transaction as the pod's own user. The account has the id of the person, so each person has one password.
 */
export const passwordAccount = (person: {
  readonly userId: string
  readonly email: EmailAddress
  readonly name: string
  readonly passwordHash: string
  readonly now: Date
}) => ({
  user: {
    id: person.userId,
    name: person.name,
    email: person.email,
    email_verified: false,
    created_at: person.now,
    updated_at: person.now
  },
  account: {
    id: person.userId,
    user_id: person.userId,
    // The library better-auth treats an account as a password account if its account id is the id of the person and its
    // provider is `credential`.
    account_id: person.userId,
    provider_id: "credential",
    password: person.passwordHash,
    created_at: person.now,
    updated_at: person.now
  }
})
export type PasswordAccount = ReturnType<typeof passwordAccount>
