-- The chain of ranges has no gap and no overlap: a summary is stored only where it continues the newest one.
with thread as (
    select t.thread_key, t.last_seq, c.messages, c.tokens
    from threads t
    join compactions c on c.thread_key = t.thread_key and c.compaction_id = $2
    where t.thread_id = $1 and t.folded_seq = $3::bigint - 1 and t.first_seq <= $3::bigint and t.deleted_at is null
    for update of t
), stored as (
    insert into summaries (thread_key, version, from_seq, to_seq, stored_at_seq, tokens, text, model, prompt_version)
    select thread.thread_key,
           1 + coalesce((select max(version) from summaries s where s.thread_key = thread.thread_key), 0),
           $3::bigint, $4::bigint, thread.last_seq, $5, $6, $7, $8
    from thread
    returning thread_key, version, from_seq, to_seq, text, tokens, model, prompt_version, created_at
), folded as (
    update threads t
    set folded_seq = $4::bigint, folded_messages = thread.messages, folded_tokens = thread.tokens
    from thread
    where t.thread_key = thread.thread_key
), settled as (
    update compactions c set state = 'done', settled_at = now()
    from thread
    where c.compaction_id = $2
)
select version, from_seq, to_seq, text, tokens, model, prompt_version, created_at from stored
