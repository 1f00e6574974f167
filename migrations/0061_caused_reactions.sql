-- Finds the events that made an automation or a notification react: these reactions name their event as their cause.
CREATE INDEX events_reactions ON events (user_id, causation_id DESC)
  WHERE causation_id IS NOT NULL AND (source = 'automation' OR type = 'notification.create');
