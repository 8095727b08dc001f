update threads t
set owner_key = u.owner_key, first_seq = u.first_seq, last_seq = u.last_seq,
    turn_seq = u.turn_seq, turn_id = u.turn_id,
    messages = u.messages, tokens = u.tokens,
    turn_messages = u.turn_messages, turn_tokens = u.turn_tokens,
    deleted_at = null
from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::text[],
            $7::bigint[], $8::bigint[], $9::bigint[], $10::bigint[])
    as u (thread_key, owner_key, first_seq, last_seq, turn_seq, turn_id, messages, tokens, turn_messages, turn_tokens)
where t.thread_key = u.thread_key
