-- Orders of customers.
CREATE TABLE orders (
  id INTEGER PRIMARY KEY,
  total INTEGER
);

CREATE OR REPLACE FUNCTION total(a integer) RETURNS integer AS $$
BEGIN
  RETURN coalesce(a, 0);
END;
$$ LANGUAGE plpgsql;

SELECT * FROM orders;
