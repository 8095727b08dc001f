-- Threads of a batch, locked in one order for everybody, so that two batches never wait for each other in a circle.
select t.thread_key, t.thread_id, t.owner_key, o.agent_id, o.user_id, t.first_seq, t.last_seq, t.turn_seq, t.turn_id,
       t.messages, t.tokens, t.turn_messages, t.turn_tokens, t.deleted_at is not null as deleted
from threads t
join owners o using (owner_key)
where t.thread_id = any ($1::text[])
order by t.thread_key
for update of t
