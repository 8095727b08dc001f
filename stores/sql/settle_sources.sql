update sources s
set next_offset = u.next_offset,
    appended    = s.appended + u.appended,
    duplicate   = s.duplicate + u.duplicate,
    conflict    = s.conflict + u.conflict,
    rejected    = s.rejected + u.rejected,
    dead_letter = s.dead_letter + u.dead_letter,
    skipped     = s.skipped + u.skipped
from unnest($1::integer[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[], $8::bigint[])
    as u (source_key, next_offset, appended, duplicate, conflict, rejected, dead_letter, skipped)
where s.source_key = u.source_key
