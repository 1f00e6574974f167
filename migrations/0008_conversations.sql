-- Conversations (channels, threads, what is said in them, how far each person has read) and focus sessions.
CREATE TABLE channels (
  id uuid NOT NULL,
  space_id uuid NOT NULL,
  user_id uuid NOT NULL,
  actor_id uuid NOT NULL,
  title text,
  type text NOT NULL,
  family text,
  context_object_id uuid,
  context_object_type text,
  agent_id uuid,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  archived_at timestamptz(3),
  PRIMARY KEY (id, space_id)
);
CREATE INDEX channels_recent ON channels (space_id, updated_at DESC, id DESC) WHERE archived_at IS NULL;

CREATE TABLE threads (
  id uuid NOT NULL,
  space_id uuid NOT NULL,
  user_id uuid NOT NULL,
  actor_id uuid NOT NULL,
  title text,
  assigned_agent_id uuid,
  parent_channel_id uuid,
  branch_purpose text,
  context_summary text,
  status text,
  context_object_id uuid,
  context_object_type text,
  external_source text,
  external_id text,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  archived_at timestamptz(3),
  PRIMARY KEY (id, space_id)
);
CREATE INDEX threads_recent ON threads (space_id, updated_at DESC, id DESC) WHERE archived_at IS NULL;
CREATE INDEX threads_parent ON threads (parent_channel_id, space_id) WHERE archived_at IS NULL;
-- What another system calls it: one thread a space.
CREATE UNIQUE INDEX threads_external ON threads (space_id, external_source, external_id)
  WHERE external_id IS NOT NULL AND archived_at IS NULL;

-- Listed by id, which is made when it is said: those of one thread stay in their order.
CREATE TABLE messages (
  id uuid NOT NULL,
  space_id uuid NOT NULL,
  user_id uuid NOT NULL,
  actor_id uuid NOT NULL,
  thread_id uuid NOT NULL,
  role text NOT NULL,
  content text NOT NULL,
  author_id uuid NOT NULL,
  session_id uuid,
  metadata jsonb,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  archived_at timestamptz(3),
  PRIMARY KEY (id, space_id)
);
CREATE INDEX messages_of_thread ON messages (space_id, thread_id, id DESC) WHERE archived_at IS NULL;

-- How far a person has read a thread, or (is_channel) all the threads of a channel: up to and with that message.
CREATE TABLE read_markers (
  space_id uuid NOT NULL,
  user_id uuid NOT NULL,
  channel_id uuid NOT NULL,
  is_channel boolean NOT NULL,
  message_id uuid NOT NULL,
  read_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (user_id, channel_id, space_id)
);

CREATE TABLE focus_sessions (
  id uuid NOT NULL,
  space_id uuid NOT NULL,
  user_id uuid NOT NULL,
  actor_id uuid NOT NULL,
  correlation_id text,
  goal text NOT NULL,
  status text NOT NULL,
  template_id uuid,
  expected_outputs jsonb NOT NULL,
  channel_id uuid,
  progress double precision,
  agent_ids jsonb NOT NULL,
  closed_at timestamptz(3),
  context_report jsonb,
  plan_report jsonb,
  execution_log jsonb,
  verification_report jsonb,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  archived_at timestamptz(3),
  PRIMARY KEY (id, space_id)
);
CREATE INDEX focus_sessions_recent ON focus_sessions (space_id, user_id, id DESC) WHERE archived_at IS NULL;
-- What the client calls it: one session a person and space.
CREATE UNIQUE INDEX focus_sessions_correlation ON focus_sessions (space_id, user_id, correlation_id)
  WHERE correlation_id IS NOT NULL AND archived_at IS NULL;

ALTER TABLE channels ENABLE ROW LEVEL SECURITY;
CREATE POLICY channels_reach ON channels TO pod_app
  USING (
    space_id = ANY ((SELECT app_spaces())::uuid[])
    AND ((SELECT app_every_object()) OR id = ANY ((SELECT app_objects())::uuid[]))
    AND (SELECT app_every_project())
  )
  WITH CHECK (space_id = ANY ((SELECT app_spaces())::uuid[]));

ALTER TABLE threads ENABLE ROW LEVEL SECURITY;
CREATE POLICY threads_reach ON threads TO pod_app
  USING (
    space_id = ANY ((SELECT app_spaces())::uuid[])
    AND ((SELECT app_every_object()) OR id = ANY ((SELECT app_objects())::uuid[]))
    AND (SELECT app_every_project())
  )
  WITH CHECK (space_id = ANY ((SELECT app_spaces())::uuid[]));

ALTER TABLE messages ENABLE ROW LEVEL SECURITY;
CREATE POLICY messages_reach ON messages TO pod_app
  USING (
    space_id = ANY ((SELECT app_spaces())::uuid[])
    AND ((SELECT app_every_object()) OR id = ANY ((SELECT app_objects())::uuid[]))
    AND (SELECT app_every_project())
  )
  WITH CHECK (space_id = ANY ((SELECT app_spaces())::uuid[]));

ALTER TABLE read_markers ENABLE ROW LEVEL SECURITY;
CREATE POLICY read_markers_reach ON read_markers TO pod_app
  USING (
    space_id = ANY ((SELECT app_spaces())::uuid[])
    AND user_id = (SELECT app_person())
    AND ((SELECT app_every_object()) OR channel_id = ANY ((SELECT app_objects())::uuid[]))
    AND (SELECT app_every_project())
  )
  WITH CHECK (space_id = ANY ((SELECT app_spaces())::uuid[]) AND user_id = (SELECT app_person()));

ALTER TABLE focus_sessions ENABLE ROW LEVEL SECURITY;
CREATE POLICY focus_sessions_reach ON focus_sessions TO pod_app
  USING (
    space_id = ANY ((SELECT app_spaces())::uuid[])
    AND user_id = (SELECT app_person())
    AND ((SELECT app_every_object()) OR id = ANY ((SELECT app_objects())::uuid[]))
    AND (SELECT app_every_project())
  )
  WITH CHECK (space_id = ANY ((SELECT app_spaces())::uuid[]) AND user_id = (SELECT app_person()));

GRANT SELECT, INSERT, UPDATE, DELETE ON channels, threads, messages, read_markers, focus_sessions TO pod_app;
