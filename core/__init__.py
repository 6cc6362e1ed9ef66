"""The rules of sayso: plain values and plain functions. No clock, no ids, no network.

Read in this order: `kinds` (what can be asked), `interactions` (what one question is and how it
settles; the heart), `audience` (who may answer), `receipts` and `events` (what is kept and heard),
`ports` (what the shell must provide), `use_cases` (load, decide, record, commit).
"""
