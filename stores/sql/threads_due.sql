-- What a threshold is held against, thread by thread: counted totals, where the newest turn opens, the newest compaction.
select t.thread_key, t.thread_id, o.agent_id, o.user_id, t.first_seq, t.turn_seq,
       t.messages, t.tokens, t.turn_messages, t.turn_tokens, t.folded_seq, t.folded_messages, t.folded_tokens,
       c.compaction_id, c.from_seq, c.to_seq, c.messages as totalled_messages, c.tokens as totalled_tokens,
       c.range_messages, c.range_tokens, c.reason, c.state, c.asked_at, c.told_at is not null as told
from threads t
join owners o using (owner_key)
left join lateral (
    select * from compactions where thread_key = t.thread_key order by to_seq desc, asked_at desc limit 1
) c on true
where t.thread_id = any ($1::text[]) and t.deleted_at is null
