-- The journal: who owns a thread, what was said in it, and up to where each partition of the log has been settled.
-- docs/decisions/ says why the keys, the partitions and the indexes are these, and what each costs.

create table owners (
    owner_key bigint generated always as identity primary key,
    agent_id  text not null,
    user_id   text,
    unique nulls not distinct (agent_id, user_id)
);

create table threads (
    thread_key      bigint generated always as identity primary key,
    thread_id       text not null unique,
    owner_key       bigint not null references owners,
    first_seq       bigint not null default 1,   -- where the thread's present life begins
    last_seq        bigint not null default 0,
    turn_seq        bigint not null default 0,   -- where the newest turn opens
    turn_id         text,
    messages        bigint not null default 0,   -- counted up to last_seq (system messages do not count)
    tokens          bigint not null default 0,
    turn_messages   bigint not null default 0,   -- counted before turn_seq: what a range that ends there has folded
    turn_tokens     bigint not null default 0,
    folded_seq      bigint not null default 0,   -- where the newest summary ends, and what was counted up to there
    folded_messages bigint not null default 0,
    folded_tokens   bigint not null default 0,
    window_limit    smallint,
    deleted_at      timestamptz
) with (fillfactor = 70); -- every batch updates its threads in place: room on the page keeps the indexes untouched

create table sources (
    source_key   integer generated always as identity primary key,
    topic        text not null,
    partition    integer not null,
    epoch        integer not null,               -- a log that began anew (a topic made again) has the next epoch
    first_offset bigint not null,
    next_offset  bigint not null,                -- every record before it is settled and counted below
    appended     bigint not null default 0,
    duplicate    bigint not null default 0,
    conflict     bigint not null default 0,
    rejected     bigint not null default 0,
    dead_letter  bigint not null default 0,
    skipped      bigint not null default 0,      -- offsets that hold no record for us: control records, expired ones
    unique (topic, partition, epoch)
) with (fillfactor = 50);

create table messages (
    thread_key    bigint not null,
    seq           bigint not null,
    turn_seq      bigint not null,
    owner_key     bigint not null,
    source_offset bigint not null,
    source_key    integer not null,
    tokens        integer not null,
    created_at    timestamptz not null,
    journaled_at  timestamptz not null default now(),
    role          text not null,
    message_id    text not null,
    digest        bytea not null,                -- of what J2 compares
    body          bytea not null,                -- the record's value, byte for byte
    primary key (thread_key, seq),
    unique (thread_key, message_id)
) partition by hash (thread_key);

do $$
begin
    for remainder in 0..15 loop
        execute format(
            'create table messages_%s partition of messages for values with (modulus 16, remainder %s)',
            to_char(remainder, 'FM00'), remainder
        );
    end loop;
end $$;
