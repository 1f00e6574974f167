-- The name that the owner gives the pod. The sign-in page shows it, so it is public.
ALTER TABLE pod_state ADD COLUMN name text CHECK (char_length(name) BETWEEN 1 AND 80);
