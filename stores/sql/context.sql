-- All that a context is made of, in one round trip.
-- $1 thread, $2 agent, $3 user; $4 the platform's cap, or exactly the cap where $5 is given; $5 the last place to show;
-- $6 a summary's version (0 for none); $7 the message that must be there. Null: the newest, or none asked for.
with thread as materialized (
    select t.thread_key, t.first_seq,
           least(t.last_seq, coalesce($5::bigint, t.last_seq)) as through,
           case when $5 is null then least(coalesce(t.window_limit, $4::integer), $4::integer) else $4 end as cap
    from threads t
    join owners o using (owner_key)
    where t.thread_id = $1 and o.agent_id = $2 and o.user_id is not distinct from $3 and t.deleted_at is null
), tail as materialized (
    select m.seq, m.turn_seq, m.tokens, m.body, m.journaled_at
    from thread t
    cross join lateral (
        select * from messages
        where thread_key = t.thread_key and seq between t.first_seq and t.through and role <> 'system'
        order by seq desc limit t.cap
    ) m
), opening as materialized (
    -- the first shown message of the oldest and of the newest turn: it may lie before the tail
    select m.seq, m.turn_seq, m.tokens, m.body, m.journaled_at
    from thread t
    cross join (select min(turn_seq) from tail union select max(turn_seq) from tail) turn (turn_seq)
    cross join lateral (
        select * from messages
        where thread_key = t.thread_key and seq between turn.turn_seq and t.through and role <> 'system'
        order by seq limit 1
    ) m
), shown as (
    select * from tail
    union all
    select * from opening where seq < (select min(seq) from tail)
    order by seq
)
select t.through, t.cap,
       $7::text is null or exists (
           select from messages m
           where m.thread_key = t.thread_key and m.message_id = $7 and m.seq between t.first_seq and t.through
       ) as holds_message,
       w.seqs, w.turn_seqs, w.tokens, w.bodies, w.newest_at,
       (select array_agg(seq) from opening) as opening_seqs,
       (select min(seq) from tail) as tail_seq,
       s.version, s.from_seq, s.to_seq, s.text, s.summary_tokens, s.model, s.prompt_version, s.created_at
from thread t
cross join lateral (
    select array_agg(seq) as seqs, array_agg(turn_seq) as turn_seqs, array_agg(tokens) as tokens,
           array_agg(body) as bodies, max(journaled_at) as newest_at
    from shown
) w
left join lateral (
    select version, from_seq, to_seq, text, tokens as summary_tokens, model, prompt_version, created_at
    from summaries
    where thread_key = t.thread_key and from_seq >= t.first_seq and version = coalesce($6::integer, version)
    order by version desc limit 1
) s on true
