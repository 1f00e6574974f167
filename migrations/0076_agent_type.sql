-- The type under which an agent was set up. A person has one agent of each type.
ALTER TABLE users ADD COLUMN agent_type text;
CREATE UNIQUE INDEX users_agent_type ON users (person_id, agent_type) WHERE agent_type IS NOT NULL;
