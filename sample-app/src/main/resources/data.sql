INSERT INTO review SELECT 'lamp', reviewer, stars FROM (VALUES ('alice', 5), ('bob', 4), ('carol', 3)) AS given (reviewer, stars)
  WHERE NOT EXISTS (SELECT 1 FROM review WHERE product = 'lamp');
