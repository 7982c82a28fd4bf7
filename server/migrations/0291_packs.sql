-- What is delivered in cases bears a code on the case, too: one scan of that is so many pieces.

alter table alias_barcodes add column pieces integer not null default 1
  constraint alias_barcodes_pieces_check check (pieces between 1 and 10000)
