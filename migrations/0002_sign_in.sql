-- Tables of people's sign-in, kept by better-auth 1.7.5 through src/platform/BetterAuth.ts.
-- Column names are ours (the layer maps them); `signIn.test.ts` asks the library whether anything is missing.

CREATE TABLE auth_users (
  id text PRIMARY KEY,
  name text NOT NULL,
  -- Stored in lower case, so the unique index is unique regardless of case and the library's equality look-up can use it.
  email text NOT NULL UNIQUE CHECK (email = lower(email)),
  email_verified boolean NOT NULL,
  image text,
  created_at timestamptz NOT NULL DEFAULT CURRENT_TIMESTAMP,
  updated_at timestamptz NOT NULL DEFAULT CURRENT_TIMESTAMP
);

CREATE TABLE auth_sessions (
  id text PRIMARY KEY,
  -- SHA-256 of the token in hex, never the token. The check keeps a layer without the wrapper from storing it in clear.
  token text NOT NULL UNIQUE CHECK (token ~ '^[0-9a-f]{64}$'),
  user_id text NOT NULL REFERENCES auth_users (id) ON DELETE CASCADE,
  expires_at timestamptz NOT NULL,
  ip_address text,
  user_agent text,
  created_at timestamptz NOT NULL DEFAULT CURRENT_TIMESTAMP,
  updated_at timestamptz NOT NULL
);

CREATE INDEX auth_sessions_user_id_idx ON auth_sessions (user_id);
CREATE INDEX auth_sessions_expires_at_idx ON auth_sessions (expires_at);

CREATE TABLE auth_accounts (
  id text PRIMARY KEY,
  account_id text NOT NULL,
  provider_id text NOT NULL,
  user_id text NOT NULL REFERENCES auth_users (id) ON DELETE CASCADE,
  access_token text,
  refresh_token text,
  id_token text,
  access_token_expires_at timestamptz,
  refresh_token_expires_at timestamptz,
  scope text,
  password text,
  created_at timestamptz NOT NULL DEFAULT CURRENT_TIMESTAMP,
  updated_at timestamptz NOT NULL,
  -- Two owners of one account at a provider would let either sign in as the other.
  CONSTRAINT auth_accounts_provider_account_key UNIQUE (provider_id, account_id)
);

CREATE INDEX auth_accounts_user_id_idx ON auth_accounts (user_id);

CREATE TABLE auth_verifications (
  id text PRIMARY KEY,
  identifier text NOT NULL,
  value text NOT NULL,
  expires_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL DEFAULT CURRENT_TIMESTAMP,
  updated_at timestamptz NOT NULL DEFAULT CURRENT_TIMESTAMP
);

CREATE INDEX auth_verifications_identifier_idx ON auth_verifications (identifier);

GRANT SELECT, INSERT, UPDATE, DELETE ON auth_users TO pod_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON auth_sessions TO pod_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON auth_accounts TO pod_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON auth_verifications TO pod_app;
