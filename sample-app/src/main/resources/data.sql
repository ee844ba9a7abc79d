INSERT INTO account SELECT id, 1000 FROM (VALUES ('alice'), ('bob'), ('carol')) AS who (id)
  WHERE NOT EXISTS (SELECT 1 FROM account WHERE account.id = who.id);
INSERT INTO review SELECT 'lamp', reviewer, stars FROM (VALUES ('alice', 5), ('bob', 4), ('carol', 3)) AS given (reviewer, stars)
  WHERE NOT EXISTS (SELECT 1 FROM review WHERE product = 'lamp');
