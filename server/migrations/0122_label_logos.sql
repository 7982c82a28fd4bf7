-- The logo as labels print it: rows of dots from the top, '1' black; null where labels go without. Made from the picture
-- by whoever sets it, so it goes when the picture changes.
alter table company_logos
  add column label_rows text[] check (cardinality(label_rows) between 1 and 96 and length(label_rows[1]) <= 360)
