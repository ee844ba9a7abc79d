INSERT INTO account SELECT id, 1000 FROM (VALUES ('alice'), ('bob'), ('carol')) AS who (id)
  WHERE NOT EXISTS (SELECT 1 FROM account WHERE account.id = who.id);
