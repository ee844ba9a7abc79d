CREATE TABLE IF NOT EXISTS distributed_lock (
	name VARCHAR(255) NOT NULL PRIMARY KEY,
	owner VARCHAR(64),
	token BIGINT NOT NULL,
	acquired_at BIGINT NOT NULL,
	expires_at BIGINT NOT NULL,
	wanted_until BIGINT DEFAULT 0 NOT NULL,
	waiting_until BIGINT DEFAULT 0 NOT NULL,
	state VARCHAR(8) NOT NULL,
	host VARCHAR(255),
	process BIGINT,
	thread VARCHAR(255)
);
CREATE TABLE IF NOT EXISTS distributed_lock_holder (
	name VARCHAR(255) NOT NULL,
	owner VARCHAR(64) NOT NULL,
	expires_at BIGINT NOT NULL,
	PRIMARY KEY (name, owner)
);
