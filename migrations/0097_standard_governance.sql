-- The mode `agent-owned` asked for an approval of deletions, which every agent needs in every workspace. It decided nothing, and
-- the pod no longer takes it.
UPDATE spaces SET governance = governance - 'governanceMode' WHERE governance ->> 'governanceMode' = 'agent-owned';
