INSERT INTO account SELECT id, 1000 FROM (VALUES ('alice'), ('bob'), ('carol')) AS who (id)
  WHERE NOT EXISTS (SELECT 1 FROM account WHERE account.id = who.id);
INSERT INTO review (product, stars) SELECT 'lamp', stars FROM (VALUES (5), (4), (3)) AS given (stars)
  WHERE NOT EXISTS (SELECT 1 FROM review WHERE product = 'lamp');
