-- The pod may delete preferences as it may delete every other row of a person; row-level security decides which.
GRANT DELETE ON preferences TO pod_app;
