-- Rolling summaries, and the compactions that make them.

create table summaries (
    thread_key     bigint not null references threads on delete cascade,
    version        integer not null,
    from_seq       bigint not null,
    to_seq         bigint not null,
    stored_at_seq  bigint not null,              -- the thread's last_seq when this was stored: its place in the log's order
    tokens         integer not null,
    text           text not null,
    model          text not null,
    prompt_version text not null,
    created_at     timestamptz not null default now(),
    primary key (thread_key, version),
    unique (thread_key, from_seq),
    check (from_seq <= to_seq)
);

create table compactions (
    compaction_id uuid primary key,
    thread_key    bigint not null references threads on delete cascade,
    from_seq      bigint not null,
    to_seq        bigint not null,
    messages      bigint not null,               -- the thread's counted totals at to_seq
    tokens        bigint not null,
    range_messages integer not null,             -- counted in the range
    range_tokens  bigint not null,
    reason        text not null,
    state         text not null default 'asked' check (state in ('asked', 'done', 'failed')),
    asked_at      timestamptz not null default now(),
    told_at       timestamptz,                   -- when the request was last published
    settled_at    timestamptz
);

create index compactions_of_thread on compactions (thread_key, to_seq desc);
create unique index compactions_open on compactions (thread_key) where state = 'asked';
create index compactions_untold on compactions (told_at nulls first) where state = 'asked';
