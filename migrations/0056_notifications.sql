-- What a person is told. A row has ids only; the text that the person sees is read from the subject when it is shown.
CREATE TABLE notifications (
  id uuid PRIMARY KEY,
  -- The space of the subject. Who leaves the space sees the row no more.
  space_id uuid NOT NULL,
  person_id uuid NOT NULL,
  -- The first event, and the latest ones that were folded into the row.
  event_id uuid NOT NULL,
  event_ids uuid[] NOT NULL DEFAULT '{}',
  count integer NOT NULL DEFAULT 1,
  kind text NOT NULL,
  subject_id uuid NOT NULL,
  subject_type text NOT NULL,
  data jsonb NOT NULL DEFAULT '{}',
  -- The end of the quiet hours in which it was stored. Until then it is not new. Null if it was new at once.
  held_until timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  read_at timestamptz(3),
  dismissed_at timestamptz(3),
  UNIQUE (person_id, event_id, kind)
);
-- A person has one unread row for each kind and subject. Further events are counted in it.
CREATE UNIQUE INDEX notifications_unread ON notifications (person_id, kind, subject_id)
  WHERE read_at IS NULL AND dismissed_at IS NULL;
CREATE INDEX notifications_recent ON notifications (person_id, updated_at DESC, id DESC);
CREATE INDEX notifications_subject ON notifications (subject_id, kind) WHERE read_at IS NULL AND dismissed_at IS NULL;
CREATE INDEX notifications_event ON notifications (event_id);
CREATE INDEX notifications_age ON notifications (created_at);

ALTER TABLE notifications ENABLE ROW LEVEL SECURITY;
CREATE POLICY notifications_reach ON notifications TO pod_app
  USING (space_id = ANY ((SELECT app_spaces())::uuid[]) AND person_id = (SELECT app_person()))
  WITH CHECK (space_id = ANY ((SELECT app_spaces())::uuid[]) AND person_id = (SELECT app_person()));

-- What a person wants to be told, and when. It belongs to the person's own space.
CREATE TABLE notification_preferences (
  space_id uuid NOT NULL,
  person_id uuid NOT NULL,
  preferences jsonb NOT NULL,
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (person_id, space_id)
);

ALTER TABLE notification_preferences ENABLE ROW LEVEL SECURITY;
CREATE POLICY notification_preferences_reach ON notification_preferences TO pod_app
  USING (space_id = ANY ((SELECT app_spaces())::uuid[]) AND person_id = (SELECT app_person()))
  WITH CHECK (space_id = ANY ((SELECT app_spaces())::uuid[]) AND person_id = (SELECT app_person()));

GRANT SELECT, INSERT, UPDATE, DELETE ON notifications, notification_preferences TO pod_app;

-- Marks what everybody was told of a decided proposal as read, within the spaces of the call.
CREATE FUNCTION settle_notifications(of_kind text, of_subject uuid) RETURNS void
  LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    UPDATE public.notifications SET read_at = now()
    WHERE kind = of_kind AND subject_id = of_subject AND read_at IS NULL AND dismissed_at IS NULL
      AND space_id = ANY (public.app_spaces())
  $$;

-- Marks what was told of proposals that no longer wait as read, such as proposals that expired.
CREATE FUNCTION settle_expired_notifications() RETURNS void
  LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    UPDATE public.notifications told SET read_at = now()
    FROM public.proposals proposal
    WHERE told.kind = 'proposal_waiting' AND told.read_at IS NULL AND told.dismissed_at IS NULL
      AND proposal.id = told.subject_id AND (proposal.status <> 'pending' OR proposal.expires_at <= now())
  $$;

-- Deletes the notifications that are older than 90 days.
CREATE FUNCTION forget_notifications() RETURNS void
  LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    DELETE FROM public.notifications WHERE created_at < now() - interval '90 days'
  $$;
