-- The messages of a range, in order, without system messages.
select m.seq, m.turn_seq, m.tokens, m.body
from messages m
join threads t using (thread_key)
where t.thread_id = $1 and m.seq between $2 and $3 and m.role <> 'system'
order by m.seq
