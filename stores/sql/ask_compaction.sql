-- One compaction of a thread is open at a time, whoever asks, however often.
insert into compactions (compaction_id, thread_key, from_seq, to_seq, messages, tokens, range_messages, range_tokens, reason)
select $1, t.thread_key, $3::bigint, $4, $5, $6, $7, $8, $9
from threads t
where t.thread_key = $2 and t.folded_seq = $3::bigint - 1
on conflict do nothing
returning asked_at
