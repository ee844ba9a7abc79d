package io.github.lockboot.sample.transfer;

import java.util.List;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/**
 * The accounts. The accounts of a bank are named {@code <bank>-<number>}; alice, bob and
 * carol belong to none and are permanent.
 */
@Repository
class Accounts {

	private final JdbcClient db;

	Accounts(JdbcClient db) {
		this.db = db;
	}

	void open(String bank, int count, long balance) {
		for (int i = 0; i < count; i++) {
			this.db.sql("INSERT INTO account (id, balance) VALUES (?, ?)").params(bank + "-" + i, balance).update();
		}
	}

	long balance(String account) {
		return this.db.sql("SELECT balance FROM account WHERE id = ?").param(account).query(Long.class).single();
	}

	boolean exists(String account) {
		return !this.db.sql("SELECT id FROM account WHERE id = ?").param(account).query().listOfRows().isEmpty();
	}

	void write(String account, long balance) {
		this.db.sql("UPDATE account SET balance = ? WHERE id = ?").params(balance, account).update();
	}

	List<Account> of(String bank) {
		return this.db.sql("SELECT id, balance FROM account WHERE id LIKE ? ORDER BY id")
			.param(bank + "-%")
			.query(Account.class)
			.list();
	}

	void close(String bank) {
		this.db.sql("DELETE FROM account WHERE id LIKE ?").param(bank + "-%").update();
	}

	record Account(String id, long balance) {
	}

}
