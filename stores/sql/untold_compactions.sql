select c.compaction_id, t.thread_id, o.agent_id, o.user_id, c.from_seq, c.to_seq, c.range_messages as messages,
       c.range_tokens as tokens, c.reason, c.asked_at as requested_at
from compactions c
join threads t using (thread_key)
join owners o using (owner_key)
where c.state = 'asked' and (c.told_at is null or c.told_at < now() - $1::interval)
order by c.told_at nulls first
limit $2
