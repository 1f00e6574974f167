-- Finds the events of one request, and the history of one object, in a log of any length.
CREATE INDEX events_correlated ON events (correlation_id, id);
CREATE INDEX events_about ON events (subject_id, id DESC) WHERE subject_id IS NOT NULL;
