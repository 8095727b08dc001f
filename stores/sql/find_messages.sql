select m.thread_key, m.message_id, m.seq, m.digest, m.source_key, m.source_offset, m.tokens
from unnest($1::bigint[], $2::text[]) as wanted (thread_key, message_id)
join messages m using (thread_key, message_id)
