-- The record ends here: its next message, whosever it is, begins a new life after the last place of this one.
update threads t
set deleted_at = now(), first_seq = t.last_seq + 1, window_limit = null, turn_seq = 0, turn_id = null,
    turn_messages = t.messages, turn_tokens = t.tokens,
    folded_seq = t.last_seq, folded_messages = t.messages, folded_tokens = t.tokens
from owners o
where o.owner_key = t.owner_key and t.thread_id = $1 and o.agent_id = $2
  and ($4 or o.user_id is not distinct from $3) and t.deleted_at is null
returning t.thread_key
