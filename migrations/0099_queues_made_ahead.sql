-- The queues of the pod, made once with the schema. To make one takes the embedded database 40 ms and PostgreSQL 10, which each
-- first start of a pod took for twelve of them. A pod that starts states the rules of its queues, and makes those that are not here.
SELECT pgboss.create_queue(name, '{"policy": "short"}')
FROM unnest(ARRAY[
  'automations.plan', 'automations.run', 'centrality.compute', 'memory.embed', 'notifications', 'notifications.tell',
  'notifications.upkeep', 'search.embed', 'system.sweep', 'webhooks.plan', 'webhooks.replay'
]) AS name;
